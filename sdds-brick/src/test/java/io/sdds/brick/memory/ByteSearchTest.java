package io.sdds.brick.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.sdds.core.Seeds;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class ByteSearchTest {
    private final ByteSearch search = new ByteSearch();

    @Test
    void findsTheFirstPlace() {
        SplittableRandom random = Seeds.random("ByteSearchTest.findsTheFirstPlace");
        for (int run = 0; run < 20_000; run++) {
            int letters = 1 + random.nextInt(3);
            boolean isLong = random.nextInt(50) == 0;
            String text = text(random, random.nextInt(isLong ? 3_000 : 60), letters);
            String sought = text(random, random.nextInt(isLong ? 600 : 12), letters);
            assertThat(find(text, sought)).as("%s in %s", sought, text).isEqualTo(text.indexOf(sought));
        }
    }

    /** Letters that often repeat those before. */
    private static String text(SplittableRandom random, int length, int letters) {
        StringBuilder text = new StringBuilder();
        int period = 1 + random.nextInt(7);
        for (int k = 0; k < length; k++) {
            boolean repeats = k >= period && random.nextInt(50) > 0;
            text.append(repeats ? text.charAt(k - period) : (char) ('a' + random.nextInt(letters)));
        }
        return text.toString();
    }

    private long find(String text, String sought) {
        byte[] in = (".." + text + "..").getBytes(StandardCharsets.US_ASCII);
        byte[] what = (".." + sought).getBytes(StandardCharsets.US_ASCII);
        long found = search.find(
                MemorySegment.ofArray(in), 2, in.length - 2L, MemorySegment.ofArray(what), 2, what.length - 2);
        return found < 0 ? found : found - 2;
    }

    @Test
    void theWorkOfHostileTextsIsLinear() {
        for (int length : new int[] {1 << 16, 1 << 18, 1 << 20}) {
            for (int half : new int[] {10, 100, 1_000, length / 4}) {
                String run = "a".repeat(half);
                for (String sought :
                        List.of("a" + "b" + run, run + "ba", run + "b" + run, "ab".repeat(half) + "aa", run + "b")) {
                    for (String text : List.of("a".repeat(length), "ab".repeat(length / 2))) {
                        find(text, sought);
                        assertThat(search.takeWork())
                                .as("%s bytes in %s", sought.length(), length)
                                .isLessThan(64L * (length + sought.length()));
                    }
                }
            }
        }
    }

    @Test
    void theWorkOfUsualTextsIsThatOfReadingThem() {
        SplittableRandom random = Seeds.random("ByteSearchTest.theWorkOfUsualTexts");
        StringBuilder text = new StringBuilder();
        for (int k = 0; k < 1 << 20; k++) {
            text.append((char) ('a' + random.nextInt(26)));
        }
        find(text.toString(), "sought.");
        assertThat(search.takeWork()).isBetween(1L << 20 - 1, (1L << 20) + (1 << 17));
    }
}
