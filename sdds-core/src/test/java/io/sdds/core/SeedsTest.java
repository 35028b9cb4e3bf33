package io.sdds.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class SeedsTest {
    @Test
    void theSeedThatWasSaidIsEveryTests() {
        assertThat(Seeds.of(" -42 ", "one", 0)).isEqualTo(-42);
        assertThat(Seeds.of(" -42 ", "another", 7)).isEqualTo(-42);
    }

    @Test
    void eachTestAndRunHasItsOwnAlwaysTheSame() {
        assertThat(Seeds.of(null, "one", 0))
                .isEqualTo(Seeds.of(null, "one", 0))
                .isNotEqualTo(Seeds.of(null, "another", 0));
        assertThat(Seeds.of(null, "one", 1)).isNotEqualTo(Seeds.of(null, "one", 2));
    }

    @Test
    void whatIsNoSeedIsRefused() {
        for (String wrong : new String[] {"abc", "", "1.5"}) {
            assertThatThrownBy(() -> Seeds.of(wrong, "one", 0))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("-Dsdds.seed must be a whole number, not '" + wrong + "'");
        }
    }

    @Test
    void theBaseIsANumberOrDrawnByChance() {
        assertThat(Seeds.base("42")).isEqualTo(42);
        assertThat(Seeds.base("random")).isNotEqualTo(Seeds.base("random"));
        assertThatThrownBy(() -> Seeds.base("time"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("-Dsdds.seed.base must be 'random' or a whole number, not 'time'");
    }
}
