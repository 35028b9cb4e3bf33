package io.sdds.testkit.sim;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** The simulator is worth its time only if what it is to find bugs in does happen: each kind of fault, and each path seldom taken. */
class CoverageSimTest {
    private static final int SEEDS = 400;

    /** What happens only where partitions move otherwise than by splits. */
    static final List<Rare> NOT_IN_EVERY_PLAN = List.of(Rare.FORWARDED_FOR_PLACE);

    @Test
    void everyFaultAndEveryRarePathHappens() {
        Coverage coverage = new Coverage();
        new ClusterSeeds(Shape.GROWING, ClusterPlan.Severity.ALL)
                .run(LongStream.rangeClosed(1, SEEDS).boxed().toList(), 0)
                .forEach(outcome -> coverage.add(outcome.coverage()));
        System.out.print(coverage);
        assertThat(coverage.missing()).isSubsetOf(NOT_IN_EVERY_PLAN);
    }
}
