package io.sdds.sql.schema;

import java.lang.reflect.Type;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.calcite.jdbc.CalcitePrepare.CalciteSignature;
import org.jspecify.annotations.Nullable;

/**
 * The plans of the texts that a connection ran last. A text that comes again is run by its plan, as long as its tables
 * have the schemas and about the sizes that they had when it was planned.
 */
public final class PlanCache {
    static final int PLANS_MAX = 128;

    /** Longer texts have values in them, and do not come again. */
    private static final int TEXT_MAX = 32_768;

    /**
     * What a plan is for.
     *
     * @param sql the text of the statement
     * @param elementType the class of the rows
     * @param maxRowCount rows of the result at most; negative: all
     */
    public record Key(String sql, Type elementType, long maxRowCount) {}

    /**
     * A plan.
     *
     * @param signature what the engine runs; statements share it
     */
    public record Plan(CalciteSignature<?> signature, SddsSchema.Planned about) {}

    private final Map<Key, Plan> plans = new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Key, Plan> eldest) {
            return size() > PLANS_MAX;
        }
    };

    private final SddsSchema schema;

    PlanCache(SddsSchema schema) {
        this.schema = schema;
    }

    /** The plan of a text; null: the text has to be planned. */
    public synchronized @Nullable Plan find(Key key) {
        Plan plan = plans.get(key);
        if (plan == null || plan.about().tables().stream().allMatch(schema::isAsPlanned)) {
            return plan;
        }
        plans.remove(key);
        return null;
    }

    public synchronized void keep(Key key, Plan plan) {
        if (key.sql().length() <= TEXT_MAX) {
            plans.put(key, plan);
        }
    }

    synchronized void clear() {
        plans.clear();
    }
}
