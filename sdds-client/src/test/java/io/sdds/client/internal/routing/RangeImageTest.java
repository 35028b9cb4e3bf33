package io.sdds.client.internal.routing;

import static org.assertj.core.api.Assertions.assertThat;

import io.sdds.core.Seeds;
import io.sdds.core.model.AddressBlock;
import io.sdds.core.model.KeySpan;
import io.sdds.core.model.Place;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class RangeImageTest {
    private final RangeImage image = new RangeImage();

    private static byte[] key(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    private static KeySpan span(String low, String high) {
        return new KeySpan(key(low), key(high));
    }

    private @Nullable KeySpan at(String key) {
        return image.spanAt(key(key), false);
    }

    @Test
    void anAdjustmentCutsWhatItOverlaps() {
        image.withBlock(new AddressBlock(1, 0, 5, List.of(new Place(1, 1, 0)), List.of(KeySpan.ALL)));
        assertThat(image.learn(1, span("m", ""), 2, 6)).isTrue();
        assertThat(at("m")).isEqualTo(span("", "m"));
        assertThat(at("n")).isEqualTo(span("m", ""));
        assertThat(image.brick(0)).isEqualTo(1);
        assertThat(image.brick(1)).isEqualTo(2);
        assertThat(image.learn(1, span("m", ""), 2, 7)).isFalse();
    }

    @Test
    void whatWasMergedAwayIsForgotten() {
        image.learn(0, span("", "m"), 1, 1);
        image.learn(1, span("m", ""), 2, 1);
        image.learn(0, KeySpan.ALL, 1, 2);
        assertThat(at("z")).isEqualTo(KeySpan.ALL);
        assertThat(image.brick(1)).isEqualTo(TableImage.UNKNOWN);
        assertThat(image.partitions()).isEqualTo(1);
    }

    @Test
    void aBlockReplacesWhatTheImageHadOfIt() {
        image.learn(0, span("", "m"), 1, 1);
        image.learn(1, span("m", ""), 2, 1);
        Place here = new Place(3, 1, 0);
        image.withBlock(new AddressBlock(
                1, 0, 9, List.of(here, Place.NOWHERE, here), List.of(span("", "k"), KeySpan.ALL, span("k", ""))));
        assertThat(at("l")).isEqualTo(span("k", ""));
        assertThat(image.brick(1)).isEqualTo(TableImage.UNKNOWN);
        image.withBlock(new AddressBlock(1, 0, 8, List.of(here), List.of(KeySpan.ALL)));
        assertThat(at("l")).as("an older block is not taken").isEqualTo(span("k", ""));
    }

    @Test
    void theNextKnownSpanBeginsAboveAKeyInAGap() {
        image.learn(0, span("", "c"), 1, 1);
        image.learn(5, span("m", ""), 2, 1);
        assertThat(at("d")).isNull();
        assertThat(image.nextLow(key("d"))).isEqualTo(key("m"));
        assertThat(image.nextLow(key("m"))).isNull();
        assertThat(image.lastSpan()).isEqualTo(span("m", ""));
    }

    @Test
    void theNextKnownSpanOfAKeyBelowAllThatIsKnownIsTheFirst() {
        assertThat(image.nextLow(key("d"))).isNull();
        image.learn(5, span("m", "r"), 2, 1);
        image.learn(6, span("r", ""), 2, 1);
        assertThat(image.nextLow(key("d"))).isEqualTo(key("m"));
    }

    @Test
    void whatTheIndexSaysFillsGapsAndNothingElse() {
        image.learn(1, span("m", "r"), 2, 6);
        image.fill(0, span("", "p"), 1);
        assertThat(at("a")).as("up to what is known").isEqualTo(span("", "m"));
        assertThat(at("n")).as("what is known stays").isEqualTo(span("m", "r"));
        image.fill(7, span("n", "z"), 3);
        assertThat(at("s")).as("above what is known").isEqualTo(span("r", "z"));
        image.fill(1, span("z", ""), 4);
        assertThat(image.brick(1)).as("a partition that is known stays").isEqualTo(2);
        image.fill(8, span("b", "c"), 5);
        assertThat(at("c")).isEqualTo(span("", "m"));
        image.fill(9, span("y", ""), 6);
        assertThat(image.lastSpan()).isEqualTo(span("z", ""));
        assertThat(image.bricks()).containsExactlyInAnyOrder(1, 2, 3, 6);
    }

    @Test
    void aBlankImageSendsToTheFirstPartitionWhereverThatIs() {
        RangeImage blank = RangeImage.blank(false);
        assertThat(blank.nearestKnown(0)).isEqualTo(-1);
        blank.withBlock(new AddressBlock(
                1, 0, 5, List.of(new Place(4, 1, 0), Place.NOWHERE), List.of(KeySpan.ALL, KeySpan.ALL)));
        assertThat(blank.partitions()).isZero();
        assertThat(blank.brick(0)).isEqualTo(4);
        assertThat(blank.brick(1)).isEqualTo(TableImage.UNKNOWN);
        assertThat(blank.brick(2)).isEqualTo(TableImage.UNKNOWN);
        assertThat(blank.nearestKnown(0)).isZero();
    }

    /**
     * Records of the index come in any order between adjustments. They never change the span of an adjustment, and no
     * two entries overlap.
     */
    @Test
    void fillingNeverOverlapsAndNeverOverrules() {
        SplittableRandom random = Seeds.random("RangeImageTest.filling");
        for (int step = 0; step < 20_000; step++) {
            int a = random.nextInt(0, 30);
            int b = random.nextInt(a + 1, 32);
            KeySpan span = new KeySpan(
                    a == 0 ? new byte[0] : new byte[] {(byte) a}, b == 31 ? new byte[0] : new byte[] {(byte) b});
            List<KeySpan> before = spans();
            if (random.nextInt(3) == 0) {
                image.learn(random.nextInt(8), span, random.nextInt(3), step);
            } else {
                image.fill(random.nextInt(8), span, random.nextInt(3));
                assertThat(spans()).containsAll(before);
            }
            List<KeySpan> after = spans();
            for (int k = 1; k < after.size(); k++) {
                assertThat(after.get(k - 1).isLast()).isFalse();
                assertThat(Arrays.compareUnsigned(
                                after.get(k - 1).high(), after.get(k).low()))
                        .isNotPositive();
            }
        }
    }

    /** All spans of the image, in the order of keys. */
    private List<KeySpan> spans() {
        List<KeySpan> spans = new ArrayList<>();
        for (int key = 0; key < 32; key++) {
            KeySpan span = image.spanAt(key == 0 ? new byte[0] : new byte[] {(byte) key}, true);
            if (span != null && (spans.isEmpty() || !spans.get(spans.size() - 1).equals(span))) {
                spans.add(span);
            }
        }
        return spans;
    }

    /** Adjustments come in any order. The image believes the newest one, and no two entries overlap. */
    @Test
    void entriesNeverOverlapAndTheLastWordCounts() {
        SplittableRandom random = Seeds.random("RangeImageTest");
        for (int step = 0; step < 20_000; step++) {
            int a = random.nextInt(0, 30);
            int b = random.nextInt(a + 1, 32);
            KeySpan learned = new KeySpan(
                    a == 0 ? new byte[0] : new byte[] {(byte) (a * 8)},
                    b == 31 ? new byte[0] : new byte[] {(byte) (b * 8)});
            int partition = random.nextInt(12);
            image.learn(partition, learned, random.nextInt(4), step);
            byte[] inside = {(byte) (a * 8), 1};
            assertThat(image.spanAt(inside, false)).isEqualTo(learned);
            List<KeySpan> seen = new ArrayList<>();
            for (int k = 0; k < 32; k++) {
                KeySpan found = image.spanAt(new byte[] {(byte) (k * 8), 1}, false);
                if (found != null && !seen.contains(found)) {
                    seen.add(found);
                }
            }
            for (int k = 1; k < seen.size(); k++) {
                assertThat(seen.get(k - 1).isLast()).isFalse();
                assertThat(java.util.Arrays.compareUnsigned(
                                seen.get(k - 1).high(), seen.get(k).low()))
                        .isLessThanOrEqualTo(0);
            }
        }
    }
}
