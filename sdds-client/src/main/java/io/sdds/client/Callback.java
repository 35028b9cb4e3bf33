package io.sdds.client;

import org.jspecify.annotations.Nullable;

/**
 * The callback of an asynchronous operation. The client calls the callback once, when the operation has ended. The call
 * runs on the client's event loop, where a slow callback delays all other operations of the client, or on the executor
 * that {@link ClientSettings.Builder#callbackExecutor} names. A callback is a little cheaper than a future. If the
 * client refuses the operation, the call may come before the operation's method returns.
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
 * @param <T> type of the operation's result
 */
@FunctionalInterface
public interface Callback<T> {
    /**
     * Takes the result or the failure of the operation. The client logs an exception that this method throws.
     *
     * @param result the answer; null if the operation failed, if it answers nothing, or if the value is absent
     * @param failure why the operation failed; null if it did not
     */
    void done(@Nullable T result, @Nullable SddsException failure);
}
