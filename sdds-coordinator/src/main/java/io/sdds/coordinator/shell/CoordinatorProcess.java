package io.sdds.coordinator.shell;

import io.sdds.coordinator.control.CoordinatorNode;
import io.sdds.coordinator.control.base.CommandLog;
import io.sdds.coordinator.control.base.InMemoryLog;
import io.sdds.coordinator.raft.RaftGroupConfig;
import io.sdds.coordinator.raft.RaftLog;
import io.sdds.core.netty.NettyTransport;
import io.sdds.core.netty.Pulse;
import io.sdds.core.node.ClusterIdentity;
import io.sdds.core.node.Env;
import io.sdds.core.node.Readiness;
import io.sdds.core.shell.ClusterIdFile;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A running coordinator: one event loop, a listening port, and its log. Thread-safe. */
public final class CoordinatorProcess implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(2);
    private static final Logger log = LoggerFactory.getLogger(CoordinatorProcess.class);

    private final NettyTransport transport;
    private final CoordinatorNode node;
    private final @Nullable Membership membership;
    private final String address;
    private final ClusterIdentity identity;
    private final @Nullable Storage storage;
    private final Pulse pulse;
    private final CompletableFuture<Throwable> failed;
    private boolean closed;

    /** The log of a coordinator and its directory; a coordinator whose log is in memory has none. */
    private record Storage(RaftLog raft, CoordinatorDirectory directory) {}

    private CoordinatorProcess(
            NettyTransport transport,
            CoordinatorNode node,
            @Nullable Membership membership,
            String address,
            ClusterIdentity identity,
            @Nullable Storage storage,
            CompletableFuture<Throwable> failed) {
        this.failed = failed;
        this.transport = transport;
        this.node = node;
        this.membership = membership;
        this.address = address;
        this.identity = identity;
        this.storage = storage;
        this.pulse = new Pulse(transport.envs(), PATIENCE);
    }

    /**
     * Starts a coordinator on its directory. When this method returns, the coordinator listens and has read its log
     * from disk. It serves once {@link #ready}.
     *
     * @throws java.net.BindException when the port is not free
     * @throws WrongDirectoryException when the directory belongs to another coordinator, or is in use
     * @throws IOException when the directory can't be used
     */
    public static CoordinatorProcess start(CoordinatorConfig config) throws IOException {
        return start(config, RaftGroupConfig.SNAPSHOT_EVERY_COMMANDS);
    }

    /** Starts a coordinator that takes a snapshot after a given number of commands. */
    static CoordinatorProcess start(CoordinatorConfig config, long snapshotEveryCommands) throws IOException {
        CoordinatorDirectory directory = CoordinatorDirectory.take(config);
        try {
            RaftLog raft = new RaftLog(group(config, directory, snapshotEveryCommands));
            if (!directory.isMember()) { // it takes part once the other coordinators have described themselves
                return listen(config, raft, new Storage(raft, directory));
            }
            FutureTask<Void> starting = new FutureTask<>(() -> {
                Membership.takePart(directory, raft);
                return null;
            });
            // The log starts in parallel with the network, because on a cold start each takes a good part of a second.
            new Thread(starting, "coordinator-" + config.id() + "-start").start();
            return join(listen(config, raft, new Storage(raft, directory)), starting);
        } catch (IOException | RuntimeException e) {
            directory.close();
            throw e;
        }
    }

    private static CoordinatorProcess join(CoordinatorProcess process, FutureTask<Void> starting) throws IOException {
        try {
            starting.get();
            return process;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            process.close();
            throw new InterruptedIOException("interrupted while starting");
        } catch (ExecutionException e) {
            process.close();
            throw e.getCause() instanceof IOException failure
                    ? failure
                    : new IOException("the log does not start", e.getCause());
        }
    }

    /**
     * Starts a coordinator whose log is in memory, for embedded clusters. The log may outlive this process and serve
     * the next one. The directory and the peers of the configuration are not used.
     */
    public static CoordinatorProcess startInMemory(CoordinatorConfig config, InMemoryLog commands) throws IOException {
        return listen(config, commands, null);
    }

    private static RaftGroupConfig group(
            CoordinatorConfig config, CoordinatorDirectory directory, long snapshotEveryCommands) {
        List<RaftGroupConfig.Member> members = new ArrayList<>();
        for (CoordinatorConfig.Peer peer : config.peers()) {
            members.add(new RaftGroupConfig.Member(peer.id(), peer.address(), peer.raftAddress()));
        }
        if (members.isEmpty()) {
            members.add(new RaftGroupConfig.Member(config.id(), config.listen(), ""));
        }
        return new RaftGroupConfig(
                config.id(),
                directory.cluster(),
                members,
                directory.raft(),
                config.electionTimeout(),
                snapshotEveryCommands);
    }

    private static CoordinatorProcess listen(CoordinatorConfig config, CommandLog commands, @Nullable Storage storage)
            throws IOException {
        CompletableFuture<Throwable> failed = new CompletableFuture<>();
        CompletableFuture<Throwable> threw = new CompletableFuture<>();
        NettyTransport transport = new NettyTransport(1, "coordinator-" + config.id(), threw::complete);
        threw.thenAccept(cause -> {
            transport.halt();
            failed.complete(cause);
        });
        if (storage != null) {
            storage.raft().failed().thenAccept(failed::complete);
        }
        failed.thenAccept(cause -> log.error("coordinator {} ends, since it failed", config.id(), cause));
        try {
            Env env = transport.envs().get(0);
            HostPort listen = HostPort.parse("listen", config.listen());
            CoordinatorNode node = new CoordinatorNode(env, config.settings(config.addresses(listen.port())), commands);
            node.expectBricks(config.bricks());
            ClusterIdentity identity = identity(storage);
            node.belongsTo(identity, line -> {
                if (storage != null) {
                    storage.raft().fail(new WrongDirectoryException(line));
                }
            });
            Membership membership = storage == null || config.peers().isEmpty()
                    ? null
                    : new Membership(config, storage.directory(), storage.raft(), env, node, identity);
            onLoop(env, node::start);
            int port = transport.listen(listen.host(), listen.port(), node::hello, loop -> node);
            onLoop(env, () -> {
                node.coordinators(config.addresses(port));
                if (membership != null) {
                    membership.start();
                }
            });
            log.info("coordinator {} listens on {}", config.id(), listen.withPort(port));
            return new CoordinatorProcess(transport, node, membership, config.address(port), identity, storage, failed);
        } catch (IOException | RuntimeException e) {
            if (storage != null) {
                storage.raft().close();
            }
            transport.close();
            throw e;
        }
    }

    private static ClusterIdentity identity(@Nullable Storage storage) throws IOException {
        return storage == null
                ? new ClusterIdentity()
                : ClusterIdFile.in(storage.directory().path());
    }

    /** Runs a task on the node's thread and waits for it. */
    private static void onLoop(Env env, Runnable task) {
        CompletableFuture<Void> done = new CompletableFuture<>();
        env.execute(() -> {
            try {
                task.run();
                done.complete(null);
            } catch (RuntimeException e) {
                done.completeExceptionally(e);
            }
        });
        done.join();
    }

    /** host:port for other processes. */
    public String address() {
        return address;
    }

    /**
     * A future that completes once the leader and the cluster's id are known. From then on requests are served or sent
     * to the leader.
     */
    public CompletableFuture<Void> ready() {
        return storage == null
                ? identity.known()
                : CompletableFuture.allOf(storage.raft().ready(), identity.known());
    }

    /** Whether the event loop makes progress. May take 2 s. */
    public Readiness liveness() {
        return pulse.check();
    }

    /** Whether this coordinator leads or knows the leader. May take 2 s. */
    public Readiness readiness() {
        return Pulse.ask(transport.envs().get(0), PATIENCE, answer -> node.readiness(answer::complete));
    }

    /** A future that completes with the cause when the coordinator can't go on. Then the process must end. */
    public CompletableFuture<Throwable> failed() {
        return failed;
    }

    /** Stops at once. All answered changes are on disk. */
    @Override
    public synchronized void close() throws IOException {
        if (closed) {
            return;
        }
        closed = true;
        if (!transport.isHalted()) {
            onLoop(transport.envs().get(0), () -> {
                node.close();
                if (membership != null) {
                    membership.close();
                }
            });
        }
        try {
            if (storage != null) {
                close(storage.raft());
            }
        } finally {
            transport.close();
            if (storage != null) {
                storage.directory().close();
            }
        }
    }

    /**
     * Closes the log. The log of a halted node waits about 60 s for commands that the node will never apply, so this
     * close runs in the background.
     */
    private void close(RaftLog raft) throws IOException {
        if (!transport.isHalted()) {
            raft.close();
            return;
        }
        Thread.ofPlatform().daemon().name("log-end").start(() -> {
            try {
                raft.close();
            } catch (IOException e) {
                log.debug("the log of a coordinator that failed does not close", e);
            }
        });
    }
}
