package io.sdds.cli.process;

import io.sdds.cli.connection.CommandClient;
import io.sdds.cli.terminal.Numbers;
import io.sdds.coordinator.shell.CoordinatorConfig;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.event.Level;

/**
 * A cluster of processes on this machine: coordinators and bricks, each with its own directory. The processes end with
 * this process. Thread-safe.
 */
public final class LocalCluster implements AutoCloseable {
    private static final String LOOPBACK = "127.0.0.1:";
    private static final String COORDINATOR = "coordinator";
    /** Ports of clusters are below the ephemeral ports, which systems give to connections. */
    private static final int PORT_LEAST = 20_000;

    private static final int PORT_MOST = 31_000;
    private static final int PORT_ATTEMPTS = 100;
    private static final Duration STOP_PATIENCE = Duration.ofSeconds(2);
    private static final Duration REPORT_PATIENCE = Duration.ofSeconds(2);
    /**
     * Delay before the listener hears that a process has ended. If a signal stops all processes, they end at about the
     * same time as this process, and the delay shows whether this process is stopping too.
     */
    private static final long VERDICT_MILLIS = 300;

    private final Path directory;
    private final List<Member> members = new ArrayList<>();
    /** Options of the JVM of each process. */
    private final List<String> options;

    private final Map<String, Child> children = new LinkedHashMap<>();
    private volatile @Nullable Consumer<String> reportFailures;
    private boolean stopping;

    /**
     * Settings of a cluster.
     *
     * @param directory directory of the cluster; contains the directories of the processes
     * @param port port of the first coordinator; the other coordinators, and then the bricks, use the following ports;
     *     several coordinators also use the ports that are higher by 1000
     * @param memory memory of each brick, as the value of the flag; null for the default
     * @param weights capacity weight of each brick; empty for the default
     * @param logLevel level of the processes' logs; null for the default
     */
    public record Plan(
            Path directory,
            int coordinators,
            int bricks,
            int port,
            @Nullable String memory,
            List<Double> weights,
            @Nullable Level logLevel) {
        public Plan {
            weights = List.copyOf(weights);
        }

        /** Bricks of the default weight. */
        public Plan(Path directory, int coordinators, int bricks, int port, @Nullable String memory) {
            this(directory, coordinators, bricks, port, memory, List.of(), null);
        }

        /** Whether a process of the cluster listens at a port. */
        public boolean hasPort(int asked) {
            int raft = port + CoordinatorConfig.RAFT_PORT_OFFSET;
            return asked >= port && asked < port + coordinators + bricks
                    || coordinators > 1 && asked >= raft && asked < raft + coordinators;
        }

        /** The same plan with a level of the logs. */
        public Plan withLogLevel(@Nullable Level level) {
            return new Plan(directory, coordinators, bricks, port, memory, weights, level);
        }

        /** The same plan with a capacity weight for each brick. */
        Plan withWeights(List<Double> all) {
            return new Plan(directory, coordinators, bricks, port, memory, all, logLevel);
        }
    }

    /** A coordinator or brick of the cluster, whether its process runs or not. */
    public record Member(String id, String role, String address, List<String> arguments) {}

    /** Maps the address of a process to the address that another process dials. */
    public interface Routes {
        /**
         * Returns host:port at which {@code from} dials {@code to}, which listens at an address. Equal names ask for
         * the advertised address of a brick.
         */
        String route(String from, String to, String address) throws IOException;
    }

    /** A process could not be started, or ended before it was ready. */
    public static final class StartException extends IOException {
        private static final long serialVersionUID = 1;

        private final int exitCode;

        StartException(String message, int exitCode, @Nullable Throwable cause) {
            super(message, cause);
            this.exitCode = exitCode;
        }

        /** Exit code of the process; 0 if the process has not ended. */
        public int exitCode() {
            return exitCode;
        }
    }

    /** Is called when a process has ended while the cluster was not being stopped. */
    public interface Listener {
        void ended(Member member, long pid, int exitCode);
    }

    /** Creates a cluster whose processes dial each other directly. */
    public static LocalCluster of(Plan plan) {
        try {
            return new LocalCluster(plan, (from, to, address) -> address);
        } catch (IOException e) {
            throw new IllegalStateException("a direct route cannot fail", e);
        }
    }

    /** Creates a cluster whose processes dial each other through routes. */
    public LocalCluster(Plan plan, Routes routes) throws IOException {
        directory = plan.directory();
        options = plan.logLevel() == null ? List.of() : List.of("-Dsdds.log.level=" + plan.logLevel());
        List<String> coordinators = new ArrayList<>();
        for (int k = 1; k <= plan.coordinators(); k++) {
            coordinators.add(LOOPBACK + (plan.port() + k - 1));
        }
        for (int k = 1; k <= plan.coordinators(); k++) {
            List<String> arguments = arguments(COORDINATOR, "c" + k, coordinators.get(k - 1));
            if (plan.coordinators() > 1) {
                arguments.addAll(List.of("--peers", String.join(",", dialed("c" + k, coordinators, true, routes))));
            }
            members.add(new Member("c" + k, COORDINATOR, coordinators.get(k - 1), arguments));
        }
        for (int k = 1; k <= plan.bricks(); k++) {
            String address = LOOPBACK + (plan.port() + plan.coordinators() + k - 1);
            List<String> arguments = arguments("brick", "b" + k, address);
            arguments.addAll(List.of("--coordinators", String.join(",", dialed("b" + k, coordinators, false, routes))));
            String advertised = routes.route("b" + k, "b" + k, address);
            if (!advertised.equals(address)) {
                arguments.addAll(List.of("--advertise", advertised));
            }
            if (plan.memory() != null) {
                arguments.addAll(List.of("--memory", plan.memory()));
            }
            if (!plan.weights().isEmpty()) {
                arguments.addAll(List.of("--weight", plan.weights().get(k - 1).toString()));
            }
            members.add(new Member("b" + k, "brick", address, arguments));
        }
    }

    /** Addresses at which a process dials the coordinators, optionally with their names. */
    private static List<String> dialed(String from, List<String> coordinators, boolean named, Routes routes)
            throws IOException {
        List<String> dialed = new ArrayList<>();
        for (int k = 1; k <= coordinators.size(); k++) {
            String address = routes.route(from, "c" + k, coordinators.get(k - 1));
            dialed.add(named ? "c" + k + "=" + address : address);
        }
        return dialed;
    }

    private List<String> arguments(String command, String id, String address) {
        return new ArrayList<>(List.of(
                command, "--id", id, "--dir", directory.resolve(id).toString(), "--listen", address, "--attached"));
    }

    /** Picks random adjacent ports that are free now, for a cluster of so many processes. Returns the first port. */
    public static int freePorts(int coordinators, int bricks) throws IOException {
        int count = coordinators + bricks;
        for (int attempt = 0; attempt < PORT_ATTEMPTS; attempt++) {
            int first = ThreadLocalRandom.current().nextInt(PORT_LEAST, PORT_MOST - count);
            int among = coordinators == 1 ? 0 : coordinators;
            if (areFree(first, count) && areFree(first + CoordinatorConfig.RAFT_PORT_OFFSET, among)) {
                return first;
            }
        }
        throw new IOException("found no " + count + " free ports in a row");
    }

    private static boolean areFree(int first, int count) {
        for (int port = first; port < first + count; port++) {
            try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
                socket.setReuseAddress(true);
            } catch (IOException e) {
                return false;
            }
        }
        return true;
    }

    public List<Member> members() {
        return members;
    }

    /** Process id of a member; 0 if the member was never started. */
    public synchronized long pid(Member member) {
        Child child = children.get(member.id());
        return child == null ? 0 : child.pid();
    }

    /**
     * Tells the coordinators from now on when the process of a brick has ended. So its groups go on without it at once,
     * and losses can be accepted.
     *
     * @param failures receives a line if no coordinator answers. Then the brick's groups go on when the brick counts as
     *     silent, and the operator must confirm losses
     */
    public void tellCoordinatorsOfEnds(Consumer<String> failures) {
        reportFailures = failures;
    }

    /** Starts all processes, and waits until all processes are ready. */
    public void start(Duration patience, Listener listener) throws IOException, InterruptedException {
        List<String> waiting = List.of(
                "--bricks", Long.toString(members.size() - coordinators().size()));
        for (Member member : members) {
            start(member, member.role().equals(COORDINATOR) ? waiting : List.of());
        }
        long deadline = System.nanoTime() + patience.toNanos();
        for (Member member : members) {
            awaitReady(member, patience, deadline);
        }
        members.forEach(member -> listenTo(member, listener));
    }

    /** Kills the process of a member as kill -9 does. */
    public void kill(Member member) {
        child(member).kill();
    }

    /** Starts the process of a member again after its end. */
    public void restart(Member member, Listener listener) throws IOException {
        if (start(member, List.of())) {
            listenTo(member, listener);
        }
    }

    /** The coordinators among the members. */
    public List<Member> coordinators() {
        return members.stream()
                .filter(member -> member.role().equals(COORDINATOR))
                .toList();
    }

    private synchronized boolean start(Member member, List<String> more) throws IOException {
        if (stopping) {
            return false;
        }
        Path own = Files.createDirectories(directory.resolve(member.id()));
        List<String> arguments = new ArrayList<>(member.arguments());
        arguments.addAll(more);
        children.put(member.id(), Child.start(member.id(), own, options, arguments));
        return true;
    }

    private synchronized Child child(Member member) {
        Child child = children.get(member.id());
        if (child == null) {
            throw new IllegalStateException(member.id() + " was never started");
        }
        return child;
    }

    private void awaitReady(Member member, Duration patience, long deadlineNanos)
            throws IOException, InterruptedException {
        Child child = child(member);
        try {
            child.ready().get(Math.max(1, deadlineNanos - System.nanoTime()), TimeUnit.NANOSECONDS);
        } catch (ExecutionException e) {
            throw new StartException(member.id() + " did not start: " + child.lastWords(), child.awaitExit(), e);
        } catch (TimeoutException e) {
            throw new StartException(member.id() + " is not ready after " + Numbers.duration(patience.toNanos()), 0, e);
        }
    }

    private void listenTo(Member member, Listener listener) {
        Child child = child(member);
        Thread watcher = new Thread(() -> watch(member, child, listener), "watch-" + member.id());
        watcher.setDaemon(true);
        watcher.start();
    }

    private void watch(Member member, Child child, Listener listener) {
        int exitCode = child.awaitExit();
        Consumer<String> failures = reportFailures;
        String failure = failures == null ? null : reportEnd(child);
        try {
            TimeUnit.MILLISECONDS.sleep(VERDICT_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (!isStopping()) {
            if (failures != null && failure != null) {
                failures.accept(failure);
            }
            listener.ended(member, child.pid(), exitCode);
        }
    }

    /**
     * Tells the coordinators that a brick's process has ended.
     *
     * @return a line about the failure; null if there is none
     */
    private @Nullable String reportEnd(Child child) {
        if (child.incarnation() == 0 || isStopping()) {
            return null;
        }
        List<String> addresses = coordinators().stream().map(Member::address).toList();
        try (CommandClient client = new CommandClient(addresses, REPORT_PATIENCE)) {
            client.await(connected -> connected.brickEndedAsync(child.id(), child.incarnation()));
            return null;
        } catch (RuntimeException e) {
            return "the coordinators were not told that " + child.id() + " has ended: " + e.getMessage();
        }
    }

    /** Whether the cluster is stopping or stopped. */
    public synchronized boolean isStopping() {
        return stopping;
    }

    /** Asks all processes to end, and kills processes that do not end in time. */
    @Override
    public void close() {
        List<Child> all;
        synchronized (this) {
            stopping = true;
            all = new ArrayList<>(children.values());
        }
        all.forEach(Child::terminate);
        long deadline = System.nanoTime() + STOP_PATIENCE.toNanos();
        all.forEach(child -> child.awaitEnd(deadline));
    }
}
