package io.sdds.coordinator.control;

import io.netty.buffer.ByteBuf;
import io.sdds.coordinator.control.base.CommandLog;
import io.sdds.coordinator.control.base.Confirmations;
import io.sdds.coordinator.control.base.ControlContext;
import io.sdds.coordinator.control.base.CoordinatorSettings;
import io.sdds.coordinator.control.base.MessageSender;
import io.sdds.coordinator.control.base.Reconciler;
import io.sdds.coordinator.control.base.Request;
import io.sdds.coordinator.control.member.BrickRegistry;
import io.sdds.coordinator.control.member.FailureDetector;
import io.sdds.coordinator.control.member.FeatureReconciler;
import io.sdds.coordinator.control.member.LiveBrick;
import io.sdds.coordinator.control.member.PendingMapAcks;
import io.sdds.coordinator.control.member.SessionRegistry;
import io.sdds.coordinator.control.migration.MigrationTracker;
import io.sdds.coordinator.control.migration.StalledOrders;
import io.sdds.coordinator.control.parity.ParityAlterations;
import io.sdds.coordinator.control.parity.ParityReconciler;
import io.sdds.coordinator.control.parity.ParityRepairs;
import io.sdds.coordinator.control.parity.TableConversions;
import io.sdds.coordinator.control.peer.PeerWatch;
import io.sdds.coordinator.control.placement.Allocator;
import io.sdds.coordinator.control.request.ClientRequests;
import io.sdds.coordinator.control.request.ReplicaAlterations;
import io.sdds.coordinator.control.request.SchemaAlterations;
import io.sdds.coordinator.control.request.StatisticsRequests;
import io.sdds.coordinator.control.request.StatusRequests;
import io.sdds.coordinator.control.request.TableHealths;
import io.sdds.coordinator.control.request.TableRequests;
import io.sdds.coordinator.control.schedule.DrainController;
import io.sdds.coordinator.control.schedule.IndexReconciler;
import io.sdds.coordinator.control.schedule.MembershipReconciler;
import io.sdds.coordinator.control.schedule.MergeScheduler;
import io.sdds.coordinator.control.schedule.MoveScheduler;
import io.sdds.coordinator.control.schedule.RangeMergeScheduler;
import io.sdds.coordinator.control.schedule.ReplicaReconciler;
import io.sdds.coordinator.control.schedule.SplitScheduler;
import io.sdds.coordinator.state.ClusterSnapshot;
import io.sdds.coordinator.state.ClusterState;
import io.sdds.coordinator.state.Command;
import io.sdds.coordinator.state.Result;
import io.sdds.core.control.ControlFrame;
import io.sdds.core.control.ControlMessage;
import io.sdds.core.control.ControlMessage.Refusal;
import io.sdds.core.control.Roles;
import io.sdds.core.node.ClusterIdentity;
import io.sdds.core.node.Env;
import io.sdds.core.node.Link;
import io.sdds.core.node.Node;
import io.sdds.core.node.PendingHandshakes;
import io.sdds.core.node.Readiness;
import io.sdds.core.node.Timer;
import io.sdds.core.node.UncheckedLinks;
import io.sdds.core.protocol.ClusterId;
import io.sdds.core.protocol.Hello;
import io.sdds.core.protocol.Hello.Role;
import io.sdds.core.protocol.ProtocolViolation;
import io.sdds.core.protocol.RequestFrame;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A coordinator. It takes control requests of clients and bricks, decides, and proposes its decisions as commands to
 * the log. A coordinator is off the data path: without one, reads and writes go on, but growth, new tables and new
 * sessions wait.
 *
 * <p>Only the environment's thread uses this class.
 */
public final class CoordinatorNode implements Node {
    private static final int TICKS_PER_SILENCE = 10;

    /** Longest time for which the status waits for expected bricks. */
    private static final long EXPECTING_NANOS_MAX = 60_000_000_000L;

    private static final Logger log = LoggerFactory.getLogger(CoordinatorNode.class);

    private final ControlContext our;
    private final MessageSender outbox;
    private final FailureDetector groups;
    private final BrickRegistry bricks;
    private final Allocator allocator;
    private final MigrationTracker migrations;
    private final SplitScheduler splits;
    private final DrainController drains;
    private final FeatureReconciler features;
    private final PendingMapAcks pendingMapAcks;
    private final TableRequests tables;
    private final ParityAlterations alterations;
    private final ReplicaAlterations replicas;
    private final SchemaAlterations schemas;
    private final StatisticsRequests statistics;
    private final TableConversions conversions;
    private final SessionRegistry sessions;
    private final StatusRequests statuses;
    private final Confirmations leadership;
    private final ClientRequests clients;

    /** The reconcilers in the order in which they tick. */
    private final List<Reconciler> reconcilers;

    private final PendingHandshakes pendingHandshakes = new PendingHandshakes();
    private final UncheckedLinks unchecked = new UncheckedLinks();
    private final long tickNanos;
    private @Nullable Timer ticking;
    private List<String> coordinators;
    private int bricksExpected;
    private long startedNanos;
    private Supplier<ControlMessage> description =
            () -> new ControlMessage.Refused(Refusal.BAD_REQUEST, "this coordinator is alone");
    private ClusterIdentity identity = new ClusterIdentity();
    private Consumer<String> onConflict = line -> log.error("{}", line);
    private String waiting = "";
    private boolean closed;

    /** A coordinator that does nothing until {@link #start}. */
    public CoordinatorNode(Env env, CoordinatorSettings settings, CommandLog commands) {
        our = new ControlContext(env, settings, commands, new ClusterState());
        outbox = new MessageSender(env, this::pushMap);
        tickNanos = Math.max(1, settings.silenceNanos() / TICKS_PER_SILENCE);
        groups = new FailureDetector(our, tickNanos);
        bricks = new BrickRegistry(our, outbox, groups);
        allocator = new Allocator(our, bricks);
        StalledOrders stalled = new StalledOrders(our);
        migrations = new MigrationTracker(our, bricks, allocator, stalled);
        pendingMapAcks = new PendingMapAcks(our, bricks);
        conversions = new TableConversions(our, bricks, groups, allocator, pendingMapAcks);
        splits = new SplitScheduler(our, allocator, bricks, stalled, conversions::holds);
        ParityRepairs repairs = new ParityRepairs(our, bricks, groups, allocator, migrations, conversions);
        MoveScheduler moves = new MoveScheduler(our, bricks, allocator, stalled, conversions);
        drains = new DrainController(our, bricks, allocator);
        features = new FeatureReconciler(our, bricks);
        schemas = new SchemaAlterations(our, pendingMapAcks);
        statistics = new StatisticsRequests(our);
        tables = new TableRequests(our, allocator, pendingMapAcks, schemas);
        alterations = new ParityAlterations(our, bricks, allocator, pendingMapAcks, conversions);
        replicas = new ReplicaAlterations(our, allocator, pendingMapAcks, conversions);
        sessions = new SessionRegistry(our, tickNanos);
        statuses = new StatusRequests(
                our, bricks, new TableHealths(our, groups, repairs, alterations, replicas, conversions, stalled));
        leadership = new Confirmations(commands);
        clients = new ClientRequests(env, outbox, leadership, new Judge());
        reconcilers = List.of(
                groups,
                bricks,
                allocator,
                migrations,
                stalled,
                new ParityReconciler(our, bricks, groups, repairs),
                repairs,
                splits,
                new MergeScheduler(our, bricks, stalled, conversions::holds),
                new RangeMergeScheduler(our, bricks, stalled, conversions::holds),
                moves,
                new ReplicaReconciler(our, bricks, allocator, migrations, moves, stalled, conversions),
                new MembershipReconciler(our, bricks, conversions),
                drains,
                tables,
                alterations,
                conversions,
                new IndexReconciler(our, allocator),
                features,
                pendingMapAcks,
                sessions,
                new PeerWatch(commands));
        coordinators = settings.coordinators();
    }

    /**
     * Lets status requests fail as not ready until this number of bricks has sent heartbeats, for a minute at most.
     * Called before {@link #start}.
     */
    public void expectBricks(int count) {
        bricksExpected = count;
    }

    /** Opens the log and begins to work. */
    public void start() {
        startedNanos = our.env().nowNanos();
        our.log().open(our.env(), new Facts());
        ticking = our.env().schedule(tickNanos, this::tick);
    }

    /** Stops the node. Its owner closes the links and the log. */
    public void close() {
        closed = true;
        clients.close();
        if (ticking != null) {
            ticking.cancel();
        }
    }

    /** Sets the description for other coordinators. Called before {@link #start}. */
    public void describedBy(Supplier<ControlMessage> answer) {
        description = answer;
    }

    /**
     * Sets the cluster that this coordinator belongs to by its directory. A directory without a cluster learns it from
     * the log. Called before {@link #start}.
     *
     * @param conflict gets a message when the log belongs to another cluster, so that the process must end
     */
    public void belongsTo(ClusterIdentity known, Consumer<String> conflict) {
        identity = known;
        onConflict = conflict;
    }

    /** Sets the supported features, by default all. Called before {@link #start}. */
    void supports(long supported) {
        features.supported(supported);
    }

    /** Sets the reason why this coordinator takes no part in the log yet; empty if it takes part. */
    public void waiting(String reason) {
        waiting = reason;
    }

    /**
     * Tells whether this coordinator leads or knows a leader. The answer comes on the node's thread, at once or after
     * the other coordinators have answered.
     *
     * @param hears takes the answer, once
     */
    public void readiness(Consumer<Readiness> hears) {
        leadership.whether(leads -> hears.accept(readiness(leads)));
    }

    private Readiness readiness(boolean leads) {
        String leader = our.log().leaderAddress();
        if (leads) {
            return new Readiness(true, "ok: leads");
        }
        if (!waiting.isEmpty()) {
            return Readiness.no("not ready: " + waiting);
        }
        if (our.log().isLeader()) {
            return Readiness.no("not ready: a majority of the coordinators does not answer");
        }
        return leader.isEmpty()
                ? Readiness.no("not ready: it knows of no coordinator that leads")
                : new Readiness(true, "ok: " + leader + " leads");
    }

    /** Sets the addresses of the coordinators after they listen, because a free port is known only then. */
    public void coordinators(List<String> addresses) {
        coordinators = List.copyOf(addresses);
    }

    /** The hello of this coordinator on each link. */
    public Hello hello() {
        return Hello.of(Hello.Role.COORDINATOR, our.settings().id(), 0)
                .withFeatures(features.supported())
                .withCluster(identity.id());
    }

    /** The state, for reading only. */
    public ClusterState state() {
        return our.state();
    }

    /** The requests of clients, for monitoring. */
    ClientRequests clients() {
        return clients;
    }

    // ---- facts from the log

    private final class Facts implements CommandLog.Listener {
        @Override
        public void onSnapshot(ClusterSnapshot snapshot) {
            our.state().restore(snapshot);
            features.requireSupported();
            learnCluster();
            outbox.planTurnEnd();
        }

        @Override
        public Result onCommitted(Command command) {
            long before = our.state().version();
            Result result = our.state().apply(command);
            if (our.state().version() != before) {
                outbox.planTurnEnd();
            }
            if (command instanceof Command.ActivateFeatures) {
                features.requireSupported();
            }
            if (command instanceof Command.NameCluster) {
                learnCluster();
            }
            return result;
        }

        @Override
        public ClusterId cluster() {
            return identity.id();
        }

        @Override
        public ClusterSnapshot snapshot() {
            return our.state().snapshot();
        }

        @Override
        public void onLeading(boolean leading) {
            log.info("coordinator {} {}", our.settings().id(), leading ? "leads" : "does not lead");
            if (leading) {
                nameCluster();
                reconcilers.forEach(Reconciler::onLeading);
            } else {
                reconcilers.forEach(Reconciler::onNotLeading);
            }
        }
    }

    /** Gives the cluster an id if it has none: the first leader does so. */
    private void nameCluster() {
        if (!our.state().cluster().isKnown()) {
            ClusterId drawn = ClusterId.random(our.env().random());
            our.log().propose(new Command.NameCluster(drawn), result -> {});
        }
    }

    private void learnCluster() {
        ClusterId named = our.state().cluster();
        if (named.conflictsWith(identity.id())) {
            onConflict.accept("the directory of coordinator '" + our.settings().id() + "' belongs to cluster "
                    + identity.id() + ", its log to cluster " + named);
        } else if (identity.learn(named)) {
            log.info("coordinator {} belongs to cluster {}", our.settings().id(), named);
            unchecked.learnt(named);
        }
    }

    private void pushMap() {
        if (our.log().isLeader() && !closed) {
            bricks.pushMap(isAwaited());
        }
    }

    /** Whether a client waits until the bricks know the map. */
    private boolean isAwaited() {
        return tables.anyWaits() || pendingMapAcks.anyWaits();
    }

    private void tick() {
        if (closed) {
            return;
        }
        if (our.log().isLeader()) {
            reconcilers.forEach(Reconciler::tick);
        }
        ticking = our.env().schedule(tickNanos, this::tick);
    }

    // ---- links

    @Override
    public void onLinkOpened(Link link) {
        pendingHandshakes.opened(link);
    }

    @Override
    public void onLinkUp(Link link) {
        pendingHandshakes.leaves(link);
        unchecked.up(link, identity.id());
        if (isClient(link)) {
            clients.linkUp(link);
        }
    }

    private static boolean isClient(Link link) {
        return link.peer().role() == Hello.Role.CLIENT;
    }

    @Override
    public void onWritable(Link link) {
        clients.writable(link);
    }

    @Override
    public void onDamagedBytes(Link link) {
        statuses.onDamagedBytes();
    }

    @Override
    public void onLinkDown(Link link, String reason) {
        pendingHandshakes.leaves(link);
        unchecked.down(link);
        outbox.forget(link);
        clients.linkDown(link);
        tables.onLinkDown(link);
        pendingMapAcks.onLinkDown(link);
        conversions.onLinkDown(link);
        if (link.attachment() instanceof LiveBrick brick) {
            groups.lostLink(brick.number());
            log.info("lost the link to brick {}: {}", brick.number(), reason);
        }
    }

    @Override
    public void onFrames(Link link, ByteBuf frames) {
        try {
            if (!isClient(link)) {
                onFramesOfNode(link, frames);
            } else if (!closed) {
                clients.offer(link, frames);
            }
        } catch (ProtocolViolation e) {
            link.violated(e);
        }
    }

    /** Takes frames of a brick or another coordinator. */
    private void onFramesOfNode(Link link, ByteBuf frames) {
        int end = frames.writerIndex();
        int at = frames.readerIndex();
        while (at < end && !link.isDown() && !closed) {
            int length = frames.getIntLE(at);
            onFrame(link, frames, at, length);
            at += length;
        }
    }

    private void onFrame(Link link, ByteBuf frames, int at, int length) {
        Role sender = link.peer().role();
        Roles.check(Role.COORDINATOR, sender, frames.getByte(at + RequestFrame.OPCODE));
        ControlMessage message = Roles.read(Role.COORDINATOR, sender, frames, at, length);
        if (frames.getByte(at + ControlFrame.KIND) != ControlFrame.REQUEST) {
            throw new ProtocolViolation("an answer that nobody asked for");
        }
        Request request = new Request(link, frames.getIntLE(at + ControlFrame.CORRELATION), outbox, () -> {});
        if (!answersAlone(request, message)) {
            leadership.whether(leads -> onRequest(request, message, leads));
        }
    }

    /** Answers requests that need no leader. Returns false for other requests. */
    private boolean answersAlone(Request request, ControlMessage message) {
        boolean alone = message instanceof ControlMessage.FindCoordinators
                || message instanceof ControlMessage.DescribeCoordinator;
        if (alone) {
            onRequest(request, message);
        }
        return alone;
    }

    private final class Judge implements ClientRequests.Judge {
        @Override
        public boolean answersAlone(Request request, ControlMessage message) {
            return CoordinatorNode.this.answersAlone(request, message);
        }

        @Override
        public void judge(Request request, ControlMessage message, boolean leads) {
            onRequest(request, message, leads);
        }
    }

    /**
     * Runs a request if this coordinator leads. A coordinator that wrongly believes to lead could give old answers,
     * which miss a new table, a new process of a brick, or a newer map.
     */
    private void onRequest(Request request, ControlMessage message, boolean leads) {
        if (!request.link().isUp() || closed) {
            return;
        }
        if (!leads || !our.log().isLeader() || !our.state().cluster().isKnown()) {
            refuseLeading(request);
            return;
        }
        try {
            onRequest(request, message);
        } catch (ProtocolViolation e) {
            request.link().violated(e);
        }
    }

    private void refuseLeading(Request request) {
        String trouble = waiting.isEmpty() ? our.log().trouble() : waiting;
        if (trouble.isEmpty()) {
            request.refuse(Refusal.NOT_LEADER, our.log().leaderAddress());
        } else {
            request.refuse(Refusal.NO_LEADER, trouble);
        }
    }

    private void onRequest(Request request, ControlMessage message) {
        switch (message) {
            case ControlMessage.ClientRequest ofClient -> onClientRequest(request, ofClient);
            case ControlMessage.CoordinatorRequest ofNode -> onNodeRequest(request, ofNode);
            case ControlMessage.BrickRequest other -> throw new ProtocolViolation("a coordinator is not asked this");
            case ControlMessage.Answer other -> throw new ProtocolViolation("an answer that nobody asked for");
            case ControlMessage.Notice other -> throw new ProtocolViolation("a notice that asks for an answer");
        }
    }

    private void onClientRequest(Request request, ControlMessage.ClientRequest message) {
        switch (message) {
            case ControlMessage.FindTable find -> tables.find(request, find);
            case ControlMessage.FetchBlock fetch -> tables.fetchBlock(request, fetch);
            case ControlMessage.CreateTable create -> tables.create(request, create);
            case ControlMessage.DropTable drop -> tables.drop(request, drop);
            case ControlMessage.AcceptLoss accept -> tables.acceptLoss(request, accept);
            case ControlMessage.AlterParity alter -> alterations.alter(request, alter);
            case ControlMessage.AlterReplicas alter -> replicas.alter(request, alter);
            case ControlMessage.AlterSchema alter -> schemas.alter(request, alter);
            case ControlMessage.StoreStatistics store -> statistics.store(request, store);
            case ControlMessage.FetchStatistics fetch -> statistics.fetch(request, fetch);
            case ControlMessage.DrainBrick drain -> drains.drain(request, drain);
            case ControlMessage.OpenSession open -> sessions.open(request);
            case ControlMessage.RenewSession renew -> sessions.renew(request, renew);
            case ControlMessage.CloseSession close -> sessions.close(request, close);
            case ControlMessage.FetchStatus fetch -> tellStatus(request, fetch);
            case ControlMessage.FindCoordinators find -> tellCoordinators(request);
        }
    }

    private void onNodeRequest(Request request, ControlMessage.CoordinatorRequest message) {
        switch (message) {
            case ControlMessage.Heartbeat heartbeat -> onHeartbeat(request, heartbeat);
            case ControlMessage.RegisterBrick register -> bricks.register(request, register);
            case ControlMessage.BrickEnded ended -> bricks.ended(request, ended);
            case ControlMessage.DescribeCoordinator describe -> request.answer(description.get());
        }
    }

    private void tellCoordinators(Request request) {
        request.answer(new ControlMessage.Coordinators(coordinators));
    }

    private void tellStatus(Request request, ControlMessage.FetchStatus fetch) {
        int heard = bricks.heardCount();
        if (heard < bricksExpected && our.env().nowNanos() - startedNanos < EXPECTING_NANOS_MAX) {
            request.refuse(
                    Refusal.NOT_READY,
                    "the cluster is still starting: " + heard + " of " + bricksExpected + " bricks are ready");
            return;
        }
        bricksExpected = 0; // from now on the status does not wait for bricks
        request.answer(statuses.status(fetch.withPartitions(), coordinators.get(0)));
    }

    private void onHeartbeat(Request request, ControlMessage.Heartbeat heartbeat) {
        LiveBrick brick = bricks.hear(request, heartbeat);
        if (brick != null) {
            allocator.onHeartbeat(brick, heartbeat);
            migrations.onHeartbeat(brick, heartbeat);
            splits.onHeartbeat(brick, heartbeat);
            groups.onHeartbeat(brick);
            tables.onHeartbeat(brick);
            pendingMapAcks.tick();
            bricks.answer(request, brick, isAwaited());
        }
    }
}
