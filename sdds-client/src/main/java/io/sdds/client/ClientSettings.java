package io.sdds.client;

import io.sdds.client.internal.routing.InFlight;
import io.sdds.client.internal.routing.Window;
import io.sdds.core.model.Routing;
import java.time.Duration;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a client. Immutable.
 *
 * <pre>{@code
 * ClientSettings settings = ClientSettings.builder()
 *         .name("web-3")
 *         .timeout(Duration.ofMillis(200))
 *         .window(10_000, 32 << 20)
 *         .failFast(true)
 *         .build();
 * SddsClient client = SddsClient.connect(List.of("10.0.0.1:7400", "10.0.0.2:7400"), settings);
 * }</pre>
 */
public final class ClientSettings {
    /** About 70 years, so that no deadline overflows. */
    private static final long TIMEOUT_NANOS_MAX = Long.MAX_VALUE / 4;

    private static final int LOOPS_MAX = 64;
    private static final ClientSettings DEFAULTS = new Builder().build();

    private final String name;
    private final Duration timeout;
    private final int windowRequests;
    private final long windowBytes;
    private final boolean failsFast;
    private final int eventLoops;
    private final @Nullable Executor callbackExecutor;
    private final boolean learnsByAdjustmentsOnly;
    private final @Nullable Routing routing;
    private final @Nullable String multicastGroup;
    private final boolean pushdown;
    private final boolean followsNewCluster;

    private ClientSettings(Builder from) {
        name = from.name;
        timeout = from.timeout;
        windowRequests = from.windowRequests;
        windowBytes = from.windowBytes;
        failsFast = from.failsFast;
        eventLoops = from.eventLoops;
        callbackExecutor = from.callbackExecutor;
        learnsByAdjustmentsOnly = from.learnsByAdjustmentsOnly;
        routing = from.routing;
        multicastGroup = from.multicastGroup;
        pushdown = from.pushdown;
        followsNewCluster = from.followsNewCluster;
    }

    /**
     * A timeout of 5 s, a window of 8192 operations and 64 MiB in which calls wait for room, one event loop, no
     * executor.
     */
    public static ClientSettings defaults() {
        return DEFAULTS;
    }

    /** A builder that begins with {@link #defaults}. */
    public static Builder builder() {
        return new Builder();
    }

    /** A builder that begins with these settings. */
    public Builder toBuilder() {
        Builder builder = new Builder();
        builder.name = name;
        builder.timeout = timeout;
        builder.windowRequests = windowRequests;
        builder.windowBytes = windowBytes;
        builder.failsFast = failsFast;
        builder.eventLoops = eventLoops;
        builder.callbackExecutor = callbackExecutor;
        builder.learnsByAdjustmentsOnly = learnsByAdjustmentsOnly;
        builder.routing = routing;
        builder.multicastGroup = multicastGroup;
        builder.pushdown = pushdown;
        builder.followsNewCluster = followsNewCluster;
        return builder;
    }

    /** How the client calls itself in hellos and sessions, for operators. */
    public String name() {
        return name;
    }

    /** The time that an operation has, from its call on. */
    public Duration timeout() {
        return timeout;
    }

    /** Most operations outstanding. */
    public int windowRequests() {
        return windowRequests;
    }

    /** Most bytes of keys and values of outstanding operations. */
    public long windowBytes() {
        return windowBytes;
    }

    /** Whether an operation for which the window has no room is refused at once. */
    public boolean failsFast() {
        return failsFast;
    }

    /** Number of event loops, each a thread of the client. */
    public int eventLoops() {
        return eventLoops;
    }

    /** The executor on which futures complete and callbacks and consumers run; null: the event loops. */
    public @Nullable Executor callbackExecutor() {
        return callbackExecutor;
    }

    /** Experimental: whether the image of a table begins with one partition and grows by image adjustments alone. */
    public boolean learnsByAdjustmentsOnly() {
        return learnsByAdjustmentsOnly;
    }

    /** Experimental: the routing that replaces the routing of range tables; null: each range table's own routing. */
    public @Nullable Routing routing() {
        return routing;
    }

    /** Experimental: the group of IP multicast; null: none. */
    public @Nullable String multicastGroup() {
        return multicastGroup;
    }

    /** Whether bricks evaluate the texts of queries next to the records. */
    public boolean pushdown() {
        return pushdown;
    }

    /** Whether the client goes to a cluster that has taken the place of its own. */
    public boolean followsNewCluster() {
        return followsNewCluster;
    }

    /** Converts a time to nanoseconds. More than about 70 years count as 70 years. */
    static long nanos(Duration time) {
        return time.compareTo(Duration.ofNanos(TIMEOUT_NANOS_MAX)) >= 0 ? TIMEOUT_NANOS_MAX : time.toNanos();
    }

    /**
     * Builds settings. Each method returns the builder and refuses a bad value with {@link IllegalArgumentException},
     * which names it.
     */
    public static final class Builder {
        private String name = "client";
        private Duration timeout = Duration.ofSeconds(5);
        private int windowRequests = 8192;
        private long windowBytes = 64L << 20;
        private boolean failsFast;
        private int eventLoops = 1;
        private @Nullable Executor callbackExecutor;
        private boolean learnsByAdjustmentsOnly;
        private @Nullable Routing routing;
        private @Nullable String multicastGroup;
        private boolean pushdown = true;
        private boolean followsNewCluster = true;

        private Builder() {}

        /** How the client calls itself in hellos and sessions, for operators. */
        public Builder name(String value) {
            name = value;
            return this;
        }

        /** The time that an operation has, from its call on. More than 70 years count as 70 years. */
        public Builder timeout(Duration value) {
            if (value.isNegative() || value.isZero()) {
                throw new IllegalArgumentException("timeout " + value + " is not positive");
            }
            timeout = Duration.ofNanos(nanos(value));
            return this;
        }

        /**
         * The window: the bound of outstanding operations. A call that finds the window full blocks its thread, also a
         * call of an {@code …Async} method, until there is room or the operation's deadline has passed. So a thread may
         * begin any number of operations in a loop. Threads get room in the order in which they came. A call on an
         * event loop cannot wait: it may take as much room again, and is refused beyond that. In fail-fast mode all
         * calls are refused when the window is full.
         *
         * <p>Within the window the client bounds what each brick gets at a time, by what the brick answers and refuses.
         * The other operations wait in the client. A brick's refusal slows the client down and fails no operation
         * before its deadline.
         *
         * @param requests number of operations, 1 to 65,536
         * @param bytes bytes of their keys and values; a larger operation runs when no other operation is outstanding
         */
        public Builder window(int requests, long bytes) {
            if (requests < 1 || requests > InFlight.CAPACITY_MAX) {
                throw new IllegalArgumentException(
                        "window of " + requests + " requests is not within 1 to " + InFlight.CAPACITY_MAX);
            }
            if (bytes < 1 || bytes > Window.BYTES_MAX) {
                throw new IllegalArgumentException(
                        "window of " + bytes + " bytes is not within 1 to " + Window.BYTES_MAX);
            }
            windowRequests = requests;
            windowBytes = bytes;
            return this;
        }

        /**
         * As {@link #window}, in requests alone: the flow control of RP*'s measurements (Diène and Litwin 2000, section
         * 3.1), where 10 requests are outstanding and the next one waits for an answer.
         */
        public Builder windowRequests(int requests) {
            return window(requests, windowBytes);
        }

        /** The largest window: as many operations outstanding as can be. */
        public Builder unlimitedWindow() {
            return window(InFlight.CAPACITY_MAX, Window.BYTES_MAX);
        }

        /**
         * Whether an operation for which the window has no room is refused at once with {@link WindowFullException},
         * instead of waiting for room until its deadline. An operation whose brick is overloaded, and has enough
         * waiting for it, is refused at once too, with {@link OverloadedException}. In neither case anything was sent.
         */
        public Builder failFast(boolean value) {
            failsFast = value;
            return this;
        }

        /**
         * Number of event loops, 1 to 64. Each is a thread with connections of its own. One serves several hundred
         * thousand small operations a second; more help when a core is not enough. A thread of the application always
         * uses the same loop.
         */
        public Builder eventLoops(int loops) {
            if (loops < 1 || loops > LOOPS_MAX) {
                throw new IllegalArgumentException(loops + " event loops: 1 to " + LOOPS_MAX + " are allowed");
            }
            eventLoops = loops;
            return this;
        }

        /**
         * The executor on which futures complete, and callbacks and consumers run. There they may block, and do not
         * delay other operations. Each result costs a hand-over between threads. Callbacks of different operations may
         * run at the same time and in any order; the consumer of one query is called by one thread after the other. If
         * the executor refuses a task, the task runs on the event loop. Blocking calls do not use the executor. The
         * application ends the executor, after it has closed the client.
         *
         * @param executor null: the event loops, as by default
         */
        public Builder callbackExecutor(@Nullable Executor executor) {
            callbackExecutor = executor;
            return this;
        }

        /**
         * Experimental: the image of a table begins with one partition, as that of a new LH* or RP* client, and grows
         * by image adjustments alone. Else it begins with as many partitions as the table is known to have.
         */
        public Builder learnByAdjustmentsOnly(boolean value) {
            learnsByAdjustmentsOnly = value;
            return this;
        }

        /** Experimental: another routing than range tables say, for measuring; null: as they say. */
        public Builder routing(@Nullable Routing value) {
            routing = value;
            return this;
        }

        /**
         * Experimental: IP multicast. A request that goes to all bricks of a range table, and is small enough, leaves
         * as one datagram. The bricks must be told the same group.
         *
         * @param group as {@code 239.255.74.74:7474}, or {@code 239.255.74.74:7474@eth1} with the interface to use;
         *     null: none
         */
        public Builder multicastGroup(@Nullable String group) {
            multicastGroup = group;
            return this;
        }

        /**
         * Whether bricks evaluate the texts of queries next to the records, as by default. Else the client fetches the
         * records and evaluates the texts, with the same results: for comparisons.
         */
        public Builder pushdown(boolean value) {
            pushdown = value;
            return this;
        }

        /**
         * Whether the client goes to a cluster that was made anew in the place of its own, as by default: when every
         * address that the client was given belongs to one other cluster, and no process of its own cluster is left.
         * The client then opens its tables again by their names, and logs one warning. Operations that may have had an
         * effect in the old cluster fail as unknown, and queries under way fail. Else all operations fail at once with
         * {@link UnavailableException}.
         */
        public Builder followsNewCluster(boolean value) {
            followsNewCluster = value;
            return this;
        }

        /** The settings. */
        public ClientSettings build() {
            return new ClientSettings(this);
        }
    }
}
