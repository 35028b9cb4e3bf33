package io.sdds.bench.paper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sdds.testkit.EmbeddedCluster;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;

/** The experiments with hash and range tables, and what all experiments have in common. */
@Order(1)
class ExperimentsTest extends QuickExperiments {
    /** All but those that tests of their own measure. */
    @Override
    Stream<Experiment> experiments() {
        return named("lh-", "dds-", "rp-")
                .filter(experiment -> !(experiment instanceof Splittings))
                .filter(experiment -> !experiment.name().equals(ImbalanceExperimentTest.NAME));
    }

    @Test
    void eachExperimentIsOfOneOfTheTestClasses() {
        assertThat(named("lh-", "dds-", "rp-", "rs-", "amos-")).containsExactlyInAnyOrderElementsOf(Experiments.all());
    }

    @Test
    void overloadIsOfWritesWhereThereAreReplicas() throws Exception {
        try (Testbed replicated = new Testbed(new EmbeddedSite(), Scale.QUICK, 2, 2)) {
            Findings findings = replicated.run(new BeyondSaturation(), (done, rate) -> {});
            assertThat(findings.setting()).contains("writes of 150 bytes", "2 replicas");
            assertThat(findings.comparisons())
                    .extracting(Comparison::what)
                    .contains(
                            "peak throughput, 2 bricks",
                            "of the peak at 10 times the saturating load outstanding, 2 bricks",
                            "p99 at 10 times the saturating load outstanding over that at saturation, 2 bricks",
                            "p99 at 10 times the saturating load offered over that at saturation, 2 bricks");
        }
    }

    @Test
    void overloadOfAClusterThatRunsIsOfTheBricksItHas() throws Exception {
        try (EmbeddedCluster cluster = EmbeddedCluster.start(3);
                Testbed elsewhere = new Testbed(Site.at(List.of(cluster.address())), Scale.QUICK, 2, 1)) {
            Findings findings = elsewhere.run(new BeyondSaturation(), (done, rate) -> {});
            assertThat(findings.panels())
                    .flatExtracting(Panel::curves)
                    .extracting(Panel.Curve::name)
                    .containsOnly("3 bricks", "paper: sustained");
        }
    }

    @Test
    void splittingsAreComparedInAllVariantsAndSizesOfSlices() throws Exception {
        Findings findings = measure(new Splittings());

        assertThat(findings.comparisons())
                .extracting(Comparison::what)
                .contains(
                        "worst insert during splits, atomic, individual",
                        "worst insert during splits, atomic, bulk",
                        "worst insert during splits, concurrent, bulk",
                        "worst insert during splits, concurrent, individual",
                        "time of the split, concurrent, individual",
                        "worst insert during splits, slices of 256",
                        "time of the split, slices of 49152",
                        "time of the split, slices of 262144");
        assertThat(findings.comparisons())
                .filteredOn(each -> each.what().endsWith("concurrent, individual"))
                .allMatch(each -> each.paper() == null);
        assertThat(findings.panels().get(5).curves())
                .allSatisfy(curve -> assertThat(curve.points())
                        .extracting(Panel.Point::x)
                        .containsExactly(256.0, 2048.0, 49152.0, 262144.0));
    }

    @Test
    void stepsOfNoTimeAreRefused() {
        assertThatThrownBy(() -> new Testbed(new EmbeddedSite(), Scale.QUICK, 2, 1, Duration.ZERO))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("duration of PT0S is not positive");
    }

    @Test
    void aNameThatIsNoneTellsThemAll() {
        assertThat(Experiments.named(List.of("all"))).hasSize(30);
        assertThat(Experiments.named(List.of("lh-9"))).singleElement().isInstanceOf(Splittings.class);
        assertThatThrownBy(() -> Experiments.named(List.of("lh-6", "lh-5")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("there is no experiment 'lh-5': it is one of lh-6, lh-7, lh-8, lh-9, lh-10, lh-11, dds-5,"
                        + " dds-6, dds-7, dds-8, rp-1, rp-2, rp-3, rp-4, rp-5, rp-6, rp-7, rs-2, rs-3, rs-4,"
                        + " rs-5, rs-t1, rs-t2, rs-t3, rs-kill, rs-recovery, rs-cost, amos-1, amos-2, amos-3, or all");
    }
}
