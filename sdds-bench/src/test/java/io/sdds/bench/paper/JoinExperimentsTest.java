package io.sdds.bench.paper;

import java.util.stream.Stream;

/** The experiments with joins. */
class JoinExperimentsTest extends QuickExperiments {
    @Override
    Stream<Experiment> experiments() {
        return named("amos-");
    }
}
