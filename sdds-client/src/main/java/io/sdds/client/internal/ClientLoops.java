package io.sdds.client.internal;

import io.sdds.client.ClientSettings;
import io.sdds.client.UnavailableException;
import io.sdds.client.internal.routing.ClientNode;
import io.sdds.client.internal.routing.FollowedCluster;
import io.sdds.client.internal.routing.RoutedTable;
import io.sdds.client.internal.routing.Window;
import io.sdds.core.netty.NettyTransport;
import io.sdds.core.node.Env;
import io.sdds.core.node.NodeAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The event loops of a client. Each loop has a node with connections and images of its own; all loops share the window.
 * A thread always uses the same loop, so that the requests of one thread are sent in the order of its calls.
 */
public final class ClientLoops {
    private static final long CLOSE_SECONDS = 3;

    private final @Nullable NettyTransport transport;
    private final ClientRuntime[] runtimes;
    private volatile boolean closed;

    /**
     * Makes loops with threads of their own, as many as the settings say.
     *
     * @throws IllegalArgumentException when an address is malformed, or there is none
     */
    public static ClientLoops withThreads(List<String> addresses, ClientSettings settings) {
        List<String> checked = trimmed(addresses).stream()
                .map(address -> NodeAddress.parse(address).toString())
                .toList();
        NettyTransport transport = new NettyTransport(settings.eventLoops(), "sdds-client");
        ClientLoops loops = new ClientLoops(transport, transport.envs(), checked, settings);
        for (ClientRuntime runtime : loops.runtimes) {
            runtime.learnThread();
        }
        return loops;
    }

    /** Makes one loop in an environment that calls the client, and is called by the client, on one thread. */
    public static ClientLoops in(Env env, List<String> addresses, ClientSettings settings) {
        return new ClientLoops(null, List.of(env), trimmed(addresses), settings);
    }

    /**
     * Removes blanks around addresses, and empty addresses.
     *
     * @throws IllegalArgumentException when no address is left
     */
    private static List<String> trimmed(List<String> addresses) {
        List<String> trimmed =
                addresses.stream().map(String::trim).filter(a -> !a.isEmpty()).toList();
        if (trimmed.isEmpty()) {
            throw new IllegalArgumentException("no address to connect to");
        }
        return trimmed;
    }

    private ClientLoops(
            @Nullable NettyTransport transport, List<Env> envs, List<String> addresses, ClientSettings settings) {
        this.transport = transport;
        WindowGate gate = new WindowGate(Window.of(settings), settings.failsFast());
        FollowedCluster followed = new FollowedCluster();
        this.runtimes = new ClientRuntime[envs.size()];
        for (int k = 0; k < runtimes.length; k++) {
            runtimes[k] = new ClientRuntime(this, envs.get(k), addresses, settings, gate, followed);
        }
    }

    /** Whether the environment calls and is called by one thread, which therefore counts as the loop's thread. */
    boolean isCalledByOneThread() {
        return transport == null;
    }

    /** Whether the calling thread is a thread of the client. */
    boolean isOnALoop() {
        for (ClientRuntime runtime : runtimes) {
            if (runtime.onLoop()) {
                return true;
            }
        }
        return false;
    }

    public int count() {
        return runtimes.length;
    }

    public ClientRuntime get(int index) {
        return runtimes[index];
    }

    /** The loop that operations on the cluster as a whole use. */
    public ClientRuntime first() {
        return runtimes[0];
    }

    /** Index of the loop for the calling thread: its own loop if it is a loop's thread, else always the same loop. */
    int current() {
        if (runtimes.length == 1) {
            return 0;
        }
        for (int k = 0; k < runtimes.length; k++) {
            if (runtimes[k].onLoop()) {
                return k;
            }
        }
        return (int) (Thread.currentThread().getId() % runtimes.length);
    }

    /**
     * Connects each loop for a client. Closes the loops when one of them reaches no process in time, or when the future
     * is cancelled.
     */
    public <T> CompletableFuture<T> connect(long timeoutNanos, T client) {
        List<CompletableFuture<List<String>>> connecting = new ArrayList<>();
        for (ClientRuntime runtime : runtimes) {
            connecting.add(runtime.future(done -> runtime.node().connect(timeoutNanos, done)));
        }
        CompletableFuture<T> connected = new CompletableFuture<>();
        Futures.all(connecting).whenComplete((done, failure) -> {
            if (failure == null) {
                connected.complete(client);
            } else {
                close();
                connected.completeExceptionally(failure);
            }
        });
        connected.whenComplete((done, failure) -> {
            if (connected.isCancelled()) {
                close();
            }
        });
        return connected;
    }

    /**
     * Opens a table on all loops.
     *
     * @param opening opens it on the first loop, by creating it or finding it
     */
    public CompletableFuture<List<RoutedTable>> open(
            String name, long timeoutNanos, BiConsumer<ClientNode, ClientNode.Handler<RoutedTable>> opening) {
        CompletableFuture<RoutedTable> first = runtimes[0].future(done -> opening.accept(runtimes[0].node(), done));
        return runtimes.length == 1
                ? Futures.map(first, List::of)
                : Futures.flatMap(first, table -> openOnOthers(table, name, timeoutNanos));
    }

    private CompletableFuture<List<RoutedTable>> openOnOthers(RoutedTable first, String name, long timeoutNanos) {
        List<CompletableFuture<RoutedTable>> opened = new ArrayList<>();
        opened.add(CompletableFuture.completedFuture(first));
        for (int k = 1; k < runtimes.length; k++) {
            ClientRuntime runtime = runtimes[k];
            opened.add(runtime.future(done -> runtime.node().findTable(name, timeoutNanos, done)));
        }
        return Futures.all(opened);
    }

    // ---- the end

    /**
     * Ends the sessions, closes all connections and fails all outstanding operations. Waits until this is done, unless
     * the caller is on a loop.
     */
    public void close() {
        if (closed) {
            return;
        }
        if (isOnALoop()) {
            closeOnLoop();
        } else {
            closeAndWait();
        }
    }

    private void closeOnLoop() {
        closed = true;
        ClientRuntime own = runtimes[current()];
        for (ClientRuntime runtime : runtimes) {
            if (runtime != own) {
                runtime.executeIfOpen(runtime.node()::close);
            }
            runtime.stopTaking();
        }
        own.env().defer(() -> {
            own.node().close();
            closeTransport();
        });
    }

    private void closeAndWait() {
        List<CompletableFuture<Void>> closing = new ArrayList<>();
        for (ClientRuntime runtime : runtimes) {
            CompletableFuture<Void> done = new CompletableFuture<>();
            closing.add(done);
            try {
                runtime.execute(() -> {
                    runtime.node().close();
                    done.complete(null);
                });
            } catch (UnavailableException e) {
                done.complete(null);
            }
        }
        try {
            Futures.all(closing).get(CLOSE_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | java.util.concurrent.TimeoutException e) {
            // The transport is closed anyway.
        }
        closed = true;
        for (ClientRuntime runtime : runtimes) {
            runtime.stopTaking();
        }
        closeTransport();
    }

    private void closeTransport() {
        if (transport != null) {
            transport.close();
        }
    }
}
