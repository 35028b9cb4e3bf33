package io.sdds.client.internal.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.sdds.client.Codec;
import io.sdds.core.query.RowEvaluator;
import io.sdds.core.row.KeyEncoding;
import io.sdds.core.row.RowWriter;
import io.sdds.core.row.Schema;
import io.sdds.core.row.SchemaText;
import io.sdds.core.row.ValueType;
import io.sdds.core.row.Values;
import java.math.BigDecimal;
import java.time.LocalDateTime;
import java.util.List;
import java.util.TimeZone;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;

/** What engines of queries get wrong about types, keys and schemas that change; {@code QueryTrapsTest} has the rest. */
class SchemaTrapsTest {
    private static final Schema NUMBERS = SchemaText.parse("id integer key, i integer, d double, e decimal(20,3)");

    private static byte[] row(@Nullable Object... values) {
        return new RowWriter(NUMBERS).write(values);
    }

    /** The only value of a query whose parts are answers about some rows each. */
    @SafeVarargs
    private static @Nullable Object value(String aggregate, List<byte[]>... parts) {
        CompiledQuery query = QueryCompiler.rows(
                NUMBERS, null, RowSpec.of(List.of(), Long.MAX_VALUE).withAggregate(aggregate));
        RowMerge merge = new RowMerge(query, MemoryBound.BYTES_MAX);
        for (List<byte[]> part : parts) {
            RowEvaluator evaluator = new RowEvaluator(query.program());
            part.forEach(row -> evaluator.add(KeyEncoding.of(NUMBERS).encode(1), row, 1));
            merge.add(evaluator.drain());
        }
        byte[] stored = merge.rows().get(0).get(0);
        return stored == null ? null : Values.decode(query.columns().type(0), stored);
    }

    @Test
    void averageOfIntegersHasAFraction() {
        List<byte[]> rows = List.of(row(1, null, null), row(2, null, null), row(null, null, null));
        assertThat(value("avg(i)", rows)).isEqualTo(new BigDecimal("1.500000"));
        assertThat(value("avg(i)", rows, List.of(row(-4, null, null)))).isEqualTo(new BigDecimal("-0.333333"));
    }

    @Test
    void sumOfDoublesDependsOnTheTilingInItsLastDigitsAndSumsOfDecimalsDoNot() {
        byte[] large = row(null, 1e16, new BigDecimal("10000000000000000"));
        byte[] one = row(null, 1.0, new BigDecimal("1.001"));
        Double together = (Double) value("sum(d)", List.of(large, one, one));
        Double apart = (Double) value("sum(d)", List.of(large), List.of(one, one));
        assertThat(together).isEqualTo(1e16);
        assertThat(apart).isEqualTo(1e16 + 2);
        assertThat(together).isCloseTo(apart, within(1e16 * 1e-15));
        assertThat(value("sum(e)", List.of(large, one, one)))
                .isEqualTo(new BigDecimal("10000000000000002.002"))
                .isEqualTo(value("sum(e)", List.of(large), List.of(one, one)));
    }

    @Test
    void keysOfOneColumnAreThoseOfTheCodecs() {
        for (String text : List.of("", "\0", "a\0b\0", "\uFF00", "\uD83D\uDE00")) {
            assertThat(new KeyEncoding(List.of(ValueType.VARCHAR)).encode(text))
                    .isEqualTo(Codec.utf8().encode(text));
        }
        for (long number : new long[] {0, -1, 42, Long.MIN_VALUE, Long.MAX_VALUE}) {
            assertThat(new KeyEncoding(List.of(ValueType.BIGINT)).encode(number))
                    .isEqualTo(Codec.int64().encode(number));
        }
    }

    @Test
    void zerosInTextsOfCompositeKeysAreEscapedButInTheLastColumn() {
        KeyEncoding keys = new KeyEncoding(List.of(ValueType.VARCHAR, ValueType.VARCHAR));
        assertThat(keys.encode("\0", "\0")).containsExactly(0, 0xff, 0, 0, 0);
        assertThat(keys.encode("a", "\0b")).isNotEqualTo(keys.encode("a\0", "b"));
    }

    @Test
    @ResourceLock(Resources.TIME_ZONE)
    void timestampsHaveNoZone() {
        LocalDateTime skippedInVienna = LocalDateTime.of(2026, 3, 29, 2, 30);
        TimeZone before = TimeZone.getDefault();
        try {
            TimeZone.setDefault(TimeZone.getTimeZone("Europe/Vienna"));
            byte[] stored = Values.encode(ValueType.TIMESTAMP, skippedInVienna, null);
            TimeZone.setDefault(TimeZone.getTimeZone("America/Los_Angeles"));
            assertThat(Values.decode(ValueType.TIMESTAMP, stored)).isEqualTo(skippedInVienna);
            assertThat(value("max(timestamp '2026-03-29 02:30:00')", List.of(row(1, null, null))))
                    .isEqualTo(skippedInVienna);
        } finally {
            TimeZone.setDefault(before);
        }
    }

    @Test
    void updatesAreCompiledAnewForEachVersionOfTheSchema() {
        UpdatePrograms programs = new UpdatePrograms();
        byte[] first = programs.update(NUMBERS, null, "i = 7");
        Schema without = NUMBERS.drop("i");
        assertThatThrownBy(() -> programs.update(without, null, "i = 7"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("set, position 1: no column 'i'");
        Schema other = without.add(SchemaText.parseColumn("i bigint"));
        assertThat(programs.update(other, null, "i = 7")).isNotEqualTo(first);
        assertThat(programs.update(NUMBERS, null, "i = 7")).isEqualTo(first);
    }
}
