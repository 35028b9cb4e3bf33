package io.sdds.testkit.sim;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** The simulator is worth its time only if what it is to find bugs in does happen: each kind of fault, and each path seldom taken. */
class CoverageSimTest {
    private static final int SEEDS = 200;
    private static final int CRASHING_SEEDS = 10;

    /** What needs bricks to crash, or partitions to move. */
    static final List<Rare> NOT_IN_EVERY_PLAN = List.of(Rare.BRICK_CRASHED, Rare.LOST, Rare.FORWARDED_FOR_PLACE);

    @Test
    void everyFaultAndEveryRarePathHappens() {
        Coverage coverage = coverage(ClusterPlan.Severity.HARSH, SEEDS);
        System.out.print(coverage);
        assertThat(coverage.missing()).isSubsetOf(NOT_IN_EVERY_PLAN);
    }

    @Test
    void bricksCrashAndTheirPartitionsAreToldToBeLost() {
        Coverage coverage = coverage(ClusterPlan.Severity.BRICK_CRASHES, CRASHING_SEEDS);
        assertThat(coverage.count(Rare.BRICK_CRASHED)).isPositive();
        assertThat(coverage.count(Rare.LOST)).isPositive();
    }

    private static Coverage coverage(ClusterPlan.Severity severity, int seeds) {
        Coverage coverage = new Coverage();
        new ClusterSeeds(severity, ClusterSeeds.OPERATIONS)
                .run(LongStream.rangeClosed(1, seeds).boxed().toList(), 0)
                .forEach(outcome -> coverage.add(outcome.coverage()));
        return coverage;
    }
}
