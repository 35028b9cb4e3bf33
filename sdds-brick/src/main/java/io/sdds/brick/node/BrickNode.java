package io.sdds.brick.node;

import io.netty.buffer.ByteBuf;
import io.sdds.brick.experiment.DatagramSenders;
import io.sdds.brick.group.Groups;
import io.sdds.brick.map.BrickMap;
import io.sdds.brick.memory.MemoryBudget;
import io.sdds.brick.memory.MemorySource;
import io.sdds.brick.memory.RecordStore;
import io.sdds.brick.partition.Gate;
import io.sdds.brick.partition.Operations;
import io.sdds.brick.partition.Partition;
import io.sdds.brick.partition.RangePartition;
import io.sdds.brick.partition.Replies;
import io.sdds.brick.partition.Request;
import io.sdds.brick.partition.Tables;
import io.sdds.brick.scan.Scans;
import io.sdds.brick.ship.ShippingPace;
import io.sdds.brick.ship.SplitSource;
import io.sdds.brick.stage.StageContext;
import io.sdds.core.control.ControlFrame;
import io.sdds.core.control.ControlMessage;
import io.sdds.core.control.ControlMessage.BrickCounters;
import io.sdds.core.control.ControlMessage.BrickRequest;
import io.sdds.core.control.ControlMessage.Heartbeat;
import io.sdds.core.control.ControlMessage.MapUpdate;
import io.sdds.core.control.ControlMessage.PartitionLoad;
import io.sdds.core.control.ControlMessage.ShipAcked;
import io.sdds.core.control.Roles;
import io.sdds.core.model.BrickInfo;
import io.sdds.core.model.Place.Member;
import io.sdds.core.model.SplitOrder;
import io.sdds.core.node.Env;
import io.sdds.core.node.Link;
import io.sdds.core.node.Node;
import io.sdds.core.node.Readiness;
import io.sdds.core.node.UncheckedLinks;
import io.sdds.core.protocol.ClusterId;
import io.sdds.core.protocol.Hello;
import io.sdds.core.protocol.Hello.Role;
import io.sdds.core.protocol.IndexRecord;
import io.sdds.core.protocol.Opcode;
import io.sdds.core.protocol.ProtocolViolation;
import io.sdds.core.protocol.ReplyFrame;
import io.sdds.core.protocol.RequestFrame;
import io.sdds.core.protocol.Status;
import io.sdds.core.stage.Stage;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A stage of a brick: the straight way of a request from the socket's bytes to the reply. Frames come in runs from the
 * links, wait in the stage's queues, are routed to the partition that owns their key, run on its bucket, and are
 * answered into the link's buffer, which leaves before the next link's or at the end of the turn.
 */
public final class BrickNode implements Node, Stage.Handler {
    /** Requests read before the first of them runs. */
    private static final int BATCH = 32;

    private static final long SPLIT_CHECK_NANOS = 2_000_000L;
    private static final long TICK_NANOS = 100_000_000L;
    private static final Logger log = LoggerFactory.getLogger(BrickNode.class);

    private final Env env;
    private final BrickSettings settings;
    private final MemoryBudget budget;
    private final BrickMap map = new BrickMap();
    private final Tables tables = new Tables();
    private final RecordStore store;
    private final Asks asks = new Asks();
    private final Forwards forwards = new Forwards();
    private final Request[] batch = new Request[BATCH];
    private final Request again = new Request();
    private final Replies replies = new Replies();
    private final Stage stage;
    private final PeerLinks peers;
    private final Splits splits;
    private final Groups groups;
    private final Joins joins;
    private final Migrations migrations;
    private final Router router;
    private final Multicasts multicasts;
    private final Operations operations;
    private final Scans scans;
    private final Reports reports;
    private final Hosting hosting;
    private final Expiration expiration;
    private final IndexUpkeep index;
    private final StageGroup group;
    private final int stageIndex;
    private final @Nullable Coordination coordination;
    private final Answers answers;
    private final Visitors visitors;
    private final UncheckedLinks unchecked = new UncheckedLinks();
    private final BrickListener listener;
    private boolean scanning;
    private boolean closed;
    private long operationsRun;
    private long datagramsTaken;
    private long checksumFailures;

    @SuppressWarnings("unused") // written so that the touching is not optimised away
    private int touched;

    private long splitCheckedNanos;

    /**
     * The next stage of a brick; the first one talks with the coordinators.
     *
     * @param budget of the whole brick
     * @param listener hears from the first stage
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
        visitors = new Visitors(group, stageIndex, settings, map, budget);
        Arrays.setAll(batch, k -> new Request());
        int hint = settings.limits().busyHintMillis();
        stage = new Stage(env, settings.limits(), this);
        store = new RecordStore(memory, budget);
        coordination = stageIndex > 0
                ? null
                : new Coordination(
                        env,
                        this,
                        settings,
                        this::hello,
                        asks,
                        stage::touched,
                        budget::limitBytes,
                        new CoordinationListener());
        peers = new PeerLinks(env, this, map, this::self, this::hello, asks, stage);
        StageContext context =
                new StageContext(env, stage, map, tables, store, budget, replies, peers, this::owns, hint);
        groups = new Groups(
                context,
                budget.reserveBytes() / group.size(),
                () -> new Member(self().number(), self().incarnation()),
                new GroupListener());
        ShippingPace pace = new ShippingPace(env.nowNanos());
        splits = new Splits(context, groups, pace, new SplitListener());
        joins = new Joins(context, groups, splits, pace, this::reportSoon);
        migrations = new Migrations(splits, joins);
        reports = new Reports(group, stageIndex, context, splits, groups, joins, this::counters);
        hosting = new Hosting(context, splits, groups, joins, reports::soon);
        expiration = new Expiration(context);
        index = new IndexUpkeep(context);
        router = new Router(context, splits, forwards, this::serve);
        multicasts = new Multicasts(context, router, this::rerun);
        operations = new Operations(store, replies, map::sessionEnded, map::sessionUnheardOf, env::nowNanos, hint);
        scans = new Scans(context, this::rerunScan);
        answers = new Answers(map, migrations, settings.coordinators());
    }

    /** Begins to look for the coordinators. */
    public void start() {
        if (coordination != null) {
            coordination.start();
        }
        env.schedule(TICK_NANOS, this::tick);
    }

    /** Ends: closes its links and frees what it holds. */
    public void close() {
        closed = true;
        if (coordination != null) {
            coordination.close();
        }
        peers.close();
        stage.release();
        splits.release();
        joins.release();
        groups.release();
        scans.release();
    }

    /**
     * Another process has the brick's name: no stage serves anything any more. When all have stopped, the coordinator
     * is told so, and the process.
     */
    private void stopAll(String why) {
        closed = true;
        int[] serving = {group.size() - 1};
        group.onOthers(stageIndex, other -> {
            other.closed = true;
            group.on(stageIndex, first -> {
                if (--serving[0] == 0) {
                    first.stopped(why);
                }
            });
        });
        if (serving[0] == 0) {
            stopped(why);
        }
    }

    private void stopped(String why) {
        if (coordination != null) {
            coordination.close();
        }
        listener.onReplaced(why);
    }

    /** What it says of itself on a link. */
    public Hello hello() {
        return hello(Hello.Role.BRICK);
    }

    private Hello hello(Hello.Role role) {
        BrickInfo self = group.self();
        return Hello.of(role, settings.id(), self == null ? 0 : self.incarnation())
                .withCluster(group.cluster().id());
    }

    /** The map as it knows it. */
    public BrickMap map() {
        return map;
    }

    /** Its partitions. */
    public Tables tables() {
        return tables;
    }

    /** Its records. */
    public RecordStore store() {
        return store;
    }

    /** Its queues, for those who watch them. */
    public Stage stage() {
        return stage;
    }

    /** Whether clients should be sent to this brick; to be asked of its first stage. */
    public Readiness readiness() {
        return coordination == null ? Readiness.no("not the first stage") : coordination.readiness();
    }

    /** Whether it is registered. */
    public boolean isReady() {
        return group.self() != null;
    }

    @Override
    public void onLinkOpened(Link link) {
        visitors.opened(link);
    }

    @Override
    public void onLinkUp(Link link) {
        if (!link.isDialed() && !visitors.admits(link)) {
            return;
        }
        if (!link.isDialed()) {
            unchecked.up(link, group.cluster().id());
        }
        if (coordination != null && coordination.isCoordinator(link)) {
            learnCluster(link.peer().cluster());
            coordination.linkUp();
        }
        if (link.peer().role() == Role.BRICK) {
            groups.onLinkUp();
        }
    }

    /** A coordinator names the cluster. */
    private void learnCluster(ClusterId cluster) {
        if (group.cluster().learn(cluster)) {
            log.info("brick {} belongs to cluster {}", settings.id(), cluster);
            unchecked.learnt(cluster);
            group.onOthers(stageIndex, other -> other.unchecked.learnt(cluster));
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
     * A datagram has come to the first stage of the brick (IP multicast): a request as if it had come over the link of
     * the client that sent it, or nothing. Valid during the call.
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

    /** Requests that came as datagrams. */
    public long datagramsTaken() {
        return datagramsTaken;
    }

    /** Frames for partitions of this stage that came to another one. */
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
        visitors.leaves(link);
        unchecked.down(link);
        forwards.linkDown(link, stage::touched);
        peers.linkDown(link);
        splits.onLinkDown(link);
        joins.onLinkDown(link);
        asks.linkDown(link);
        group.linkDown(link, reason);
        if (coordination != null && coordination.isCoordinator(link)) {
            coordination.linkDown(link, reason);
        }
    }

    @Override
    public void onWritable(Link link) {
        if (!closed) {
            stage.writable(link);
            group.writable(link);
        }
    }

    /** The same of a link of another stage. */
    void onViewWritable(Link view) {
        if (!closed) {
            stage.writable(view);
        }
    }

    @Override
    public int onRequests(Link link, ByteBuf frames, int from, int to) {
        Roles.check(Role.BRICK, link.peer().role(), frames.getByte(from + RequestFrame.OPCODE));
        MemorySegment memory = Request.memoryOf(frames);
        groups.readClockAnew();
        int at = from;
        while (at < to) {
            int count = 0;
            while (at < to && count < BATCH) {
                int length = frames.getIntLE(at);
                batch[count++].read(link, frames, memory, at, length);
                at += length;
            }
            operationsRun += count;
            touch(count);
            for (int k = 0; k < count; k++) {
                run(batch[k]);
                if (link.isFull()) {
                    operationsRun -= count - 1 - k;
                    return batch[k].at + batch[k].length;
                }
            }
        }
        return to;
    }

    /**
     * Brings a request to where it is answered. One that fails before it has changed anything is answered so; else the
     * brick can't go on.
     */
    private void run(Request request) {
        if (closed) {
            return;
        }
        try {
            if (request.isMulticast()) {
                multicasts.take(request);
            } else {
                router.route(request);
            }
        } catch (RuntimeException e) {
            if (e instanceof ProtocolViolation || operations.isChanging()) {
                throw e;
            }
            log.error("a request of {} failed: opcode {}", request.link.remote(), request.opcode, e);
            request.link.abandon();
            replies.adjustNothing();
            replies.status(request, Status.INTERNAL_ERROR);
        }
    }

    /**
     * Loads what the batch is going to need, so that the waits for memory overlap: first of all index, then of all
     * records.
     */
    private void touch(int count) {
        int consumed = 0;
        for (int k = 0; k < count; k++) {
            Request read = batch[k];
            Partition partition = tables.find(read.table, read.partition);
            if (partition != null) {
                read.touched = partition.bucket().touchIndex(read.hash, read.frame, read.keyOffset, read.keyLength);
            }
        }
        for (int k = 0; k < count; k++) {
            Request read = batch[k];
            Partition partition = tables.find(read.table, read.partition);
            if (partition != null) {
                consumed += partition
                        .bucket()
                        .touchRecord(read.touched, read.hash, read.frame, read.keyOffset, read.keyLength);
            }
        }
        touched = consumed;
    }

    @Override
    public void onProtocol(Link link, ByteBuf frames, int index, int length) {
        if (closed) {
            return;
        }
        groups.readClockAnew();
        byte opcode = frames.getByte(index + RequestFrame.OPCODE);
        Roles.check(Role.BRICK, link.peer().role(), opcode);
        switch (opcode) {
            case Opcode.REPLY -> onReply(link, frames, index, length);
            case Opcode.SLICE -> migrations.onSlice(link, frames, index, length);
            case Opcode.CONTROL -> onControlOfPeer(link, frames, index, length);
            case Opcode.PREPARE, Opcode.VOTE, Opcode.CONFIRM, Opcode.CONFIRMED ->
                groups.onFrame(link, frames, index, length);
            default -> throw new IllegalStateException("opcode " + opcode + " is no protocol frame of a brick");
        }
    }

    @Override
    public void onDrained() {
        if (closed) {
            return;
        }
        splits.onDrained();
        joins.onDrained();
        groups.onDrained();
        replies.forget();
        long now = env.nowNanos();
        if (now - splitCheckedNanos > SPLIT_CHECK_NANOS) {
            splitCheckedNanos = now;
            if (isReady() && !splits.wanted().isEmpty()) {
                reports.soon();
            }
        }
    }

    private BrickInfo self() {
        BrickInfo self = group.self();
        if (self == null) {
            throw new IllegalStateException("not registered yet");
        }
        return self;
    }

    /** A request has reached the partition that owns its pseudo-key. */
    private void serve(Partition partition, Request served) {
        Gate gate = partition.gate();
        if (gate != null && !(scanning ? gate.admitsStill(served) : gate.admits(served))) {
            return;
        }
        if (served.isWrite() && index.isIndex(served.table)) {
            replies.badRequest(served, "table '" + IndexRecord.TABLE + "' is kept up by the cluster alone");
            return;
        }
        if (served.teaches()) {
            adjust(served, partition);
        }
        if (Opcode.isOfKey(served.opcode)) {
            operations.run(partition, served);
        } else {
            serveMany(partition, served);
        }
        if (served.teaches()) {
            replies.adjustNothing();
        }
    }

    /** A request about many keys: of the hash table's order, or of the range table's. */
    private void serveMany(Partition partition, Request served) {
        if (Opcode.isRange(served.opcode) != partition instanceof RangePartition) {
            replies.badRequest(served, "opcode " + served.opcode + " is not for a table of this kind");
        } else if (served.opcode == Opcode.CLEAR || served.opcode == Opcode.RANGE_CLEAR) {
            operations.run(partition, served);
        } else {
            scans.take(partition, served, scanning || groups.isRerunning());
        }
    }

    private void adjust(Request served, Partition partition) {
        if (partition.gate() == null) {
            replies.adjust(served, partition, map.version(), self().number());
        } else {
            groups.adjust(served, partition);
        }
    }

    /** A request that had to wait goes its way again. */
    private void rerun(Link link, ByteBuf frame) {
        again.read(link, frame, Request.memoryOf(frame), 0, frame.readableBytes());
        run(again);
        stage.touched(link);
    }

    private void rerunScan(Link link, ByteBuf frame) {
        scanning = true;
        try {
            rerun(link, frame);
        } finally {
            scanning = false;
        }
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
        ControlMessage message = Roles.read(Role.BRICK, link.peer().role(), frames, index, length);
        return answer(link, frames.getIntLE(index + ControlFrame.CORRELATION), message);
    }

    private void onControlOfPeer(Link link, ByteBuf frames, int index, int length) {
        ControlMessage message = Roles.read(Role.BRICK, link.peer().role(), frames, index, length);
        int correlation = frames.getIntLE(index + ControlFrame.CORRELATION);
        switch (frames.getByte(index + ControlFrame.KIND)) {
            case ControlFrame.ANSWER -> asks.answered(link, correlation, message);
            case ControlFrame.NOTICE -> onNotice(link, message);
            default -> onRequestOfPeer(link, correlation, message);
        }
    }

    /** The stage that owns the partition answers. */
    private void onRequestOfPeer(Link link, int correlation, ControlMessage message) {
        int owner = message instanceof BrickRequest request ? group.ownerOf(request.partition()) : stageIndex;
        if (owner == stageIndex) {
            answer(link, correlation, message);
        } else {
            Link view = group.view(stageIndex, link, owner);
            group.on(owner, other -> other.answer(view, correlation, message));
        }
    }

    /** Answers a control request; bytes of the answer. */
    private int answer(Link link, int correlation, ControlMessage message) {
        int bytes = ControlFrame.send(env, link, ControlFrame.ANSWER, correlation, answers.to(link, message));
        stage.touched(link);
        return bytes;
    }

    private void onNotice(Link link, ControlMessage message) {
        if (message instanceof ShipAcked acked) {
            migrations.onAcked(link, acked);
        } else if (message instanceof MapUpdate update && coordination != null && coordination.isCoordinator(link)) {
            takeMapOnAll(update.withLease(0), 0);
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

    /** A lease counts from the moment at which the map that it was granted by is known. */
    private void takeMap(MapUpdate update, long leaseUntilNanos) {
        BrickInfo self = group.self();
        if (self != null && hosting.take(update, self)) {
            router.self(self.number());
            index.mapChanged(update);
            peers.dialAll();
            stage.drainSoon(); // sources of splits wait to be told of it
            if (update.leaseMillis() > 0) {
                groups.lease(leaseUntilNanos);
            }
        }
    }

    private boolean owns(int partition) {
        return group.ownerOf(partition) == stageIndex;
    }

    private void tick() {
        if (!closed) {
            forwards.expire(env.nowNanos(), stage::touched);
            reports.tick();
            splits.tick();
            splits.maintainSome();
            expiration.tick();
            index.tick();
            groups.tick();
            env.schedule(TICK_NANOS, this::tick);
        }
    }

    private BrickCounters counters() {
        return new BrickCounters(
                operationsRun, router.addressingForwards(), replies.adjustments(), stage.refused(), checksumFailures);
    }

    private void reportSoon() {
        reports.soon();
    }

    /** Another stage tells this one, the first, which of its loads have changed. */
    void takeLoads(List<PartitionLoad> changed) {
        reports.take(changed);
    }

    void heartbeatSoon() {
        if (coordination != null) {
            coordination.soon();
        }
    }

    private final class CoordinationListener implements Coordination.Listener {
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
            stopAll(why);
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
    }

    private final class GroupListener implements Groups.Listener {
        @Override
        public void rerun(Link link, ByteBuf frame) {
            BrickNode.this.rerun(link, frame);
        }

        @Override
        public void overdue(Link link, ByteBuf frame) {
            BrickNode.this.overdue(link, frame);
        }

        @Override
        public void toPrimary(Request request) {
            router.toPrimary(request);
        }

        @Override
        public void changedHands(Partition partition) {
            splits.changedHands(partition);
        }

        @Override
        public void redirect(Request request) {
            router.redirect(request);
        }

        @Override
        public void reportSoon() {
            BrickNode.this.reportSoon();
        }
    }

    private void overdue(Link link, ByteBuf frame) {
        again.read(link, frame, Request.memoryOf(frame), 0, frame.readableBytes());
        replies.busy(again, settings.limits().busyHintMillis());
        stage.touched(link);
    }

    private final class SplitListener implements SplitSource.Listener {
        @Override
        public void handedOver(SplitOrder order, Partition shipped) {
            splits.handedOver(order, shipped);
        }

        @Override
        public void ended(SplitOrder order) {
            reports.soon();
        }

        @Override
        public void rerun(Link link, ByteBuf frame) {
            BrickNode.this.rerun(link, frame);
        }

        @Override
        public void overdue(Link link, ByteBuf frame) {
            BrickNode.this.overdue(link, frame);
        }
    }
}
