package io.sdds.sim.planted;

import io.sdds.core.protocol.Filter;
import io.sdds.core.protocol.Opcode;
import io.sdds.sim.plan.ClusterPlan;
import io.sdds.sim.plan.Scenario;
import io.sdds.sim.world.SimNetwork;
import java.util.SplittableRandom;
import java.util.function.UnaryOperator;

/**
 * Known-bad variants of the nodes that only tables which are cleared, or scanned with filters, can show, made as those
 * of {@link PlantedBug}.
 */
enum PlantedClearBug implements PlantedFilter {
    /** A step of a clear is answered as if it had come to the end of what was asked: what lies behind is left. */
    CLEAR_LEAVES_THE_REST(24) {
        @Override
        public SimNetwork.FrameFilter plant(SplittableRandom random) {
            return PlantedScans.reaching(Opcode.CLEAR, (asked, reached) -> asked.end());
        }
    },

    /** A filter that is about values is tried on keys, and the other way round. */
    FILTER_ON_THE_OTHER_FIELD(5) {
        @Override
        public SimNetwork.FrameFilter plant(SplittableRandom random) {
            return matches(match -> new Filter.Match(
                    match.field() == Filter.Field.KEY ? Filter.Field.VALUE : Filter.Field.KEY,
                    match.test(),
                    match.operand()));
        }
    },

    /** A prefix is sought anywhere. */
    FILTER_BY_ANOTHER_TEST(4) {
        @Override
        public SimNetwork.FrameFilter plant(SplittableRandom random) {
            return matches(match -> new Filter.Match(match.field(), Filter.Test.CONTAINS, match.operand()));
        }
    };

    private final long firstSeed;

    PlantedClearBug(long firstSeed) {
        this.firstSeed = firstSeed;
    }

    @Override
    public long firstSeed() {
        return firstSeed;
    }

    @Override
    public Scenario scenario() {
        return Scenario.CLEARING;
    }

    @Override
    public ClusterPlan.Severity severity() {
        return ClusterPlan.Severity.COORDINATOR_CRASHES;
    }

    /** Scans whose filter is one comparison have another one. */
    private static SimNetwork.FrameFilter matches(UnaryOperator<Filter.Match> edit) {
        return FrameEdits.requests(
                Opcode.SCAN,
                scan -> scan.filter() instanceof Filter.Match match ? scan.withFilter(edit.apply(match)) : scan);
    }
}
