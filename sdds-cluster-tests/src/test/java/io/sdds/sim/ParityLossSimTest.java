package io.sdds.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.sdds.sim.plan.ClusterPlan;
import io.sdds.sim.plan.Scenario;
import io.sdds.sim.world.Coverage;
import io.sdds.sim.world.RareEvent;
import org.junit.jupiter.api.Test;

/**
 * Tables whose parity groups lose more members than they can lack: what is lost is said to be lost until an operator
 * accepts it, the rest of the table goes on, and in the end the table is whole.
 */
class ParityLossSimTest {
    private static final int NEW_SEEDS = 5;

    @Test
    void nothingIsAnsweredWrongWhenAGroupLosesTooManyMembers() {
        RareEvent[] events = {RareEvent.PARITY_GROUP_LOST, RareEvent.LOST, RareEvent.LOSS_ACCEPTED};
        Coverage coverage = new ClusterSeeds(Scenario.PARITY_LOST, ClusterPlan.Severity.BRICK_CRASHES)
                .runUntil(KeptSeeds.PARITY_LOST, NEW_SEEDS, events);
        assertThat(coverage.missing()).doesNotContain(events);
    }

    @Test
    void amongAllOtherFaultsNothingIsAnsweredWrongEither() {
        assertThat(new ClusterSeeds(Scenario.PARITY_LOST, ClusterPlan.Severity.ALL)
                        .run(KeptSeeds.PARITY_LOST_ALL_FAULTS, NEW_SEEDS))
                .isNotEmpty();
    }
}
