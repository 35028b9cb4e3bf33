package io.sdds.sim.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.sdds.core.model.KeySpan;
import io.sdds.sim.check.RangePlacementChecker.Held;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** What is rightly held gives no line, and each thing wrong with it its own. */
class RangePlacementCheckerTest {
    private final Map<Integer, KeySpan> spans =
            new TreeMap<>(Map.of(0, span("", "g"), 2, span("g", "p"), 3, span("p", "")));
    private final List<Held> held = new ArrayList<>(List.of(
            held("b1", 0, span("", "g"), "a", "b", "g"),
            held("b2", 2, span("g", "p"), "ga", "h", "p"),
            held("b1", 3, span("p", ""), "pa", "z")));

    @Test
    void acceptsSpansThatTileAllKeysAndAreHeldOnceEach() {
        assertThat(check()).isEmpty();
    }

    @Test
    void findsAKeyOutsideOfItsPartitionsSpan() {
        held.set(1, held("b2", 2, span("g", "p"), "g", "h"));
        assertThat(check()).singleElement().asString().contains("partition 2 at b2", "holds key", "g");
        held.set(1, held("b2", 2, span("g", "p"), "h", "pa"));
        assertThat(check()).singleElement().asString().contains("holds key", "pa");
    }

    @Test
    void findsKeysOutOfOrderOrTwice() {
        held.set(1, held("b2", 2, span("g", "p"), "h", "ga"));
        assertThat(check()).singleElement().asString().contains("ga", "out of order or twice");
        held.set(1, held("b2", 2, span("g", "p"), "h", "h"));
        assertThat(check()).singleElement().asString().contains("out of order or twice");
    }

    @Test
    void findsAPartitionOfAnotherSpanThanTheMapSays() {
        held.set(1, held("b2", 2, span("g", "o"), "h"));
        assertThat(check()).singleElement().asString().contains("instead of");
    }

    @Test
    void findsPartitionsHeldTwiceOrNotAtAllOrThatAreNone() {
        held.add(held("b3", 0, span("", "g")));
        assertThat(check()).singleElement().asString().contains("is held by b1 and by b3");
        held.remove(3);
        held.remove(1);
        assertThat(check()).singleElement().asString().contains("partition 2 is held by nobody");
        held.add(held("b2", 2, span("g", "p")));
        held.add(held("b2", 7, span("g", "p")));
        assertThat(check()).singleElement().asString().contains("partition 7 at b2 is none of the table's");
    }

    @Test
    void expectsLostPartitionsNowhere() {
        assertThat(RangePlacementChecker.check(spans, Set.of(2), held))
                .singleElement()
                .asString()
                .contains("counts as lost");
        held.remove(1);
        assertThat(RangePlacementChecker.check(spans, Set.of(2), held)).isEmpty();
    }

    @Test
    void findsKeysThatBelongToNoneOrToTwo() {
        respan(2, span("h", "p"));
        assertThat(check()).singleElement().asString().contains("belong to none or to two");
        respan(2, span("f", "p"));
        assertThat(check()).singleElement().asString().contains("belong to none or to two");
    }

    @Test
    void findsTheFirstAndTheLastKeysMissing() {
        respan(0, span("a", "g"));
        assertThat(check()).isNotEmpty();
        respan(0, span("", "g"));
        respan(3, span("p", "z"));
        assertThat(check()).singleElement().asString().contains("keys above").contains("belong to none");
    }

    @Test
    void findsTwoPartitionsThatBeginAtOneKey() {
        respan(3, span("g", ""));
        assertThat(check()).anySatisfy(line -> assertThat(line).contains("begin at the same key"));
    }

    private List<String> check() {
        return RangePlacementChecker.check(spans, Set.of(), held);
    }

    /** In the map and where it is held, without keys: only the tiling is wrong. */
    private void respan(int number, KeySpan span) {
        spans.put(number, span);
        held.replaceAll(at -> at.partition() == number ? held(at.brick(), number, span) : at);
    }

    private static KeySpan span(String low, String high) {
        return new KeySpan(bytes(low), bytes(high));
    }

    private static Held held(String brick, int partition, KeySpan span, String... keys) {
        return new Held(
                brick,
                partition,
                span,
                Arrays.stream(keys).map(RangePlacementCheckerTest::bytes).toList());
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
