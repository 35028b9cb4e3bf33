package io.sdds.testkit.sim;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.sdds.core.control.ControlFrame;
import io.sdds.core.control.ControlMessage;
import io.sdds.core.model.SplitOrder;
import io.sdds.core.protocol.Opcode;
import io.sdds.core.protocol.RecordCodec;
import io.sdds.core.protocol.ReplyFrame;
import io.sdds.core.protocol.RequestFrame;
import io.sdds.core.protocol.Status;
import io.sdds.testkit.sim.SimNetwork.Fate;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;

/** Known-bad variants of the nodes, made by tampering with what they send: each behaves as a node with that bug would. */
enum PlantedBug {
    /** A client that sends a write again sends it as a new one. */
    RETRY_UNDER_A_NEW_ID {
        @Override
        SimNetwork.FrameFilter plant(SplittableRandom random) {
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
    RESULTS_STAY_BEHIND {
        @Override
        SimNetwork.FrameFilter plant(SplittableRandom random) {
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
    REMOVALS_STAY_BEHIND {
        @Override
        SimNetwork.FrameFilter plant(SplittableRandom random) {
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
    SLICE_LACKS_A_RECORD {
        @Override
        SimNetwork.FrameFilter plant(SplittableRandom random) {
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
    SLICE_ACKNOWLEDGED_EARLY {
        @Override
        SimNetwork.FrameFilter plant(SplittableRandom random) {
            return (from, to, frame, index, length) -> {
                if (frame.getByte(index + 4) == Opcode.CONTROL
                        && ControlFrame.read(frame, index, length) instanceof ControlMessage.ShipAcked) {
                    int slice = index + length - Long.BYTES;
                    frame.setLongLE(slice, frame.getLongLE(slice) + 1);
                }
                return Fate.SENT;
            };
        }
    },

    /** A brick that sometimes ignores the condition of a put if absent. */
    CONDITION_IGNORED {
        @Override
        SimNetwork.FrameFilter plant(SplittableRandom random) {
            return (from, to, frame, index, length) -> {
                if (frame.getByte(index + 4) == Opcode.PUT_IF_ABSENT && random.nextInt(50) == 0) {
                    frame.setByte(index + 4, Opcode.PUT);
                }
                return Fate.SENT;
            };
        }
    },

    /** A brick that acknowledges a write and loses it: the next retry would find it done. */
    ACKNOWLEDGED_AND_LOST {
        @Override
        SimNetwork.FrameFilter plant(SplittableRandom random) {
            return (from, to, frame, index, length) -> {
                if (frame.getByte(index + 4) == Opcode.REPLACE && random.nextInt(50) == 0) {
                    frame.setByte(index + RequestFrame.WRITE_BODY, frame.getByte(index + RequestFrame.WRITE_BODY) + 1);
                }
                return Fate.SENT;
            };
        }
    },

    /** A scan that goes on behind where it should. */
    CURSOR_SKIPS {
        @Override
        SimNetwork.FrameFilter plant(SplittableRandom random) {
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
    CURSOR_GOES_BACK {
        @Override
        SimNetwork.FrameFilter plant(SplittableRandom random) {
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
    BRICK_LINKS_REORDER {
        @Override
        SimNetwork.FrameFilter plant(SplittableRandom random) {
            return (from, to, frame, index, length) -> from.name().startsWith("b")
                            && to.name().startsWith("b")
                            && frame.getByte(index + 4) != Opcode.HELLO
                            && random.nextInt(4) == 0
                    ? Fate.OVERTAKEN
                    : Fate.SENT;
        }
    },

    /** A brick that does not wait for the splits before its own: bricks hear of their own splits as if each were the first of its table. */
    HANDOVERS_OUT_OF_ORDER {
        @Override
        SimNetwork.FrameFilter plant(SplittableRandom random) {
            TreeMap<String, Integer> numbers = new TreeMap<>();
            return (from, to, frame, index, length) -> {
                if (frame.getByte(index + 4) == Opcode.CONTROL
                        && ControlFrame.read(frame, index, length) instanceof ControlMessage.MapUpdate update) {
                    update.bricks().forEach(brick -> numbers.put(brick.id(), brick.number()));
                    hideSplitsOfOthers(update, numbers.getOrDefault(to.name(), 0), frame, index + length);
                }
                return Fate.SENT;
            };
        }

        /** They become splits of a table that nobody has. */
        private void hideSplitsOfOthers(ControlMessage.MapUpdate update, int brick, ByteBuf frame, int end) {
            int at = end - Integer.BYTES - Long.BYTES * (update.sessionsActive().size() + 1);
            for (SplitOrder order : update.splits().reversed()) {
                ByteBuf bytes = Unpooled.buffer();
                RecordCodec.write(bytes, order);
                at -= bytes.readableBytes();
                if (order.source().brick() != brick && order.target().brick() != brick) {
                    frame.setIntLE(at, NO_TABLE);
                }
            }
        }
    },

    /** A brick that answers BUSY, which says that there was no effect, to what it has done. */
    BUSY_AFTER_THE_EFFECT {
        @Override
        SimNetwork.FrameFilter plant(SplittableRandom random) {
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
    };

    private static final int ANOTHER = 1_000_000;
    private static final int NO_TABLE = 1_000_000;
    private static final long NO_SESSION = 1L << 50;
    private static final byte RECORD = 1;
    private static final byte REMOVE = 2;
    private static final byte RESULT = 3;
    private static final int SLICE_ENTRIES = 32;

    /** A seed close before one that catches it, as things are now. */
    long firstSeed() {
        return 1;
    }

    /** A filter that behaves so; new for each run. */
    abstract SimNetwork.FrameFilter plant(SplittableRandom random);

    private static boolean isWrite(ByteBuf frame, int index) {
        return Opcode.isWrite(frame.getByte(index + 4));
    }

    /** Where the entries of a kind begin in a slice. */
    private static List<Integer> entries(ByteBuf frame, int index, int length, byte wanted) {
        List<Integer> found = new ArrayList<>();
        for (int at = index + SLICE_ENTRIES; at < index + length; ) {
            byte kind = frame.getByte(at);
            if (kind == wanted) {
                found.add(at);
            }
            at += switch (kind) {
                case RECORD -> 15 + frame.getUnsignedShortLE(at + 1) + frame.getIntLE(at + 3);
                case REMOVE -> 3 + frame.getUnsignedShortLE(at + 1);
                default -> 42;
            };
        }
        return found;
    }
}
