package io.sdds.bench.paper;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Order;

/** The experiments with parity groups, but those that lose partitions. */
@Order(1)
class ParityExperimentsTest extends QuickExperiments {
    @Override
    Stream<Experiment> experiments() {
        List<String> others = Stream.concat(
                        named(RecoveryExperimentsTest.LOSSES), named(RecoveryExperimentsTest.LONG_LOSSES))
                .map(Experiment::name)
                .toList();
        return named("rs-").filter(experiment -> !others.contains(experiment.name()));
    }
}
