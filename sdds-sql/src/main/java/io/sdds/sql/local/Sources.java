package io.sdds.sql.local;

import com.google.common.collect.Lists;
import io.sdds.client.internal.query.lang.Expression;
import io.sdds.core.row.Column;
import io.sdds.sql.duckdb.MemoryBudget;
import io.sdds.sql.duckdb.RowSource;
import io.sdds.sql.run.Deadline;
import io.sdds.sql.run.Parameters;
import io.sdds.sql.schema.SddsTable;
import io.sdds.sql.schema.TableRecords;
import io.sdds.sql.shipped.KeyLookup;
import io.sdds.sql.shipped.RexShipper;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.IntFunction;
import org.apache.calcite.DataContext;
import org.apache.calcite.avatica.util.ByteString;
import org.jspecify.annotations.Nullable;

/** The rows of all tables of one run of a statement. */
final class Sources {
    /** Rows that a hint may keep of a table. */
    private static final long HINTED_ROWS_MAX = 1_000_000;

    private static final int KEYS_OF_BATCH = 1_000;

    /** One scan without further conditions. */
    private static final List<List<Expression>> ALL = List.of(List.of());

    private final LocalQuery query;
    private final DataContext context;
    private final IntFunction<@Nullable Object> parameters;
    private final Deadline deadline;
    private final @Nullable RowSource[] made;
    private final List<ShippedRows> shipped = new CopyOnWriteArrayList<>();
    private final MemoryBudget.Share share;

    Sources(LocalQuery query, DataContext context, Deadline deadline) {
        this.query = query;
        this.context = context;
        this.parameters = Parameters.of(context);
        this.deadline = deadline;
        this.share = query.database().budget().share();
        this.made = new @Nullable RowSource[query.shipments().size()];
    }

    /** Reads the tables that reduce others, and makes all sources. */
    List<RowSource> all() {
        query.reductions().forEach(this::reduce);
        List<RowSource> sources = new ArrayList<>();
        for (int k = 0; k < made.length; k++) {
            RowSource source = made[k];
            sources.add(source == null ? whole(k) : source);
        }
        return sources;
    }

    private RowSource whole(int number) {
        Shipment shipment = query.shipments().get(number);
        ShippedGroups groups = shipment.groups();
        if (groups != null) {
            return groups.read(context, holding("groups of table", shipment.table()));
        }
        KeyLookup lookup = shipment.lookup();
        return lookup == null
                ? shipped(shipment, ALL)
                : found(shipment.table(), lookup.bytes(shipment.table(), parameters));
    }

    private ShippedRows shipped(Shipment shipment, List<List<Expression>> scans) {
        ShippedRows rows = new ShippedRows(shipment, parameters, deadline, scans);
        shipped.add(rows);
        return rows;
    }

    private HeldRows found(SddsTable table, Collection<byte[]> keys) {
        TableRecords records = table.format();
        List<byte[]> all = List.copyOf(keys);
        Holding holding = holding("rows read by key of table", table);
        List<@Nullable Object[]> rows = new ArrayList<>();
        for (int k = 0; k < all.size(); k += KEYS_OF_BATCH) {
            List<byte[]> batch = all.subList(k, Math.min(all.size(), k + KEYS_OF_BATCH));
            deadline.await(table.open().getAllAsync(batch)).forEach((key, value) -> {
                @Nullable Object[] row = records.row(key, value);
                holding.require(row);
                rows.add(row);
            });
        }
        return new HeldRows(table.columns(), rows);
    }

    private Holding holding(String what, SddsTable table) {
        return new Holding(query.database().budget(), share, what + " " + table.name());
    }

    /** Gives the memory of held rows back, which nobody reads any more. */
    void release() {
        share.releaseTo(0);
    }

    // ---- reductions

    /** Does a reduction, unless the other table has more rows than were expected. */
    private void reduce(Reduction reduction) {
        HeldRows by = held(reduction);
        if (by == null) {
            return;
        }
        made[reduction.by()] = by;
        Shipment shipment = query.shipments().get(reduction.table());
        made[reduction.table()] = switch (reduction.form().form()) {
            case LOOKUP -> found(shipment.table(), keys(by, reduction, shipment.table()));
            case SEMI -> shipped(shipment, scans(reduction, List.of(values(by, reduction, false)), false));
            case PACKETS -> {
                List<Object> values = values(by, reduction, reduction.form().isSorted());
                List<List<Object>> packets =
                        Lists.partition(values, reduction.form().packetRows());
                yield shipped(shipment, scans(reduction, packets, true));
            }
            case HASH -> shipped(shipment, ALL);
        };
    }

    private @Nullable HeldRows held(Reduction reduction) {
        RowSource known = made[reduction.by()];
        if (known instanceof HeldRows rows) {
            return rows;
        }
        RowSource source = known == null ? whole(reduction.by()) : known;
        if (source instanceof HeldRows rows) {
            return rows;
        }
        long rowsMax = reduction.isHinted() ? HINTED_ROWS_MAX : Reductions.KEPT_ROWS_MAX;
        List<@Nullable Object[]> rows = ((ShippedRows) source).readAll(rowsMax, share);
        if (rows != null) {
            return new HeldRows(source.columns(), rows);
        }
        if (known != null) {
            // The statement reads the rows of the reduced table, and this reading of them has ended.
            made[reduction.by()] = shipped(query.shipments().get(reduction.by()), ((ShippedRows) source).scans());
        }
        return null;
    }

    /** A scan for each packet of values. Its condition is made when it is asked for. */
    private List<List<Expression>> scans(Reduction reduction, List<List<Object>> packets, boolean isExact) {
        SddsTable table = query.shipments().get(reduction.table()).table();
        Expression column =
                RexShipper.name(table.columns().get(reduction.columns().get(0)));
        return Lists.transform(packets, packet -> List.of(Expression.isIn(column, packet, isExact)));
    }

    /**
     * The values that the first column of a reduction may have. Each value comes once, because bricks would send a row
     * twice whose value is in two packets.
     */
    private static List<Object> values(HeldRows by, Reduction reduction, boolean isSorted) {
        int column = reduction.otherColumns().get(0);
        boolean isOrdered = isSorted && isComparable(by.columns().get(column));
        Map<Object, Object> values = isOrdered ? new TreeMap<>() : new LinkedHashMap<>();
        for (@Nullable Object[] row : by.held()) {
            Object value = row[column];
            if (value != null) {
                values.put(value instanceof byte[] bytes ? new ByteString(bytes) : value, value);
            }
        }
        return List.copyOf(values.values());
    }

    private static boolean isComparable(Column column) {
        return switch (column.type().kind()) {
            case VARBINARY -> false;
            default -> true;
        };
    }

    private static Collection<byte[]> keys(HeldRows by, Reduction reduction, SddsTable table) {
        TableRecords records = table.format();
        Map<ByteString, byte[]> keys = new LinkedHashMap<>();
        for (@Nullable Object[] row : by.held()) {
            List<@Nullable Object> values = new ArrayList<>();
            for (int key : table.keys()) {
                values.add(row[reduction.otherColumns().get(reduction.columns().indexOf(key))]);
            }
            byte[] bytes = KeyLookup.encodedOfClient(values, table, records);
            if (bytes != null) {
                keys.put(new ByteString(bytes), bytes);
            }
        }
        return keys.values();
    }

    /** Why rows could not be read; null: they could. */
    @Nullable
    RuntimeException failure() {
        return shipped.stream()
                .map(ShippedRows::failure)
                .filter(java.util.Objects::nonNull)
                .findFirst()
                .orElse(null);
    }

    /** Ends all reading, also by threads that wait for rows. */
    void close() {
        shipped.forEach(ShippedRows::close);
    }
}
