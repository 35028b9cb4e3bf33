package io.sdds.client.internal;

import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Functions that make futures of other futures. */
public final class Futures {
    private Futures() {}

    /**
     * A future that ends with a function's value of another future's result. The future fails with the exception of the
     * other future or of the function, never with a {@link CompletionException} around it. Cancelling the future
     * cancels the other future.
     */
    public static <S, T> CompletableFuture<T> map(
            CompletableFuture<S> source, Function<? super S, ? extends T> function) {
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

    /**
     * A future that ends as the future does that a function makes of another future's result. The future fails as
     * {@link #map} does. Cancelling the future cancels the future that is under way.
     */
    public static <S, T> CompletableFuture<T> flatMap(
            CompletableFuture<S> source, Function<? super S, CompletableFuture<T>> function) {
        CompletableFuture<T> mapped = new CompletableFuture<>();
        source.whenComplete((result, failure) -> {
            if (failure != null) {
                mapped.completeExceptionally(unwrapped(failure));
                return;
            }
            CompletableFuture<T> next = function.apply(result);
            forward(next, mapped);
        });
        mapped.whenComplete((result, failure) -> {
            if (mapped.isCancelled()) {
                source.cancel(false);
            }
        });
        return mapped;
    }

    private static <T> void forward(CompletableFuture<T> from, CompletableFuture<T> to) {
        from.whenComplete((result, failure) -> {
            if (failure == null) {
                to.complete(result);
            } else {
                to.completeExceptionally(unwrapped(failure));
            }
        });
        to.whenComplete((result, failure) -> {
            if (to.isCancelled()) {
                from.cancel(false);
            }
        });
    }

    /**
     * A future of the results of all futures, in their order. The future fails with the first failure. Cancelling it
     * cancels all futures.
     */
    public static <T> CompletableFuture<List<T>> all(List<CompletableFuture<T>> futures) {
        if (futures.size() == 1) {
            return map(futures.get(0), Collections::singletonList);
        }
        CompletableFuture<List<T>> all = new CompletableFuture<>();
        AtomicInteger left = new AtomicInteger(futures.size());
        for (CompletableFuture<T> future : futures) {
            future.whenComplete((result, failure) -> {
                if (failure != null) {
                    all.completeExceptionally(unwrapped(failure));
                } else if (left.decrementAndGet() == 0) {
                    all.complete(futures.stream().map(CompletableFuture::join).collect(Collectors.toList()));
                }
            });
        }
        all.whenComplete((results, failure) -> {
            if (all.isCancelled()) {
                futures.forEach(future -> future.cancel(false));
            }
        });
        return all;
    }

    private static <S, T> void complete(
            CompletableFuture<T> mapped, Function<? super S, ? extends T> function, S result) {
        try {
            mapped.complete(function.apply(result));
        } catch (Throwable e) {
            mapped.completeExceptionally(e);
        }
    }

    public static Throwable unwrapped(Throwable failure) {
        return failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
    }
}
