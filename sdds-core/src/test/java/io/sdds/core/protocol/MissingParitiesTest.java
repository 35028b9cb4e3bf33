package io.sdds.core.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class MissingParitiesTest {
    @Test
    void goThereAndBackAndNameTheIndexes() {
        MissingParities two = new MissingParities(70_000, 1, 4, 0b1010);
        assertThat(MissingParities.of(two.number())).isEqualTo(two);
        assertThat(two.text())
                .isEqualTo("parity group 70000 has fewer parities than its table asks for: 1 and 3 of 4 are missing,"
                        + " and writes need 1");
        assertThat(new MissingParities(0, 2, 2, 1).text()).contains("0 of 2 is missing, and writes need 2");
    }
}
