package io.sdds.bench.paper;

import java.util.stream.Stream;
import org.junit.jupiter.api.parallel.Isolated;

/** The experiment that measures the processor time of bricks by the names of their threads. */
@Isolated("bricks of other clusters in this JVM have the same names")
class ImbalanceExperimentTest extends QuickExperiments {
    static final String NAME = "dds-6";

    @Override
    Stream<Experiment> experiments() {
        return named(NAME);
    }
}
