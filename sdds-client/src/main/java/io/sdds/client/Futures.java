package io.sdds.client;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Function;

/** Futures made of others. */
final class Futures {
    private Futures() {}

    /**
     * A future of what a function makes of another future's result. It fails with what the other one failed with, or with what the function throws, never with a
     * {@link CompletionException} around it. Cancelling it cancels the other one.
     */
    static <S, T> CompletableFuture<T> map(CompletableFuture<S> source, Function<? super S, ? extends T> function) {
        CompletableFuture<T> mapped = new CompletableFuture<>();
        source.whenComplete((result, failure) -> {
            if (failure != null) {
                mapped.completeExceptionally(unwrapped(failure));
            } else {
                complete(mapped, function, result);
            }
        });
        mapped.whenComplete((result, failure) -> {
            if (mapped.isCancelled()) {
                source.cancel(false);
            }
        });
        return mapped;
    }

    private static <S, T> void complete(
            CompletableFuture<T> mapped, Function<? super S, ? extends T> function, S result) {
        try {
            mapped.complete(function.apply(result));
        } catch (Throwable e) {
            mapped.completeExceptionally(e);
        }
    }

    private static Throwable unwrapped(Throwable failure) {
        return failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
    }
}
