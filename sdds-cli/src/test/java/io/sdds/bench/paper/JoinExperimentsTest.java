package io.sdds.bench.paper;

import java.util.stream.Stream;
import org.junit.jupiter.api.Order;

/** The experiments with joins, which need SQL. */
@Order(1)
class JoinExperimentsTest extends QuickExperiments {
    @Override
    Stream<Experiment> experiments() {
        return named("amos-");
    }
}
