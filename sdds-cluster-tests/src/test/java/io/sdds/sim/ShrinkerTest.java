package io.sdds.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sdds.sim.plan.ClusterPlan;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ShrinkerTest {
    private static final ClusterPlan PLAN = ClusterPlan.draw(6, ClusterPlan.Severity.HARSH, 1000);
    private static final long PATIENCE = TimeUnit.MINUTES.toNanos(1);

    @Test
    void whatIsNotNeededToFailIsLeftOut() {
        Reduction whole = new Reduction(1000, 4, List.of(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10));
        Shrinker shrinker = new Shrinker(
                whole,
                smaller -> smaller.operations() >= 37
                        && smaller.clients() >= 2
                        && smaller.faults().containsAll(List.of(3, 8)),
                PATIENCE);
        assertThat(shrinker.shrink()).isEqualTo(new Reduction(37, 2, List.of(3, 8)));
        assertThat(shrinker.runs()).isLessThan(100);
    }

    @Test
    void whatFailsWithoutFaultsIsShrunkToARunWithoutFaults() {
        Reduction whole = new Reduction(1000, 4, List.of(0, 1, 2));
        Shrinker shrinker = new Shrinker(
                whole,
                smaller -> smaller.operations() >= 900
                        || smaller.operations() >= 100 && smaller.faults().contains(1),
                PATIENCE);
        assertThat(shrinker.shrink()).isEqualTo(new Reduction(900, 1, List.of()));
    }

    @Test
    void nothingIsLeftOutOfWhatFailsOnlyWhole() {
        Reduction whole = Reduction.nothing(PLAN);
        assertThat(new Shrinker(whole, whole::equals, PATIENCE).shrink()).isEqualTo(whole);
        assertThat(new Shrinker(whole, smaller -> true, 0).shrink()).isEqualTo(whole);
    }

    @Test
    void aReducedPlanIsTheSameButForWhatIsLeftOut() {
        Reduction smaller = new Reduction(100, 1, List.of(1));
        ClusterPlan reduced = smaller.of(PLAN);
        assertThat(reduced.faults().faults())
                .containsExactly(PLAN.faults().faults().get(1));
        assertThat(reduced.clients()).isEqualTo(1);
        assertThat(reduced.table().workload()).isEqualTo(PLAN.table().workload().withOperations(100));
        assertThat(reduced.network()).isEqualTo(PLAN.network());
        assertThat(Reduction.nothing(PLAN).of(PLAN)).isSameAs(PLAN);
    }

    @Test
    void switchesMakeAReductionOrSayWhatIsWrong() {
        Switches some = new Switches(Map.of(Switches.FAULTS, "0,2", Switches.CLIENTS, "1")::get);
        assertThat(some.reduction(PLAN)).isEqualTo(new Reduction(1000, 1, List.of(0, 2)));
        assertThat(withFaults("none").reduction(PLAN).faults()).isEmpty();
        for (String wrong : new String[] {"0,999", "x", "", "-1"}) {
            assertThatThrownBy(() -> withFaults(wrong).reduction(PLAN))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("-Dsdds.faults must be 'none' or some of the numbers 0 to ")
                    .hasMessageContaining("'" + wrong + "'");
        }
    }

    private static Switches withFaults(String text) {
        return new Switches(Map.of(Switches.FAULTS, text)::get);
    }
}
