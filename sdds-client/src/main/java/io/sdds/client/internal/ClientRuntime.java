package io.sdds.client.internal;

import io.sdds.client.Callback;
import io.sdds.client.ClientSettings;
import io.sdds.client.OverloadedException;
import io.sdds.client.UnavailableException;
import io.sdds.client.WindowFullException;
import io.sdds.client.internal.routing.ClientNode;
import io.sdds.client.internal.routing.Failure;
import io.sdds.client.internal.routing.FollowedCluster;
import io.sdds.client.internal.routing.Request;
import io.sdds.client.internal.routing.Sweep;
import io.sdds.core.node.Env;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One event loop of a client with its node. Hands requests to the loop, lets threads wait for room in the window, and
 * hands results to the application.
 */
public final class ClientRuntime {
    /** The message of an operation that found no room in the window. */
    static final String NO_ROOM = "this client's window stayed full until the deadline";

    private static final Logger log = LoggerFactory.getLogger(ClientRuntime.class);

    private final ClientLoops loops;
    private final Env env;
    private final ClientNode node;
    private final WindowGate gate;

    /** The executor that runs the application's code; null: the loop runs it. */
    private final @Nullable Executor callbacks;

    private volatile @Nullable Thread loopThread;
    private volatile boolean closed;

    ClientRuntime(
            ClientLoops loops,
            Env env,
            List<String> addresses,
            ClientSettings settings,
            WindowGate gate,
            FollowedCluster followed) {
        this.loops = loops;
        this.env = env;
        this.gate = gate;
        this.callbacks = settings.callbackExecutor();
        this.node = new ClientNode(env, addresses, settings, gate.window(), followed);
    }

    /** Stores the thread of the loop. The caller is another thread. */
    void learnThread() {
        env.execute(() -> loopThread = Thread.currentThread());
    }

    public ClientNode node() {
        return node;
    }

    Env env() {
        return env;
    }

    public long nowNanos() {
        return onLoop() ? node.now() : env.nowNanos();
    }

    /** Whether the calling thread is the loop's. */
    @SuppressWarnings("ReferenceEquality") // a thread is what it is
    boolean onLoop() {
        return loops.isCalledByOneThread() || Thread.currentThread() == loopThread;
    }

    /** Refuses a blocking call on a thread of the client, because the call would wait for its own thread. */
    public void checkMayBlock() {
        if (loops.isOnALoop()) {
            throw new IllegalStateException(
                    "a blocking call on the client's own loop would never return: use its …Async twin");
        }
    }

    // ---- requests

    /** Begins a request when the window has room: at once on the loop, else by a hand-over to the loop. */
    public void begin(Request<?> request) {
        if (onLoop()) {
            if (enterOnLoop(request.windowBytes())) {
                if (gate.failsFast()) {
                    request.beImpatient();
                }
                request.run();
            } else {
                request.fail(Failure.Kind.WINDOW_FULL, Failures.WINDOW_FULL);
            }
        } else if (enter(request)) {
            handOver(request);
        }
    }

    /** Takes room for a call on the loop, which cannot wait. */
    private boolean enterOnLoop(int bytes) {
        return gate.failsFast() ? gate.window().tryEnter(bytes) : gate.window().tryEnterTwice(bytes);
    }

    /** Begins a request if the window has room. Called on the loop. */
    boolean tryBegin(Request<?> request) {
        if (!gate.window().tryEnter(request.windowBytes())) {
            return false;
        }
        request.run();
        return true;
    }

    /** Whether a full window refuses operations at once. */
    boolean failsFast() {
        return gate.failsFast();
    }

    /**
     * Begins a sweep when there is room in the window. The steps of the sweep do not wait for the window any more,
     * because few steps run at a time.
     *
     * @param timeoutNanos how long to wait for room; a call on the loop or in fail-fast mode does not wait
     */
    public void startSweep(Sweep sweep, long timeoutNanos) {
        if (onLoop() || gate.failsFast()) {
            if (!enterOnLoop(0)) {
                throw new WindowFullException(Failures.WINDOW_FULL);
            }
        } else if (!waitForRoom(0, env.nowNanos() + timeoutNanos)) {
            throw closed ? clientClosed() : new OverloadedException(whyNoRoom(), false);
        }
        try {
            execute(sweep::start);
        } finally {
            gate.window().leave(0);
        }
    }

    private void handOver(Request<?> request) {
        try {
            execute(request);
        } catch (UnavailableException e) {
            gate.window().leave(request.windowBytes());
            request.fail(Failure.Kind.UNAVAILABLE, "the client is closed");
        }
    }

    /** Takes room in the window for a request. Returns false after it has failed the request instead. */
    private boolean enter(Request<?> request) {
        if (gate.failsFast()) {
            request.beImpatient();
            return enterAtOnce(request);
        }
        boolean entered = waitForRoom(request.windowBytes(), request.deadlineNanos());
        if (!entered && closed) {
            request.fail(Failure.Kind.UNAVAILABLE, "the client is closed");
        } else if (!entered) {
            request.fail(Failure.Kind.OVERLOADED, whyNoRoom());
        }
        return entered;
    }

    private boolean enterAtOnce(Request<?> request) {
        boolean entered = gate.window().tryEnter(request.windowBytes());
        if (!entered) {
            request.fail(Failure.Kind.WINDOW_FULL, Failures.WINDOW_FULL);
        }
        return entered;
    }

    private boolean waitForRoom(int bytes, long deadlineNanos) {
        return gate.enter(bytes, deadlineNanos, env::nowNanos, () -> closed);
    }

    private static String whyNoRoom() {
        return Thread.currentThread().isInterrupted()
                ? "interrupted while waiting for room in this client's window"
                : NO_ROOM;
    }

    // ---- the loop

    /** Runs a task on the loop after a delay. Called on the loop. */
    void schedule(long delayNanos, Runnable task) {
        env.schedule(delayNanos, task);
    }

    /**
     * Runs a task on the loop.
     *
     * @throws UnavailableException when the client is closed
     */
    public void execute(Runnable task) {
        if (onLoop()) {
            task.run();
            return;
        }
        try {
            if (!closed) {
                env.execute(task);
                return;
            }
        } catch (RejectedExecutionException e) {
            stopTaking();
        }
        throw clientClosed();
    }

    /** Runs a task on the loop; does nothing if the loop has ended. */
    public void executeIfOpen(Runnable task) {
        try {
            execute(task);
        } catch (UnavailableException e) {
            // A loop that has ended needs no task.
        }
    }

    /** Refuses all further tasks. Threads that wait for room give up. */
    void stopTaking() {
        closed = true;
        gate.wake();
    }

    private static UnavailableException clientClosed() {
        return new UnavailableException("the client is closed", false);
    }

    // ---- results

    /** The future of an operation that the node ends with a handler. The future completes on the loop. */
    public <T> CompletableFuture<T> future(Consumer<ClientNode.Handler<T>> operation) {
        CompletableFuture<T> future = new CompletableFuture<>();
        try {
            execute(() -> operation.accept((result, failure) -> {
                if (failure == null) {
                    future.complete(result);
                } else {
                    future.completeExceptionally(Failures.exception(failure));
                }
            }));
        } catch (UnavailableException e) {
            future.completeExceptionally(e);
        }
        return future;
    }

    /**
     * Makes a future for the application: the same future if the application's code runs on the loop, else a future
     * that completes on the executor.
     */
    public <T> CompletableFuture<T> published(CompletableFuture<T> future) {
        if (callbacks == null) {
            return future;
        }
        CompletableFuture<T> published = new CompletableFuture<>();
        future.whenComplete((result, failure) -> runCallback(() -> {
            if (failure == null) {
                published.complete(result);
            } else {
                published.completeExceptionally(Futures.unwrapped(failure));
            }
        }));
        published.whenComplete((result, failure) -> {
            if (published.isCancelled()) {
                future.cancel(false);
            }
        });
        return published;
    }

    /** The application's callback, which runs on the executor if the application named an executor. */
    <T> Callback<? super T> published(Callback<? super T> callback) {
        return callbacks == null
                ? callback
                : (result, failure) -> runCallback(() -> Requests.<T>call(callback, result, failure));
    }

    /** Whether the application's code runs on an executor. */
    public boolean hasExecutor() {
        return callbacks != null;
    }

    /**
     * Runs the application's code on its executor, or on this thread if there is none or the executor refuses the task.
     */
    public void runCallback(Runnable task) {
        if (callbacks != null) {
            try {
                callbacks.execute(task);
                return;
            } catch (RejectedExecutionException e) {
                log.warn("the executor for callbacks refused a task; the task runs on the client's loop", e);
            }
        }
        task.run();
    }

    /** Waits for a future of this client that completes on the loop. */
    public static <T> T await(CompletableFuture<T> future) {
        try {
            return future.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new UnavailableException(
                    "interrupted while waiting for an answer; the operation goes on, outcome unknown", true);
        } catch (ExecutionException e) {
            throw ClientRuntime.<RuntimeException>rethrown(e.getCause());
        }
    }

    /**
     * Throws the cause as it is, because a consumer of the application may have thrown an error, or a checked exception
     * that it did not declare.
     */
    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"}) // the caller names an unchecked type
    private static <E extends Throwable> RuntimeException rethrown(@Nullable Throwable cause) throws E {
        if (cause == null) {
            throw new IllegalStateException("a future failed without a cause");
        }
        cause.addSuppressed(new Caller());
        throw (E) cause;
    }

    /** The stack of the thread that waited. A failure that was made on the loop shows it. */
    private static final class Caller extends RuntimeException {
        private static final long serialVersionUID = 1;

        Caller() {
            super("called here");
        }
    }
}
