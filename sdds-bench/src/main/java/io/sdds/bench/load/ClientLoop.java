package io.sdds.bench.load;

import io.sdds.core.netty.NettyTransport;
import io.sdds.core.node.Env;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;

/** An event loop for clients that have no threads of their own. */
public final class ClientLoop {
    private final NettyTransport transport;
    private final Env env;

    /** Starts the event loop, whose thread has the name. */
    public ClientLoop(String name) {
        this.transport = new NettyTransport(1, name);
        this.env = transport.envs().get(0);
    }

    /** The environment of the clients. */
    public Env env() {
        return env;
    }

    /**
     * Runs an action on the event loop, and waits for the future of the action.
     *
     * @throws RuntimeException that the future failed with
     */
    public <T> T on(Supplier<CompletableFuture<T>> action) {
        CompletableFuture<T> done = new CompletableFuture<>();
        env.execute(() -> action.get().whenComplete((result, failure) -> {
            if (failure == null) {
                done.complete(result);
            } else {
                done.completeExceptionally(failure);
            }
        }));
        try {
            return done.join();
        } catch (CompletionException e) {
            throw e.getCause() instanceof RuntimeException cause ? cause : e;
        }
    }

    /** Closes clients by an action on the event loop, and then the event loop. */
    public void close(Runnable clients) {
        CompletableFuture<Void> closed = new CompletableFuture<>();
        env.execute(() -> {
            clients.run();
            env.defer(() -> closed.complete(null));
        });
        closed.join();
        transport.close();
    }
}
