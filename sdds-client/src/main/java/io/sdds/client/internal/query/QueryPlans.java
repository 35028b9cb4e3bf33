package io.sdds.client.internal.query;

import io.sdds.client.Query;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Gives the plans of queries to module sdds-sql, which asks by trees of expressions in place of texts. {@link Query}
 * registers how, because its plan is not public.
 */
public final class QueryPlans {
    private static volatile @Nullable Function<Query<?, ?>, QueryPlan<?, ?>> plans;

    private QueryPlans() {}

    /** Registers how the plan of a query is found. Only {@link Query} calls this method. */
    public static void register(Function<Query<?, ?>, QueryPlan<?, ?>> how) {
        plans = how;
    }

    /** The plan of a query. */
    public static QueryPlan<?, ?> of(Query<?, ?> query) {
        return Objects.requireNonNull(plans, "a query registers").apply(query);
    }
}
