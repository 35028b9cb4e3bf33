package io.sdds.sql.schema;

import java.lang.reflect.Type;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;
import org.apache.calcite.jdbc.CalcitePrepare.CalciteSignature;
import org.jspecify.annotations.Nullable;

/**
 * The plans of the texts that the connections of a client ran or prepared last. A text that comes again, on whichever
 * connection, is run by its plan, for a minute at most, and as long as its tables have the schemas and about the sizes
 * that they had. Thread-safe.
 */
public final class PlanCache {
    static final int PLANS_MAX = 512;

    /** Longer texts have values in them, and do not come again. */
    static final int TEXT_MAX = 32_768;

    /** A plan may be as old as statistics may be. */
    static final long AGE_MAX_NANOS = ClusterTables.STATISTICS_NANOS;

    /**
     * A statement and the form of its result: plans of one text differ by the form.
     *
     * @param sql the text of the statement
     * @param elementType the class of the rows
     * @param maxRowCount rows of the result at most; negative: all
     * @param hasLongValues whether the plan is for values that bricks' programs have no room for
     */
    public record Key(String sql, Type elementType, long maxRowCount, boolean hasLongValues) {}

    /**
     * A plan.
     *
     * @param signature what the engine runs; statements share it
     * @param about the tables of the statement, and what a batch runs
     */
    public record Plan(CalciteSignature<?> signature, SddsSchema.Planned about) {}

    private record Kept(Plan plan, long nanos) {}

    private final Map<Key, Kept> entries = new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Key, Kept> eldest) {
            return size() > PLANS_MAX;
        }
    };

    private final ClusterTables tables;
    private final LongSupplier clock;

    /** @param clock nanoseconds */
    PlanCache(ClusterTables tables, LongSupplier clock) {
        this.tables = tables;
        this.clock = clock;
    }

    /** The plan of a text; null: the text has to be planned. */
    public @Nullable Plan find(Key key) {
        Kept kept = kept(key);
        if (kept == null) {
            return null;
        }
        boolean isFresh = clock.getAsLong() - kept.nanos() <= AGE_MAX_NANOS
                && kept.plan().about().tables().stream().allMatch(tables::isAsPlanned); // may wait for the cluster
        if (isFresh) {
            return kept.plan();
        }
        drop(key, kept);
        return null;
    }

    private synchronized @Nullable Kept kept(Key key) {
        return entries.get(key);
    }

    private synchronized void drop(Key key, Kept old) {
        entries.remove(key, old);
    }

    /** Keeps a plan, unless statements cannot share it. */
    public synchronized void keep(Key key, Plan plan) {
        if (isShareable(key.sql(), plan)) {
            entries.put(key, new Kept(plan, clock.getAsLong()));
        }
    }

    /** A statement without a plan of its own, such as an EXPLAIN, has no tables by which its age can be told. */
    private static boolean isShareable(String sql, Plan plan) {
        return plan.about() != SddsSchema.Planned.NOTHING && sql.length() <= TEXT_MAX;
    }

    synchronized void clear() {
        entries.clear();
    }
}
