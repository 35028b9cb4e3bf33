package io.sdds.sim.load;

import io.sdds.client.internal.query.UpdatePrograms;
import io.sdds.core.row.Column;
import io.sdds.core.row.MalformedRowException;
import io.sdds.core.row.RowLayout;
import io.sdds.core.row.RowReader;
import io.sdds.core.row.RowWriter;
import io.sdds.core.row.Schema;
import io.sdds.core.row.ValueText;
import io.sdds.sim.cluster.SimCluster;
import io.sdds.sim.plan.TablePlan;
import io.sdds.sim.world.RareEvent;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The rows of a client of a table with a schema. A client often goes on with the newest schema that it has seen, and
 * sometimes with an older one, as an application does that has not opened the table again.
 */
final class RowValues extends Values {
    /** Updates have the name and its padding as a constant. */
    private static final int PADDING_MAX = 3000;

    private static final int USES_OF_THE_NEWEST = 4;

    private final SimCluster cluster;
    private final WrittenRows written;
    private final Supplier<Schema> newest;
    private final SplittableRandom random;
    private final UpdatePrograms programs = new UpdatePrograms();
    private final List<Schema> known = new ArrayList<>();

    RowValues(
            SimCluster cluster, TablePlan plan, WrittenRows written, Supplier<Schema> newest, SplittableRandom random) {
        super(Math.min(plan.workload().valueBytesMax(), PADDING_MAX), plan.hasParity());
        this.cluster = cluster;
        this.written = written;
        this.newest = newest;
        this.random = random;
    }

    WrittenRows written() {
        return written;
    }

    /** A schema that the client knows. */
    Schema schema() {
        Schema now = newest.get();
        if (known.isEmpty() || known.getLast().version() < now.version()) {
            known.add(now);
        }
        return random.nextInt(USES_OF_THE_NEWEST) > 0 ? now : known.get(random.nextInt(known.size()));
    }

    @Override
    byte[] bytes(String name) {
        Schema schema = written.put(name, schema());
        List<Column> columns = schema.valueColumns();
        @Nullable Object[] row = new @Nullable Object[columns.size()];
        row[WrittenRows.NAME] = WrittenRows.isNumber(name) ? null : padded(name);
        for (int k = WrittenRows.NUMBER; k < row.length; k++) {
            row[k] = WrittenRows.drawn(name, columns.get(k), k);
        }
        return new RowWriter(schema).write(row);
    }

    @Override
    String name(byte[] value) {
        Schema schema = schema();
        RowReader reader = new RowReader(RowLayout.of(schema));
        try {
            reader.read(value);
            return name(schema, reader::value);
        } catch (MalformedRowException e) {
            return "broken row: " + e.getMessage();
        }
    }

    /** The name of a row; a name that was never written if a column is not what was written. */
    String name(Schema schema, WrittenRows.Found found) {
        Object number = found.value(WrittenRows.NUMBER);
        String name = found.value(WrittenRows.NAME) instanceof byte[] bytes ? nameOf(bytes) : String.valueOf(number);
        String fault = written.fault(name, schema, found);
        if (fault != null) {
            return "broken row: " + fault;
        }
        int columns = schema.valueColumns().size();
        if (written.knows(name) && written.lacks(name, columns - 1)) {
            cluster.simulation().coverage().hit(RareEvent.DEFAULT_READ);
        }
        if (written.keepsUnknown(name, columns)) {
            cluster.simulation().coverage().hit(RareEvent.UNKNOWN_COLUMN_KEPT);
        }
        return name;
    }

    // ---- updates

    /** The program that gives a row another name if it has the expected one. */
    byte[] compareAndSet(String expected, String name) {
        Schema schema = schema();
        boolean isWhole = random.nextBoolean();
        List<String> assignments = new ArrayList<>();
        assignments.add("v = " + (WrittenRows.isNumber(name) ? "null" : bytesOf(name)));
        Set<Integer> assigned = new TreeSet<>();
        List<Column> columns = schema.valueColumns();
        for (int k = WrittenRows.NUMBER; k < columns.size(); k++) {
            Column column = columns.get(k);
            if (!column.dropped() && (isWhole || k == WrittenRows.NUMBER)) {
                assigned.add(k);
                assignments.add(column.name() + " = " + literal(column, WrittenRows.drawn(name, column, k)));
            }
        }
        written.update(name, schema, expected, assigned);
        String condition =
                WrittenRows.isNumber(expected) ? "v is null and n = " + expected : "v = " + bytesOf(expected);
        return programs.update(schema, condition, String.join(", ", assignments));
    }

    /** The program that adds to a number. */
    byte[] add(String delta) {
        return programs.update(schema(), "v is null", "n = n + " + delta);
    }

    private String bytesOf(String name) {
        return "x'" + HexFormat.of().formatHex(padded(name)) + "'";
    }

    private static String literal(Column column, @Nullable Object value) {
        return value == null ? "null" : ValueText.literal(column.type(), value);
    }
}
