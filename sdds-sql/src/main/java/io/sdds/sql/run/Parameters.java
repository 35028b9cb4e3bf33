package io.sdds.sql.run;

import java.util.function.IntFunction;
import org.apache.calcite.DataContext;
import org.jspecify.annotations.Nullable;

/** The values of a statement's parameters. */
public final class Parameters {
    private Parameters() {}

    public static IntFunction<@Nullable Object> of(DataContext context) {
        return index -> context.get("?" + index);
    }
}
