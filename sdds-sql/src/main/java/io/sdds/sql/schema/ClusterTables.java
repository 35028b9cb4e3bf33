package io.sdds.sql.schema;

import io.sdds.client.SddsClient;
import io.sdds.client.SddsException;
import io.sdds.client.TableInfo;
import io.sdds.client.TableStatistics;
import io.sdds.sql.duckdb.LocalDatabase;
import io.sdds.sql.duckdb.MemoryBudget;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.calcite.schema.Table;
import org.jspecify.annotations.Nullable;

/**
 * What the connections of one client share: the list of tables, statistics and plans. Thread-safe.
 *
 * <p>The list of tables is a second old at most. It is asked for again when it is half a second old, and statements go
 * on with the list that is there meanwhile, so that a statement seldom waits for a list. Statements that do wait for
 * one wait for the same request.
 */
public final class ClusterTables {
    private static final long FRESH_NANOS = 1_000_000_000;
    private static final long RENEWED_NANOS = FRESH_NANOS / 2;

    static final long STATISTICS_NANOS = 60 * FRESH_NANOS;

    /** @param askedNanos when the list was asked for */
    private record Listing(Map<String, Table> tables, long askedNanos) {}

    private record Statistics(CompletableFuture<@Nullable TableStatistics> answer, long askedNanos) {}

    private final SddsClient client;
    private final boolean pushdown;
    private final LocalDatabase database;
    private final PlanCache plans = new PlanCache(this, System::nanoTime);
    private final Map<String, Statistics> statistics = new ConcurrentHashMap<>();
    /** By the flag that cancels a statement, which its plan is given, and which lives as long as the statement. */
    private final Map<AtomicBoolean, Integer> fetchSizes = Collections.synchronizedMap(new WeakHashMap<>());

    /** Null: the next use asks for a list and waits for it. */
    private volatile @Nullable Listing listing;

    /** The list that was last there. Tables that did not change keep their objects. */
    private Map<String, Table> known = Map.of();

    private @Nullable CompletableFuture<Listing> asked;

    /**
     * @param pushdown whether programs are shipped to bricks
     * @param maxMemory bytes that statements may hold at the client
     */
    public ClusterTables(SddsClient client, boolean pushdown, long maxMemory) {
        this.client = client;
        this.pushdown = pushdown;
        this.database = new LocalDatabase(new MemoryBudget(maxMemory));
    }

    public SddsClient client() {
        return client;
    }

    public boolean pushdown() {
        return pushdown;
    }

    /** The database at the client, which evaluates what bricks do not. */
    public LocalDatabase database() {
        return database;
    }

    /** Closes the database and the client. */
    public void close() {
        database.close();
        client.close();
    }

    public PlanCache plans() {
        return plans;
    }

    // ---- the list of tables

    /** Forgets the list of tables, their statistics, and plans. */
    public synchronized void refresh() {
        forgetTables();
        known = Map.of();
        statistics.clear();
        plans.clear();
    }

    /** Forgets the list of tables: the next use asks for it. */
    public synchronized void forgetTables() {
        listing = null;
        asked = null;
    }

    /**
     * Lists the tables anew. Others use the list that is there until the new one has come.
     *
     * @return whether the tables are others than before
     */
    public boolean renewTables() {
        Listing before = listing;
        Listing renewed = Answers.await(askAnew());
        synchronized (this) {
            listing = renewed;
        }
        return before == null || !areLike(before.tables(), renewed.tables());
    }

    private static boolean areLike(Map<String, Table> some, Map<String, Table> others) {
        return some.size() == others.size()
                && some.entrySet().stream().allMatch(table -> {
                    SddsTable other = (SddsTable) others.get(table.getKey());
                    return other != null && other.isLike((SddsTable) table.getValue());
                });
    }

    private synchronized CompletableFuture<Listing> askAnew() {
        asked = null;
        return ask();
    }

    /** The tables by their names. */
    public Map<String, Table> tables() {
        Map<String, Table> tables = listed();
        if (tables.values().stream().noneMatch(table -> ((SddsTable) table).isChanged())) {
            return tables;
        }
        forgetTables();
        return listed();
    }

    private Map<String, Table> listed() {
        Listing now = listing;
        long age = now == null ? Long.MAX_VALUE : System.nanoTime() - now.askedNanos();
        if (now != null && age <= RENEWED_NANOS) {
            return now.tables();
        }
        CompletableFuture<Listing> renewed = ask();
        return now != null && age <= FRESH_NANOS
                ? now.tables()
                : Answers.await(renewed).tables();
    }

    private synchronized CompletableFuture<Listing> ask() {
        CompletableFuture<Listing> current = asked;
        if (current != null) {
            return current;
        }
        long nanos = System.nanoTime();
        CompletableFuture<Listing> made = client.tablesAsync().thenApply(infos -> new Listing(made(infos), nanos));
        asked = made;
        made.whenComplete((list, failure) -> arrived(made, list));
        return made;
    }

    private synchronized Map<String, Table> made(List<TableInfo> infos) {
        Map<String, Table> made = new LinkedHashMap<>();
        for (TableInfo info : infos) {
            SddsTable before = (SddsTable) known.get(info.name());
            made.put(info.name(), before == null ? new SddsTable(this, info) : before.with(info));
        }
        known = made;
        return made;
    }

    /** Keeps a list, unless it was asked for before the list was forgotten. */
    @SuppressWarnings("ReferenceEquality") // a request is what it is
    private synchronized void arrived(CompletableFuture<Listing> request, @Nullable Listing list) {
        if (asked == request) {
            asked = null;
            listing = list == null ? listing : list;
        }
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
        SddsTable now = (SddsTable) listed().get(planned.name());
        if (planned.isChanged() || now != null && now.isChanged()) {
            forgetTables();
            return (SddsTable) listed().get(planned.name());
        }
        return now;
    }

    // ---- what else is known

    /** The statistics of a table, which may be a minute old; null: it was not analyzed, or they cannot be had. */
    @Nullable
    TableStatistics statistics(String table) {
        Statistics known = statistics.compute(
                table, (name, before) -> before == null || isOld(before) ? askedStatistics(name) : before);
        try {
            return Answers.await(known.answer());
        } catch (SddsException e) { // a plan by guesses is better than none
            return null;
        }
    }

    private static boolean isOld(Statistics known) {
        return System.nanoTime() - known.askedNanos() > STATISTICS_NANOS;
    }

    private Statistics askedStatistics(String table) {
        return new Statistics(client.tableStatisticsAsync(table), System.nanoTime());
    }

    /** The rows that a statement wants to have ahead; 0: the driver chooses. */
    public void fetchSize(AtomicBoolean cancelFlag, int rows) {
        if (rows > 0) {
            fetchSizes.put(cancelFlag, rows);
        } else if (!fetchSizes.isEmpty()) {
            fetchSizes.remove(cancelFlag);
        }
    }

    /** @param cancelFlag of the statement that is run */
    public int fetchSize(@Nullable Object cancelFlag) {
        Integer rows = cancelFlag instanceof AtomicBoolean flag ? fetchSizes.get(flag) : null;
        return rows == null ? 0 : rows;
    }
}
