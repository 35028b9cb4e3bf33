package io.sdds.bench.paper;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Some experiments in their quick forms, on a cluster in this JVM. Classes of this kind overlap. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class QuickExperiments {
    private static final Set<String> COUNTED = Set.of("stalls", "operations", "bricks", "couples");

    /** Experiments about which the text of the papers has no numbers. */
    private static final Set<String> WITHOUT_PAPER = Set.of("dds-6", "rs-kill", "rs-recovery", "rs-cost", "amos-3");

    private final Testbed testbed = new Testbed(new EmbeddedSite(), Scale.QUICK, 2, 1);

    @TempDir
    private Path directory;

    @AfterAll
    void close() {
        testbed.close();
    }

    abstract Stream<Experiment> experiments();

    /** The experiments whose names begin with one of some texts. */
    static Stream<Experiment> named(String... beginnings) {
        return Experiments.all().stream()
                .filter(experiment -> Stream.of(beginnings).anyMatch(experiment.name()::startsWith));
    }

    @ParameterizedTest
    @MethodSource("experiments")
    void measuresWhatThePaperDid(Experiment experiment) throws Exception {
        measure(experiment);
    }

    /** Whether the figure is a time until something happens: at this scale it may not happen beside other work. */
    private static boolean mayNotEnd(Comparison each) {
        return each.unit().equals("s") && each.what().startsWith("from ");
    }

    final Findings measure(Experiment experiment) throws Exception {
        List<Double> told = new ArrayList<>();
        Findings findings = testbed.run(experiment, (done, rate) -> told.add(done));

        assertThat(findings.experiment()).isEqualTo(experiment.name());
        assertThat(findings.comparisons())
                .isNotEmpty()
                .allSatisfy(each -> assertThat(each.ours()).as(each.what()).isNotNaN())
                .allSatisfy(each -> assertThat(each.ours() < Double.POSITIVE_INFINITY || mayNotEnd(each))
                        .as(each.what())
                        .isTrue())
                .allSatisfy(each -> assertThat(each.ours()).as(each.what()).isGreaterThan(least(each)));
        assertThat(findings.comparisons().stream().anyMatch(each -> each.paper() != null))
                .as("numbers of the paper")
                .isNotEqualTo(WITHOUT_PAPER.contains(experiment.name()));

        assertThat(findings.panels())
                .isNotEmpty()
                .allSatisfy(panel -> assertThat(panel.curves())
                        .isNotEmpty()
                        .allSatisfy(curve -> assertThat(curve.points()).isNotEmpty()));
        assertThat(told).isSorted();
        assertThat(told.get(told.size() - 1)).isEqualTo(1);

        Path file = directory.resolve(Picture.fileName(experiment.name()));
        Picture.draw(findings, file);
        assertThat(ImageIO.read(Files.newInputStream(file)).getWidth()).isGreaterThan(1000);
        assertThat(Csv.points(findings)).contains(experiment.name() + ",");
        return findings;
    }

    /** What is counted and shall not happen may have happened never. */
    private static double least(Comparison comparison) {
        return COUNTED.contains(comparison.unit()) ? -1 : 0;
    }
}
