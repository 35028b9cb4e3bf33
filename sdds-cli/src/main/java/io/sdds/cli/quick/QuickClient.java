package io.sdds.cli.quick;

import io.sdds.client.ClientSettings;
import io.sdds.client.Codec;
import io.sdds.client.RangeTable;
import io.sdds.client.SddsClient;
import io.sdds.client.Table;
import io.sdds.client.internal.EnvClients;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The client on the calling thread: what a command that is over at once needs, and no more. One deadline holds for
 * everything that a command does. For one thread.
 */
public final class QuickClient implements AutoCloseable {
    private final LoopEnv env = new LoopEnv();
    private final long deadlineNanos;
    private final SddsClient client;

    /**
     * Connects to a cluster.
     *
     * @param addresses of coordinators or bricks, as host:port; any will do
     * @param timeout from now on, for all that is done with this client
     * @throws NobodyThereException when none of the addresses can be dialed
     * @throws io.sdds.client.UnavailableException when none of them answered in time
     */
    public QuickClient(List<String> addresses, Duration timeout) {
        deadlineNanos = env.nowNanos() + timeout.toNanos();
        ClientSettings settings =
                ClientSettings.builder().name("sdds").timeout(timeout).build();
        CompletableFuture<SddsClient> connecting = EnvClients.connect(env, addresses, settings);
        env.runUntil(() -> connecting.isDone() || env.reachesNobody());
        if (!connecting.isDone()) {
            throw new NobodyThereException(addresses, env.dialFailures());
        }
        client = result(connecting);
    }

    /** What an asynchronous operation ends with; it gets what is left of the time. */
    public <T> T await(Function<SddsClient, CompletableFuture<T>> operation) {
        long nanosLeft = Math.max(1, deadlineNanos - env.nowNanos());
        CompletableFuture<T> future = operation.apply(client.withTimeout(Duration.ofNanos(nanosLeft)));
        env.runUntil(future::isDone);
        return result(future);
    }

    /** The same for what is done in steps, each of which has as much time as all else together. */
    public <T> T awaitSteps(Supplier<CompletableFuture<T>> operation) {
        CompletableFuture<T> future = operation.get();
        env.runUntil(future::isDone);
        return result(future);
    }

    /** A table whose keys and values are bytes; its operations are awaited with {@link #await}. */
    public Table<byte[], byte[]> table(String name) {
        return await(connected -> connected.tableAsync(name, Codec.bytes(), Codec.bytes()));
    }

    /** As {@link #table}, of one that is a range table. */
    public RangeTable<byte[], byte[]> rangeTable(String name) {
        return await(connected -> connected.rangeTableAsync(name, Codec.bytes(), Codec.bytes()));
    }

    private static <T> T result(CompletableFuture<T> done) {
        try {
            return done.get();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException failure) {
                throw failure;
            }
            throw new CompletionException(e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CompletionException(e);
        }
    }

    /** Ends the session and closes all connections. */
    @Override
    public void close() {
        client.close();
        env.runUntil(() -> true);
        env.close();
    }
}
