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
 * A client that runs on the calling thread, for short commands. One deadline limits everything that a command does. For
 * one thread.
 */
public final class QuickClient implements AutoCloseable {
    private final LoopEnv env = new LoopEnv();
    private final long deadlineNanos;
    private final SddsClient client;

    /**
     * Connects to a cluster.
     *
     * @param addresses addresses of any coordinators or bricks of the cluster, as host:port
     * @param timeout limit for everything that the caller does with this client, from now on
     * @throws NobodyThereException if none of the addresses can be dialed
     * @throws io.sdds.client.UnavailableException if no process has answered in time
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

    /** Runs an asynchronous operation, whose timeout is the remaining time, and returns its result. */
    public <T> T await(Function<SddsClient, CompletableFuture<T>> operation) {
        long nanosLeft = Math.max(1, deadlineNanos - env.nowNanos());
        CompletableFuture<T> future = operation.apply(client.withTimeout(Duration.ofNanos(nanosLeft)));
        env.runUntil(future::isDone);
        return result(future);
    }

    /** Runs an operation of several steps, each with the full timeout of the client, and returns its result. */
    public <T> T awaitSteps(Supplier<CompletableFuture<T>> operation) {
        CompletableFuture<T> future = operation.get();
        env.runUntil(future::isDone);
        return result(future);
    }

    /** Opens a table with keys and values of bytes. Callers await its operations with {@link #await}. */
    public Table<byte[], byte[]> table(String name) {
        return await(connected -> connected.tableAsync(name, Codec.bytes(), Codec.bytes()));
    }

    /** Opens a range table like {@link #table}. */
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
