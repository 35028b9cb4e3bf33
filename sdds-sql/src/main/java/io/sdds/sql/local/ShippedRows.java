package io.sdds.sql.local;

import io.sdds.client.Row;
import io.sdds.client.RowCursor;
import io.sdds.client.RowQuery;
import io.sdds.client.ValueCursor;
import io.sdds.core.row.Column;
import io.sdds.sql.duckdb.MemoryBudget;
import io.sdds.sql.duckdb.RowReader;
import io.sdds.sql.duckdb.RowSource;
import io.sdds.sql.run.Deadline;
import io.sdds.sql.shipped.RexShipper;
import io.sdds.sql.shipped.ShippedText;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The rows of a {@link Shipment} that scans give, for one run of its statement. Threads of DuckDB read them. */
final class ShippedRows implements RowSource {
    /** Scans of packets that are under way. */
    private static final int SCANS_AHEAD = 4;

    private final Shipment shipment;
    private final IntFunction<@Nullable Object> parameters;
    private final Deadline deadline;
    private final List<UnaryOperator<RowQuery<Row>>> scans;
    private final List<Runnable> open = new ArrayList<>();
    private boolean isClosed;
    private volatile @Nullable RuntimeException failure;

    /** @param scans what each scan asks for beside the condition of the shipment; the scans have no row in common */
    ShippedRows(
            Shipment shipment,
            IntFunction<@Nullable Object> parameters,
            Deadline deadline,
            List<UnaryOperator<RowQuery<Row>>> scans) {
        this.shipment = shipment;
        this.parameters = parameters;
        this.deadline = deadline;
        this.scans = scans;
    }

    @Override
    public List<Column> columns() {
        return shipment.table().columns();
    }

    @Override
    public long rows() {
        return shipment.rows();
    }

    @Override
    public RowReader read(List<Integer> columns) {
        Scans rows = new Scans(columns);
        return to -> {
            try {
                while (to.hasRoom() && rows.next()) {
                    to.add(rows.current());
                }
            } catch (RuntimeException e) {
                failure = e;
                throw e;
            }
        };
    }

    List<UnaryOperator<RowQuery<Row>>> scans() {
        return scans;
    }

    /** Reads all columns of all rows; null: there are more rows than may be held, and this reading has ended. */
    @Nullable
    List<@Nullable Object[]> readAll(long rowsMax, MemoryBudget.Share share) {
        List<Integer> all = IntStream.range(0, columns().size()).boxed().toList();
        List<@Nullable Object[]> held = new ArrayList<>();
        long before = share.taken();
        for (UnaryOperator<RowQuery<Row>> scan : scans) {
            RowCursor<Row> rows = opened(all, scan, RowQuery::open, RowCursor::close);
            while (rows.hasNext()) {
                @Nullable Object[] row = values(rows.next());
                if (held.size() == rowsMax || !share.take(row)) {
                    close();
                    share.releaseTo(before);
                    return null;
                }
                held.add(row);
            }
        }
        return held;
    }

    private static @Nullable Object[] values(Row row) {
        @Nullable Object[] values = new @Nullable Object[row.columns().size()];
        for (int k = 0; k < values.length; k++) {
            values[k] = row.get(k);
        }
        return values;
    }

    /** Opens a cursor, which may wait for room in the client's window. Meanwhile another thread may close this. */
    private <C> C opened(Supplier<C> opening, Consumer<C> closing) {
        deadline.check();
        C cursor = deadline.call(opening);
        if (!keep(() -> closing.accept(cursor))) {
            closing.accept(cursor);
            throw new IllegalStateException("the statement is over");
        }
        return cursor;
    }

    /** Keeps what closes a cursor. Returns false if the statement is over. */
    private synchronized boolean keep(Runnable closing) {
        if (!isClosed) {
            open.add(closing);
        }
        return !isClosed;
    }

    /**
     * Opens a scan.
     *
     * @param scan adds the values that reduce the rows
     */
    private <C> C opened(
            List<Integer> columns,
            UnaryOperator<RowQuery<Row>> scan,
            Function<RowQuery<Row>, C> opening,
            Consumer<C> closing) {
        String select = columns.isEmpty() ? "1 as c0" : selected(columns);
        RowQuery<Row> all = scan.apply(shipment.table().open().scan().rows().select(select));
        ShippedText where = shipment.where();
        return opened(() -> where == null ? opening.apply(all) : filtered(all, where, opening), closing);
    }

    /**
     * Opens a scan of the rows that the condition leaves. A program may have no room for the condition besides columns
     * and values; then bricks ship all rows, and the condition is tested at the client, whose statement has it, too.
     */
    private <C> C filtered(RowQuery<Row> all, ShippedText where, Function<RowQuery<Row>, C> opening) {
        RowQuery<Row> some = all.where(where.text(parameters));
        try {
            return opening.apply(some);
        } catch (IllegalArgumentException noRoom) {
            return opening.apply(all);
        }
    }

    private String selected(List<Integer> columns) {
        StringBuilder text = new StringBuilder();
        for (int k = 0; k < columns.size(); k++) {
            text.append(k == 0 ? "" : ", ")
                    .append(RexShipper.name(columns().get(columns.get(k))))
                    .append(" as c")
                    .append(k);
        }
        return text.toString();
    }

    /** Why the rows could not be read; null: they could. */
    @Nullable
    RuntimeException failure() {
        return failure;
    }

    /** Ends all reading, also by threads that wait for rows. */
    synchronized void close() {
        isClosed = true;
        open.forEach(Runnable::run);
    }

    /** The rows of all scans, one after another. */
    private final class Scans {
        private final List<Integer> columns;
        private final Iterator<UnaryOperator<RowQuery<Row>>> rest = scans.iterator();
        private final ArrayDeque<ValueCursor> ahead = new ArrayDeque<>();

        Scans(List<Integer> columns) {
            this.columns = columns;
        }

        /** Goes to the next row. Returns false if there is none. */
        boolean next() {
            while (true) {
                while (ahead.size() < SCANS_AHEAD && rest.hasNext()) {
                    UnaryOperator<RowQuery<Row>> scan = rest.next();
                    ahead.add(opened(columns, scan, RowQuery::openValues, ValueCursor::close));
                }
                if (ahead.isEmpty()) {
                    return false;
                }
                if (ahead.element().next()) {
                    return true;
                }
                ahead.remove();
            }
        }

        ValueCursor current() {
            return ahead.element();
        }
    }
}
