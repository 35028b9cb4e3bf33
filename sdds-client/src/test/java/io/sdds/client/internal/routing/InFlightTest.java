package io.sdds.client.internal.routing;

import static org.assertj.core.api.Assertions.assertThat;

import io.sdds.core.Seeds;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class InFlightTest {
    private final InFlight<String> inFlight = new InFlight<>();

    @Test
    void answersTheRequestOfACorrelationOnce() {
        int a = inFlight.add("a");
        int b = inFlight.add("b");

        assertThat(inFlight.take(b)).isEqualTo("b");
        assertThat(inFlight.take(b)).isNull();
        assertThat(inFlight.take(a)).isEqualTo("a");
        assertThat(inFlight.size()).isZero();
    }

    @Test
    void keepsTheSlotOfARequestThatWasGivenUpUntilItsReplyComes() {
        int a = inFlight.add("a");
        List<String> givenUp = new ArrayList<>();

        inFlight.giveUpIf(request -> true, givenUp::add);

        assertThat(givenUp).containsExactly("a");
        assertThat(inFlight.size()).isEqualTo(1);
        assertThat(inFlight.add("b") & 0xffff).isNotEqualTo(a & 0xffff);
        assertThat(inFlight.take(a)).isNull();
        assertThat(inFlight.size()).isEqualTo(1);
    }

    @Test
    void knowsNoCorrelationOfTheTimeBeforeTheLinkWent() {
        int a = inFlight.add("a");
        inFlight.add("b");
        inFlight.giveUpIf("b"::equals, request -> {});
        List<String> drained = new ArrayList<>();

        inFlight.drainTo(drained::add);

        assertThat(drained).containsExactly("a");
        assertThat(inFlight.size()).isZero();
        assertThat(inFlight.take(a)).isNull();
        inFlight.add("c");
        assertThat(inFlight.take(a)).isNull();
    }

    @Test
    void ignoresCorrelationsNobodyGave() {
        assertThat(inFlight.take(0)).isNull();
        assertThat(inFlight.take(-1)).isNull();
        assertThat(inFlight.take(70_000)).isNull();
        assertThat(inFlight.size()).isZero();
    }

    @Test
    void holdsAsManyAsTheWindowMayBe() {
        Set<Integer> ids = new HashSet<>();
        for (int k = 0; k < InFlight.CAPACITY_MAX; k++) {
            ids.add(inFlight.add("r" + k));
        }

        assertThat(ids).hasSize(InFlight.CAPACITY_MAX);
        assertThat(inFlight.size()).isEqualTo(InFlight.CAPACITY_MAX);
    }

    @Test
    void agreesWithAMapWhateverTheOrder() {
        SplittableRandom random = Seeds.random("InFlightTest");
        Map<Integer, String> model = new HashMap<>();
        List<Integer> ids = new ArrayList<>();
        for (int step = 0; step < 100_000; step++) {
            if (ids.isEmpty() || random.nextInt(1000) < 505) {
                String request = "r" + step;
                int id = inFlight.add(request);
                assertThat(model.put(id, request)).isNull();
                ids.add(id);
            } else {
                int index = random.nextInt(ids.size());
                int id = ids.set(index, ids.get(ids.size() - 1));
                ids.remove(ids.size() - 1);
                assertThat(inFlight.take(id)).isEqualTo(model.remove(id));
            }
            assertThat(inFlight.size()).isEqualTo(model.size());
        }
    }
}
