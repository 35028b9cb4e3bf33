package io.sdds.brick.node;

import io.netty.buffer.ByteBuf;
import io.sdds.brick.experiment.DatagramSenders;
import io.sdds.brick.group.Groups;
import io.sdds.brick.map.BrickMap;
import io.sdds.brick.memory.MemoryBudget;
import io.sdds.brick.memory.MemorySource;
import io.sdds.brick.memory.RecordStore;
import io.sdds.brick.migration.MigrationListener;
import io.sdds.brick.migration.Migrations;
import io.sdds.brick.parity.RecoveryCounters;
import io.sdds.brick.parity.member.ParityPartitions;
import io.sdds.brick.parity.recovery.Recoveries;
import io.sdds.brick.parity.stage.ParityStage;
import io.sdds.brick.partition.Partition;
import io.sdds.brick.partition.Replies;
import io.sdds.brick.partition.Request;
import io.sdds.brick.partition.ResultBudget;
import io.sdds.brick.partition.Tables;
import io.sdds.brick.stage.Maintenance;
import io.sdds.brick.stage.StageContext;
import io.sdds.core.control.ControlMessage;
import io.sdds.core.control.ControlMessage.BrickCounters;
import io.sdds.core.control.ControlMessage.Heartbeat;
import io.sdds.core.control.ControlMessage.MapUpdate;
import io.sdds.core.control.ControlMessage.MigrationReport;
import io.sdds.core.control.ControlMessage.PartitionLoad;
import io.sdds.core.control.ControlMessage.SnapshotAck;
import io.sdds.core.control.Roles;
import io.sdds.core.model.BrickInfo;
import io.sdds.core.model.Place.Member;
import io.sdds.core.node.Env;
import io.sdds.core.node.Link;
import io.sdds.core.node.Node;
import io.sdds.core.node.Readiness;
import io.sdds.core.protocol.ClusterId;
import io.sdds.core.protocol.Hello;
import io.sdds.core.protocol.Hello.Role;
import io.sdds.core.protocol.Opcode;
import io.sdds.core.protocol.ProtocolViolation;
import io.sdds.core.protocol.ReplyFrame;
import io.sdds.core.protocol.RequestFrame;
import io.sdds.core.stage.Stage;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A stage of a brick. Frames come in runs from the links and wait in the stage's queues. {@link RequestRunner} runs the
 * requests, and {@link ControlMessages} answers the control messages. This class puts the parts of the stage together,
 * hands on what its groups and migrations ask of them, and takes the map.
 */
public final class BrickNode implements Node, Stage.Handler, Groups.Listener, MigrationListener {
    private static final long TICK_NANOS = 100_000_000L;
    private static final Logger log = LoggerFactory.getLogger(BrickNode.class);

    private final Env env;
    private final BrickSettings settings;
    private final MemoryBudget budget;
    private final BrickMap map = new BrickMap();
    private final Tables tables = new Tables();
    private final RecordStore store;
    private final PendingCalls calls = new PendingCalls();
    private final Forwards forwards = new Forwards();
    private final RequestRunner requests;
    private final ControlMessages control;
    private final Replies replies = new Replies();
    private final Stage stage;
    private final PeerLinks peers;
    private final SplitDemand splitDemand;
    private final ParityStage parity;
    private final Groups groups;
    private final Maintenance maintenance;
    private final Migrations migrations;
    private final Recoveries recoveries;
    private final Reports reports;
    private final SplitCheck splitCheck;
    private final PartitionLifecycle lifecycle;
    private final Expiration expiration;
    private final RankUpkeep ranks;
    private final StageGroup group;
    private final int stageIndex;
    private final @Nullable HeartbeatClient heartbeats;
    private final ConnectionLimiter connectionLimiter;
    private final BrickListener listener;
    private boolean closed;
    private long datagramsTaken;
    private long checksumFailures;

    /**
     * Makes the next stage of a brick. The first stage has the client of the coordinators.
     *
     * @param budget the memory budget of the whole brick
     * @param listener is called by the first stage
     */
    public BrickNode(
            Env env,
            BrickSettings settings,
            MemorySource memory,
            MemoryBudget budget,
            StageGroup group,
            BrickListener listener) {
        this.env = env;
        this.settings = settings;
        this.budget = budget;
        this.group = group;
        this.listener = listener;
        stageIndex = group.join(this, env);
        connectionLimiter = new ConnectionLimiter(group, stageIndex, settings, map, budget);
        int hint = settings.limits().busyHintMillis();
        stage = new Stage(env, settings.limits(), this);
        store = new RecordStore(memory, budget);
        heartbeats = stageIndex > 0
                ? null
                : new HeartbeatClient(
                        env, this, settings, this::hello, calls, stage::touched, new CoordinatorListener());
        peers = new PeerLinks(env, this, map, this::self, this::hello, calls, stage);
        StageContext context =
                new StageContext(env, stage, map, tables, store, budget, replies, peers, this::owns, hint);
        parity = new ParityStage(
                context,
                budget.reserveBytes() / group.size(),
                settings.logBytesMax(),
                settings.kernel().open(),
                () -> new Member(self().number(), self().incarnation()),
                this);
        groups = parity.groups();
        maintenance = new Maintenance(stage, tables);
        migrations = new Migrations(context, groups, parity.parities(), maintenance, this);
        recoveries = new Recoveries(context, groups, parity.parities(), maintenance, this::reportSoon);
        splitDemand = new SplitDemand(context);
        reports = new Reports(group, stageIndex, context, splitDemand, parity, this::migrationReports, this::counters);
        splitCheck = new SplitCheck(this::isReady, splitDemand::wanted, reports::soon);
        lifecycle = new PartitionLifecycle(context, migrations, recoveries, parity, maintenance, reports::soon);
        expiration = new Expiration(context);
        ranks = new RankUpkeep(context);
        ResultBudget results = new ResultBudget(settings.limits().resultBytesMax());
        requests = new RequestRunner(context, migrations, parity, forwards, group.programs(), results);
        ControlHandler handler = new ControlHandler(map, migrations, settings.coordinators());
        control = new ControlMessages(context, group, stageIndex, calls, handler, this::onNotice);
    }

    /** Starts the stage: ticks, and at the first stage the client of the coordinators. */
    public void start() {
        if (heartbeats != null) {
            heartbeats.start();
        }
        env.schedule(TICK_NANOS, this::tick);
    }

    /** Closes the stage's links and frees its memory. */
    public void close() {
        stop();
        if (heartbeats != null) {
            heartbeats.close();
        }
        peers.close();
        stage.release();
        migrations.release();
        recoveries.release();
        groups.release();
        requests.release();
    }

    /** From now on serves nothing. */
    void stop() {
        closed = true;
        requests.stop();
    }

    /**
     * A stage of the brick has thrown an exception, and the brick ends. Closes the connections that other processes
     * have opened, so that clients learn which requests may be the cause. Called on the stage's thread.
     */
    public void fail() {
        stop();
        connectionLimiter.fail(!group.isCauseOfFailureFound());
    }

    @Override
    public void causeOfFailureFound() {
        group.causeOfFailureFound();
    }

    /** Another process has the brick's name, and no stage serves anything any more. */
    private void stopped(String why) {
        if (heartbeats != null) {
            heartbeats.close();
        }
        listener.onReplaced(why);
    }

    /** The hello that the brick sends on its links. */
    public Hello hello() {
        return hello(Hello.Role.BRICK);
    }

    private Hello hello(Hello.Role role) {
        BrickInfo self = group.self();
        return Hello.of(role, settings.id(), self == null ? 0 : self.incarnation())
                .withCluster(group.cluster().id());
    }

    /** The stage's copy of the map. */
    public BrickMap map() {
        return map;
    }

    /** The stage's partitions. */
    public Tables tables() {
        return tables;
    }

    /** The stage's records. */
    public RecordStore store() {
        return store;
    }

    /** The parity members of this stage. */
    public ParityPartitions parities() {
        return parity.parities();
    }

    /** Bytes that decodings hold or have asked for, for tests. */
    public long decodingBytes() {
        return groups.decodingBytes();
    }

    /** What the stage has done for parity groups that lack members, for metrics and tests. */
    public RecoveryCounters recoveryCounters() {
        return groups.recoveryCounters();
    }

    /** The stage's queues, for metrics and tests. */
    public Stage stage() {
        return stage;
    }

    /** Whether clients should be sent to this brick. Only the first stage knows this. */
    public Readiness readiness() {
        return heartbeats == null ? Readiness.no("not the first stage") : heartbeats.readiness();
    }

    /** Whether the brick is registered. */
    public boolean isReady() {
        return group.self() != null;
    }

    @Override
    public void onLinkOpened(Link link) {
        connectionLimiter.opened(link);
    }

    @Override
    public void onLinkUp(Link link) {
        if (!link.isDialed() && !connectionLimiter.admits(link)) {
            return;
        }
        if (heartbeats != null && heartbeats.isCoordinator(link)) {
            learnCluster(link.peer().cluster());
            heartbeats.linkUp();
        }
        if (link.peer().role() == Role.BRICK) {
            recoveries.onLinkUp();
            groups.onLinkUp();
        }
    }

    /** A coordinator has named the cluster. */
    private void learnCluster(ClusterId cluster) {
        if (group.cluster().learn(cluster)) {
            log.info("brick {} belongs to cluster {}", settings.id(), cluster);
            connectionLimiter.learnt(cluster);
            group.onOthers(stageIndex, other -> other.connectionLimiter.learnt(cluster));
        }
    }

    @Override
    public void onFrames(Link link, ByteBuf frames) {
        if (closed) {
            return;
        }
        if (group.size() == 1) {
            stage.offer(link, frames);
        } else {
            group.distribute(stageIndex, link, frames);
        }
    }

    @Override
    public void onDamagedBytes(Link link) {
        checksumFailures++;
    }

    /**
     * Takes a datagram (IP multicast) at the first stage. A datagram of a connected client is a request, as if it had
     * come over the client's link. Other datagrams are dropped.
     *
     * @param datagram valid during the call
     */
    public void onDatagram(ByteBuf datagram) {
        if (!closed) {
            group.toSender(datagram);
        }
    }

    void onDatagramOf(Link link, ByteBuf datagram) {
        if (!closed && link.isUp()) {
            datagramsTaken++;
            onFrames(link, DatagramSenders.request(datagram));
        }
    }

    /** Number of requests that came as datagrams. */
    public long datagramsTaken() {
        return datagramsTaken;
    }

    /** Takes frames for partitions of this stage that another stage has received. */
    void onHandedOver(Link view, ByteBuf frames) {
        if (!closed) {
            stage.offer(view, frames);
        }
    }

    @Override
    public void onLinkDown(Link link, String reason) {
        if (closed) {
            return;
        }
        log.debug("link with {} is down: {}", link.remote(), reason);
        stage.linkDown(link);
        connectionLimiter.leaves(link);
        forwards.linkDown(link, stage::touched);
        peers.linkDown(link);
        migrations.onLinkDown(link);
        calls.linkDown(link);
        group.linkDown(link, reason);
        if (heartbeats != null && heartbeats.isCoordinator(link)) {
            heartbeats.linkDown(link, reason);
        }
    }

    @Override
    public void onWritable(Link link) {
        if (!closed) {
            stage.writable(link);
            group.writable(link);
        }
    }

    /** A view of another stage's link is writable again. */
    void onViewWritable(Link view) {
        if (!closed) {
            stage.writable(view);
        }
    }

    @Override
    public int onRequests(Link link, ByteBuf frames, int from, int to) {
        return requests.run(link, frames, from, to);
    }

    @Override
    public void onProtocol(Link link, ByteBuf frames, int index, int length) {
        if (closed) {
            return;
        }
        groups.readClockAnew();
        byte opcode = frames.getByte(index + RequestFrame.OPCODE);
        Roles.check(Role.BRICK, link.peer().role(), opcode);
        try {
            take(opcode, link, frames, index, length);
        } catch (ProtocolViolation e) {
            throw e;
        } catch (Throwable e) { // no request of a client is to blame for what another process has sent
            causeOfFailureFound();
            throw e;
        }
    }

    private void take(byte opcode, Link link, ByteBuf frames, int index, int length) {
        switch (opcode) {
            case Opcode.REPLY -> onReply(link, frames, index, length);
            case Opcode.SLICE -> migrations.onSlice(link, frames, index, length);
            case Opcode.CONTROL -> control.onFrame(link, frames, index, length);
            case Opcode.PREPARE,
                    Opcode.VOTE,
                    Opcode.CONFIRM,
                    Opcode.CONFIRMED,
                    Opcode.RANKS_WANTED,
                    Opcode.RANKS,
                    Opcode.RESIDUES,
                    Opcode.JOIN_WANTED,
                    Opcode.JOIN -> groups.onFrame(link, frames, index, length);
            case Opcode.COLUMN_WANTED, Opcode.COLUMN -> recoveries.onFrame(link, frames, index, length);
            default -> throw new IllegalStateException("opcode " + opcode + " is no protocol frame of a brick");
        }
    }

    @Override
    public void onDrained() {
        if (closed) {
            return;
        }
        migrations.onDrained();
        recoveries.onDrained();
        groups.onDrained();
        replies.forget();
        splitCheck.onDrained(env.nowNanos());
    }

    private BrickInfo self() {
        BrickInfo self = group.self();
        if (self == null) {
            throw new IllegalStateException("not registered yet");
        }
        return self;
    }

    private void onReply(Link link, ByteBuf frames, int index, int length) {
        if (length < ReplyFrame.HEADER) {
            throw new ProtocolViolation("reply of " + length + " bytes");
        }
        Link back = forwards.answered(link, frames, index, length);
        if (back != null) {
            stage.touched(back);
        }
    }

    @Override
    public int onControl(Link link, ByteBuf frames, int index, int length) {
        return control.onRequest(link, frames, index, length);
    }

    void answer(Link link, int correlation, ControlMessage message) {
        control.answer(link, correlation, message);
    }

    private void onNotice(Link link, ControlMessage message) {
        if (message instanceof SnapshotAck acked) {
            migrations.onAcked(link, acked);
        } else if (message instanceof MapUpdate update && heartbeats != null && heartbeats.isCoordinator(link)) {
            takeMapOnAll(update.withLease(0), 0);
            if (update.confirm()) {
                heartbeats.soon();
            }
        }
    }

    private void takeMapOnAll(MapUpdate update, long leaseUntilNanos) {
        if (update.cluster().conflictsWith(group.cluster().id())) {
            throw new ProtocolViolation("a map of cluster " + update.cluster() + " for a brick of cluster "
                    + group.cluster().id());
        }
        takeMap(update, leaseUntilNanos);
        group.onOthers(stageIndex, other -> other.takeMap(update, leaseUntilNanos));
    }

    /** Takes a change of the map, and then a lease that was granted for this map. */
    private void takeMap(MapUpdate update, long leaseUntilNanos) {
        BrickInfo self = group.self();
        if (self != null && lifecycle.take(update, self)) {
            requests.mapChanged(update, self.number());
            peers.dialAll();
            if (update.toVersion() > update.fromVersion()) {
                splitCheck.mapChanged();
            }
            stage.drainSoon(); // migrations may wait for this change of the map
            if (update.leaseMillis() > 0) {
                groups.lease(leaseUntilNanos);
            }
        }
    }

    // ---- what groups and migrations ask of the stage

    /** Hands a request over to the stage that owns a parity group. */
    @Override
    public void toParity(Request request, int parityGroup) {
        group.handOver(stageIndex, group.ownerOf(parityGroup), request);
    }

    @Override
    public void toPrimary(Request request) {
        requests.router().toPrimary(request);
    }

    /** Runs a request that has waited, or that another stage has admitted. */
    @Override
    public void rerun(Link link, ByteBuf request) {
        if (!closed && link.isUp()) {
            requests.rerun(link, request);
        }
    }

    @Override
    public void overdue(Link link, ByteBuf request) {
        requests.overdue(link, request);
    }

    @Override
    public void ownerChanged(Partition partition) {
        migrations.ownerChanged(partition);
    }

    @Override
    public void splitAbandoned(int table) {
        splitDemand.backOff(table);
    }

    /** Has the next heartbeat sent at once. */
    @Override
    public void reportSoon() {
        reports.soon();
    }

    // ---- the parts of the stage

    private boolean owns(int partition) {
        return group.ownerOf(partition) == stageIndex;
    }

    private void tick() {
        if (!closed) {
            forwards.expire(env.nowNanos(), stage::touched);
            reports.tick();
            migrations.tick();
            recoveries.tick();
            maintenance.tick();
            expiration.tick();
            ranks.tick();
            requests.index().tick();
            requests.tick();
            groups.tick();
            env.schedule(TICK_NANOS, this::tick);
        }
    }

    private List<MigrationReport> migrationReports() {
        List<MigrationReport> all = migrations.reports();
        all.addAll(recoveries.reports());
        return all;
    }

    private BrickCounters counters() {
        return new BrickCounters(
                requests.count(),
                requests.router().addressingForwards(),
                replies.adjustments(),
                stage.refused(),
                checksumFailures,
                migrations.counters());
    }

    /** At the first stage: takes the changed loads of another stage. */
    void takeLoads(List<PartitionLoad> changed) {
        reports.take(changed);
    }

    void heartbeatSoon() {
        if (heartbeats != null) {
            heartbeats.soon();
        }
    }

    private final class CoordinatorListener implements HeartbeatClient.Listener {
        @Override
        public void registered(BrickInfo self) {
            boolean first = group.self() == null;
            group.registered(self);
            reports.registered();
            if (first) {
                listener.onReady();
            }
        }

        @Override
        public void foreign(String line) {
            listener.onForeign(line);
        }

        @Override
        public void replaced(String why) {
            group.stopAll(stageIndex, first -> first.stopped(why));
        }

        @Override
        public void mapUpdate(MapUpdate update, long leaseUntilNanos) {
            reports.answered(update.loadsKnown());
            takeMapOnAll(update, leaseUntilNanos);
        }

        @Override
        public Heartbeat heartbeat(BrickInfo self) {
            return reports.heartbeat(self, map.version(), budget.usedBytes());
        }

        @Override
        public long memoryLimitBytes() {
            return budget.limitBytes();
        }
    }
}
