package io.sdds.bench.joins;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class MachineModelTest {
    private static final List<Double> SPEEDS = List.of(1.0, 1.0, 1.0, 3.0, 3.0, 3.0);

    /** 120 packets over 6,000 persons; scans of 9.4 µs a person, as the paper's were, and a join of a packet. */
    private static ServiceTimes times(double joinNanos, double messageNanos) {
        return new ServiceTimes(120, 6_000, 0, 9_400, joinNanos, messageNanos, 0);
    }

    @Test
    void scansThatTakeAllTheTimeAreDividedByTheMachines() {
        ServiceTimes scans = times(0, 0);
        assertThat(scans.oneSiteSeconds()).isCloseTo(6.77, within(0.01));
        assertThat(MachineModel.equal(scans, List.of(1.0)).overOneSite()).isCloseTo(1, within(0.01));
        assertThat(MachineModel.equal(scans, Collections.nCopies(6, 1.0)).overOneSite())
                .isCloseTo(1.0 / 6, within(0.01));
    }

    @Test
    void aSlowMachineWithAnEqualPartHoldsUpTheOthers() {
        ServiceTimes scans = times(0, 0);
        assertThat(MachineModel.equal(scans, SPEEDS).overOneSite()).isCloseTo(1.0 / 6, within(0.01));
        assertThat(MachineModel.weighted(scans, SPEEDS).overOneSite()).isCloseTo(1.0 / 12, within(0.01));
    }

    @Test
    void whatTheClientDoesIsNotDivided() {
        ServiceTimes joins = times(1e9, 0);
        assertThat(MachineModel.equal(joins, Collections.nCopies(6, 1.0)).overOneSite())
                .isBetween(0.9, 1.0);
    }

    @Test
    void messagesToMoreMachinesCostTheClientMore() {
        ServiceTimes messages = times(0, 1e9);
        double two = MachineModel.equal(messages, List.of(1.0, 1.0)).seconds();
        double six = MachineModel.equal(messages, Collections.nCopies(6, 1.0)).seconds();
        assertThat(six / two).isCloseTo(3, within(0.2));
    }
}
