package io.sdds.bench.paper;

import java.util.stream.Stream;

/** The experiments with parity groups. */
class ParityExperimentsTest extends QuickExperiments {
    @Override
    Stream<Experiment> experiments() {
        return named("rs-");
    }
}
