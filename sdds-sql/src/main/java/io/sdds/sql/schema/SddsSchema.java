package io.sdds.sql.schema;

import com.google.common.collect.Maps;
import com.google.common.collect.Multimap;
import io.sdds.client.SddsClient;
import io.sdds.client.SddsException;
import io.sdds.client.TableInfo;
import io.sdds.client.TableStatistics;
import io.sdds.sql.run.BatchWrite;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.WeakHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.calcite.schema.Function;
import org.apache.calcite.schema.Table;
import org.apache.calcite.schema.impl.AbstractSchema;
import org.jspecify.annotations.Nullable;

/**
 * The tables of a cluster as a schema of SQL. The list of tables is asked for again when it is older than a second, or
 * when this connection has changed it.
 */
public final class SddsSchema extends AbstractSchema {
    /** The name of the one schema. */
    public static final String NAME = "sdds";

    private static final long FRESH_NANOS = 1_000_000_000;

    static final long STATISTICS_NANOS = 60 * FRESH_NANOS;

    private final SddsClient client;
    private final boolean pushdown;
    private Map<String, Table> tables = Map.of();
    private long listedNanos;
    private boolean isStale = true;
    private boolean showsRowIds;
    private Planned planned = Planned.NOTHING;
    /** By the flag that cancels a statement, which its plan is given, and which lives as long as the statement. */
    private final Map<AtomicBoolean, Integer> fetchSizes = new WeakHashMap<>();

    private final PlanCache plans = new PlanCache(this, System::nanoTime);
    private final Map<String, Optional<TableStatistics>> statistics = new HashMap<>();
    private long statisticsNanos = System.nanoTime();

    /** @param pushdown whether programs are shipped to bricks */
    public SddsSchema(SddsClient client, boolean pushdown) {
        this.client = client;
        this.pushdown = pushdown;
    }

    public SddsClient client() {
        return client;
    }

    public boolean pushdown() {
        return pushdown;
    }

    /** Forgets the list of tables, their statistics, and plans. */
    public synchronized void refresh() {
        forgetTables();
        statistics.clear();
        plans.clear();
    }

    /** Forgets the list of tables: the next use asks for it. */
    public synchronized void forgetTables() {
        isStale = true;
    }

    /** The plans of texts that came before. */
    public PlanCache plans() {
        return plans;
    }

    /** The statistics of a table, which may be a minute old; null: it was not analyzed, or they cannot be had. */
    synchronized @Nullable TableStatistics statistics(String table) {
        if (System.nanoTime() - statisticsNanos > STATISTICS_NANOS) {
            statistics.clear();
            statisticsNanos = System.nanoTime();
        }
        return statistics
                .computeIfAbsent(table, name -> {
                    try {
                        return Optional.ofNullable(client.tableStatistics(name));
                    } catch (SddsException e) { // a plan by guesses is better than none
                        return Optional.empty();
                    }
                })
                .orElse(null);
    }

    /** The rows that a statement wants to have ahead; 0: the driver chooses. */
    public synchronized void fetchSize(AtomicBoolean cancelFlag, int rows) {
        fetchSizes.put(cancelFlag, rows);
    }

    /** @param cancelFlag of the statement that is run */
    public synchronized int fetchSize(@Nullable Object cancelFlag) {
        Integer rows = cancelFlag instanceof AtomicBoolean flag ? fetchSizes.get(flag) : null;
        return rows == null ? 0 : rows;
    }

    /** Whether the statement that is planned sees the hidden keys of tables. */
    public synchronized void showRowIds(boolean shown) {
        showsRowIds = shown;
    }

    /** Whether a table has the schema that it had when a statement was planned, as far as this client knows. */
    public boolean isCurrent(SddsTable table) {
        SddsTable now = listed(table);
        return now != null && now.isLike(table);
    }

    /** Whether a table has the schema and about the size that it had when a statement was planned. */
    boolean isAsPlanned(SddsTable table) {
        SddsTable now = listed(table);
        return now != null && now.isLike(table) && now.hasSizeOf(table);
    }

    private @Nullable SddsTable listed(SddsTable planned) {
        if (planned.isChanged()) {
            forgetTables();
        }
        return (SddsTable) getTableMap().get(planned.name());
    }

    /**
     * What a plan is about.
     *
     * @param write that a batch can run; null: each statement of a batch is run by itself
     */
    public record Planned(List<SddsTable> tables, @Nullable BatchWrite write) {
        public static final Planned NOTHING = new Planned(List.of(), null);
    }

    /** The plan of the statement that was prepared last. */
    public Planned planned() {
        return planned;
    }

    public void planned(Planned plan) {
        planned = plan;
    }

    /** The table of a name in any case; null: there is no such table. */
    @Nullable
    public SddsTable table(String name) {
        String found = find(name);
        return found == null ? null : (SddsTable) getTableMap().get(found);
    }

    /** The name of a table as it was created, of one in any case; null: there is no such table. */
    @Nullable
    public String find(String name) {
        Map<String, Table> known = getTableMap();
        if (known.containsKey(name)) {
            return name;
        }
        return known.keySet().stream()
                .filter(name::equalsIgnoreCase)
                .findFirst()
                .orElse(null);
    }

    @Override
    protected Multimap<String, Function> getFunctionMultimap() {
        return Functions.ALL;
    }

    @Override
    public synchronized Map<String, Table> getTableMap() {
        boolean isChanged = tables.values().stream().anyMatch(table -> ((SddsTable) table).isChanged());
        if (isStale || isChanged || System.nanoTime() - listedNanos > FRESH_NANOS) {
            Map<String, Table> listed = new LinkedHashMap<>();
            for (TableInfo info : client.tables()) {
                listed.put(info.name(), new SddsTable(this, info));
            }
            tables = listed;
            listedNanos = System.nanoTime();
            isStale = false;
        }
        return showsRowIds ? Maps.transformValues(tables, table -> ((SddsTable) table).withRowId()) : tables;
    }
}
