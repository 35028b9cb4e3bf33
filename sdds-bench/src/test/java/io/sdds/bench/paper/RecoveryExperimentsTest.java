package io.sdds.bench.paper;

import java.util.stream.Stream;
import org.junit.jupiter.api.Order;

/** The experiments that lose partitions of parity groups, and recover them. */
@Order(1)
class RecoveryExperimentsTest extends QuickExperiments {
    /** How the names of these experiments begin. */
    static final String[] LOSSES = {"rs-kill", "rs-recovery"};

    /** Those that {@link LongRecoveryExperimentsTest} runs. */
    static final String[] LONG_LOSSES = {"rs-cost", "rs-t3"};

    @Override
    Stream<Experiment> experiments() {
        return named(LOSSES);
    }
}
