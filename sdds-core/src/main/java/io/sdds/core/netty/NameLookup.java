package io.sdds.core.netty;

import io.netty.util.NetUtil;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds the IP addresses of host names on threads of its own, because the system's resolver may block for many seconds.
 * Nothing is remembered here between look-ups; the JVM remembers for as long as its security properties
 * {@code networkaddress.cache.ttl} and {@code networkaddress.cache.negative.ttl} say. Thread-safe.
 */
final class NameLookup implements AutoCloseable {
    /** Names looked up at a time. More wait for a thread. */
    private static final int THREADS_MAX = 4;

    /** Names whose failures are remembered for the log; with more, all are forgotten and logged anew. */
    private static final int FAILING_MAX = 1024;

    private static final long IDLE_SECONDS = 5;
    private static final long LOG_INTERVAL_NANOS = 60_000_000_000L;
    private static final Logger log = LoggerFactory.getLogger(NameLookup.class);

    private final ThreadPoolExecutor threads;
    private final Resolver resolver;

    /** Look-ups under way, by name: a name has at most one. Guarded by this. */
    private final Map<String, CompletableFuture<InetAddress>> underWay = new HashMap<>();

    /** When the failure of each name that fails was logged last. Guarded by this. */
    private final Map<String, Long> loggedNanos = new HashMap<>();

    /** The system's resolver, or a test's. May block. */
    interface Resolver {
        InetAddress resolve(String name) throws UnknownHostException;
    }

    NameLookup(String threadName, Resolver resolver) {
        this.resolver = resolver;
        this.threads = new ThreadPoolExecutor(
                THREADS_MAX,
                THREADS_MAX,
                IDLE_SECONDS,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(),
                new DefaultThreadFactory(threadName, true));
        threads.allowCoreThreadTimeOut(true);
    }

    /**
     * Looks up a host: an IP address is answered at once, a name anew at each call, unless a look-up of it is under
     * way.
     *
     * @return fails with {@link UnknownHostException} when the name has no address
     */
    CompletableFuture<InetAddress> find(String host) {
        byte[] literal = NetUtil.createByteArrayFromIpAddressString(host);
        if (literal != null) {
            return completed(() -> InetAddress.getByAddress(literal));
        }
        if (host.indexOf(':') >= 0) { // an IPv6 address with a scope, which no resolver is asked for
            return completed(() -> InetAddress.getByName(host));
        }
        return findName(host);
    }

    private interface Attempt {
        InetAddress run() throws UnknownHostException;
    }

    private static CompletableFuture<InetAddress> completed(Attempt attempt) {
        try {
            return CompletableFuture.completedFuture(attempt.run());
        } catch (UnknownHostException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    private synchronized CompletableFuture<InetAddress> findName(String name) {
        CompletableFuture<InetAddress> before = underWay.get(name);
        if (before != null) {
            return before;
        }
        CompletableFuture<InetAddress> found = new CompletableFuture<>();
        underWay.put(name, found);
        try {
            threads.execute(() -> resolve(name, found));
        } catch (RejectedExecutionException e) {
            underWay.remove(name);
            found.completeExceptionally(new UnknownHostException("the transport is closed"));
        }
        return found;
    }

    private void resolve(String name, CompletableFuture<InetAddress> found) {
        try {
            InetAddress address = resolver.resolve(name);
            ended(name, null);
            found.complete(address);
        } catch (Throwable e) { // also an error, else the name would be under way for ever
            ended(name, e);
            found.completeExceptionally(e);
        }
    }

    /** Logs the first failure of a name, then one a minute, then that it is found. */
    private synchronized void ended(String name, @Nullable Throwable failure) {
        underWay.remove(name);
        Long logged = loggedNanos.get(name);
        if (failure == null) {
            if (loggedNanos.remove(name) != null) {
                log.info("host name '{}' is found again", name);
            }
        } else if (logged == null || System.nanoTime() - logged >= LOG_INTERVAL_NANOS) {
            if (loggedNanos.size() >= FAILING_MAX) {
                loggedNanos.clear();
            }
            loggedNanos.put(name, System.nanoTime());
            log.warn(
                    "can't look up host name '{}': {}; it is looked up again at the next attempt to connect",
                    name,
                    reason(failure));
        }
    }

    /** Why a look-up failed, for a person. The system's resolver often says no more than the name. */
    static String reason(@Nullable Throwable failure) {
        if (failure instanceof TimeoutException) {
            return "no answer in time";
        }
        String text = failure == null ? null : failure.getMessage();
        return text == null || failure instanceof UnknownHostException && !text.contains(": ") ? "unknown host" : text;
    }

    /** Look-ups under way end on their own; nobody is told. */
    @Override
    public void close() {
        threads.shutdownNow();
    }
}
