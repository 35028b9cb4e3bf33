package io.sdds.sql.local;

import io.sdds.client.Row;
import io.sdds.client.RowCursor;
import io.sdds.client.ValueCursor;
import io.sdds.client.internal.query.Attempt;
import io.sdds.client.internal.query.RowPlan;
import io.sdds.client.internal.query.RowSpec;
import io.sdds.client.internal.query.lang.Expression;
import io.sdds.core.row.Column;
import io.sdds.core.row.ValueType;
import io.sdds.sql.duckdb.MemoryBudget;
import io.sdds.sql.duckdb.RowReader;
import io.sdds.sql.duckdb.RowSource;
import io.sdds.sql.run.Deadline;
import io.sdds.sql.run.Parameters;
import io.sdds.sql.run.ScanRun;
import io.sdds.sql.shipped.RexShipper;
import io.sdds.sql.shipped.ScanSpec;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The rows of a {@link Shipment} that scans give, for one run of its statement. Threads of DuckDB read them. */
final class ShippedRows implements RowSource {
    /** Scans of packets that are under way. */
    private static final int SCANS_AHEAD = 4;

    private final Shipment shipment;
    private final IntFunction<@Nullable Object> parameters;
    private final Deadline deadline;
    private final List<List<Expression>> scans;
    private final List<Runnable> open = new ArrayList<>();
    private boolean isClosed;
    private volatile @Nullable RuntimeException failure;

    /** @param scans further conditions of each scan; the scans have no row in common */
    ShippedRows(
            Shipment shipment,
            IntFunction<@Nullable Object> parameters,
            Deadline deadline,
            List<List<Expression>> scans) {
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

    List<List<Expression>> scans() {
        return scans;
    }

    /** Reads all columns of all rows; null: there are more rows than may be held, and this reading has ended. */
    @Nullable
    List<@Nullable Object[]> readAll(long rowsMax, MemoryBudget.Share share) {
        List<Integer> all = IntStream.range(0, columns().size()).boxed().toList();
        List<@Nullable Object[]> held = new ArrayList<>();
        long before = share.taken();
        for (List<Expression> scan : scans) {
            RowCursor<Row> rows = opened(all, scan, RowPlan::open, RowCursor::close);
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
     * @param scan conditions that reduce the rows
     */
    private <C> C opened(
            List<Integer> columns, List<Expression> scan, Function<RowPlan<Row>, C> opening, Consumer<C> closing) {
        return opened(() -> opening.apply(plan(columns, scan)), closing);
    }

    /**
     * The plan of a scan of the rows that the condition leaves. A program may have no room for the condition besides
     * columns and values; then bricks ship all rows, and the condition is tested at the client, whose statement has it,
     * too.
     */
    private RowPlan<Row> plan(List<Integer> columns, List<Expression> scan) {
        List<Expression> selected = columns.isEmpty()
                ? List.of(Expression.constant(ValueType.INTEGER, 1))
                : columns.stream()
                        .<Expression>map(column -> RexShipper.name(columns().get(column)))
                        .toList();
        List<Expression> both = new ArrayList<>(shipment.where());
        both.addAll(scan);
        RowPlan<Row> plan = attempt(selected, both).result();
        return plan == null ? ScanRun.require(attempt(selected, scan), shipment.table()) : plan;
    }

    private Attempt<RowPlan<Row>> attempt(List<Expression> selected, List<Expression> where) {
        RowSpec query = new RowSpec(where, ScanSpec.named(selected), List.of(), List.of(), List.of(), Long.MAX_VALUE);
        return RowPlan.attempt(shipment.table().scan(), query, Parameters.constants(parameters));
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
        private final Iterator<List<Expression>> rest = scans.iterator();
        private final ArrayDeque<ValueCursor> ahead = new ArrayDeque<>();

        Scans(List<Integer> columns) {
            this.columns = columns;
        }

        /** Goes to the next row. Returns false if there is none. */
        boolean next() {
            while (true) {
                while (ahead.size() < SCANS_AHEAD && rest.hasNext()) {
                    List<Expression> scan = rest.next();
                    ahead.add(opened(columns, scan, RowPlan::openValues, ValueCursor::close));
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
