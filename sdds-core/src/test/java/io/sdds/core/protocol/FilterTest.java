package io.sdds.core.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.Unpooled;
import io.sdds.core.Seeds;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class FilterTest {
    private final SplittableRandom random = Seeds.random("FilterTest");

    private static Filter match(Filter.Field field, Filter.Test test, String operand) {
        return new Filter.Match(field, test, operand.getBytes(StandardCharsets.UTF_8));
    }

    private static Filter decode(byte[] bytes) {
        return Filter.decode(Unpooled.wrappedBuffer(bytes));
    }

    private Filter random(int depth) {
        int kind = depth == 1 ? 3 : random.nextInt(4);
        if (kind == 3) {
            byte[] operand = new byte[random.nextInt(20)];
            random.nextBytes(operand);
            return new Filter.Match(
                    Filter.Field.values()[random.nextInt(2)], Filter.Test.values()[random.nextInt(3)], operand);
        }
        if (kind == 2) {
            return new Filter.Not(random(depth - 1));
        }
        List<Filter> parts = new ArrayList<>();
        for (int k = random.nextInt(4); k > 0; k--) {
            parts.add(random(depth - 1));
        }
        return kind == 0 ? new Filter.And(parts) : new Filter.Or(parts);
    }

    @Test
    void comesBackAsItWas() {
        for (int k = 0; k < 5000; k++) {
            Filter filter = random(1 + k % 4);
            assertThat(decode(filter.encode())).isEqualTo(filter).hasToString(filter.toString());
        }
    }

    @Test
    void refusesEveryTruncationAndEveryExcess() {
        for (int k = 0; k < 300; k++) {
            byte[] bytes = random(3).encode();
            for (int length = 0; length < bytes.length; length++) {
                byte[] shorter = Arrays.copyOf(bytes, length);
                assertThatThrownBy(() -> decode(shorter)).isInstanceOf(ProtocolViolation.class);
            }
            byte[] longer = Arrays.copyOf(bytes, bytes.length + 1);
            assertThatThrownBy(() -> decode(longer)).isInstanceOf(ProtocolViolation.class);
        }
    }

    @Test
    void everyMutationIsAFilterOrAViolation() {
        int filters = 0;
        for (int k = 0; k < 50_000; k++) {
            byte[] bytes = random(4).encode();
            bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
            try {
                Filter filter = decode(bytes);
                assertThat(filter.encode()).isEqualTo(bytes);
                filters++;
            } catch (ProtocolViolation e) {
                assertThat(e).hasMessageNotContaining("null");
            }
        }
        assertThat(filters).isPositive();
    }

    @Test
    void bothEndsRefuseWhatIsBeyondTheLimits() {
        Filter deep = match(Filter.Field.KEY, Filter.Test.EQUALS, "a");
        for (int depth = 1; depth < Filter.DEPTH_MAX; depth++) {
            deep = deep.negate();
        }
        byte[] deepest = deep.encode();
        assertThat(decode(deepest)).isEqualTo(deep);
        Filter tooDeep = deep.negate();
        assertThatIllegalArgumentException().isThrownBy(tooDeep::encode).withMessageContaining("deeper");
        byte[] oneMore = new byte[deepest.length + 1];
        System.arraycopy(deepest, 0, oneMore, 1, deepest.length);
        oneMore[0] = deepest[0];
        assertThatThrownBy(() -> decode(oneMore))
                .isInstanceOf(ProtocolViolation.class)
                .hasMessageContaining("deeper");

        Filter wide = new Filter.Or(Collections.nCopies(Filter.NODES_MAX - 1, Filter.everything()));
        assertThat(decode(wide.encode())).isEqualTo(wide);
        Filter tooWide = new Filter.Or(Collections.nCopies(Filter.NODES_MAX, Filter.everything()));
        assertThatIllegalArgumentException().isThrownBy(tooWide::encode).withMessageContaining("nodes");

        Filter large = match(Filter.Field.VALUE, Filter.Test.CONTAINS, "x".repeat(Limits.FILTER_BYTES_MAX - 5));
        assertThat(decode(large.encode())).isEqualTo(large);
        Filter tooLarge = match(Filter.Field.VALUE, Filter.Test.CONTAINS, "x".repeat(Limits.FILTER_BYTES_MAX - 4));
        assertThatIllegalArgumentException().isThrownBy(tooLarge::encode).withMessageContaining("bytes");
        byte[] bytes = new byte[Limits.FILTER_BYTES_MAX + 1];
        assertThatThrownBy(() -> decode(bytes))
                .isInstanceOf(ProtocolViolation.class)
                .hasMessageContaining("bytes");
    }

    @Test
    void isWrittenAsItsParserReadsIt() {
        Filter cat = match(Filter.Field.VALUE, Filter.Test.CONTAINS, "CAT's");
        Filter emoji = match(Filter.Field.KEY, Filter.Test.PREFIX, "U+1F6");
        assertThat(cat.and(emoji.negate())).hasToString("value contains 'CAT''s' and not key prefix 'U+1F6'");
        assertThat(cat.or(emoji).negate()).hasToString("not (value contains 'CAT''s' or key prefix 'U+1F6')");
        assertThat(new Filter.Match(Filter.Field.KEY, Filter.Test.EQUALS, new byte[] {(byte) 0xff}))
                .hasToString("key = x'ff'");
        assertThat(Filter.everything()).hasToString("true");
    }
}
