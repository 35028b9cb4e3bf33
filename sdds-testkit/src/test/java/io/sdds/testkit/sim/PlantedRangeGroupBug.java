package io.sdds.testkit.sim;

import java.util.SplittableRandom;

/** Known-bad variants of the nodes that only range tables of replica groups can show, made as those of {@link PlantedBug}. */
enum PlantedRangeGroupBug implements PlantedFilter {
    /** A backup divides its copy at another key than the others. */
    HANDOVER_AT_ANOTHER_KEY(4) {
        @Override
        public SimNetwork.FrameFilter plant(SplittableRandom random) {
            return onSpans(PlantedEntries.HANDOVER, SPAN);
        }
    },

    /** A backup of the left neighbour does not take the keys that all members were shipped. */
    NEIGHBOUR_NOT_TAKEN(9) {
        @Override
        public SimNetwork.FrameFilter plant(SplittableRandom random) {
            return onSpans(PlantedEntries.TAKE, SPAN);
        }
    },

    /** A backup of the right neighbour goes on serving keys that its group has handed back. */
    NEIGHBOUR_GOES_ON(190) {
        @Override
        public SimNetwork.FrameFilter plant(SplittableRandom random) {
            return onSpans(PlantedEntries.HANDOVER_ALL, SPAN_OF_ALL);
        }
    },

    /** A backup clears nothing where the others clear a range. */
    CLEAR_FORGOTTEN(10) {
        @Override
        public SimNetwork.FrameFilter plant(SplittableRandom random) {
            return PlantedEntries.each(PlantedEntries.CLEAR, (frame, at) -> {
                int body = at + PlantedEntries.BODY;
                int bounds = frame.getIntLE(at) - PlantedEntries.BODY - BOUNDS;
                frame.setLongLE(body, 0); // neither end is included, and both are one
                frame.setLongLE(body + Long.BYTES, bounds / 2);
                for (int k = 0; k < bounds; k++) {
                    frame.setByte(body + BOUNDS + k, 1);
                }
            });
        }
    },

    /** A split of a range group forgets the results: what is tried again at the child runs again. */
    RESULTS_STAY_BEHIND_IN_RANGE_GROUP(54) {
        @Override
        public SimNetwork.FrameFilter plant(SplittableRandom random) {
            return PlantedGroupSplits.onSlices(PlantedBug.RESULTS_STAY_BEHIND.plant(random));
        }
    },

    /** What is removed while a range group is shipped is there again afterwards. */
    REMOVALS_STAY_BEHIND_IN_RANGE_GROUP(4) {
        @Override
        public SimNetwork.FrameFilter plant(SplittableRandom random) {
            return PlantedGroupSplits.onSlices(PlantedBug.REMOVALS_STAY_BEHIND.plant(random));
        }
    };

    private static final int BOUNDS = 16;
    private static final int SPAN = 96;
    private static final int SPAN_OF_ALL = 104;

    private final long firstSeed;

    PlantedRangeGroupBug(long firstSeed) {
        this.firstSeed = firstSeed;
    }

    @Override
    public long firstSeed() {
        return firstSeed;
    }

    @Override
    public Shape shape() {
        return Shape.REPLICATED_RANGE_SHRINKING;
    }

    @Override
    public ClusterPlan.Severity severity() {
        return ClusterPlan.Severity.ALL;
    }

    /** The span of such entries begins elsewhere. */
    private static SimNetwork.FrameFilter onSpans(byte kind, int spanAt) {
        return PlantedEntries.each(kind, (frame, at) -> {
            int last = at + spanAt + Short.BYTES + frame.getUnsignedShortLE(at + spanAt) - 1;
            frame.setByte(last, frame.getByte(last) ^ 2);
        });
    }
}
