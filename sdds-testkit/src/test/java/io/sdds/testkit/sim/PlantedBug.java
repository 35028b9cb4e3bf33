package io.sdds.testkit.sim;

import io.netty.buffer.ByteBuf;
import io.sdds.core.control.ControlFrame;
import io.sdds.core.control.ControlMessage;
import io.sdds.core.model.SplitOrder;
import io.sdds.core.protocol.Opcode;
import io.sdds.core.protocol.ReplyFrame;
import io.sdds.core.protocol.RequestFrame;
import io.sdds.core.protocol.Status;
import io.sdds.core.stage.StageLimits;
import io.sdds.testkit.sim.SimNetwork.Fate;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Known-bad variants of the nodes, made by tampering with what they send, hear or remember: each behaves as a node with that bug would. The nodes themselves
 * are those that ship.
 */
enum PlantedBug implements PlantedFilter {
    /** A client that sends a write again sends it as a new one. */
    RETRY_UNDER_A_NEW_ID(26) {
        @Override
        public SimNetwork.FrameFilter plant(SplittableRandom random) {
            TreeSet<String> sent = new TreeSet<>();
            return (from, to, frame, index, length) -> {
                if (isWrite(frame, index) && from.name().startsWith("client")) {
                    long seq = frame.getLongLE(index + RequestFrame.SEQ);
                    if (!sent.add(frame.getLongLE(index + RequestFrame.SESSION) + "/" + seq)) {
                        frame.setLongLE(index + RequestFrame.SEQ, seq + ANOTHER);
                        frame.setIntLE(
                                index + RequestFrame.LOW_DISTANCE,
                                frame.getIntLE(index + RequestFrame.LOW_DISTANCE) + ANOTHER);
                    }
                }
                return Fate.SENT;
            };
        }
    },

    /** A split forgets the results of the moved half: what is tried again at the child runs again. */
    RESULTS_STAY_BEHIND(138) {
        @Override
        public SimNetwork.FrameFilter plant(SplittableRandom random) {
            return (from, to, frame, index, length) -> {
                if (frame.getByte(index + 4) == Opcode.SLICE) {
                    for (int at : entries(frame, index, length, RESULT)) {
                        frame.setLongLE(at + 1, NO_SESSION);
                    }
                }
                return Fate.SENT;
            };
        }
    },

    /** Removals during a split don't reach the child. */
    REMOVALS_STAY_BEHIND(20) {
        @Override
        public SimNetwork.FrameFilter plant(SplittableRandom random) {
            return (from, to, frame, index, length) -> {
                if (frame.getByte(index + 4) == Opcode.SLICE) {
                    for (int at : entries(frame, index, length, REMOVE)) {
                        frame.setByte(at + 3, '?');
                    }
                }
                return Fate.SENT;
            };
        }
    },

    /** One record in a hundred is lost on its way to the child. */
    SLICE_LACKS_A_RECORD(6) {
        @Override
        public SimNetwork.FrameFilter plant(SplittableRandom random) {
            return (from, to, frame, index, length) -> {
                if (frame.getByte(index + 4) == Opcode.SLICE) {
                    for (int at : entries(frame, index, length, RECORD)) {
                        if (random.nextInt(100) == 0) {
                            frame.setByte(at + 15, '?');
                        }
                    }
                }
                return Fate.SENT;
            };
        }
    },

    /** The child acknowledges slices that it has not applied, and the switch comes before they do. */
    SLICE_ACKNOWLEDGED_EARLY(5) {
        @Override
        public SimNetwork.FrameFilter plant(SplittableRandom random) {
            return (from, to, frame, index, length) -> {
                if (frame.getByte(index + 4) == Opcode.CONTROL
                        && ControlFrame.read(frame, index, length) instanceof ControlMessage.ShipAcked acked) {
                    ControlEdit.set(frame, index, acked, "slice", acked.slice() + 1);
                }
                return Fate.SENT;
            };
        }
    },

    /** A brick that sometimes ignores the condition of a put if absent. */
    CONDITION_IGNORED(8) {
        @Override
        public SimNetwork.FrameFilter plant(SplittableRandom random) {
            return (from, to, frame, index, length) -> {
                if (frame.getByte(index + 4) == Opcode.PUT_IF_ABSENT && random.nextInt(50) == 0) {
                    frame.setByte(index + 4, Opcode.PUT);
                }
                return Fate.SENT;
            };
        }
    },

    /** A brick that acknowledges a write and loses it: the next retry would find it done. */
    ACKNOWLEDGED_AND_LOST(3) {
        @Override
        public SimNetwork.FrameFilter plant(SplittableRandom random) {
            return (from, to, frame, index, length) -> {
                if (frame.getByte(index + 4) == Opcode.REPLACE && random.nextInt(50) == 0) {
                    frame.setByte(index + RequestFrame.WRITE_BODY, frame.getByte(index + RequestFrame.WRITE_BODY) + 1);
                }
                return Fate.SENT;
            };
        }
    },

    /** A scan that goes on behind where it should. */
    CURSOR_SKIPS(1) {
        @Override
        public SimNetwork.FrameFilter plant(SplittableRandom random) {
            return (from, to, frame, index, length) -> {
                if (frame.getByte(index + 4) == Opcode.SCAN && random.nextInt(10) == 0) {
                    int at = index + RequestFrame.READ_BODY;
                    frame.setLongLE(at, frame.getLongLE(at) + (1L << 57));
                }
                return Fate.SENT;
            };
        }
    },

    /** A scan step that is answered twice over: its interval begins before what was asked for. */
    CURSOR_GOES_BACK(15) {
        @Override
        public SimNetwork.FrameFilter plant(SplittableRandom random) {
            return (from, to, frame, index, length) -> {
                int at = index + RequestFrame.READ_BODY;
                if (frame.getByte(index + 4) == Opcode.SCAN
                        && frame.getLongLE(at) != 0
                        && (frame.getLongLE(at) & (1L << 60) - 1) != 0
                        && random.nextInt(3) == 0) {
                    frame.setLongLE(at, frame.getLongLE(at) & ~((1L << 60) - 1));
                }
                return Fate.SENT;
            };
        }
    },

    /** Bricks whose links let frames overtake each other. */
    BRICK_LINKS_REORDER(1) {
        @Override
        public SimNetwork.FrameFilter plant(SplittableRandom random) {
            return (from, to, frame, index, length) -> from.name().startsWith("b")
                            && to.name().startsWith("b")
                            && frame.getByte(index + 4) != Opcode.HELLO
                            && random.nextInt(4) == 0
                    ? Fate.OVERTAKEN
                    : Fate.SENT;
        }
    },

    /** The child's logical time does not go on from the parent's: what had expired there rises again. */
    EXPIRED_RISE_BY_A_SPLIT(74) {
        @Override
        public SimNetwork.FrameFilter plant(SplittableRandom random) {
            return (from, to, frame, index, length) -> {
                if (frame.getByte(index + 4) == Opcode.CONTROL
                        && ControlFrame.read(frame, index, length) instanceof ControlMessage.HandOver handOver) {
                    ControlEdit.set(frame, index, handOver, "timeNanos", 0L);
                }
                return Fate.SENT;
            };
        }
    },

    /** A split forgets when the records it moves expire. */
    EXPIRY_STAYS_BEHIND(15) {
        @Override
        public SimNetwork.FrameFilter plant(SplittableRandom random) {
            return (from, to, frame, index, length) -> {
                if (frame.getByte(index + 4) == Opcode.SLICE) {
                    for (int at : entries(frame, index, length, EXPIRING_RECORD)) {
                        frame.setLongLE(at + 15, Long.MAX_VALUE - 1);
                    }
                }
                return Fate.SENT;
            };
        }
    },

    /** A brick that compares versions wrongly now and then. */
    VERSION_IGNORED(3) {
        @Override
        public SimNetwork.FrameFilter plant(SplittableRandom random) {
            return (from, to, frame, index, length) -> {
                if (frame.getByte(index + 4) == Opcode.REPLACE
                        && (frame.getByte(index + RequestFrame.FLAGS) & RequestFrame.FLAG_VERSION) != 0
                        && random.nextInt(4) == 0) {
                    int version =
                            index + RequestFrame.WRITE_BODY + frame.getUnsignedShortLE(index + RequestFrame.KEY_LENGTH);
                    frame.setLongLE(version, frame.getLongLE(version) + random.nextInt(1, 4));
                }
                return Fate.SENT;
            };
        }
    },

    /** A brick that does not wait for the splits before its own: bricks hear of their own splits as if each were the first of its table. */
    HANDOVERS_OUT_OF_ORDER(12) {
        @Override
        public ClusterPlan.Severity severity() {
            return ClusterPlan.Severity.COORDINATOR_CRASHES; // splits that are interrupted less often meet more
        }

        @Override
        public SimNetwork.FrameFilter plant(SplittableRandom random) {
            TreeMap<String, Integer> numbers = new TreeMap<>();
            return (from, to, frame, index, length) -> {
                if (frame.getByte(index + 4) == Opcode.CONTROL
                        && ControlFrame.read(frame, index, length) instanceof ControlMessage.MapUpdate update) {
                    update.bricks().forEach(brick -> numbers.put(brick.id(), brick.number()));
                    hideSplitsOfOthers(update, numbers.getOrDefault(to.name(), 0), frame, index);
                }
                return Fate.SENT;
            };
        }

        /** They get the number of the last child: none stands before the brick's own. */
        private void hideSplitsOfOthers(ControlMessage.MapUpdate update, int brick, ByteBuf frame, int index) {
            int last =
                    update.splits().stream().mapToInt(SplitOrder::child).max().orElse(0);
            List<SplitOrder> hidden = update.splits().stream()
                    .map(order ->
                            order.source().brick() != brick && order.target().brick() != brick
                                    ? ControlEdit.with(order, "child", last)
                                    : order)
                    .toList();
            ControlEdit.set(frame, index, update, "splits", hidden);
        }
    },

    /** A brick that answers BUSY, which says that there was no effect, to what it has done. */
    BUSY_AFTER_THE_EFFECT(1) {
        @Override
        public SimNetwork.FrameFilter plant(SplittableRandom random) {
            return (from, to, frame, index, length) -> {
                if (frame.getByte(index + 4) == Opcode.REPLY
                        && to.name().startsWith("client")
                        && frame.getByte(index + ReplyFrame.STATUS) == Status.OK
                        && length >= ReplyFrame.HEADER + Integer.BYTES
                        && random.nextInt(100) == 0) {
                    frame.setByte(index + ReplyFrame.STATUS, Status.MEMORY_FULL);
                }
                return Fate.SENT;
            };
        }
    },

    /** A client that sends a conditional write again sends it as a new one: it may meet its own effect. */
    CONDITIONAL_RETRIED_BLINDLY(26) {
        @Override
        public SimNetwork.FrameFilter plant(SplittableRandom random) {
            SimNetwork.FrameFilter blind = RETRY_UNDER_A_NEW_ID.plant(random);
            return (from, to, frame, index, length) -> {
                byte opcode = frame.getByte(index + 4);
                return opcode >= Opcode.PUT_IF_ABSENT && opcode <= Opcode.COMPARE_AND_SET
                        ? blind.fate(from, to, frame, index, length)
                        : Fate.SENT;
            };
        }
    },

    /** A client that says of its open writes that none is: their results may go. */
    LOW_MOVED_EARLY(25) {
        @Override
        public SimNetwork.FrameFilter plant(SplittableRandom random) {
            return (from, to, frame, index, length) -> {
                if (isWrite(frame, index)) {
                    frame.setIntLE(index + RequestFrame.LOW_DISTANCE, 0);
                }
                return Fate.SENT;
            };
        }
    },

    /** Slices are shed when there is much to do, as if they were requests. */
    SLICES_SHED(1) {
        @Override
        public SimNetwork.FrameFilter plant(SplittableRandom random) {
            return (from, to, frame, index, length) ->
                    frame.getByte(index + 4) == Opcode.SLICE && random.nextInt(20) == 0 ? Fate.LOST : Fate.SENT;
        }
    },

    /** Each step of a scan says that it reached less than it gave: the rest is given twice, as by two bricks that were both asked. */
    SCANNED_TWICE(1) {
        @Override
        public SimNetwork.FrameFilter plant(SplittableRandom random) {
            return PlantedScans.reaching(
                    Opcode.SCAN, (asked, reached) -> asked.from() + (reached - asked.from() >>> 1));
        }
    },

    /** Where a partition has split since, a scan takes the child's points for covered by the parent. */
    CURSOR_SKIPS_AT_A_SPLIT(4) {
        @Override
        public SimNetwork.FrameFilter plant(SplittableRandom random) {
            return PlantedScans.reaching(
                    Opcode.SCAN,
                    (asked, reached) ->
                            (reached & SPLIT_BOUNDARY) == 0 && random.nextBoolean() ? asked.end() : reached);
        }
    },

    /** A brick that goes on answering reads from what a record was. */
    READ_ANSWERED_FROM_THE_PAST(1) {
        @Override
        public SimNetwork.FrameFilter plant(SplittableRandom random) {
            return new PlantedReads(random);
        }
    },

    /** A brick that forgets the result of a write without effect: sent again, it may have one. */
    FAILED_CONDITION_FORGOTTEN(26) {
        @Override
        public SimNetwork.FrameFilter plant(SplittableRandom random) {
            return new PlantedRetries();
        }
    },

    /** A child that applies slices of an earlier attempt to ship it. */
    OLD_SLICE_ACCEPTED(218) {
        @Override
        public SimNetwork.FrameFilter plant(SplittableRandom random) {
            return new PlantedSlices();
        }
    },

    /** A brick takes a map update for known that it has not taken: from then on its map is stale, and nobody tells it. */
    MAP_UPDATE_SKIPPED(4) {
        @Override
        public SimNetwork.FrameFilter plant(SplittableRandom random) {
            return new PlantedMap(random);
        }
    },

    /** A brick answers some writes before it runs them. */
    WRITE_ACKNOWLEDGED_EARLY(2) {
        @Override
        public void plant(SimCluster cluster) {
            SplittableRandom random = cluster.simulation().fork("planted bug");
            cluster.interpose((env, node) -> new PlantedNode.EarlyAnswers(env, node, random));
        }
    },

    /** The child's brick says that it serves, and forgets it. */
    HANDOVER_FORGOTTEN(1) {
        @Override
        public void plant(SimCluster cluster) {
            cluster.interpose((env, node) -> new PlantedNode.ForgottenHandOvers(node));
        }
    },

    /** A brick takes sessions for ended that are not, and forgets their results. */
    SESSION_ENDED_EARLY(26) {
        @Override
        public void plant(SimCluster cluster) {
            cluster.simulation().after(FORGETTING_NANOS, () -> {
                for (SimBrick brick : cluster.bricks()) {
                    brick.nodes()
                            .forEach(node -> node.tables()
                                    .forEach(partition -> partition.results().dropEnded(session -> true)));
                }
                plant(cluster);
            });
        }
    },

    /** A brick forgets one request in a thousand: its client gives it up, and counts it as under way for ever. */
    REQUEST_NEVER_ANSWERED(1) {
        @Override
        public String complaint() {
            return "was never answered";
        }

        @Override
        public void plant(SimCluster cluster) {
            SplittableRandom random = cluster.simulation().fork("planted bug");
            cluster.interpose((env, node) -> new PlantedNode.ForgottenRequests(node, random));
        }
    },

    /** A client's window never gets back the room of a scan's step that was under way when the scan was left. */
    CREDIT_LEAKED_ON_CANCEL(3) {
        @Override
        public String complaint() {
            return "against its window";
        }

        @Override
        public void plant(SimCluster cluster) {
            cluster.onScanAbandoned(client -> client.window().tryEnter(1));
        }
    },

    /** Nobody compares checksums: the bits that the network flips arrive as if they had been sent so. */
    CHECKSUM_NOT_VERIFIED(14) {
        @Override
        public String complaint() {
            return "is not linearizable";
        }

        @Override
        public void plant(SimCluster cluster) {
            SplittableRandom random = cluster.simulation().fork("planted bug");
            SimNetwork network = cluster.simulation().network();
            network.filter((from, to, frame, index, length) -> {
                if (length > FRAME_WORDS && network.takesFlip(from, to)) {
                    int at = index + random.nextInt(FRAME_WORDS, length);
                    frame.setByte(at, frame.getByte(at) ^ 1 << random.nextInt(Byte.SIZE));
                }
                return Fate.SENT;
            });
        }
    },

    /** A brick whose queue has no bound. */
    NOTHING_REFUSED(67) {
        @Override
        public String complaint() {
            return "admitted a client's request to a queue of";
        }

        @Override
        public void plant(SimCluster cluster) {
            cluster.limits(StageLimits.DEFAULT);
        }
    };

    private static final long FORGETTING_NANOS = 10_000_000;
    private static final long SPLIT_BOUNDARY = (1L << 58) - 1;

    /** Length and opcode of a frame: flipped, they make bytes that are no frame, which every version notices. */
    private static final int FRAME_WORDS = 8;

    private static final int ANOTHER = 1_000_000;
    private static final long NO_SESSION = 1L << 50;
    static final byte RECORD = 1;
    private static final byte REMOVE = 2;
    private static final byte RESULT = 3;
    static final byte EXPIRING_RECORD = 4;
    private static final int SLICE_ENTRIES = 32;

    private final long firstSeed;

    PlantedBug(long firstSeed) {
        this.firstSeed = firstSeed;
    }

    @Override
    public long firstSeed() {
        return firstSeed;
    }

    @Override
    public Shape shape() {
        return Shape.GROWING;
    }

    @Override
    public ClusterPlan.Severity severity() {
        return ClusterPlan.Severity.HARSH;
    }

    @Override
    public SimNetwork.FrameFilter plant(SplittableRandom random) {
        throw new UnsupportedOperationException(this + " is no filter");
    }

    private static boolean isWrite(ByteBuf frame, int index) {
        return Opcode.isWrite(frame.getByte(index + 4));
    }

    /** Where the entries of a kind begin in a slice. */
    static List<Integer> entries(ByteBuf frame, int index, int length, byte wanted) {
        List<Integer> found = new ArrayList<>();
        for (int at = index + SLICE_ENTRIES; at < index + length; ) {
            byte kind = frame.getByte(at);
            if (kind == wanted) {
                found.add(at);
            }
            at += switch (kind) {
                case RECORD -> 15 + frame.getUnsignedShortLE(at + 1) + frame.getIntLE(at + 3);
                case EXPIRING_RECORD -> 23 + frame.getUnsignedShortLE(at + 1) + frame.getIntLE(at + 3);
                case REMOVE -> 3 + frame.getUnsignedShortLE(at + 1);
                default -> 42;
            };
        }
        return found;
    }
}
