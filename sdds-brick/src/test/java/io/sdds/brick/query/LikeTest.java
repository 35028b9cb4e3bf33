package io.sdds.brick.query;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.Unpooled;
import io.sdds.core.Seeds;
import io.sdds.core.query.LikePattern;
import io.sdds.core.row.ValueType;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class LikeTest {
    private static final String[] CHARACTERS = {"a", "b", "ä", "\uD83D\uDE00"};

    private final Scratch scratch = new Scratch(Unpooled::directBuffer);

    @AfterEach
    void release() {
        scratch.release();
    }

    @Test
    void agreesWithTheEvaluationRowByRow() {
        SplittableRandom random = Seeds.random("LikeTest.agrees");
        int matched = 0;
        for (int run = 0; run < 5_000; run++) {
            int characters = 1 + random.nextInt(CHARACTERS.length);
            boolean isLong = random.nextInt(10) == 0;
            StringBuilder pattern = new StringBuilder();
            for (int k = random.nextInt(isLong ? 100 : 9); k > 0; k--) {
                int kind = random.nextInt(isLong ? 30 : 5);
                pattern.append(kind == 0 ? "%" : kind == 1 ? "_" : CHARACTERS[random.nextInt(characters)]);
            }
            String text = text(random, random.nextInt(isLong ? 20_000 : 14), characters);
            boolean expected = like(pattern.toString()).matches(text.getBytes(StandardCharsets.UTF_8));
            assertThat(matches(pattern.toString(), text))
                    .as("%s like %s", text, pattern)
                    .isEqualTo(expected);
            matched += expected ? 1 : 0;
        }
        assertThat(matched).isBetween(500, 4_500);
    }

    private static String text(SplittableRandom random, int length, int characters) {
        StringBuilder text = new StringBuilder();
        for (int k = 0; k < length; k++) {
            text.append(CHARACTERS[random.nextInt(20) > 0 ? 0 : random.nextInt(characters)]);
        }
        return text.toString();
    }

    private static LikePattern like(String pattern) {
        return LikePattern.of(Arrays.asList(pattern.getBytes(StandardCharsets.UTF_8), new byte[0]));
    }

    private boolean matches(String pattern, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        Lane a = Lane.of(ValueType.VARCHAR);
        Lane out = Lane.of(ValueType.BOOLEAN);
        a.text(0, MemorySegment.ofArray(bytes), 0, bytes.length);
        new Like(a, like(pattern), scratch, out).run(1);
        return out.values[0] != 0;
    }

    @Test
    void theWorkOfHostileTextsIsLinear() {
        int length = 1 << 20;
        String text = "a".repeat(length);
        String sixty = "a".repeat(30) + "_" + "a".repeat(28);
        for (String pattern : List.of(
                "%" + "a".repeat(10_000) + "b%",
                "%b" + "a".repeat(10_000) + "%",
                "%" + sixty + "b%",
                "%a_b%",
                "%_a%_a%_b%",
                "%a%a%a%a%b%",
                "%" + "_".repeat(1_000) + "b",
                "a%a%" + "a_".repeat(500) + "b")) {
            scratch.takeWork();
            assertThat(matches(pattern, text)).isFalse();
            assertThat(scratch.takeWork()).as(pattern).isLessThan(80L * length);
        }
    }
}
