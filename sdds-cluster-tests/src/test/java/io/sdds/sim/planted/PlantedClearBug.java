package io.sdds.sim.planted;

import io.sdds.core.protocol.Opcode;
import io.sdds.core.query.Instruction;
import io.sdds.core.query.Op;
import io.sdds.core.query.Program;
import io.sdds.sim.plan.ClusterPlan;
import io.sdds.sim.plan.Scenario;
import io.sdds.sim.world.SimNetwork;
import java.util.List;
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
            return tests(op -> op == Op.KEY ? Op.VALUE : op == Op.VALUE ? Op.KEY : op);
        }
    },

    /** A prefix is sought anywhere. */
    FILTER_BY_ANOTHER_TEST(4) {
        @Override
        public SimNetwork.FrameFilter plant(SplittableRandom random) {
            return tests(op -> op == Op.STARTS_WITH ? Op.CONTAINS : op);
        }
    };

    /** Key or value, a constant, and the test. */
    private static final int INSTRUCTIONS_OF_A_TEST = 3;

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

    /** Scans whose filter is one test have another one. */
    private static SimNetwork.FrameFilter tests(UnaryOperator<Op> edit) {
        return FrameEdits.requests(Opcode.SCAN, scan -> {
            Program filter = ProgramEdits.isProgram(scan) ? null : scan.filter();
            boolean isTest = filter != null && filter.instructions().size() == INSTRUCTIONS_OF_A_TEST;
            return isTest ? scan.withFilter(edited(filter, edit)) : scan;
        });
    }

    private static Program edited(Program filter, UnaryOperator<Op> edit) {
        List<Instruction> edited = filter.instructions().stream()
                .map(one ->
                        new Instruction(edit.apply(one.op()), one.type(), one.a(), one.b(), one.c(), one.constants()))
                .toList();
        return new Program(filter.shape(), edited, filter.filter(), filter.output());
    }
}
