package io.sdds.coordinator.control.parity;

import static org.assertj.core.api.Assertions.assertThat;

import io.sdds.core.model.Parity;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The sizes of tables from which on they need more parities, as docs/operations.md lists them. */
class ParityAvailabilityTest {
    /** By m: the largest number of partitions for 1, 2 and 3 parities. */
    private static final Map<Integer, List<Integer>> MOST = Map.of(
            2, List.of(66, 5062, 405_254),
            4, List.of(40, 2052, 117_660),
            8, List.of(16, 704, 25_768),
            16, List.of(16, 208, 4672));

    @Test
    void moreParitiesAreNeededBehindTheListedSizes() {
        MOST.forEach((m, sizes) -> {
            assertThat(ParityAvailability.parities(m, 1)).isEqualTo(1);
            for (int k = 1; k <= sizes.size(); k++) {
                int most = sizes.get(k - 1);
                assertThat(ParityAvailability.parities(m, most))
                        .as("%d,%d", m, k)
                        .isEqualTo(k);
                assertThat(ParityAvailability.parities(m, most + 1))
                        .as("%d,%d", m, k)
                        .isEqualTo(k + 1);
            }
        });
    }

    @Test
    void aTableIsCreatedWithWhatItNeedsAsFarAsThereAreBricks() {
        Parity auto = Parity.auto(2);
        assertThat(ParityAvailability.atCreation(auto, 2, 9)).isEqualTo(auto);
        assertThat(ParityAvailability.atCreation(auto, 512, 9)).isEqualTo(auto.withParities(2));
        assertThat(ParityAvailability.atCreation(auto, 512, 3)).isEqualTo(auto);
        assertThat(ParityAvailability.atCreation(new Parity(2, 1), 512, 9)).isEqualTo(new Parity(2, 1));
    }
}
