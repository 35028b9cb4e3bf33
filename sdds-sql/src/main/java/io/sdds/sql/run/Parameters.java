package io.sdds.sql.run;

import io.sdds.client.internal.query.lang.Expression;
import io.sdds.sql.schema.Literals;
import java.util.function.Function;
import java.util.function.IntFunction;
import org.apache.calcite.DataContext;
import org.jspecify.annotations.Nullable;

/** The values of a statement's parameters. */
public final class Parameters {
    private Parameters() {}

    public static IntFunction<@Nullable Object> of(DataContext context) {
        return index -> context.get("?" + index);
    }

    /** The values as constants in expressions of bricks. */
    public static Function<Expression.Parameter, Expression> constants(IntFunction<@Nullable Object> parameters) {
        return place -> Literals.constant(parameters.apply(place.number()), place.type());
    }
}
