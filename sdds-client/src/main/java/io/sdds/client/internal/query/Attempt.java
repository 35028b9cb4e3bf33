package io.sdds.client.internal.query;

import io.sdds.client.internal.query.lang.NoProgramException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What an attempt to compile expressions has given.
 *
 * @param result null: the expressions have no program
 * @param problem why they have none; null: there is a result
 */
public record Attempt<T>(@Nullable T result, @Nullable String problem) {
    static <T> Attempt<T> of(Supplier<T> compiling) {
        try {
            return new Attempt<>(compiling.get(), null);
        } catch (NoProgramException e) {
            return new Attempt<>(null, e.getMessage());
        }
    }
}
