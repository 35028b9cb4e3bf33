package io.sdds.client;

import org.jspecify.annotations.Nullable;

/**
 * Is called when an operation has ended. It is called once, on the client's event loop, where it delays all other
 * operations of the client; or on the executor that {@link ClientSettings.Builder#callbackExecutor} names. A callback
 * is a little cheaper than a future. If the client refuses the operation, the callback may be called before the
 * operation's method returns.
 *
 * <pre>{@code
 * table.getAsync("a", (value, failure) -> {
 *     if (failure != null) {
 *         log.warn("read of a failed", failure);
 *     } else {
 *         show(value); // null: there is no record
 *     }
 * });
 * }</pre>
 *
 * @param <T> what the operation answers
 */
@FunctionalInterface
public interface Callback<T> {
    /**
     * Takes the end of the operation. What it throws is logged.
     *
     * @param result the answer; null if the operation failed, if it answers nothing, or if the value is absent
     * @param failure why the operation failed; null if it did not
     */
    void done(@Nullable T result, @Nullable SddsException failure);
}
