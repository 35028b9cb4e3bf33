package io.sdds.cli.connection;

import io.sdds.client.ClientSettings;
import io.sdds.client.Codec;
import io.sdds.client.RangeTable;
import io.sdds.client.SddsClient;
import io.sdds.client.Table;
import io.sdds.core.node.NodeAddress;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.function.Function;
import java.util.function.Supplier;

/** The client of a short command: one deadline limits everything that the command does. For one thread. */
public final class CommandClient implements AutoCloseable {
    private final long deadlineNanos;
    private final SddsClient client;

    /**
     * Connects to a cluster.
     *
     * @param addresses addresses of any coordinators or bricks of the cluster, as host:port
     * @param timeout limit for everything that the caller does with this client, from now on
     * @throws NobodyThereException if nobody listens at any of the addresses
     * @throws io.sdds.client.UnavailableException if no process has answered in time
     */
    public CommandClient(List<String> addresses, Duration timeout) {
        deadlineNanos = System.nanoTime() + timeout.toNanos();
        ClientSettings settings =
                ClientSettings.builder().name("sdds").timeout(timeout).build();
        CompletableFuture<SddsClient> connecting = SddsClient.connectAsync(addresses, settings);
        CompletableFuture<SddsClient> refused = new CompletableFuture<>();
        Thread.ofPlatform().daemon().name("dial").start(() -> dial(addresses, timeout, refused));
        try {
            client = result(connecting.applyToEither(refused, Function.identity()));
        } catch (NobodyThereException e) {
            connecting.cancel(false); // the client would dial until its timeout
            throw e;
        }
    }

    /** Dials the addresses up to the first one where somebody listens; fails a future if there is none. */
    private static void dial(List<String> addresses, Duration timeout, CompletableFuture<?> refused) {
        List<String> reasons = new ArrayList<>();
        for (String text : addresses) {
            NodeAddress address = NodeAddress.parse(text);
            try (Socket socket = new Socket()) {
                socket.connect(new InetSocketAddress(address.host(), address.port()), (int) timeout.toMillis());
                return;
            } catch (IOException e) {
                reasons.add(String.valueOf(e.getMessage()));
            }
        }
        refused.completeExceptionally(new NobodyThereException(addresses, reasons.getLast()));
    }

    /** Runs an asynchronous operation, whose timeout is the remaining time, and returns its result. */
    public <T> T await(Function<SddsClient, CompletableFuture<T>> operation) {
        long nanosLeft = Math.max(1, deadlineNanos - System.nanoTime());
        return result(operation.apply(client.withTimeout(Duration.ofNanos(nanosLeft))));
    }

    /** Runs an operation of several steps, each with the full timeout of the client, and returns its result. */
    public <T> T awaitSteps(Supplier<CompletableFuture<T>> operation) {
        return result(operation.get());
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
    }
}
