package io.sdds.sql;

import java.util.function.IntFunction;
import org.apache.calcite.DataContext;
import org.jspecify.annotations.Nullable;

/** The values of a statement's parameters. */
final class Parameters {
    private Parameters() {}

    static IntFunction<@Nullable Object> of(DataContext context) {
        return index -> context.get("?" + index);
    }
}
