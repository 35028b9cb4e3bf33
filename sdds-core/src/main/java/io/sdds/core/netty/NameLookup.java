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
 * This class caches nothing. The JVM caches as its security properties {@code networkaddress.cache.ttl} and
 * {@code networkaddress.cache.negative.ttl} tell. Thread-safe.
 */
final class NameLookup implements AutoCloseable {
    /** Largest number of look-ups at a time. Further names wait for a thread. */
    private static final int THREADS_MAX = 4;

    /**
     * Largest number of failing names that are kept for the log. With more names all are forgotten and logged again.
     */
    private static final int FAILING_MAX = 1024;

    private static final long IDLE_SECONDS = 5;
    private static final long LOG_INTERVAL_NANOS = 60_000_000_000L;
    private static final Logger log = LoggerFactory.getLogger(NameLookup.class);

    private final ThreadPoolExecutor threads;
    private final Resolver resolver;

    /** Look-ups under way, by name; at most one for each name. Guarded by this. */
    private final Map<String, CompletableFuture<InetAddress>> underWay = new HashMap<>();

    /** Time at which the failure of each failing name was logged last. Guarded by this. */
    private final Map<String, Long> loggedNanos = new HashMap<>();

    /** Resolves names: the system's resolver, or a resolver of a test. May block. */
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
     * Looks up a host. An IP address is answered at once. A name is looked up at each call, unless a look-up of the
     * name is under way.
     *
     * @return a future that fails with {@link UnknownHostException} when the name has no address
     */
    CompletableFuture<InetAddress> find(String host) {
        byte[] literal = NetUtil.createByteArrayFromIpAddressString(host);
        if (literal != null) {
            return completed(() -> InetAddress.getByAddress(literal));
        }
        if (host.indexOf(':') >= 0) { // an IPv6 address with a scope needs no resolver
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
        } catch (Throwable e) { // also errors, because otherwise the name would be under way for ever
            ended(name, e);
            found.completeExceptionally(e);
        }
    }

    /** Logs the first failure of a name, then one failure a minute, then the first success. */
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

    /** The reason why a look-up failed, as text. The message of the system's resolver is often only the name. */
    static String reason(@Nullable Throwable failure) {
        if (failure instanceof TimeoutException) {
            return "no answer in time";
        }
        String text = failure == null ? null : failure.getMessage();
        return text == null || failure instanceof UnknownHostException && !text.contains(": ") ? "unknown host" : text;
    }

    /** Ends the threads. Futures of look-ups under way may never complete. */
    @Override
    public void close() {
        threads.shutdownNow();
    }
}
