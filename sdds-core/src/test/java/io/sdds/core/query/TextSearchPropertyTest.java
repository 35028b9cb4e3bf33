package io.sdds.core.query;

import static org.assertj.core.api.Assertions.assertThat;

import io.sdds.core.Seeds;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The searches for bytes and patterns find what plain ones find, with work that is linear in the text. */
class TextSearchPropertyTest {
    private static final String[] CHARACTERS = {"a", "b", "ä", "\uD83D\uDE00"};

    /** The search on strings of one byte for each character, counting. */
    private static final class Counted extends TwoWaySearch {
        private final byte[] text;
        private final byte[] sought;

        Counted(String text, String sought) {
            this.text = text.getBytes(StandardCharsets.ISO_8859_1);
            this.sought = sought.getBytes(StandardCharsets.ISO_8859_1);
        }

        long find() {
            return find(0, text.length, sought.length);
        }

        @Override
        protected byte text(long at) {
            return text[(int) at];
        }

        @Override
        protected byte sought(int at) {
            return sought[at];
        }
    }

    @Test
    void findsTheFirstPlace() {
        SplittableRandom random = Seeds.random("TextSearchPropertyTest.findsTheFirstPlace");
        for (int run = 0; run < 20_000; run++) {
            int letters = 1 + random.nextInt(3);
            String text = letters(random, random.nextInt(60), letters);
            String sought = letters(random, 1 + random.nextInt(12), letters);
            Counted search = new Counted(text, sought);
            assertThat(search.find()).as("%s in %s", sought, text).isEqualTo(text.indexOf(sought));
            assertThat(search.takeCompared()).isLessThanOrEqualTo(4L * (text.length() + sought.length()));
        }
    }

    private static String letters(SplittableRandom random, int length, int letters) {
        StringBuilder text = new StringBuilder();
        for (int k = 0; k < length; k++) {
            text.append((char) (k > 4 && random.nextInt(3) > 0 ? text.charAt(k - 3) : 0xf0 + random.nextInt(letters)));
        }
        return text.toString();
    }

    @Test
    void hostileTextsCostNoMoreThanAFewComparisonsForEachByte() {
        int length = 1 << 20;
        int half = 1 << 14;
        for (String sought : List.of(
                "a".repeat(half) + "b",
                "b" + "a".repeat(half),
                "ab".repeat(half) + "b",
                "a".repeat(half) + "b" + "a".repeat(half))) {
            for (String text : List.of("a".repeat(length), "ab".repeat(length / 2))) {
                Counted search = new Counted(text, sought);
                search.find();
                assertThat(search.takeCompared()).isLessThan(4L * (length + sought.length()));
            }
        }
    }

    @Test
    void likeMatchesWhatARegularExpressionMatches() {
        SplittableRandom random = Seeds.random("TextSearchPropertyTest.likeMatches");
        int matched = 0;
        for (int run = 0; run < 20_000; run++) {
            boolean isLong = random.nextInt(20) == 0;
            int characters = 1 + random.nextInt(CHARACTERS.length);
            String pattern = pattern(random, random.nextInt(isLong ? 150 : 8), characters);
            String text = text(random, random.nextInt(isLong ? 300 : 14), characters);
            boolean expected = Pattern.compile(regex(pattern), Pattern.DOTALL)
                    .matcher(text)
                    .matches();
            LikePattern like = LikePattern.of(Arrays.asList(pattern.getBytes(StandardCharsets.UTF_8), new byte[0]));
            assertThat(like.matches(text.getBytes(StandardCharsets.UTF_8)))
                    .as("%s like %s", text, pattern)
                    .isEqualTo(expected);
            matched += expected ? 1 : 0;
        }
        assertThat(matched).isBetween(2_000, 18_000);
    }

    private static String pattern(SplittableRandom random, int length, int characters) {
        StringBuilder pattern = new StringBuilder();
        boolean hasText = false;
        for (int k = 0; k < length; k++) {
            int kind = random.nextInt(length > 10 ? 40 : 5);
            boolean takesText = kind == 0 && (length <= 10 || !hasText);
            hasText |= takesText;
            pattern.append(
                    takesText || length > 10 && (k == 0 || k == length - 1)
                            ? "%"
                            : kind < 2 ? "_" : CHARACTERS[random.nextInt(characters)]);
        }
        return pattern.toString();
    }

    private static String text(SplittableRandom random, int length, int characters) {
        StringBuilder text = new StringBuilder();
        for (int k = 0; k < length; k++) {
            text.append(CHARACTERS[random.nextInt(characters)]);
        }
        return text.toString();
    }

    private static String regex(String pattern) {
        StringBuilder regex = new StringBuilder();
        pattern.codePoints().forEach(point -> {
            switch (point) {
                case '%' -> regex.append(".*");
                case '_' -> regex.append('.');
                default -> regex.appendCodePoint(point);
            }
        });
        return regex.toString();
    }

    @Test
    void aPieceOfMoreThan64SignsWithWildcardsIsFound() {
        String piece = "a_".repeat(100) + "b";
        LikePattern like =
                LikePattern.of(Arrays.asList(("%" + piece + "%").getBytes(StandardCharsets.UTF_8), new byte[0]));
        String text = "ä".repeat(1000) + "aü".repeat(150) + "b" + "c".repeat(10);
        assertThat(like.matches(text.getBytes(StandardCharsets.UTF_8))).isTrue();
        assertThat(like.matches(text.replace('b', 'c').getBytes(StandardCharsets.UTF_8)))
                .isFalse();
    }
}
