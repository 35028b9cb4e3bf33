package io.sdds.client.internal.routing;

import static org.assertj.core.api.Assertions.assertThat;

import io.sdds.core.Seeds;
import io.sdds.core.model.KeySpan;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Tests of ranges of keys that are cut at the spans of partitions, compared on each key of a small set. */
class KeyBoundsPropertyTest {
    private static final int KEYS = 12;

    private final SplittableRandom random = Seeds.random("KeyBoundsPropertyTest");

    private static byte[] key(int number) {
        return number == 0 ? new byte[0] : new byte[] {(byte) number};
    }

    private KeyBounds bounds() {
        int a = random.nextInt(KEYS);
        int b = random.nextInt(KEYS);
        KeyBounds bounds = new KeyBounds(
                key(Math.min(a, b)), random.nextBoolean(), key(Math.max(a, b)), random.nextBoolean(), false);
        return random.nextBoolean() ? bounds : bounds.reversed();
    }

    private static boolean holds(@Nullable KeyBounds bounds, byte[] key) {
        return bounds != null && !bounds.isEmpty() && bounds.holds(key);
    }

    @Test
    void whatLiesBeforeInAndBehindASpanIsTheWholeAndNoKeyTwice() {
        for (int run = 0; run < 100_000; run++) {
            KeyBounds bounds = bounds();
            int low = random.nextInt(KEYS - 1);
            int high = random.nextInt(low + 1, KEYS + 1);
            KeySpan span = new KeySpan(key(low), key(high == KEYS ? 0 : high));
            KeyBounds part = bounds.within(span);
            KeyBounds before = part.isEmpty() ? bounds : bounds.before(part);
            KeyBounds behind = part.isEmpty() ? null : bounds.behind(part);
            for (int k = 1; k < KEYS; k++) {
                byte[] key = key(k);
                boolean inSpan = holds(bounds, key) && span.holds(key);
                assertThat(holds(part, key))
                        .as("%s within %s, key %s", bounds, span, k)
                        .isEqualTo(inSpan);
                int holders = (holds(before, key) ? 1 : 0) + (holds(part, key) ? 1 : 0) + (holds(behind, key) ? 1 : 0);
                assertThat(holders).as("%s cut at %s, key %s", bounds, span, k).isEqualTo(holds(bounds, key) ? 1 : 0);
            }
        }
    }

    /** The answers of partitions come in any order. */
    @Test
    void spansThatTileAllKeysCoverARangeInAnyOrder() {
        for (int run = 0; run < 20_000; run++) {
            KeyBounds bounds = bounds();
            if (bounds.isEmpty()) {
                continue;
            }
            List<KeySpan> spans = new ArrayList<>();
            int low = 0;
            for (int cut = 1; cut < KEYS; cut++) {
                if (random.nextInt(3) == 0) {
                    spans.add(new KeySpan(key(low), key(cut)));
                    low = cut;
                }
            }
            spans.add(new KeySpan(key(low), key(0)));
            Collections.shuffle(spans, new java.util.Random(random.nextLong()));
            List<KeyBounds> gaps = new ArrayList<>(List.of(bounds));
            for (KeySpan span : spans) {
                KeyBounds answered = bounds.within(span);
                for (int k = 0; k < gaps.size() && !answered.isEmpty(); k++) {
                    if (gaps.get(k).within(span).equals(answered)) {
                        KeyBounds gap = gaps.remove(k);
                        for (KeyBounds left : new KeyBounds[] {gap.behind(answered), gap.before(answered)}) {
                            if (left != null) {
                                gaps.add(k, left);
                            }
                        }
                        break;
                    }
                }
            }
            assertThat(gaps).as("%s, answered by %s", bounds, spans).isEmpty();
        }
    }
}
