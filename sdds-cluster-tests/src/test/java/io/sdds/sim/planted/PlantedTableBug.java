package io.sdds.sim.planted;

import io.sdds.core.control.ControlMessage.Heartbeat;
import io.sdds.core.control.ControlMessage.SplitWanted;
import io.sdds.core.protocol.Opcode;
import io.sdds.sim.plan.ClusterPlan;
import io.sdds.sim.plan.Scenario;
import io.sdds.sim.world.SimNetwork;
import java.util.SplittableRandom;

/** Known-bad variants of the nodes that only several tables can show, made as those of {@link PlantedBug}. */
enum PlantedTableBug implements PlantedFilter {
    /** One put in fifty goes to the table that was created next, or before. */
    PUT_INTO_ANOTHER_TABLE(1) {
        @Override
        public SimNetwork.FrameFilter plant(SplittableRandom random) {
            return FrameEdits.requests(
                    Opcode.PUT, put -> random.nextInt(50) == 0 ? put.withTable(neighbour(put.table())) : put);
        }
    },

    /** A brick asks for the split of a partition of another table than the one that is full. */
    SPLIT_OF_ANOTHER_TABLE(15) {
        @Override
        public SimNetwork.FrameFilter plant(SplittableRandom random) {
            return FrameEdits.messages(
                    Heartbeat.class,
                    heartbeat -> heartbeat.splitsWanted().isEmpty()
                            ? heartbeat
                            : ControlEdit.with(
                                    heartbeat,
                                    "splitsWanted",
                                    heartbeat.splitsWanted().stream()
                                            .map(wanted -> new SplitWanted(
                                                    neighbour(wanted.table()), wanted.partition(), wanted.span()))
                                            .toList()));
        }
    };

    private final long firstSeed;

    PlantedTableBug(long firstSeed) {
        this.firstSeed = firstSeed;
    }

    private static int neighbour(int table) {
        return table % 2 == 0 ? table - 1 : table + 1;
    }

    @Override
    public long firstSeed() {
        return firstSeed;
    }

    @Override
    public Scenario scenario() {
        return Scenario.COMPETING;
    }

    @Override
    public ClusterPlan.Severity severity() {
        return ClusterPlan.Severity.ROUGH;
    }
}
