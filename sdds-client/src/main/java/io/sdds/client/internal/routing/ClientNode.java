package io.sdds.client.internal.routing;

import io.netty.buffer.ByteBuf;
import io.sdds.client.ClientSettings;
import io.sdds.core.control.ControlFrame;
import io.sdds.core.control.ControlMessage;
import io.sdds.core.control.ControlMessage.BlockFetched;
import io.sdds.core.control.ControlMessage.ClusterStatus;
import io.sdds.core.control.ControlMessage.Coordinators;
import io.sdds.core.control.ControlMessage.CreateTable;
import io.sdds.core.control.ControlMessage.DrainStatus;
import io.sdds.core.control.ControlMessage.DropTable;
import io.sdds.core.control.ControlMessage.FetchStatus;
import io.sdds.core.control.ControlMessage.FindCoordinators;
import io.sdds.core.control.ControlMessage.FindTable;
import io.sdds.core.control.ControlMessage.Refusal;
import io.sdds.core.control.ControlMessage.Refused;
import io.sdds.core.control.ControlMessage.StatisticsFound;
import io.sdds.core.control.ControlMessage.TableFound;
import io.sdds.core.control.Roles;
import io.sdds.core.model.DrainAction;
import io.sdds.core.model.Parity;
import io.sdds.core.model.TableDefinition;
import io.sdds.core.model.TableMap;
import io.sdds.core.node.ClusterIdentity;
import io.sdds.core.node.Env;
import io.sdds.core.node.Link;
import io.sdds.core.node.Node;
import io.sdds.core.protocol.ClusterId;
import io.sdds.core.protocol.Hello;
import io.sdds.core.protocol.Opcode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * The logic of a client: a deterministic node, run by an event loop or by a simulator.
 *
 * <p>Only the environment's thread may call the methods, except {@link #env}, {@link #settings} and {@link #window}.
 * Handlers are called on that thread, once.
 */
public final class ClientNode implements Node {
    private static final long TICK_NANOS = 10_000_000;

    private final Env env;
    private final ClientSettings settings;
    private volatile ClusterIdentity cluster = new ClusterIdentity();
    private final Counters counters = new Counters();
    private final Window window;
    private final Peers peers;
    private final Control control;
    private final Sessions sessions;
    private final Router router;
    private final ClusterFollower follower;
    private final Map<Integer, RoutedTable> tables = new LinkedHashMap<>();

    /** All tables that the application has opened, also those that are gone. */
    private final Set<RoutedTable> opened = new LinkedHashSet<>();

    private final List<Peer> touched = new ArrayList<>();
    private final Runnable flush = this::flush;
    private final Runnable tick = this::tick;
    private long token;
    private boolean ticking;
    private boolean closed;

    /** The time at which the present events came; valid while {@link #inTurn}. */
    private long turnNanos;

    private boolean inTurn;

    /** Takes the end of an asynchronous control operation: either a result or a failure. */
    public interface Handler<T> {
        void done(@Nullable T result, @Nullable Failure failure);
    }

    /** @param addresses of coordinators or bricks, as host:port; any will do */
    public ClientNode(Env env, List<String> addresses, ClientSettings settings) {
        this(env, addresses, settings, Window.of(settings), new FollowedCluster());
    }

    /**
     * @param window that the client's nodes share
     * @param followed that they share, too
     */
    public ClientNode(
            Env env, List<String> addresses, ClientSettings settings, Window window, FollowedCluster followed) {
        this.env = env;
        this.settings = settings;
        this.window = window;
        this.peers = new Peers(this);
        this.control = new Control(this, addresses);
        this.sessions = new Sessions(this);
        this.router = new Router(this);
        this.follower = new ClusterFollower(this, followed);
    }

    public Env env() {
        return env;
    }

    public ClientSettings settings() {
        return settings;
    }

    /** The timeout of an operation that names none. */
    long timeoutNanos() {
        return settings.timeout().toNanos();
    }

    /**
     * The cluster that this client belongs to: the cluster of the first process that the client reached, or the one
     * that has taken its place.
     */
    public ClusterIdentity cluster() {
        return cluster;
    }

    /**
     * The token by which bricks find this client's connection for answers to its datagrams; 0: the client sends no
     * datagrams.
     */
    long token() {
        if (token == 0 && settings.multicastGroup() != null) {
            token = env.random().nextLong(1, Long.MAX_VALUE);
        }
        return token;
    }

    /** The window in which callers take room before they begin a request. */
    public Window window() {
        return window;
    }

    public Counters counters() {
        return counters;
    }

    public boolean isClosed() {
        return closed;
    }

    // ---- operations

    /** Finds the cluster. Ends when the first process has answered. */
    public void connect(long timeoutNanos, Handler<List<String>> handler) {
        control.ask(new FindCoordinators(settings.name()), false, timeoutNanos, call -> {
            if (call.answer() instanceof Coordinators found) {
                control.learn(found.addresses());
                handler.done(found.addresses(), null);
            } else {
                handler.done(null, call.whyNot());
            }
        });
    }

    /** Finds a table by name. Works while coordinators are down, if a brick knows the table. */
    public void findTable(String name, long timeoutNanos, Handler<RoutedTable> handler) {
        control.ask(new FindTable(name), false, timeoutNanos, call -> {
            if (call.answer() instanceof TableFound found) {
                openTable(found.table(), handler);
            } else {
                handler.done(null, call.whyNot());
            }
        });
    }

    /** Creates a table and waits until the table serves. */
    public void createTable(CreateTable wanted, long timeoutNanos, Handler<RoutedTable> handler) {
        new TableCreation(this, wanted, now() + timeoutNanos, handler).begin();
    }

    /**
     * Drops the table that has a name now. The memory of the table is free soon after. A table that is created by that
     * name meanwhile stays.
     */
    public void dropTable(String name, long timeoutNanos, Handler<Boolean> handler) {
        long deadline = now() + timeoutNanos;
        control.ask(new FindTable(name), true, timeoutNanos, call -> {
            if (call.answer() instanceof TableFound found) {
                int id = found.table().definition().id();
                drop(new DropTable(name, id), deadline - now(), handler);
            } else {
                handler.done(null, call.whyNot());
            }
        });
    }

    private void drop(DropTable table, long timeoutNanos, Handler<Boolean> handler) {
        control.ask(table, true, timeoutNanos, call -> {
            boolean gone = call.mayHaveRun
                    && call.answer() instanceof Refused refused
                    && refused.reason() == Refusal.NO_SUCH_TABLE;
            if (gone || call.answer() instanceof ControlMessage.Done) {
                handler.done(true, null);
            } else {
                handler.done(null, call.whyNot());
            }
        });
    }

    /** Makes the lost partitions of a table empty partitions again. */
    public void acceptLoss(String name, boolean confirmed, long timeoutNanos, Handler<Boolean> handler) {
        askForDone(new ControlMessage.AcceptLoss(name, confirmed), timeoutNanos, handler);
    }

    /** Changes the number of parities of a table. */
    public void alterParity(String name, Parity parity, long timeoutNanos, Handler<Boolean> handler) {
        askForDone(new ControlMessage.AlterParity(name, parity), timeoutNanos, handler);
    }

    /** Changes the number of replicas of a table, or begins to convert a table from parity to replicas. */
    public void alterReplicas(String name, int replicas, long timeoutNanos, Handler<Boolean> handler) {
        askForDone(new ControlMessage.AlterReplicas(name, replicas), timeoutNanos, handler);
    }

    /** The definition of a table as the leading coordinator knows it. */
    public void findDefinition(String name, long timeoutNanos, Handler<TableDefinition> handler) {
        control.ask(new FindTable(name), true, timeoutNanos, call -> {
            if (call.answer() instanceof TableFound found) {
                handler.done(found.table().definition(), null);
            } else {
                handler.done(null, call.whyNot());
            }
        });
    }

    /** Changes the schema of a table. */
    public void alterSchema(ControlMessage.AlterSchema message, long timeoutNanos, Handler<Boolean> handler) {
        askForDone(message, timeoutNanos, handler);
    }

    /** Tells the coordinators that a brick's process has ended. */
    public void brickEnded(String brick, long incarnation, long timeoutNanos, Handler<Boolean> handler) {
        askForDone(new ControlMessage.BrickEnded(brick, incarnation), timeoutNanos, handler);
    }

    private void askForDone(ControlMessage message, long timeoutNanos, Handler<Boolean> handler) {
        askFor(ControlMessage.Done.class, message, timeoutNanos, (done, failure) -> {
            handler.done(done == null ? null : true, failure);
        });
    }

    /** Begins or ends a brick's drain, or looks at it. The result is the progress of the drain. */
    public void drainBrick(String brick, DrainAction action, long timeoutNanos, Handler<DrainStatus> handler) {
        askFor(DrainStatus.class, new ControlMessage.DrainBrick(brick, action), timeoutNanos, handler);
    }

    /** The cluster as its leading coordinator sees it. */
    public void status(boolean withPartitions, long timeoutNanos, Handler<ClusterStatus> handler) {
        askFor(ClusterStatus.class, new FetchStatus(withPartitions), timeoutNanos, handler);
    }

    /** Stores the statistics of a table. */
    public void storeStatistics(ControlMessage.StoreStatistics message, long timeoutNanos, Handler<Boolean> handler) {
        askForDone(message, timeoutNanos, handler);
    }

    /** The statistics of a table that were stored last. */
    public void fetchStatistics(String name, long timeoutNanos, Handler<StatisticsFound> handler) {
        askFor(StatisticsFound.class, new ControlMessage.FetchStatistics(name), timeoutNanos, handler);
    }

    /** Asks the leading coordinator. */
    private <T> void askFor(Class<T> type, ControlMessage message, long timeoutNanos, Handler<T> handler) {
        control.ask(message, true, timeoutNanos, call -> {
            if (type.isInstance(call.answer())) {
                handler.done(type.cast(call.answer()), null);
            } else {
                handler.done(null, call.whyNot());
            }
        });
    }

    /** Begins a request. The caller has taken room in the window for the request. */
    void begin(Request<?> request) {
        if (closed) {
            window.leave(request.windowBytes());
            request.fail(Failure.Kind.UNAVAILABLE, "the client is closed");
            return;
        }
        if (request.isAbandoned()) {
            window.leave(request.windowBytes());
            return;
        }
        startTicking();
        router.begin(request);
    }

    /**
     * A request's future was cancelled. Within a tick the request leaves the queue in which it waits. Any thread may
     * call.
     */
    public void onCancelled() {
        try {
            env.execute(router::onCancelled);
        } catch (RejectedExecutionException e) {
            // The loop has ended, and with the loop all requests.
        }
    }

    /** Ends the session, closes all links and fails all outstanding requests. */
    public void close() {
        if (closed) {
            return;
        }
        sessions.close();
        flush();
        closed = true;
        router.close();
        control.close();
        for (Peer peer : peers.all()) {
            peer.close();
        }
    }

    void openTable(TableMap map, Handler<RoutedTable> handler) {
        RoutedTable known = tables.get(map.definition().id());
        if (known != null) {
            known.onTold(map);
            handler.done(known, null);
            return;
        }
        RoutedTable table = new RoutedTable(this, map);
        table.fetch(0, null, call -> {
            if (call.answer() instanceof BlockFetched) {
                if (tables.putIfAbsent(table.id(), table) == null) {
                    opened.add(table);
                }
                table.wantAllBricks();
                handler.done(tables.get(table.id()), null);
            } else {
                handler.done(null, call.whyNot());
            }
        });
    }

    // ---- events

    @Override
    public void onLinkUp(Link link) {
        if (closed) {
            link.close();
            return;
        }
        Peers.of(link).onLinkUp(link);
        control.onLinkChange();
    }

    @Override
    public void onFrames(Link link, ByteBuf frames) {
        if (closed) {
            return;
        }
        Peer peer = Peers.of(link);
        turnNanos = env.nowNanos();
        inTurn = true;
        try {
            takeFrames(link.peer().role(), peer, frames);
            peer.heard(turnNanos);
            peer.drain();
        } finally {
            inTurn = false;
        }
    }

    private void takeFrames(Hello.Role sender, Peer peer, ByteBuf frames) {
        int end = frames.writerIndex();
        int length;
        for (int at = frames.readerIndex(); at < end; at += length) {
            length = frames.getIntLE(at);
            byte opcode = frames.getByte(at + ControlFrame.KIND - 1);
            Roles.check(Hello.Role.CLIENT, sender, opcode);
            if (opcode == Opcode.REPLY) {
                router.onReply(peer, frames, at, length);
            } else {
                control.onFrame(sender, peer, frames, at, length);
            }
        }
    }

    @Override
    public void onDamagedBytes(Link link) {
        counters.checksumFailures++;
    }

    @Override
    public void onLinkDown(Link link, String reason) {
        if (!closed) {
            Peers.of(link).onLinkDown(link, reason);
            follower.onLinkDown();
            control.onLinkChange();
        }
    }

    // ---- tables and clusters that are made anew

    /** Leaves the cluster for one that has taken its place. The next requests open their tables again. */
    void leaveFor(ClusterId other) {
        cluster = new ClusterIdentity();
        cluster.learn(other);
        tables.clear();
        opened.forEach(table -> table.forget(true));
    }

    /** A table does not exist any more. The next request opens it again by its name. */
    void gone(RoutedTable table) {
        tables.remove(table.id(), table);
        table.forget(false);
    }

    /** A table that was gone was found by its name. */
    void reopened(RoutedTable table, TableMap map) {
        table.become(map);
        tables.putIfAbsent(table.id(), table);
    }

    @Override
    public void onWritable(Link link) {
        if (!closed) {
            Peers.of(link).drain();
        }
    }

    // ---- the turn

    /** The time of the environment's clock, the same throughout a turn. */
    public long now() {
        return inTurn ? turnNanos : env.nowNanos();
    }

    Peers peers() {
        return peers;
    }

    Control control() {
        return control;
    }

    Sessions sessions() {
        return sessions;
    }

    Router router() {
        return router;
    }

    /** The client has written to the link of a peer. The link is flushed once, at the end of the turn. */
    void touched(Peer peer) {
        touched.add(peer);
        if (touched.size() == 1) {
            env.defer(flush);
        }
    }

    private void flush() {
        for (int k = 0; k < touched.size(); k++) {
            touched.get(k).flush();
        }
        touched.clear();
    }

    /**
     * Begins to tick. One coarse tick checks deadlines, retries and dials, as long as requests or calls are
     * outstanding.
     */
    void startTicking() {
        if (!ticking) {
            ticking = true;
            env.schedule(TICK_NANOS, tick);
        }
    }

    private void tick() {
        ticking = false;
        if (closed) {
            return;
        }
        long now = env.nowNanos();
        router.tick(now);
        opened.forEach(RoutedTable::tick);
        control.pump(now);
        for (Peer peer : peers.all()) {
            peer.tick(now);
        }
        sessions.releaseWaiting();
        if (!router.isIdle() || !control.isIdle()) {
            startTicking();
        }
    }
}
