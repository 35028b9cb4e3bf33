package io.sdds.bench.paper;

import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;

/** The experiments on recovery that measure for longest. */
@Tag("soak")
class LongRecoveryExperimentsTest extends QuickExperiments {
    @Override
    Stream<Experiment> experiments() {
        return named(RecoveryExperimentsTest.LONG_LOSSES);
    }
}
