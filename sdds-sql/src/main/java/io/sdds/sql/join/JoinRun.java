package io.sdds.sql.join;

import io.sdds.core.row.ValueType;
import io.sdds.sql.run.ScanRun;
import io.sdds.sql.schema.Literals;
import io.sdds.sql.schema.SqlTypes;
import io.sdds.sql.shipped.ShippedText;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import org.apache.calcite.DataContext;
import org.apache.calcite.linq4j.AbstractEnumerable;
import org.apache.calcite.linq4j.Enumerable;
import org.apache.calcite.linq4j.Enumerator;
import org.apache.calcite.rel.type.RelDataType;
import org.jspecify.annotations.Nullable;

/**
 * Runs a join that ships keys of its left side. Rows of the left side are taken in packets: of a few rows for the
 * paper's distributed nested loop (AMOS-SDDS, section 5.2), of some hundreds for look-ups, of all for a semi-join. The
 * bricks find the rows of the right side that may match a packet, and the client joins them with the rows of the
 * packet. Code that the engine generates calls this class, so that it is public.
 */
public final class JoinRun {
    /** Packets whose answers are under way. */
    private static final int PACKETS_AHEAD = 4;

    private final JoinHint form;
    private final JoinCursor.Shape shape;
    private final ScanRun inner;
    private final List<ShippedText> names;
    private final List<RelDataType> keyTypes;
    private final @Nullable JoinLookup lookup;

    /**
     * @param names the right keys in the language of bricks
     * @param keyTypes the types of the left keys
     * @param lookup how to read records by key; null: the form is another one
     */
    JoinRun(
            JoinHint form,
            JoinCursor.Shape shape,
            ScanRun inner,
            List<ShippedText> names,
            List<RelDataType> keyTypes,
            @Nullable JoinLookup lookup) {
        this.form = form;
        this.shape = shape;
        this.inner = inner;
        this.names = names;
        this.keyTypes = keyTypes;
        this.lookup = lookup;
    }

    /** The rows of the join, each an {@code Object[]}, in no order. */
    public Enumerable<@Nullable Object[]> rows(Enumerable<@Nullable Object[]> outer, DataContext context) {
        return new AbstractEnumerable<>() {
            @Override
            public Enumerator<@Nullable Object[]> enumerator() {
                return new JoinCursor(shape, new Shipments(outer.enumerator(), context));
            }
        };
    }

    /** The values of the one column of the rows. */
    public Enumerable<@Nullable Object> values(Enumerable<@Nullable Object[]> outer, DataContext context) {
        return rows(outer, context).select(row -> row[0]);
    }

    /** Asks the bricks for the rows of the right side that may match a packet; null: none can. */
    private @Nullable Enumerator<@Nullable Object[]> ask(JoinTable packet, DataContext context) {
        List<List<Object>> values = new ArrayList<>();
        for (int column : shape.keys().left()) {
            values.add(packet.values(column));
        }
        if (values.get(0).isEmpty()) {
            return null;
        }
        if (lookup != null) {
            return lookup.ask(packet, context);
        }
        return inner.begin(context, (query, parameters) -> {
            var narrowed = query;
            for (int k = 0; k < values.size(); k++) {
                String name = names.get(k).text(parameters);
                List<Object> shipped = shipped(values.get(k), keyTypes.get(k));
                narrowed = form.form() == JoinHint.Form.SEMI
                        ? narrowed.whereMayBeIn(name, shipped)
                        : narrowed.whereIn(name, shipped);
            }
            return narrowed;
        });
    }

    private List<Object> shipped(List<Object> values, RelDataType type) {
        if (form.form() == JoinHint.Form.PACKETS && form.isSorted()) {
            values.sort(JoinRun::compare);
        }
        ValueType target = Objects.requireNonNull(Literals.type(type));
        List<Object> shipped = new ArrayList<>(values.size());
        for (Object value : values) {
            shipped.add(Objects.requireNonNull(SqlTypes.toClient(value, target)));
        }
        return shipped;
    }

    @SuppressWarnings("unchecked") // the values of a column are of one class, whose order is that of the values
    private static int compare(Object one, Object other) {
        return one instanceof Comparable<?>
                ? ((Comparator<Object>) (Comparator<?>) Comparator.naturalOrder()).compare(one, other)
                : 0;
    }

    /** Packets of the left side, of which a few are under way. */
    private final class Shipments implements JoinCursor.Packets {
        private final Enumerator<@Nullable Object[]> outer;
        private final DataContext context;
        private final ArrayDeque<JoinCursor.Packet> underWay = new ArrayDeque<>();
        private boolean outerIsOver;

        Shipments(Enumerator<@Nullable Object[]> outer, DataContext context) {
            this.outer = outer;
            this.context = context;
        }

        @Override
        public JoinCursor.@Nullable Packet next() {
            while (underWay.size() < PACKETS_AHEAD && !outerIsOver) {
                List<@Nullable Object[]> rows = new ArrayList<>();
                while (rows.size() < form.packetRows() && !outerIsOver) {
                    outerIsOver = !outer.moveNext();
                    if (!outerIsOver) {
                        rows.add(outer.current());
                    }
                }
                if (!rows.isEmpty()) {
                    JoinTable table = new JoinTable(rows, shape.keys());
                    underWay.add(new JoinCursor.Packet(table, ask(table, context)));
                }
            }
            return underWay.poll();
        }

        @Override
        public void close() {
            underWay.forEach(JoinCursor.Packet::close);
            outer.close();
        }
    }
}
