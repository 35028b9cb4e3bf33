package io.sdds.brick.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.sdds.brick.group.StageBrick;
import io.sdds.brick.memory.ArenaMemorySource;
import io.sdds.brick.memory.MemoryBudget;
import io.sdds.brick.memory.RecordStore;
import io.sdds.brick.memory.SegmentHash;
import io.sdds.brick.parity.records.ParityCheck;
import io.sdds.brick.partition.HashPartition;
import io.sdds.brick.partition.Partition;
import io.sdds.core.addressing.LinearHashing;
import io.sdds.core.addressing.ScanOrder;
import io.sdds.core.control.ControlMessage;
import io.sdds.core.control.ControlMessage.BrickRegistered;
import io.sdds.core.control.ControlMessage.Done;
import io.sdds.core.control.ControlMessage.Heartbeat;
import io.sdds.core.control.ControlMessage.MapUpdate;
import io.sdds.core.control.ControlMessage.MigrationReport;
import io.sdds.core.control.ControlMessage.MigrationState;
import io.sdds.core.control.ControlMessage.RegisterBrick;
import io.sdds.core.model.AddressBlock;
import io.sdds.core.model.BrickInfo;
import io.sdds.core.model.KeySpan;
import io.sdds.core.model.MigrationCounters;
import io.sdds.core.model.MigrationKind;
import io.sdds.core.model.MigrationOrder;
import io.sdds.core.model.Parity;
import io.sdds.core.model.ParityMembers;
import io.sdds.core.model.Place;
import io.sdds.core.model.Place.Member;
import io.sdds.core.model.TableDefinition;
import io.sdds.core.model.TableKind;
import io.sdds.core.model.TableMap;
import io.sdds.core.model.TableSpec;
import io.sdds.core.node.AnsweringNode;
import io.sdds.core.node.FakeWorld;
import io.sdds.core.node.KeptFrames;
import io.sdds.core.node.Link;
import io.sdds.core.protocol.ClusterId;
import io.sdds.core.protocol.Hello;
import io.sdds.core.protocol.Opcode;
import io.sdds.core.protocol.ReplyFrame;
import io.sdds.core.protocol.RequestFrame;
import io.sdds.core.protocol.Status;
import io.sdds.core.stage.StageLimits;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Whole bricks of one stage with a hash table of parity 2,1 that begins with two partitions, and coordinators that do
 * what the test says. The columns 0, 1 and 2 are on the bricks of these numbers, the parity of the first group on brick
 * 3, that of the second group on brick 4, and brick 5 has nothing. Or the table has two replicas at first: the bricks 0
 * and 1 have the backups of each other's partitions. A range table stays as it is created.
 */
final class GrowthFixture implements AutoCloseable {
    static final int TABLE = 1;
    static final int BRICKS = 6;
    static final int SPARE = 5;
    private static final long SPLIT = 100;
    private static final long RECOVERY = 200;
    private static final long PARITY_ORDER = 300;
    private static final long LEARNER = 10_000;
    private static final String COORDINATOR = "c:7400";

    /** Longer than the records of random tests live: while some may expire, an entry goes out at each tick. */
    private static final int REST_MILLIS = 5_000;

    private static final Parity PARITY = new Parity(2, 1);

    /** Between the keys of the two partitions, in a range table. */
    private static final byte[] BOUND = "m".getBytes(StandardCharsets.US_ASCII);

    final FakeWorld world = new FakeWorld(1);
    final List<Brick> bricks = new ArrayList<>();
    final List<Place> places = new ArrayList<>();
    final List<ParityMembers> parities =
            new ArrayList<>(List.of(new ParityMembers(List.of(member(3))), new ParityMembers(List.of(member(4)))));
    final List<MigrationOrder> orders = new ArrayList<>();
    int partitions = 2;
    TableDefinition definition;
    long mapVersion = 1;
    private long nextId;
    private int nextCorrelation;
    private long nextSeq;

    /** The bricks whose heartbeats are not heard. */
    final Set<Integer> unheard = new TreeSet<>();

    /** The last report of each migration. */
    final Map<Long, MigrationState> reports = new HashMap<>();

    /** What the migrations have cost that ended, by brick. */
    final Map<Integer, MigrationCounters> costs = new HashMap<>();

    /** The epochs in which primaries have reported that all their records have ranks, by partition. */
    final Map<Integer, Long> ranked = new HashMap<>();

    /** Whether a split is committed or dropped when its end is reported. */
    boolean ends = true;

    GrowthFixture() {
        this(TableKind.HASH);
    }

    GrowthFixture(TableKind kind) {
        this(kind, 1, PARITY);
    }

    /** A table with two replicas. */
    static GrowthFixture replicated() {
        return new GrowthFixture(TableKind.HASH, 2, Parity.NONE);
    }

    private GrowthFixture(TableKind kind, int replicas, Parity parity) {
        definition = new TableDefinition(
                TABLE,
                "t",
                TableSpec.of(kind)
                        .capacity(1 << 20)
                        .replicas(replicas)
                        .firstPartitions(2)
                        .parity(parity)
                        .build());
        for (int column = 0; column < partitions; column++) {
            Member primary = member(column);
            places.add(Place.of(replicas == 1 ? List.of(primary) : List.of(primary, member(1 - column)), 0, 1));
        }
        new Coordinator();
        for (int number = 0; number < BRICKS; number++) {
            bricks.add(new Brick(number));
        }
        run(2_000);
    }

    static Member member(int brick) {
        return new Member(brick, 1);
    }

    final class Brick {
        final int number;
        final MemoryBudget budget = new MemoryBudget(64L << 20);
        final ArenaMemorySource memory = new ArenaMemorySource(budget);
        final FakeWorld.FakeEnv env = world.newEnv();
        final BrickNode node;
        private final KeptFrames answers = new KeptFrames("client");
        final Link client;
        boolean dead;

        Brick(int number) {
            this.number = number;
            String name = "b" + number;
            BrickSettings settings = new BrickSettings(
                    name, name + ":1", List.of(COORDINATOR), BrickSettings.HEARTBEAT_NANOS, StageLimits.DEFAULT);
            node = new BrickNode(env, settings, memory, budget, new StageGroup(1), new Silent());
            client = Link.view(env, node, Hello.of(Hello.Role.CLIENT, "app", 0), answers);
            world.listen(name + ":1", env, node::hello, node);
            node.start();
        }

        @Nullable
        Partition partition(int number) {
            return node.tables().find(TABLE, number);
        }

        /** The answer to a request, which takes up to half a second; null if there is none. */
        @Nullable
        ByteBuf answer(int correlation) {
            ByteBuf found = null;
            for (int k = 0; k < 100 && found == null; k++) {
                run(5);
                client.flush();
                found = answers.take().stream()
                        .filter(answer -> answer.getIntLE(ReplyFrame.CORRELATION) == correlation)
                        .findFirst()
                        .orElse(null);
            }
            return found;
        }

        /** The process ends, and the map does not know yet. */
        void crash() {
            dead = true;
            env.crash();
            world.stopListening("b" + number + ":1");
        }
    }

    private static final class Silent implements BrickListener {
        @Override
        public void onReady() {}

        @Override
        public void onForeign(String line) {}

        @Override
        public void onReplaced(String line) {}
    }

    // ---- the coordinators

    private final class Coordinator extends AnsweringNode {
        Coordinator() {
            world.listen(
                    COORDINATOR,
                    world.newEnv(),
                    () -> Hello.of(Hello.Role.COORDINATOR, "c", 0).withCluster(ClusterId.UNKNOWN),
                    this);
        }

        @Override
        protected @Nullable ControlMessage answer(ControlMessage message) {
            if (message instanceof RegisterBrick register) {
                return new BrickRegistered(info(Integer.parseInt(register.id().substring(1))));
            }
            if (message instanceof Heartbeat heartbeat) {
                if (unheard.contains(heartbeat.brick())) {
                    return null;
                }
                costs.put(heartbeat.brick(), heartbeat.counters().migrations());
                heartbeat.migrations().forEach(GrowthFixture.this::take);
                heartbeat.ranked().forEach(column -> ranked.put(column.partition(), column.epoch()));
                return update(heartbeat.mapVersion());
            }
            return new Done(0);
        }
    }

    private static BrickInfo info(int brick) {
        return new BrickInfo(brick, "b" + brick, 1, "b" + brick + ":1");
    }

    private MapUpdate update(long from) {
        List<BrickInfo> infos = new ArrayList<>();
        for (int brick = 0; brick < BRICKS; brick++) {
            infos.add(info(brick));
        }
        List<ParityMembers> groups =
                definition.hasParity() ? parities.subList(0, PARITY.groups(places.size())) : List.of();
        List<KeySpan> spans = isRange()
                ? IntStream.range(0, partitions).mapToObj(GrowthFixture::span).toList()
                : List.of();
        AddressBlock block = new AddressBlock(TABLE, 0, mapVersion, places, spans, groups);
        return new MapUpdate(
                from,
                mapVersion,
                infos,
                List.of(new TableMap(definition, partitions, mapVersion)),
                List.of(),
                List.of(block),
                List.copyOf(orders),
                0,
                List.of(),
                800,
                List.of(),
                ClusterId.UNKNOWN,
                false,
                0,
                0,
                false);
    }

    private void take(MigrationReport report) {
        MigrationOrder order = orders.stream()
                .filter(each -> each.id() == report.migration())
                .findFirst()
                .orElse(null);
        if (order == null) {
            return;
        }
        reports.put(report.migration(), report.state());
        boolean handedOver = report.state() == MigrationState.HANDED_OVER;
        if (order.kind() == MigrationKind.SPLIT && ends) {
            if (handedOver || report.state() == MigrationState.ABANDONED) {
                partitions += handedOver ? 1 : 0;
                orders.remove(order);
                mapVersion++;
            }
        } else if (order.isLearner() && (handedOver || report.state() == MigrationState.ABANDONED)) {
            orders.remove(order);
            mapVersion++;
            if (handedOver) {
                Place before = places.get(order.sender());
                List<Member> members = new ArrayList<>(before.members());
                members.add(order.learner());
                places.set(order.sender(), Place.of(members, order.id(), before.epoch() + 1));
            }
        } else if (order.isParity() && handedOver) {
            orders.remove(order);
            parities.set(0, parities.get(0).with(0, order.learner()));
            nextEpoch(false);
        } else if (order.isRecovery()) {
            if (handedOver && !places.get(order.sender()).equals(order.target())) {
                places.set(order.sender(), order.target());
                mapVersion++;
            } else if (report.state() == MigrationState.FILLED) {
                orders.remove(order);
                mapVersion++;
            }
        }
    }

    /** The table with replicas is to get parity. */
    void convert() {
        definition = definition.converting(PARITY);
        parities.set(0, ParityMembers.joining(PARITY.parities()));
        mapVersion++;
    }

    /** Orders a parity of the first group; it is committed when the member has everything. */
    void orderParity() {
        long id = PARITY_ORDER + nextId++;
        Place target = Place.of(List.of(member(3)), id, 1);
        orders.add(new MigrationOrder(id, MigrationKind.PARITY, TABLE, 0, 0, 0, KeySpan.ALL, places.get(0), target));
        mapVersion++;
    }

    /** The first group stands on parity: its backups leave, and the conversion is over. */
    void endConversion() {
        parities.set(0, parities.get(0).inForce(true));
        definition = definition.converted();
        nextEpoch(true);
    }

    /**
     * Orders a copy of a partition for a brick that becomes a backup. It is committed when the brick has everything.
     */
    void orderLearner(int partition, int brick) {
        long id = LEARNER + nextId++;
        orders.add(new MigrationOrder(
                id,
                MigrationKind.LEARNER,
                TABLE,
                partition,
                partition,
                isRange() ? 0 : LinearHashing.levelOf(partition, partitions),
                isRange() ? span(partition) : KeySpan.ALL,
                places.get(partition),
                Place.of(List.of(member(brick)), id, 1)));
        mapVersion++;
    }

    /** The table with parity is to get replicas. */
    void convertToReplicas(int replicas) {
        definition = definition.convertingToReplicas(replicas);
        mapVersion++;
    }

    /** A group stands on replicas. Its idle columns are gone. */
    void flip(int group) {
        parities.set(group, ParityMembers.joining(PARITY.parities()));
        nextEpoch(false);
        for (int number = partitions; number < places.size(); number++) {
            if (PARITY.group(number) == group) {
                places.set(number, Place.nowhere(places.get(number).epoch()));
            }
        }
    }

    /** All groups stand on replicas, and the conversion is over. The idle columns are gone. */
    void endWithReplicas() {
        parities.replaceAll(members -> ParityMembers.joining(PARITY.parities()));
        definition = definition.withReplicas(definition.replicas());
        places.subList(partitions, places.size()).clear();
        nextEpoch(false);
    }

    /** The backups of a partition leave. */
    void loseBackups(int partition) {
        Place place = places.get(partition);
        orders.removeIf(order -> order.isLearner() && order.sender() == partition);
        places.set(partition, Place.of(List.of(place.primary()), place.migration(), place.epoch() + 1));
        mapVersion++;
    }

    /** The parity of the first group is missing. */
    void loseParity() {
        parities.set(0, parities.get(0).with(0, ParityMembers.MISSING));
        orders.clear();
        nextEpoch(false);
    }

    /** All columns begin another epoch, with their primaries alone or with their backups. */
    void nextEpoch(boolean alone) {
        places.replaceAll(place -> place.none()
                ? place
                : Place.of(alone ? List.of(place.primary()) : place.members(), place.migration(), place.epoch() + 1));
        mapVersion++;
    }

    /** The primary of a partition becomes its backup. The parities of its group are missing. */
    void handOver(int column) {
        parities.set(0, ParityMembers.joining(PARITY.parities()));
        orders.clear();
        nextEpoch(false);
        Place place = places.get(column);
        places.set(column, Place.of(place.members().reversed(), place.migration(), place.epoch()));
    }

    boolean hasParity() {
        return !parities.get(0).isMissing(0);
    }

    /** Adds an idle column. */
    void addColumn(int brick) {
        places.add(Place.of(List.of(member(brick)), 0, Place.FIRST_EPOCH));
        mapVersion++;
        run(500);
    }

    /** Orders the next split; returns its id. */
    long orderSplit() {
        int parent = LinearHashing.splitPointer(partitions);
        long id = SPLIT + nextId++;
        orders.add(new MigrationOrder(
                id,
                MigrationKind.SPLIT,
                TABLE,
                parent,
                partitions,
                LinearHashing.level(partitions),
                KeySpan.ALL,
                places.get(parent),
                places.get(partitions)));
        mapVersion++;
        return id;
    }

    /** The coordinators give an order up. */
    void drop(long id) {
        orders.removeIf(order -> order.id() == id);
        mapVersion++;
    }

    /** The primary of a column is lost: the parity of its group leads the column. */
    void lose(int column) {
        Place lost = places.get(column);
        bricks.get(lost.brick()).crash();
        Member lead = parities.get(PARITY.group(column)).members().getFirst();
        places.set(column, Place.of(List.of(lead), lost.migration(), lost.epoch() + 1));
        mapVersion++;
    }

    /** Orders the recovery of a lost column at a brick. */
    void orderRecovery(int column, int brick) {
        Place lead = places.get(column);
        long id = RECOVERY + nextId++;
        orders.add(new MigrationOrder(
                id,
                MigrationKind.RECOVERY,
                TABLE,
                column,
                column,
                0,
                KeySpan.ALL,
                lead,
                Place.of(List.of(member(brick)), id, lead.epoch() + 1)));
        mapVersion++;
    }

    // ---- clients

    boolean isRange() {
        return definition.kind() == TableKind.RANGE;
    }

    private static KeySpan span(int partition) {
        return partition == 0 ? KeySpan.ALL.upTo(BOUND) : KeySpan.ALL.above(BOUND);
    }

    private int partitionOf(String key) {
        byte[] bytes = key.getBytes(StandardCharsets.US_ASCII);
        if (isRange()) {
            return Arrays.compareUnsigned(bytes, BOUND) <= 0 ? 0 : 1;
        }
        return LinearHashing.address(SegmentHash.hash(MemorySegment.ofArray(bytes), 0, bytes.length), partitions);
    }

    /** Sends a request until it is answered for good; returns the answer. */
    private ByteBuf call(byte opcode, String key, String value, int flags, long ttlMillis) {
        long seq = ++nextSeq;
        for (int tries = 0; tries < 200; tries++) {
            int partition = partitionOf(key);
            Brick brick = bricks.get(places.get(partition).brick());
            int correlation = ++nextCorrelation;
            if (!brick.dead) {
                brick.node.onFrames(
                        brick.client, request(opcode, key, value, flags, ttlMillis, partition, correlation, 1, seq));
            }
            ByteBuf reply = brick.answer(correlation);
            if (reply != null && isFinal(reply.getByte(ReplyFrame.STATUS))) {
                return reply;
            }
            run(10);
        }
        throw new AssertionError("no answer for " + key);
    }

    /** Sends a get to a brick once, as a client that knows the map; returns the status of the answer, or null. */
    @Nullable
    Byte getAt(int brick, String key) {
        Brick at = bricks.get(brick);
        int correlation = ++nextCorrelation;
        at.node.onFrames(at.client, request(Opcode.GET, key, "", 0, 0, partitionOf(key), correlation, 1, 0));
        ByteBuf reply = at.answer(correlation);
        return reply == null ? null : reply.getByte(ReplyFrame.STATUS);
    }

    int primaryOf(String key) {
        return places.get(partitionOf(key)).brick();
    }

    private static boolean isFinal(byte status) {
        return status == Status.OK || status == Status.ABSENT;
    }

    private ByteBuf request(
            byte opcode,
            String key,
            String value,
            int flags,
            long ttlMillis,
            int partition,
            int correlation,
            long session,
            long seq) {
        ByteBuf frame = Unpooled.directBuffer();
        RequestFrame.writeHeader(frame, 0, opcode, flags, correlation, TABLE, partition, 500, mapVersion, key.length());
        if (opcode != Opcode.GET) {
            RequestFrame.writeRequestId(frame, session, seq, seq);
        }
        frame.writeCharSequence(key, StandardCharsets.US_ASCII);
        if ((flags & RequestFrame.FLAG_TTL) != 0) {
            frame.writeLongLE(ttlMillis);
        }
        frame.writeCharSequence(value, StandardCharsets.US_ASCII);
        frame.setIntLE(RequestFrame.LENGTH, frame.writerIndex());
        return frame;
    }

    /**
     * Sends a write of a key once, and waits for no answer.
     *
     * @param ttlMillis 0: the record does not expire
     */
    void send(byte opcode, long session, long seq, String key, String value, long ttlMillis) {
        int flags = ttlMillis == 0 ? 0 : RequestFrame.FLAG_TTL;
        send(partitionOf(key), request(opcode, key, value, flags, ttlMillis, partitionOf(key), 0, session, seq));
    }

    /** Sends a request once that removes all records of a partition, or as many as one request removes. */
    void sendClear(int partition, long session, long seq) {
        ByteBuf frame = Unpooled.directBuffer();
        byte[] low = isRange() ? span(partition).low() : new byte[0];
        byte opcode = isRange() ? Opcode.RANGE_CLEAR : Opcode.CLEAR;
        int flags = isRange() ? RequestFrame.FLAG_END_INCLUSIVE : 0;
        RequestFrame.writeHeader(frame, 0, opcode, flags, 0, TABLE, partition, 500, mapVersion, low.length);
        RequestFrame.writeRequestId(frame, session, seq, seq);
        if (isRange()) {
            byte[] high = span(partition).high();
            frame.writeBytes(low).writeShortLE(high.length).writeBytes(high);
        } else {
            frame.writeLongLE(ScanOrder.start(partition)).writeLongLE(ScanOrder.end(partition, 1));
        }
        frame.setIntLE(RequestFrame.LENGTH, frame.writerIndex());
        send(partition, frame);
    }

    private void send(int partition, ByteBuf frame) {
        Brick brick = bricks.get(places.get(partition).brick());
        if (!brick.dead) {
            brick.node.onFrames(brick.client, frame);
            brick.client.flush();
        }
    }

    void put(String key, String value) {
        assertThat(call(Opcode.PUT, key, value, 0, 0).getByte(ReplyFrame.STATUS))
                .isEqualTo(Status.OK);
    }

    void put(String key, String value, Duration lives) {
        ByteBuf reply = call(Opcode.PUT, key, value, RequestFrame.FLAG_TTL, lives.toMillis());
        assertThat(reply.getByte(ReplyFrame.STATUS)).isEqualTo(Status.OK);
    }

    void remove(String key) {
        call(Opcode.REMOVE, key, "", 0, 0);
    }

    @Nullable
    String get(String key) {
        ByteBuf reply = call(Opcode.GET, key, "", 0, 0);
        int body = ReplyFrame.HEADER
                + ((reply.getByte(ReplyFrame.FLAGS) & ReplyFrame.FLAG_ADJUSTMENT) == 0 ? 0 : ReplyFrame.ADJUSTMENT);
        return reply.getByte(ReplyFrame.STATUS) == Status.ABSENT
                ? null
                : reply.toString(body + Long.BYTES, reply.writerIndex() - body - Long.BYTES, StandardCharsets.US_ASCII);
    }

    // ---- time and state

    void run(long millis) {
        world.run(Duration.ofMillis(millis));
    }

    void runUntil(String what, BooleanSupplier condition) {
        for (int k = 0; k < 2_000 && !condition.getAsBoolean(); k++) {
            run(10);
        }
        assertThat(condition.getAsBoolean()).as(what).isTrue();
    }

    /** The partition of a column at its primary. */
    Partition column(int number) {
        Partition here = bricks.get(places.get(number).brick()).partition(number);
        assertThat(here).as("column " + number).isNotNull();
        return here;
    }

    /** Compares the backups of each partition with its primary. */
    void checkBackups(String context) {
        run(REST_MILLIS);
        for (int number = 0; number < partitions; number++) {
            Map<String, String> atPrimary = records(places.get(number).brick(), number);
            for (Member backup : places.get(number).backups()) {
                Partition here = bricks.get(backup.brick()).partition(number);
                assertThat(records(backup.brick(), number))
                        .as("%s: partition %d at brick %d", context, number, backup.brick())
                        .isEqualTo(atPrimary);
                assertThat(here.version()) // a CLEAR may raise it further at a backup
                        .isGreaterThanOrEqualTo(column(number).version());
                assertThat(here.bucket().ranks().space())
                        .as("%s: a backup has no ranks", context)
                        .isNull();
            }
        }
    }

    /** Checks that nothing of a table with parity is left: no parity, and no record with a rank. */
    void checkNoParity(String context) {
        for (Brick brick : bricks) {
            if (!brick.dead) {
                brick.node.parities().forEach(parity -> fail(context + ": a parity at brick " + brick.number));
                brick.node
                        .tables()
                        .forEach(here -> assertThat(here.bucket().ranks().space())
                                .as("%s: ranks of partition %d at brick %d", context, here.number(), brick.number)
                                .isNull());
            }
        }
    }

    /** The records of a partition at a brick that have not expired, by key: version, expiry and value. */
    Map<String, String> records(int brick, int number) {
        Partition partition = bricks.get(brick).partition(number);
        assertThat(partition).as("partition %d at brick %d", number, brick).isNotNull();
        return StageBrick.records(bricks.get(brick).node.store(), partition);
    }

    boolean isClean(int number) {
        return column(number).isClean() && !((HashPartition) column(number)).isWide();
    }

    /** Compares the parities with the columns, of which none is degraded or filling. */
    void checkParities() {
        run(REST_MILLIS);
        for (int group = 0; group < PARITY.groups(places.size()); group++) {
            Brick brick = bricks.get(parities.get(group).members().getFirst().brick());
            var parity = new Object() {
                io.sdds.brick.parity.member.@Nullable ParityPartition here;
            };
            int number = group;
            brick.node.parities().forEach(each -> {
                if (each.table() == TABLE && each.group() == number) {
                    parity.here = each;
                }
            });
            assertThat(parity.here).as("parity of group " + group).isNotNull();
            List<IntFunction<ParityCheck.@Nullable Coded>> columns = new ArrayList<>();
            int top = 0;
            for (int c = 0; c < PARITY.columns(); c++) {
                int column = group * PARITY.columns() + c;
                if (column >= places.size()) {
                    columns.add(rank -> null);
                    continue;
                }
                Partition here = column(column);
                assertThat(parity.here.columns().get(c).committed())
                        .as("column " + column)
                        .isEqualTo(here.group().last());
                top = Math.max(top, here.bucket().ranks().space().top());
                RecordStore store = bricks.get(places.get(column).brick()).node.store();
                columns.add(rank -> ParityCheck.Coded.of(
                        store, here.bucket().ranks().space().reference(rank)));
            }
            assertThat(ParityCheck.faults(parity.here.records(), columns, top)).isEmpty();
        }
    }

    @Override
    public void close() {
        for (Brick brick : bricks) {
            brick.memory.close();
        }
    }
}
