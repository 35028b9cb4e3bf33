package io.sdds.sim.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.sdds.core.addressing.LinearHashing;
import io.sdds.core.addressing.PseudoKey;
import io.sdds.sim.check.PlacementChecker.Held;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class PlacementCheckerTest {
    private static final int PARTITIONS = 5;

    private static List<Held> rightlyHeld() {
        List<List<Long>> keys = new ArrayList<>();
        for (int a = 0; a < PARTITIONS; a++) {
            keys.add(new ArrayList<>());
        }
        for (int k = 0; k < 100; k++) {
            long pseudoKey = PseudoKey.of(("key" + k).getBytes(StandardCharsets.UTF_8));
            keys.get(LinearHashing.address(pseudoKey, PARTITIONS)).add(pseudoKey);
        }
        List<Held> held = new ArrayList<>();
        for (int a = 0; a < PARTITIONS; a++) {
            held.add(new Held("b" + a % 3, a, LinearHashing.levelOf(a, PARTITIONS), keys.get(a)));
        }
        return held;
    }

    @Test
    void acceptsWhatLinearHashingPlaces() {
        assertThat(PlacementChecker.check(PARTITIONS, Set.of(), rightlyHeld())).isEmpty();
    }

    @Test
    void findsAKeyInTheWrongPartition() {
        List<Held> held = rightlyHeld();
        List<Long> keys = new ArrayList<>(held.get(1).pseudoKeys());
        keys.add(held.get(2).pseudoKeys().get(0));
        held.set(1, new Held("b1", 1, held.get(1).level(), keys));
        assertThat(PlacementChecker.check(PARTITIONS, Set.of(), held)).hasSize(1);
    }

    @Test
    void findsPartitionsHeldTwiceOrNotAtAll() {
        List<Held> held = rightlyHeld();
        held.add(held.get(3));
        held.remove(0);
        assertThat(PlacementChecker.check(PARTITIONS, Set.of(), held)).hasSize(2);
    }

    @Test
    void expectsLostPartitionsNowhere() {
        List<Held> held = rightlyHeld();
        assertThat(PlacementChecker.check(PARTITIONS, Set.of(2), held)).hasSize(1);
        held.remove(2);
        assertThat(PlacementChecker.check(PARTITIONS, Set.of(2), held)).isEmpty();
    }

    @Test
    void findsWrongLevels() {
        List<Held> held = rightlyHeld();
        held.set(1, new Held("b1", 1, 7, held.get(1).pseudoKeys()));
        assertThat(PlacementChecker.check(PARTITIONS, Set.of(), held)).hasSize(1);
    }
}
