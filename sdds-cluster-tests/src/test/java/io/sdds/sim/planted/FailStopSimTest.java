package io.sdds.sim.planted;

import static org.assertj.core.api.Assertions.assertThat;

import io.sdds.sim.ClusterSeeds;
import io.sdds.sim.plan.ClusterPlan;
import io.sdds.sim.plan.Scenario;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** A brick that fails ends, so that what it was about to do does no harm; others go on. */
class FailStopSimTest {
    private static final List<Long> SEEDS =
            LongStream.rangeClosed(1, 12).boxed().toList();

    @Test
    void aBrickThatFailsWithinACommitEndsAndItsGroupGoesOn() {
        ClusterSeeds seeds = new ClusterSeeds(Scenario.REPLICATED, ClusterPlan.Severity.CALM);
        List<FailingCommit> commits = ClusterSeeds.each(SEEDS, seed -> {
            List<FailingCommit> commit = new ArrayList<>();
            seeds.run(seed, cluster -> commit.add(FailingCommit.in(cluster)));
            return commit.get(0);
        });
        assertThat(commits).filteredOn(FailingCommit::hasFailed).hasSizeGreaterThan(SEEDS.size() / 2);
    }
}
