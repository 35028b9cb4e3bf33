package io.sdds.sim.planted;

import io.sdds.core.model.KeySpan;
import io.sdds.sim.frame.DecodedEntry;
import io.sdds.sim.plan.ClusterPlan;
import io.sdds.sim.plan.Scenario;
import io.sdds.sim.world.SimNetwork;
import java.util.SplittableRandom;

/**
 * Known-bad variants of the nodes that only range tables of replica groups can show, made as those of
 * {@link PlantedBug}.
 */
enum PlantedRangeGroupBug implements PlantedFilter {
    /** A backup divides its copy at another key than the others. */
    HANDOVER_AT_ANOTHER_KEY(9) {
        @Override
        public SimNetwork.FrameFilter plant(SplittableRandom random) {
            return onSpans(DecodedEntry.HANDOVER);
        }
    },

    /** A backup of the left neighbour does not absorb the keys that its group absorbs. */
    NEIGHBOUR_NOT_TAKEN(10) {
        @Override
        public SimNetwork.FrameFilter plant(SplittableRandom random) {
            return onSpans(DecodedEntry.ABSORB);
        }
    },

    /** A backup of the right neighbour goes on serving keys that its group has subsumed. */
    NEIGHBOUR_GOES_ON(23) {
        @Override
        public SimNetwork.FrameFilter plant(SplittableRandom random) {
            return onSpans(DecodedEntry.SUBSUME);
        }
    },

    /** A backup clears nothing where the others clear a range. */
    CLEAR_FORGOTTEN(10) {
        @Override
        public SimNetwork.FrameFilter plant(SplittableRandom random) {
            return FrameEdits.logEntries(
                    entry -> entry.kind() == DecodedEntry.CLEAR ? entry.withBounds(NO_KEYS) : entry);
        }
    },

    /** A split of a range group forgets the results: what is tried again at the child runs again. */
    RESULTS_STAY_BEHIND_IN_RANGE_GROUP(58) {
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

    /** Of a range that no key is in: neither end is, and both are one. */
    private static final DecodedEntry.Bounds NO_KEYS = new DecodedEntry.Bounds(0, new byte[] {1}, new byte[] {1});

    private final long firstSeed;

    PlantedRangeGroupBug(long firstSeed) {
        this.firstSeed = firstSeed;
    }

    @Override
    public long firstSeed() {
        return firstSeed;
    }

    @Override
    public Scenario scenario() {
        return Scenario.REPLICATED_RANGE_SHRINKING;
    }

    @Override
    public ClusterPlan.Severity severity() {
        return ClusterPlan.Severity.ALL;
    }

    /** The span of such entries begins elsewhere. */
    private static SimNetwork.FrameFilter onSpans(byte kind) {
        return FrameEdits.ownerChanges(
                kind,
                moving -> new DecodedEntry.Moving(
                        moving.migration(), moving.level(), moving.parentNanos(), beginningElsewhere(moving.span())));
    }

    private static KeySpan beginningElsewhere(KeySpan span) {
        if (span.isFirst()) {
            return span;
        }
        byte[] low = span.low().clone();
        low[low.length - 1] ^= 2;
        return new KeySpan(low, span.high());
    }
}
