package io.sdds.client.internal.analyze;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sdds.client.QueryException;
import io.sdds.core.row.Column;
import io.sdds.core.row.ColumnStatistics;
import io.sdds.core.row.KeyEncoding;
import io.sdds.core.row.RowWriter;
import io.sdds.core.row.Schema;
import io.sdds.core.row.SchemaText;
import io.sdds.core.row.Statistics;
import io.sdds.core.row.ValueType;
import io.sdds.core.row.Values;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class TableSampleTest {
    private static final Schema SCHEMA =
            SchemaText.parse("land varchar key, id bigint key, city varchar, size double not null default 1.5");

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static Object min(Schema schema, ColumnStatistics column) {
        return Values.decode(schema.columns().get(column.column()).type(), column.min());
    }

    private static Object max(Schema schema, ColumnStatistics column) {
        return Values.decode(schema.columns().get(column.column()).type(), column.max());
    }

    @Test
    void columnsOfKeyAndValueAreCounted() {
        TableSample sample = new TableSample(SCHEMA);
        RowWriter writer = new RowWriter(SCHEMA);
        for (long id = 0; id < 40; id++) {
            byte[] key = KeyEncoding.of(SCHEMA).encode(id % 2 == 0 ? "se" : "no", id - 20);
            sample.add(key, writer.write(new Object[] {id % 4 == 0 ? null : "city" + id % 10, -0.5 * id}));
        }
        Statistics made = sample.statistics(5, 99, true);
        assertThat(made.rows()).as("counted while all were read").isEqualTo(40);
        assertThat(made.isExact()).isTrue();
        assertThat(made.fault()).isNull();
        ColumnStatistics land = made.columns().get(0);
        assertThat(land.distinct()).isEqualTo(2);
        assertThat(min(SCHEMA, land)).isEqualTo("no");
        assertThat(max(SCHEMA, land)).isEqualTo("se");
        assertThat(land.bytes()).isEqualTo(80);
        ColumnStatistics id = made.columns().get(1);
        assertThat(id.distinct()).isEqualTo(40);
        assertThat(min(SCHEMA, id)).isEqualTo(-20L);
        ColumnStatistics city = made.columns().get(2);
        assertThat(city.nulls()).isEqualTo(10);
        assertThat(city.distinct()).isEqualTo(10);
        ColumnStatistics size = made.columns().get(3);
        assertThat(min(SCHEMA, size)).isEqualTo(-19.5);
        assertThat(max(SCHEMA, size)).isEqualTo(0.0);
    }

    @Test
    void rowsOfAnEarlierSchemaHaveTheDefaultAndDroppedColumnsAreLeftOut() {
        byte[] key = KeyEncoding.of(SCHEMA).encode("se", 1L);
        byte[] row = new RowWriter(SCHEMA).write(new Object[] {"Umea", 2.5});
        Schema after = SCHEMA.drop("city").add(SchemaText.parseColumn("more integer not null default 7"));
        TableSample sample = new TableSample(after);
        sample.add(key, row);
        List<ColumnStatistics> columns = sample.statistics(5, 1, true).columns();
        assertThat(columns.stream().map(ColumnStatistics::column)).containsExactly(0, 1, 3, 4);
        assertThat(min(after, columns.get(3))).isEqualTo(7);
    }

    @Test
    void aSingleKeyColumnHasAsManyValuesAsTheTableHasRows() {
        TableSample sample = new TableSample(Schema.NONE);
        for (int k = 0; k < 10; k++) {
            sample.add(new byte[] {(byte) k}, utf8("same"));
        }
        Statistics made = sample.statistics(5, 1_000, false);
        assertThat(made.rows()).isEqualTo(1_000);
        assertThat(made.sampled()).isEqualTo(10);
        assertThat(made.columns().get(0).distinct()).isEqualTo(1_000);
        assertThat(made.columns().get(1).distinct()).isEqualTo(1);
        assertThat(made.columns().get(1).bytes()).isEqualTo(40);
    }

    @Test
    void longTextsAreCutAtACharacter() {
        TableSample sample = new TableSample(SCHEMA);
        String city = "x".repeat(63) + "\u00e5\u00e4\u00f6";
        sample.add(KeyEncoding.of(SCHEMA).encode("se", 1L), new RowWriter(SCHEMA).write(new Object[] {city, 1.0}));
        ColumnStatistics column = sample.statistics(5, 1, true).columns().get(2);
        assertThat(new String(column.min(), StandardCharsets.UTF_8)).isEqualTo("x".repeat(63));
        assertThat(column.bytes()).isEqualTo(69);
    }

    @Test
    void tablesOfManyColumnsHaveShorterBoundsSoThatTheStatisticsFit() {
        List<Column> columns = new ArrayList<>();
        columns.add(new Column("id", ValueType.BIGINT, true, true, false, new byte[0], false));
        for (int k = 0; k < 300; k++) {
            columns.add(new Column("c" + k, ValueType.VARCHAR, false, true, false, new byte[0], false));
        }
        Schema schema = Schema.of(columns);
        Object[] row = new Object[300];
        java.util.Arrays.fill(row, "y".repeat(100));
        TableSample sample = new TableSample(schema);
        sample.add(KeyEncoding.of(schema).encode(1L), new RowWriter(schema).write(row));
        Statistics made = sample.statistics(5, 1, true);
        assertThat(made.columns()).hasSize(301);
        assertThat(made.bytes()).isLessThanOrEqualTo(Statistics.BYTES_MAX);
        assertThat(made.columns().get(1).min()).hasSizeBetween(2, 8);
        assertThat(made.columns().get(0).bounded())
                .as("numbers are kept whole or not at all")
                .isFalse();
    }

    @Test
    void anEmptyTableHasNoValues() {
        Statistics made = new TableSample(SCHEMA).statistics(5, 0, true);
        assertThat(made.isExact()).isTrue();
        assertThat(made.columns()).hasSize(4).allSatisfy(column -> {
            assertThat(column.distinct()).isZero();
            assertThat(column.bounded()).isFalse();
        });
    }

    @Test
    void aRowThatCannotBeReadIsNamed() {
        TableSample sample = new TableSample(SCHEMA);
        byte[] key = KeyEncoding.of(SCHEMA).encode("se", 1L);
        assertThatThrownBy(() -> sample.add(key, utf8("no row")))
                .isInstanceOf(QueryException.class)
                .hasMessageContaining("row cannot be read")
                .hasMessageEndingWith(" at key 'se', 1");
    }

    @Test
    void largeTablesAndLargeValuesAreSampled() {
        assertThat(TableAnalysis.fraction(0, 0)).isEqualTo(1);
        assertThat(TableAnalysis.fraction(100_000, 100)).isEqualTo(1);
        assertThat(TableAnalysis.fraction(1_000_000, 10)).isEqualTo(0.1);
        assertThat(TableAnalysis.fraction(64, 4 << 20)).isEqualTo(0.25);
    }
}
