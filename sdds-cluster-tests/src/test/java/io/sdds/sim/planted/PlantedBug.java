package io.sdds.sim.planted;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.sdds.brick.partition.Partition;
import io.sdds.core.control.ControlMessage;
import io.sdds.core.model.MigrationOrder;
import io.sdds.core.protocol.Opcode;
import io.sdds.core.protocol.ReplyFrame;
import io.sdds.core.protocol.Status;
import io.sdds.core.stage.StageLimits;
import io.sdds.sim.cluster.SimBrick;
import io.sdds.sim.cluster.SimCluster;
import io.sdds.sim.frame.DecodedReply;
import io.sdds.sim.frame.DecodedRequest;
import io.sdds.sim.frame.SliceEntry;
import io.sdds.sim.plan.ClusterPlan;
import io.sdds.sim.plan.Scenario;
import io.sdds.sim.world.SimEnv;
import io.sdds.sim.world.SimNetwork;
import io.sdds.sim.world.SimNetwork.Fate;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;

/**
 * Known-bad variants of the nodes, made by tampering with what they send, hear or remember: each behaves as a node with
 * that bug would. The nodes themselves are those that ship.
 */
public enum PlantedBug implements PlantedFilter {
    /** A client that sends a write again sends it as a new one. */
    RETRY_UNDER_A_NEW_ID(30) {
        @Override
        public SimNetwork.FrameFilter plant(SplittableRandom random) {
            return newIds(new TreeSet<>(), opcode -> true);
        }
    },

    /** A split forgets the results of the moved half: what is tried again at the child runs again. */
    RESULTS_STAY_BEHIND(178) {
        @Override
        public SimNetwork.FrameFilter plant(SplittableRandom random) {
            return FrameEdits.sliceEntries(SliceEntry.Kept.class, result -> result.withSession(NO_SESSION));
        }
    },

    /** Removals during a split don't reach the child. */
    REMOVALS_STAY_BEHIND(20) {
        @Override
        public SimNetwork.FrameFilter plant(SplittableRandom random) {
            return FrameEdits.sliceEntries(
                    SliceEntry.Removed.class, removed -> new SliceEntry.Removed(FrameEdits.otherKey(removed.key())));
        }
    },

    /** One record in a hundred is lost on its way to the child. */
    SLICE_LACKS_A_RECORD(6) {
        @Override
        public SimNetwork.FrameFilter plant(SplittableRandom random) {
            return FrameEdits.sliceRecords(
                    record -> random.nextInt(100) == 0 ? record.withKey(FrameEdits.otherKey(record.key())) : record);
        }
    },

    /** The child acknowledges slices that it has not applied, and the switch comes before they do. */
    SLICE_ACKNOWLEDGED_EARLY(5) {
        @Override
        public SimNetwork.FrameFilter plant(SplittableRandom random) {
            return FrameEdits.messages(
                    ControlMessage.SnapshotAck.class, acked -> ControlEdit.with(acked, "slice", acked.slice() + 1));
        }
    },

    /** A brick that sometimes ignores the condition of a put if absent. */
    CONDITION_IGNORED(8) {
        @Override
        public SimNetwork.FrameFilter plant(SplittableRandom random) {
            return FrameEdits.requests(
                    Opcode.PUT_IF_ABSENT, put -> random.nextInt(50) == 0 ? put.withOpcode(Opcode.PUT) : put);
        }
    },

    /** A brick that acknowledges a write and loses it: the next retry would find it done. */
    ACKNOWLEDGED_AND_LOST(3) {
        @Override
        public SimNetwork.FrameFilter plant(SplittableRandom random) {
            return FrameEdits.requests(Opcode.REPLACE, replace -> {
                byte[] key = replace.key();
                return random.nextInt(50) == 0
                        ? replace.withKey(FrameEdits.withFirst(key, (byte) (key[0] + 1)))
                        : replace;
            });
        }
    },

    /** A scan that goes on behind where it should. */
    CURSOR_SKIPS(1) {
        @Override
        public SimNetwork.FrameFilter plant(SplittableRandom random) {
            return FrameEdits.requests(
                    Opcode.SCAN,
                    scan -> random.nextInt(10) == 0 ? scan.from(scan.interval().from() + (1L << 57)) : scan);
        }
    },

    /** A scan step that is answered twice over: its interval begins before what was asked for. */
    CURSOR_GOES_BACK(19) {
        @Override
        public SimNetwork.FrameFilter plant(SplittableRandom random) {
            return FrameEdits.requests(Opcode.SCAN, scan -> {
                long from = scan.interval().from();
                long before = from & ~((1L << 60) - 1);
                return from != before && random.nextInt(3) == 0 ? scan.from(before) : scan;
            });
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
    EXPIRED_RISE_BY_A_SPLIT(165) {
        @Override
        public SimNetwork.FrameFilter plant(SplittableRandom random) {
            return FrameEdits.sliceEntries(
                    SliceEntry.Sealed.class,
                    seal -> new SliceEntry.Sealed(seal.epoch(), seal.index(), seal.version(), 0));
        }
    },

    /** A split forgets when the records it moves expire. */
    EXPIRY_STAYS_BEHIND(19) {
        @Override
        public SimNetwork.FrameFilter plant(SplittableRandom random) {
            return FrameEdits.sliceEntries(
                    SliceEntry.Copied.class,
                    record -> record.expiryNanos() == null ? record : record.withExpiry(Long.MAX_VALUE - 1));
        }
    },

    /** A brick that compares versions wrongly now and then. */
    VERSION_IGNORED(3) {
        @Override
        public SimNetwork.FrameFilter plant(SplittableRandom random) {
            return FrameEdits.requests(
                    Opcode.REPLACE,
                    replace -> replace.hasVersion() && random.nextInt(4) == 0
                            ? replace.raiseVersion(random.nextInt(1, 4))
                            : replace);
        }
    },

    /**
     * A brick that does not wait for the splits before its own: bricks hear of their own splits as if each were the
     * first of its table.
     */
    HANDOVERS_OUT_OF_ORDER(12) {
        @Override
        public ClusterPlan.Severity severity() {
            return ClusterPlan.Severity.COORDINATOR_CRASHES; // splits that are interrupted less often meet more
        }

        @Override
        public SimNetwork.FrameFilter plant(SplittableRandom random) {
            TreeMap<String, Integer> numbers = new TreeMap<>();
            return (from, to, frame, index, length) -> {
                if (FrameEdits.message(frame, index, length) instanceof ControlMessage.MapUpdate update) {
                    update.bricks().forEach(brick -> numbers.put(brick.id(), brick.number()));
                    int number = numbers.getOrDefault(to.name(), 0);
                    return Fate.replacedBy(FrameEdits.frame(frame, index, hideSplitsOfOthers(update, number)));
                }
                return Fate.SENT;
            };
        }

        /** They get the number of the last child: none stands before the brick's own. */
        private ControlMessage.MapUpdate hideSplitsOfOthers(ControlMessage.MapUpdate update, int brick) {
            int last = update.migrations().stream()
                    .mapToInt(MigrationOrder::child)
                    .max()
                    .orElse(0);
            List<MigrationOrder> hidden = update.migrations().stream()
                    .map(order ->
                            order.source().brick() != brick && order.target().brick() != brick
                                    ? ControlEdit.with(order, "receiver", last)
                                    : order)
                    .toList();
            return ControlEdit.with(update, "migrations", hidden);
        }
    },

    /** A brick that answers BUSY, which says that there was no effect, to what it has done. */
    BUSY_AFTER_THE_EFFECT(1) {
        @Override
        public SimNetwork.FrameFilter plant(SplittableRandom random) {
            return (from, to, frame, index, length) -> {
                if (frame.getByte(index + 4) != Opcode.REPLY || !to.name().startsWith("client")) {
                    return Fate.SENT;
                }
                DecodedReply reply = DecodedReply.read(frame, index, length);
                return reply.status() == Status.OK
                                && length >= ReplyFrame.HEADER + Integer.BYTES
                                && random.nextInt(100) == 0
                        ? Fate.replacedBy(reply.withStatus(Status.MEMORY_FULL).frame())
                        : Fate.SENT;
            };
        }
    },

    /** A client that sends a conditional write again sends it as a new one: it may meet its own effect. */
    CONDITIONAL_RETRIED_BLINDLY(30) {
        @Override
        public SimNetwork.FrameFilter plant(SplittableRandom random) {
            return newIds(
                    new TreeSet<>(),
                    opcode -> opcode >= Opcode.PUT_IF_ABSENT && opcode <= Opcode.COMPARE_AND_SET
                            || opcode == Opcode.UPDATE);
        }
    },

    /** A client that says of its open writes that none is: their results may go. */
    LOW_MOVED_EARLY(26) {
        @Override
        public SimNetwork.FrameFilter plant(SplittableRandom random) {
            return writes((from, write) -> write.withId(
                    new DecodedRequest.Id(write.id().session(), write.id().seq(), 0)));
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

    /**
     * Each step of a scan says that it reached less than it gave: the rest is given twice, as by two bricks that were
     * both asked.
     */
    SCANNED_TWICE(1) {
        @Override
        public SimNetwork.FrameFilter plant(SplittableRandom random) {
            return PlantedScans.reaching(
                    Opcode.SCAN, (asked, reached) -> asked.from() + (reached - asked.from() >>> 1));
        }
    },

    /** Where a partition has split since, a scan takes the child's points for covered by the parent. */
    CURSOR_SKIPS_AT_A_SPLIT(6) {
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
    FAILED_CONDITION_FORGOTTEN(32) {
        @Override
        public SimNetwork.FrameFilter plant(SplittableRandom random) {
            return new PlantedRetries();
        }
    },

    /** A child that applies slices of an earlier attempt to ship it. */
    OLD_SLICE_ACCEPTED(220) {
        @Override
        public SimNetwork.FrameFilter plant(SplittableRandom random) {
            return new PlantedSlices();
        }
    },

    /**
     * A brick takes a map update for known that it has not taken: from then on its map is stale, and nobody tells it.
     */
    MAP_UPDATE_SKIPPED(6) {
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

    /** The child's brick acknowledges the SEAL and says that it serves, and forgets both. */
    HANDOVER_FORGOTTEN(1) {
        @Override
        public void plant(SimCluster cluster) {
            cluster.interpose((env, node) -> new PlantedNode.ForgottenHandOvers(env, node));
        }
    },

    /** A brick takes sessions for ended that are not, and forgets their results. */
    SESSION_ENDED_EARLY(30) {
        @Override
        public void plant(SimCluster cluster) {
            cluster.simulation().after(FORGETTING_NANOS, () -> {
                for (SimBrick brick : cluster.bricks()) {
                    brick.nodes()
                            .forEach(node -> node.tables().forEach(partition -> forgetResults(cluster, partition)));
                }
                plant(cluster);
            });
        }

        private void forgetResults(SimCluster cluster, Partition partition) {
            partition.results().dropEnded(session -> {
                cluster.simulation().tampering().happened(() -> "results of session " + session + " forgotten");
                return true;
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
            cluster.interpose((env, node) -> new PlantedNode.ForgottenRequests(env, node, random));
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
            cluster.onScanAbandoned(client -> {
                if (client.window().tryEnter(1)) {
                    cluster.simulation().tampering().happened(() -> "credit leaked");
                }
            });
        }
    },

    /** Nobody compares checksums: the bits that the network flips arrive as if they had been sent so. */
    CHECKSUM_NOT_VERIFIED(131) {
        @Override
        public String complaint() {
            return "is not linearizable";
        }

        @Override
        public void plant(SimCluster cluster) {
            SplittableRandom random = cluster.simulation().fork("planted bug");
            SimNetwork network = cluster.simulation().network();
            network.filter((from, to, frame, index, length) -> {
                if (length <= FRAME_WORDS || !network.takesFlip(from, to)) {
                    return Fate.SENT;
                }
                ByteBuf flipped = Unpooled.copiedBuffer(frame.slice(index, length));
                int at = random.nextInt(FRAME_WORDS, length);
                flipped.setByte(at, flipped.getByte(at) ^ 1 << random.nextInt(Byte.SIZE));
                return Fate.replacedBy(flipped);
            });
        }
    },

    /** A brick whose queue has no bound. */
    NOTHING_REFUSED(121) {
        @Override
        public String complaint() {
            return "admitted a client's request to a queue of";
        }

        @Override
        public void plant(SimCluster cluster) {
            cluster.limits(StageLimits.DEFAULT);
            if (!cluster.plan().limits().equals(StageLimits.DEFAULT)) {
                cluster.simulation().tampering().happened(() -> "queues are bounded by " + StageLimits.DEFAULT);
            }
        }
    };

    private static final long FORGETTING_NANOS = 10_000_000;
    private static final long SPLIT_BOUNDARY = (1L << 58) - 1;

    /** Length and opcode of a frame: flipped, they make bytes that are no frame, which every version notices. */
    private static final int FRAME_WORDS = 8;

    private static final int ANOTHER = 1_000_000;
    private static final long NO_SESSION = 1L << 50;

    private final long firstSeed;

    PlantedBug(long firstSeed) {
        this.firstSeed = firstSeed;
    }

    @Override
    public long firstSeed() {
        return firstSeed;
    }

    @Override
    public Scenario scenario() {
        return Scenario.GROWING;
    }

    @Override
    public ClusterPlan.Severity severity() {
        return ClusterPlan.Severity.HARSH;
    }

    @Override
    public SimNetwork.FrameFilter plant(SplittableRandom random) {
        throw new UnsupportedOperationException(this + " is no filter");
    }

    /** What becomes of a write. */
    private interface WriteEdit {
        DecodedRequest of(SimEnv from, DecodedRequest write);
    }

    private static SimNetwork.FrameFilter writes(WriteEdit edit) {
        return (from, to, frame, index, length) -> {
            if (!Opcode.isWrite(frame.getByte(index + 4))) {
                return Fate.SENT;
            }
            DecodedRequest write = DecodedRequest.read(frame, index, length);
            return FrameEdits.sent(write, edit.of(from, write));
        };
    }

    /** Writes with some opcodes that clients send again have other ids. */
    private static SimNetwork.FrameFilter newIds(TreeSet<String> sent, Predicate<Byte> opcodes) {
        return writes((from, write) -> {
            DecodedRequest.Id id = write.id();
            boolean again = from.name().startsWith("client")
                    && opcodes.test(write.opcode())
                    && !sent.add(id.session() + "/" + id.seq());
            return again ? write.withId(id.later(ANOTHER)) : write;
        });
    }
}
