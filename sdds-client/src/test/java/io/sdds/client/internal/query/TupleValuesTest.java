package io.sdds.client.internal.query;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.sdds.client.ProtocolException;
import io.sdds.client.ValueCursor;
import io.sdds.core.query.TupleCodec;
import io.sdds.core.row.MalformedRowException;
import io.sdds.core.row.ValueType;
import io.sdds.core.row.Values;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Values in the bytes of tuples. */
class TupleValuesTest {
    private static final UUID NAME = UUID.fromString("01234567-89ab-cdef-fedc-ba9876543210");
    private static final BigDecimal LARGE = new BigDecimal("-99999999999999999999999999999999999.999");

    private static final List<ValueType> TYPES = List.of(
            ValueType.BOOLEAN,
            ValueType.INTEGER,
            ValueType.BIGINT,
            ValueType.DOUBLE,
            ValueType.decimal(18, 2),
            ValueType.decimal(38, 3),
            ValueType.DATE,
            ValueType.TIME,
            ValueType.TIMESTAMP,
            ValueType.UUID,
            ValueType.VARCHAR,
            ValueType.VARBINARY);

    private static final List<Object> FIRST = List.of(
            true,
            -42,
            Long.MIN_VALUE,
            0.5,
            new BigDecimal("-9999999999999999.99"),
            LARGE,
            LocalDate.of(1969, 12, 31),
            LocalTime.of(23, 59, 59, 999_999_000),
            LocalDateTime.of(1969, 12, 31, 23, 59, 59, 999_999_000),
            NAME,
            "Zürich \uD83D\uDE00",
            new byte[] {0, -1});

    /** Steps over the tuples of one block. */
    private static final class Tuples extends TupleValues {
        private final byte[] block;
        private int end;

        Tuples(List<ValueType> types, byte[] block) {
            super(types);
            this.block = block;
        }

        @Override
        public boolean next() {
            boolean isThere = end < block.length;
            end = isThere ? goTo(block, end) : end;
            return isThere;
        }

        @Override
        public void close() {}
    }

    private static byte[] block(List<ValueType> types, List<? extends List<? extends @Nullable Object>> rows) {
        ByteBuf out = Unpooled.buffer();
        for (List<? extends @Nullable Object> row : rows) {
            byte[][] stored = new byte[types.size()][];
            for (int k = 0; k < stored.length; k++) {
                Object value = row.get(k);
                stored[k] = value == null ? null : Values.encode(types.get(k), value, null);
            }
            new TupleCodec(types).write(Arrays.asList(stored), out);
        }
        return ByteBufUtil.getBytes(out);
    }

    private static ValueCursor at(ValueType type, Object value) {
        return at(type, block(List.of(type), List.of(List.of(value))));
    }

    private static ValueCursor at(ValueType type, byte[] block) {
        ValueCursor values = new Tuples(List.of(type), block);
        assertThat(values.next()).isTrue();
        return values;
    }

    private static void assertFirst(ValueCursor values) {
        assertThat(values.next()).isTrue();
        assertThat(IntStream.range(0, TYPES.size()).noneMatch(values::isNull)).isTrue();
        assertThat(values.getBoolean(0)).isTrue();
        assertThat(values.getInt(1)).isEqualTo(-42);
        assertThat(values.getLong(2)).isEqualTo(Long.MIN_VALUE);
        assertThat(values.getDouble(3)).isEqualTo(0.5);
        assertThat(values.getUnscaled(4)).isEqualTo(-999_999_999_999_999_999L);
        assertThat(values.getDecimal(4)).isEqualTo(FIRST.get(4));
        assertThat(values.getDecimal(5)).isEqualTo(LARGE);
        assertThat(values.getInt(6)).isEqualTo(-1);
        assertThat(values.getLong(7)).isEqualTo(Values.MICROS_OF_DAY - 1);
        assertThat(values.getLong(8)).isEqualTo(-1);
        assertThat(values.getBytes(9)).isEqualTo(Values.encode(ValueType.UUID, NAME, null));
        assertThat(new String(values.getBytes(10), UTF_8)).isEqualTo(FIRST.get(10));
        assertThat(values.getBytes(11)).isEqualTo(FIRST.get(11));
    }

    @Test
    void eachTypeHasItsValueAlsoBehindNullsAndEmptyTexts() {
        List<@Nullable Object> nulls = Collections.nCopies(TYPES.size(), null);
        List<@Nullable Object> some = new ArrayList<>(nulls);
        some.set(1, 7);
        some.set(10, "");
        some.set(11, new byte[0]);
        ValueCursor values = new Tuples(TYPES, block(TYPES, List.of(FIRST, nulls, some, FIRST)));
        assertFirst(values);
        assertThat(values.next()).isTrue();
        assertThat(IntStream.range(0, TYPES.size()).allMatch(values::isNull)).isTrue();
        assertThat(values.next()).isTrue();
        assertThat(IntStream.range(0, TYPES.size()).filter(k -> !values.isNull(k)))
                .containsExactly(1, 10, 11);
        assertThat(values.getInt(1)).isEqualTo(7);
        assertThat(values.getBytes(10)).isEmpty();
        assertThat(values.getBytes(11)).isEmpty();
        assertFirst(values);
        assertThat(values.next()).isFalse();
    }

    @Test
    void manyColumnsAndLongTexts() {
        int columns = 300;
        List<ValueType> types = Collections.nCopies(columns, ValueType.VARCHAR);
        List<@Nullable String> row = new ArrayList<>();
        for (int k = 0; k < columns; k++) {
            row.add(k % 3 == 0 ? null : "x".repeat(k * k % 20_000));
        }
        ValueCursor values = new Tuples(types, block(types, List.of(row, row)));
        while (values.next()) {
            for (int k = 0; k < columns; k++) {
                assertThat(values.isNull(k)).isEqualTo(row.get(k) == null);
                if (!values.isNull(k)) {
                    assertThat(new String(values.getBytes(k), UTF_8)).isEqualTo(row.get(k));
                }
            }
        }
    }

    @Test
    void aMethodForAnotherTypeIsRefused() {
        ValueCursor number = at(ValueType.BIGINT, 1L);
        assertThatThrownBy(() -> number.getInt(0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> number.getDouble(0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> number.getUnscaled(0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> number.getBytes(0))
                .hasMessage("column 0 has values of bigint, which another method gives");
        assertThatThrownBy(() -> number.getLong(1)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> number.isNull(1)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> at(ValueType.decimal(38, 3), LARGE).getUnscaled(0))
                .isInstanceOf(MalformedRowException.class)
                .hasMessageContaining("more than 64 bits");
    }

    @Test
    void bytesOfNoValueFailAsRowsDo() {
        assertThatThrownBy(() -> at(ValueType.BOOLEAN, new byte[] {0, 2}).getBoolean(0))
                .isInstanceOf(MalformedRowException.class);
        byte[] late = {0, -1, -1, -1, -1, -1, -1, -1, -1};
        assertThatThrownBy(() -> at(ValueType.TIME, late).getLong(0)).isInstanceOf(MalformedRowException.class);
        assertThatThrownBy(() ->
                        at(ValueType.VARCHAR, new byte[] {0, 3, 'a', 'b', -1}).getBytes(0))
                .isInstanceOf(MalformedRowException.class)
                .hasMessageContaining("no UTF-8");
        assertThatThrownBy(() -> at(ValueType.VARCHAR, new byte[] {0, 3, 'a', 'b'}))
                .isInstanceOf(ProtocolException.class)
                .hasMessageContaining("ends early");
        assertThatThrownBy(() -> at(ValueType.VARCHAR, new byte[] {2}))
                .isInstanceOf(ProtocolException.class)
                .hasMessageContaining("NULL beyond");
    }
}
