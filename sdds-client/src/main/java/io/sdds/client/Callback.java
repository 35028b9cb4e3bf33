package io.sdds.client;

import org.jspecify.annotations.Nullable;

/**
 * Hears how an operation ended, on the client's loop: what it does delays all other operations of the client. A little cheaper than a future.
 * What fails at the client's door may be told before the call returns.
 *
 * @param <T> what the operation answers
 */
@FunctionalInterface
public interface Callback<T> {
    /**
     * @param result what was answered, null also where the operation answers nothing or an absent value
     * @param failure why it was not; null when all went well
     */
    void done(@Nullable T result, @Nullable SddsException failure);
}
