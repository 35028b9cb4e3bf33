package io.sdds.client;

import io.sdds.client.internal.routing.ClientNode;
import io.sdds.client.internal.routing.Failure;
import io.sdds.client.internal.routing.Request;
import io.sdds.client.internal.routing.Sweep;
import io.sdds.client.internal.routing.Window;
import io.sdds.core.netty.NettyTransport;
import io.sdds.core.node.Env;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** What surrounds a client's node: the loop that runs it, the threads that call it, and where they wait. */
final class Shell {
    private static final long CLOSE_SECONDS = 3;
    private static final long ROOM_CHECK_NANOS = 100_000_000;

    private final @Nullable NettyTransport transport;
    private final Env env;
    private final ClientNode node;
    private volatile @Nullable Thread loopThread;
    private volatile boolean closed;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition room = lock.newCondition();
    private final AtomicInteger waiters = new AtomicInteger();

    /** With an event loop of its own. */
    static Shell withLoop(List<String> addresses, ClientSettings settings) {
        NettyTransport transport = new NettyTransport(1, "sdds-client");
        Shell shell = new Shell(transport, transport.envs().get(0), addresses, settings);
        shell.env.execute(() -> shell.loopThread = Thread.currentThread());
        return shell;
    }

    /** In an environment that calls it, and is called, by one thread. */
    static Shell in(Env env, List<String> addresses, ClientSettings settings) {
        return new Shell(null, env, addresses, settings);
    }

    private Shell(@Nullable NettyTransport transport, Env env, List<String> addresses, ClientSettings settings) {
        this.transport = transport;
        this.env = env;
        this.node = new ClientNode(env, addresses, settings);
        node.window().onRoom(this::onRoom);
    }

    ClientNode node() {
        return node;
    }

    long nowNanos() {
        return onLoop() ? node.now() : env.nowNanos();
    }

    @SuppressWarnings("ReferenceEquality") // a thread is what it is
    private boolean onLoop() {
        return transport == null || Thread.currentThread() == loopThread;
    }

    /** Refuses a call that would wait on the thread it waits for. */
    void checkMayBlock() {
        if (onLoop()) {
            throw new IllegalStateException(
                    "a blocking call on the client's own loop would never return: use its …Async twin");
        }
    }

    /** Begins a request: at once on the loop, else by handing it over, when there is room for it. */
    void begin(Request<?> request) {
        if (onLoop()) {
            if (node.window().tryEnter(request.windowBytes())) {
                request.beImpatient();
                request.run();
            } else {
                request.fail(Failure.Kind.OVERLOADED, "this client's window is full");
            }
        } else if (enter(request)) {
            handOver(request);
        }
    }

    /** Begins a request, on the loop, if there is room for it. */
    boolean tryBegin(Request<?> request) {
        if (!node.window().tryEnter(request.windowBytes())) {
            return false;
        }
        request.run();
        return true;
    }

    /**
     * Begins a sweep when there is room in the window. Its steps are not held up by the window any more: they are few.
     *
     * @param timeoutNanos how long to wait for room; nobody waits on the loop
     */
    void startSweep(Sweep sweep, long timeoutNanos) {
        if (onLoop()) {
            if (!node.window().tryEnter(0)) {
                throw new OverloadedException("this client's window is full", false);
            }
        } else if (!waitForRoom(0, env.nowNanos() + timeoutNanos)) {
            throw closed
                    ? new UnavailableException("the client is closed", false)
                    : new TimeoutException(whyNoRoom(), false);
        }
        try {
            execute(sweep::start);
        } finally {
            node.window().leave(0);
        }
    }

    /** Runs something on the loop after a while. On the loop. */
    void schedule(long delayNanos, Runnable task) {
        env.schedule(delayNanos, task);
    }

    /**
     * Runs something on the loop.
     *
     * @throws UnavailableException when the client is closed
     */
    void execute(Runnable task) {
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
            closed = true;
        }
        throw new UnavailableException("the client is closed", false);
    }

    /** Runs something on the loop, or nothing when that has ended. */
    void executeIfOpen(Runnable task) {
        try {
            execute(task);
        } catch (UnavailableException e) {
            // Nothing is left to be done.
        }
    }

    private void handOver(Request<?> request) {
        try {
            execute(request);
        } catch (UnavailableException e) {
            node.window().leave(request.windowBytes());
            request.fail(Failure.Kind.UNAVAILABLE, "the client is closed");
        }
    }

    /** Takes room in the window for a request; false when it was failed instead. */
    private boolean enter(Request<?> request) {
        boolean entered = waitForRoom(request.windowBytes(), request.deadlineNanos());
        if (!entered && closed) {
            request.fail(Failure.Kind.UNAVAILABLE, "the client is closed");
        } else if (!entered) {
            request.fail(Failure.Kind.TIMEOUT, whyNoRoom());
        }
        return entered;
    }

    private static String whyNoRoom() {
        return Thread.currentThread().isInterrupted()
                ? "interrupted while waiting for room in this client's window"
                : "this client's window stayed full until the deadline";
    }

    /** Takes room in the window, waiting for it; false when there was none until the deadline, or the thread was interrupted. */
    private boolean waitForRoom(int bytes, long deadlineNanos) {
        Window window = node.window();
        if (window.tryEnter(bytes)) {
            return true;
        }
        waiters.incrementAndGet();
        lock.lock();
        try {
            while (!window.tryEnter(bytes)) {
                long left = deadlineNanos - env.nowNanos();
                if (closed || left <= 0) {
                    return false;
                }
                room.awaitNanos(Math.min(left, ROOM_CHECK_NANOS));
            }
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        } finally {
            lock.unlock();
            waiters.decrementAndGet();
        }
    }

    private void onRoom() {
        if (waiters.get() > 0) {
            lock.lock();
            try {
                room.signal();
            } finally {
                lock.unlock();
            }
        }
    }

    /** Waits for a future of this client. */
    static <T> T await(CompletableFuture<T> future) {
        try {
            return future.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new UnavailableException(
                    "interrupted while waiting for an answer; the operation goes on, outcome unknown", true);
        } catch (ExecutionException e) {
            throw Shell.<RuntimeException>rethrown(e.getCause());
        }
    }

    /** What a consumer of the application threw may also be an error, or a checked exception that it did not declare. */
    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"}) // the caller names an unchecked type
    private static <E extends Throwable> RuntimeException rethrown(@Nullable Throwable cause) throws E {
        if (cause == null) {
            throw new IllegalStateException("a future failed without a cause");
        }
        cause.addSuppressed(new Caller());
        throw (E) cause;
    }

    /** The stack of the thread that waited, shown with a failure that was made on the loop. */
    private static final class Caller extends RuntimeException {
        private static final long serialVersionUID = 1;

        Caller() {
            super("called here");
        }
    }

    /** A future for something that the node does with a handler. */
    <T> CompletableFuture<T> future(Consumer<ClientNode.Handler<T>> operation) {
        CompletableFuture<T> future = new CompletableFuture<>();
        try {
            execute(() -> operation.accept((result, failure) -> {
                if (failure == null) {
                    future.complete(result);
                } else {
                    future.completeExceptionally(SddsException.of(failure));
                }
            }));
        } catch (UnavailableException e) {
            future.completeExceptionally(e);
        }
        return future;
    }

    void close() {
        if (closed) {
            return;
        }
        if (onLoop()) {
            closed = true;
            env.defer(this::closeNode);
            return;
        }
        CompletableFuture<Void> done = new CompletableFuture<>();
        try {
            execute(() -> {
                node.close();
                done.complete(null);
            });
            done.get(CLOSE_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | java.util.concurrent.TimeoutException | UnavailableException e) {
            // The transport goes, whatever the node still had to say.
        }
        closed = true;
        closeTransport();
    }

    private void closeNode() {
        node.close();
        closeTransport();
    }

    private void closeTransport() {
        if (transport != null) {
            transport.close();
        }
    }
}
