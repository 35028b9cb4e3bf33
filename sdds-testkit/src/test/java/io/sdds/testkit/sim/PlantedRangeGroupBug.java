package io.sdds.testkit.sim;

import io.netty.buffer.ByteBuf;
import io.sdds.core.protocol.Opcode;
import io.sdds.testkit.sim.SimNetwork.Fate;
import java.util.SplittableRandom;

/** Known-bad variants of the nodes that only range tables of replica groups can show, made as those of {@link PlantedBug}. */
enum PlantedRangeGroupBug implements Planted {
    /** A backup divides its copy at another key than the others. */
    HANDOVER_AT_ANOTHER_KEY {
        @Override
        SimNetwork.FrameFilter plant(SplittableRandom random) {
            return onSpans(HANDOVER, SPAN);
        }
    },

    /** A backup of the left neighbour does not take the keys that all members were shipped. */
    NEIGHBOUR_NOT_TAKEN {
        @Override
        SimNetwork.FrameFilter plant(SplittableRandom random) {
            return onSpans(TAKE, SPAN);
        }
    },

    /** A backup of the right neighbour goes on serving keys that its group has handed back. */
    NEIGHBOUR_GOES_ON {
        @Override
        SimNetwork.FrameFilter plant(SplittableRandom random) {
            return onSpans(HANDOVER_ALL, SPAN_OF_ALL);
        }

        @Override
        public long firstSeed() {
            return 15;
        }
    },

    /** A backup clears nothing where the others clear a range. */
    CLEAR_FORGOTTEN {
        @Override
        SimNetwork.FrameFilter plant(SplittableRandom random) {
            return onEntries((frame, at) -> {
                if (frame.getByte(at + ENTRY_KIND) == CLEAR) {
                    int bounds = frame.getIntLE(at) - ENTRY_BODY - BOUNDS;
                    frame.setLongLE(at + ENTRY_BODY, 0); // neither end is included, and both are one
                    frame.setLongLE(at + ENTRY_BODY + Long.BYTES, bounds / 2);
                    for (int k = 0; k < bounds; k++) {
                        frame.setByte(at + ENTRY_BODY + BOUNDS + k, 1);
                    }
                }
            });
        }
    },

    /** A split of a range group forgets the results: what is tried again at the child runs again. */
    RESULTS_STAY_BEHIND_IN_RANGE_GROUP {
        @Override
        SimNetwork.FrameFilter plant(SplittableRandom random) {
            return PlantedGroupSplits.onSlices(PlantedBug.RESULTS_STAY_BEHIND.plant(random));
        }

        @Override
        public long firstSeed() {
            return 12;
        }
    },

    /** What is removed while a range group is shipped is there again afterwards. */
    REMOVALS_STAY_BEHIND_IN_RANGE_GROUP {
        @Override
        SimNetwork.FrameFilter plant(SplittableRandom random) {
            return PlantedGroupSplits.onSlices(PlantedBug.REMOVALS_STAY_BEHIND.plant(random));
        }
    };

    private static final int ENTRIES = 56;
    private static final int ENTRY_KIND = 4;
    private static final int ENTRY_BODY = 80;
    private static final int BOUNDS = 16;
    private static final int SPAN = 96;
    private static final int SPAN_OF_ALL = 104;
    private static final byte CLEAR = 3;
    private static final byte HANDOVER = 4;
    private static final byte HANDOVER_ALL = 5;
    private static final byte TAKE = 6;

    @Override
    public Shape shape() {
        return Shape.REPLICATED_RANGE_SHRINKING;
    }

    @Override
    public ClusterPlan.Severity severity() {
        return ClusterPlan.Severity.ALL;
    }

    @Override
    public void plant(SimCluster cluster) {
        cluster.simulation().network().filter(plant(cluster.simulation().fork("planted bug")));
    }

    /** A filter that behaves so; new for each run. */
    abstract SimNetwork.FrameFilter plant(SplittableRandom random);

    /** What is done to an entry that is received. */
    private interface Tampering {
        void on(ByteBuf frame, int at);
    }

    private static SimNetwork.FrameFilter onEntries(Tampering tampering) {
        return (from, to, frame, index, length) -> {
            if (frame.getByte(index + 4) == Opcode.PREPARE) {
                for (int at = index + ENTRIES; at < index + length; at += frame.getIntLE(at)) {
                    tampering.on(frame, at);
                }
            }
            return Fate.SENT;
        };
    }

    /** The span of such entries begins elsewhere. */
    private static SimNetwork.FrameFilter onSpans(byte kind, int spanAt) {
        return onEntries((frame, at) -> {
            if (frame.getByte(at + ENTRY_KIND) == kind) {
                int last = at + spanAt + Short.BYTES + frame.getUnsignedShortLE(at + spanAt) - 1;
                frame.setByte(last, frame.getByte(last) ^ 2);
            }
        });
    }
}
