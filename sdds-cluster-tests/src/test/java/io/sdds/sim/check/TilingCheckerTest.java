package io.sdds.sim.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.sdds.client.internal.routing.KeyBounds;
import io.sdds.core.addressing.ScanOrder;
import io.sdds.sim.check.TilingChecker.Stretch;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Steps that tile what was asked for give no line, and each that is missing, or too much, its own. */
class TilingCheckerTest {
    private static final Stretch ALL_POINTS = Stretch.ofPoints(0, 0);

    // ---- points

    @Test
    void acceptsThePartitionsOfAHashTableInAnyOrder() {
        List<Stretch> steps = partitions();
        Collections.shuffle(steps, new Random(1));
        assertThat(TilingChecker.check(ALL_POINTS, steps, true)).isEmpty();
        assertThat(TilingChecker.check(ALL_POINTS, List.of(ALL_POINTS), true)).isEmpty();
    }

    @Test
    void findsEachPartitionThatWasLeftOut() {
        for (int k = 0; k < partitions().size(); k++) {
            List<Stretch> steps = partitions();
            steps.remove(k);
            assertThat(TilingChecker.check(ALL_POINTS, steps, true))
                    .singleElement()
                    .asString()
                    .contains("was left out");
            assertThat(TilingChecker.check(ALL_POINTS, steps, false))
                    .as("one that did not end")
                    .isEmpty();
        }
    }

    @Test
    void findsEachPartitionThatWasCoveredTwice() {
        for (Stretch twice : partitions()) {
            List<Stretch> steps = partitions();
            steps.add(twice);
            for (boolean complete : new boolean[] {true, false}) {
                assertThat(TilingChecker.check(ALL_POINTS, steps, complete))
                        .singleElement()
                        .asString()
                        .contains("covered twice");
            }
        }
    }

    @Test
    void findsAPointTooFewOrTooMuch() {
        assertThat(points(0, 100, 100, 0)).isEmpty();
        assertThat(points(0, 99, 100, 0)).singleElement().asString().contains("was left out");
        assertThat(points(0, 101, 100, 0)).singleElement().asString().contains("covered twice");
        assertThat(points(1, 100, 100, 0)).singleElement().asString().contains("was left out");
        assertThat(points(0, 100, 100, -1)).singleElement().asString().contains("was left out");
        assertThat(points(0, 0, 100, 200)).singleElement().asString().contains("covered twice");
    }

    @Test
    void comparesPointsWithoutASign() {
        assertThat(points(0, Long.MIN_VALUE, Long.MIN_VALUE, 0)).isEmpty();
        assertThat(points(Long.MIN_VALUE, 0, 0, Long.MIN_VALUE)).isEmpty();
        assertThat(points(0, Long.MAX_VALUE, Long.MIN_VALUE, 0)).hasSize(1);
    }

    @Test
    void aScanThatGoesOnCoversWhatIsLeft() {
        Stretch rest = Stretch.ofPoints(100, 0);
        assertThat(TilingChecker.check(rest, List.of(rest), true)).isEmpty();
        assertThat(TilingChecker.check(rest, List.of(Stretch.ofPoints(99, 0)), true))
                .singleElement()
                .asString()
                .contains("not asked for");
        assertThat(TilingChecker.check(rest, List.of(), true)).hasSize(1);
        assertThat(TilingChecker.check(rest, List.of(), false)).isEmpty();
    }

    /** Of a file of five: 0 and 4 of level 3, the others of level 2. */
    private static List<Stretch> partitions() {
        List<Stretch> stretches = new ArrayList<>();
        int[] levels = {3, 2, 2, 2, 3};
        for (int a = 0; a < levels.length; a++) {
            stretches.add(Stretch.ofPoints(ScanOrder.start(a), ScanOrder.end(a, levels[a])));
        }
        return stretches;
    }

    private static List<String> points(long from, long end, long next, long nextEnd) {
        return TilingChecker.check(
                ALL_POINTS, List.of(Stretch.ofPoints(from, end), Stretch.ofPoints(next, nextEnd)), true);
    }

    // ---- keys

    @Test
    void acceptsRangesThatMeetWhicheverOfThemHasTheKey() {
        KeyBounds asked = keys("b", true, "y", false);
        assertThat(check(asked, keys("b", true, "g", true), keys("g", false, "y", false)))
                .isEmpty();
        assertThat(check(asked, keys("b", true, "g", false), keys("g", true, "y", false)))
                .isEmpty();
        assertThat(check(asked, keys("g", false, "y", false).reversed(), keys("b", true, "g", true)))
                .isEmpty();
        assertThat(check(KeyBounds.ALL, keys("", false, "g", true), keys("g", false, "", false)))
                .isEmpty();
        assertThat(check(KeyBounds.ALL.reversed(), KeyBounds.ALL)).isEmpty();
    }

    @Test
    void findsTheKeyWhereRangesMeetTwiceOrNotAtAll() {
        KeyBounds asked = keys("b", true, "y", false);
        assertThat(check(asked, keys("b", true, "g", true), keys("g", true, "y", false)))
                .singleElement()
                .asString()
                .contains("covered twice");
        assertThat(check(asked, keys("b", true, "g", false), keys("g", false, "y", false)))
                .singleElement()
                .asString()
                .contains("was left out");
    }

    @Test
    void findsTheFirstOrTheLastKeyTooMuchOrLeftOut() {
        KeyBounds asked = keys("b", true, "y", false);
        assertThat(check(asked, keys("b", false, "y", false)))
                .singleElement()
                .asString()
                .contains("was left out");
        assertThat(check(asked, keys("b", true, "y", true)))
                .singleElement()
                .asString()
                .contains("behind");
        assertThat(check(asked, keys("b", true, "x", true)))
                .singleElement()
                .asString()
                .contains("was left out");
        assertThat(check(asked, keys("a", true, "y", false)))
                .singleElement()
                .asString()
                .contains("not asked for");
        assertThat(check(asked, keys("b", true, "", false)))
                .singleElement()
                .asString()
                .contains("behind");
        assertThat(check(KeyBounds.ALL, keys("", false, "y", true)))
                .singleElement()
                .asString()
                .contains("left out");
    }

    @Test
    void nothingCoversWhatHasNoKeys() {
        KeyBounds none = keys("b", false, "b", false);
        assertThat(check(none)).isEmpty();
        assertThat(check(none, none)).isEmpty();
        assertThat(check(none, keys("b", true, "b", true))).isNotEmpty();
    }

    private static List<String> check(KeyBounds asked, KeyBounds... steps) {
        List<Stretch> stretches = new ArrayList<>();
        for (KeyBounds step : steps) {
            stretches.add(Stretch.ofKeys(step));
        }
        return TilingChecker.check(Stretch.ofKeys(asked), stretches, true);
    }

    private static KeyBounds keys(String from, boolean fromIncluded, String to, boolean toIncluded) {
        return new KeyBounds(
                from.getBytes(StandardCharsets.UTF_8),
                fromIncluded,
                to.getBytes(StandardCharsets.UTF_8),
                toIncluded,
                false);
    }
}
