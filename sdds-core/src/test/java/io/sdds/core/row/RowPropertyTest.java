package io.sdds.core.row;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sdds.core.Seeds;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Rows against a model: the values that were written, with the defaults that columns had when they were added. */
class RowPropertyTest {
    private static final int ROUNDS = 3_000;

    private final SplittableRandom random = Seeds.random("RowPropertyTest");
    private final RandomRows rows = new RandomRows(random);

    private static Object canonical(ValueType type, Object value) {
        return type.kind() == ValueType.Kind.DOUBLE ? (Object) (((Double) value) + 0.0) : value;
    }

    private static void assertSame(Object read, Object expected) {
        if (expected instanceof byte[] bytes) {
            assertThat((byte[]) read).isEqualTo(bytes);
        } else {
            assertThat(read).isEqualTo(expected);
        }
    }

    @Test
    void columnsAreReadAsTheyWereWritten() {
        for (int round = 0; round < ROUNDS; round++) {
            Schema schema = rows.schema(random.nextInt(20));
            List<Column> columns = schema.valueColumns();
            Object[] values = rows.values(columns);
            RowReader reader = new RowReader(RowLayout.of(schema));
            reader.read(new RowWriter(schema).write(values));
            assertThat(reader.columns()).isEqualTo(columns.size());
            for (int k = 0; k < values.length; k++) {
                assertSame(
                        reader.value(k),
                        values[k] == null ? null : canonical(columns.get(k).type(), values[k]));
                byte[] stored =
                        values[k] == null ? null : Values.encode(columns.get(k).type(), values[k], null);
                assertThat(reader.stored(k)).isEqualTo(stored);
            }
        }
    }

    @Test
    void rowsOfEarlierAndLaterSchemasAreReadWithTheColumnsThatBothKnow() {
        for (int round = 0; round < ROUNDS; round++) {
            List<Schema> history = new ArrayList<>(List.of(rows.schema(random.nextInt(6))));
            for (int k = random.nextInt(8); k > 0; k--) {
                history.add(changed(history.get(history.size() - 1), "n" + k));
            }
            Schema written = history.get(random.nextInt(history.size()));
            Schema read = history.get(random.nextInt(history.size()));
            Object[] values = rows.values(written.valueColumns());
            RowReader reader = new RowReader(RowLayout.of(read));
            reader.read(new RowWriter(written).write(values));
            for (int k = 0; k < read.valueColumns().size(); k++) {
                assertSame(reader.value(k), expected(read.valueColumns().get(k), k, values));
            }
        }
    }

    /** A model edits the values that were written, and columns that the editor's schema has not are kept. */
    @Test
    void editedRowsHaveTheirNewValuesAndKeepAllOthers() {
        for (int round = 0; round < ROUNDS; round++) {
            List<Schema> history = new ArrayList<>(List.of(rows.schema(1 + random.nextInt(6))));
            for (int k = random.nextInt(8); k > 0; k--) {
                history.add(changed(history.get(history.size() - 1), "n" + k));
            }
            Schema written = history.get(random.nextInt(history.size()));
            Schema edits = history.get(random.nextInt(history.size()));
            Schema last = history.get(history.size() - 1);
            Object[] before = rows.values(written.valueColumns());
            Object[] after = rows.values(edits.valueColumns());
            List<Integer> columns = new ArrayList<>();
            List<byte[]> values = new ArrayList<>();
            for (int k = 0; k < after.length; k++) {
                if (random.nextBoolean()) {
                    ValueType type = edits.valueColumns().get(k).type();
                    columns.add(k);
                    values.add(after[k] == null ? null : Values.encode(type, after[k], null));
                }
            }
            byte[] row = new RowWriter(written).write(before);
            RowReader reader = new RowReader(RowLayout.of(last));
            reader.read(new RowEditor(RowLayout.of(edits)).edit(row, columns, values));
            assertThat(reader.columns()).isEqualTo(Math.max(before.length, after.length));
            for (int k = 0; k < last.valueColumns().size(); k++) {
                Column column = (k < after.length ? edits : last).valueColumns().get(k);
                if (columns.contains(k)) {
                    assertThat(reader.stored(k)).isEqualTo(values.get(columns.indexOf(k)));
                } else {
                    assertSame(reader.value(k), expected(column, k, before));
                }
            }
        }
    }

    @Test
    void rowsGetWideEndsWhenTheyGrowAndNarrowOnesWhenTheyShrink() {
        Schema schema = SchemaText.parse("id int key, n int, text varchar");
        RowEditor editor = new RowEditor(RowLayout.of(schema));
        RowReader reader = new RowReader(RowLayout.of(schema));
        byte[] small = new RowWriter(schema).write(new Object[] {7, "a"});
        byte[] large = editor.edit(small, List.of(1), List.of(new byte[70_000]));
        reader.read(large);
        assertThat(RowLayout.isWide(reader.header())).isTrue();
        assertThat(reader.value(0)).isEqualTo(7);
        assertThat(reader.length(1)).isEqualTo(70_000);
        assertThat(editor.edit(large, List.of(1), List.of(new byte[] {'a'}))).isEqualTo(small);
    }

    private Schema changed(Schema schema, String added) {
        List<Column> live = schema.valueColumns().stream()
                .filter(column -> !column.dropped())
                .toList();
        return live.isEmpty() || random.nextBoolean()
                ? schema.add(rows.column(added))
                : schema.drop(live.get(random.nextInt(live.size())).name());
    }

    private static Object expected(Column column, int ordinal, Object[] values) {
        if (ordinal < values.length) {
            return values[ordinal] == null ? null : canonical(column.type(), values[ordinal]);
        }
        return column.hasDefault() ? Values.decode(column.type(), column.defaultValue()) : null;
    }

    /** Flips, cuts and extends rows: each column has a value, or the row is refused. */
    @Test
    void damagedRowsAreRefusedOrReadButNeverOutOfBounds() {
        int refused = 0;
        for (int round = 0; round < 20 * ROUNDS; round++) {
            Schema schema = rows.schema(random.nextInt(8));
            byte[] row = damaged(new RowWriter(schema).write(rows.values(schema.valueColumns())));
            RowReader reader = new RowReader(RowLayout.of(schema));
            try {
                reader.read(row);
                for (int k = 0; k < schema.valueColumns().size(); k++) {
                    reader.value(k);
                    reader.stored(k);
                }
            } catch (MalformedRowException e) {
                assertThat(e).hasMessageStartingWith("row cannot be read: ");
                refused++;
            }
        }
        assertThat(refused).isGreaterThan(ROUNDS);
    }

    private byte[] damaged(byte[] row) {
        switch (random.nextInt(3)) {
            case 0 -> {
                return Arrays.copyOf(row, random.nextInt(row.length + 8));
            }
            case 1 -> {
                row[random.nextInt(row.length)] ^= (byte) (1 << random.nextInt(8));
                return row;
            }
            default -> {
                for (int k = random.nextInt(6); k >= 0; k--) {
                    row[random.nextInt(row.length)] = (byte) random.nextInt();
                }
                return row;
            }
        }
    }

    @Test
    void rowsOfMoreThan64KiBHaveWideOffsets() {
        Schema schema = SchemaText.parse("id bigint key, a varchar, n integer, b varbinary");
        byte[] row = new RowWriter(schema).write(new Object[] {"a".repeat(70_000), 7, new byte[] {1, 2}});
        RowReader reader = new RowReader(RowLayout.of(schema));
        reader.read(row);
        assertThat(row[1]).isEqualTo((byte) 1);
        assertThat((String) reader.value(0)).hasSize(70_000);
        assertThat(reader.value(1)).isEqualTo(7);
        assertThat((byte[]) reader.value(2)).containsExactly(1, 2);
    }

    @Test
    void theBytesOfARowAreThoseThatArePromised() {
        Schema schema = SchemaText.parse("id bigint key, a varchar, n integer, b varchar, f boolean");
        byte[] row = new RowWriter(schema).write(new Object[] {"hi", 0x01020304, null, true});
        assertThat(row)
                .containsExactly(
                        1, 0, 4, 0, 5, 0, 2, 0, // format, flags, columns, fixed bytes, variable columns
                        4, 3, 2, 1, 1, // n, f
                        0b0100, // b is NULL
                        2, 0, 2, 0, // ends of a and b
                        'h', 'i');
    }

    @Test
    void valuesThatDoNotFitAreRefusedWithTheirColumn() {
        RowWriter writer = new RowWriter(SchemaText.parse("id bigint key, age integer not null, name varchar(3)"));
        assertThatThrownBy(() -> writer.write(new Object[] {null, "x"}))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("column 'age' is not null and has no value");
        assertThatThrownBy(() -> writer.write(new Object[] {3_000_000_000L, "x"}))
                .hasMessageStartingWith("column 'age': 3000000000 is no integer");
        assertThatThrownBy(() -> writer.write(new Object[] {"3", "x"}))
                .hasMessage("column 'age': integer takes a Integer, not a String");
        assertThatThrownBy(() -> writer.write(new Object[] {3, "😀😀😀😀"}))
                .hasMessageStartingWith("column 'name': text of 4 code points where varchar(3)");
        assertThatThrownBy(() -> writer.write(new Object[] {3})).isInstanceOf(IllegalArgumentException.class);
    }
}
