package io.sdds.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

@Isolated("it changes the system property that other tests take their seeds from")
class SeedsTest {
    private static final String SEED = "sdds.seed";

    private final String before = System.getProperty(SEED);

    @AfterEach
    void restore() {
        if (before == null) {
            System.clearProperty(SEED);
        } else {
            System.setProperty(SEED, before);
        }
    }

    @Test
    void theSeedThatWasSaidIsEveryTests() {
        System.setProperty(SEED, " -42 ");
        assertThat(Seeds.next("one")).isEqualTo(-42);
        assertThat(Seeds.next("another", 7)).isEqualTo(-42);
    }

    @Test
    void eachTestAndRunHasItsOwnAlwaysTheSame() {
        System.clearProperty(SEED);
        assertThat(Seeds.next("one")).isEqualTo(Seeds.next("one")).isNotEqualTo(Seeds.next("another"));
        assertThat(Seeds.next("one", 1)).isNotEqualTo(Seeds.next("one", 2));
    }

    @Test
    void whatIsNoSeedIsRefused() {
        for (String wrong : new String[] {"abc", "", "1.5"}) {
            System.setProperty(SEED, wrong);
            assertThatThrownBy(() -> Seeds.next("one"))
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
