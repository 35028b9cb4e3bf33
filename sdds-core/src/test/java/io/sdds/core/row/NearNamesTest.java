package io.sdds.core.row;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NearNamesTest {
    private static final List<String> NAMES = List.of("city", "name", "born_on", "visits");

    @ParameterizedTest
    @CsvSource({"citty, city", "CITY, city", "ctiy, city", "bornon, born_on", "visit, visits", "nmae, name"})
    void aTypingErrorIsNear(String typed, String meant) {
        assertThat(NearNames.hint(typed, NAMES)).isEqualTo("; did you mean '" + meant + "'?");
    }

    @ParameterizedTest
    @CsvSource({"salary", "x", "on", "birthdate"})
    void anotherWordIsNot(String typed) {
        assertThat(NearNames.hint(typed, NAMES)).isEmpty();
    }

    @Test
    void theFirstOfEquallyNearNamesIsSuggested() {
        assertThat(NearNames.hint("c3", List.of("c1", "c2"))).isEqualTo("; did you mean 'c1'?");
    }
}
