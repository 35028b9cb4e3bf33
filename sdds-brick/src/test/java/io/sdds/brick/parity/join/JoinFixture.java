package io.sdds.brick.parity.join;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.sdds.brick.bucket.RankSpace;
import io.sdds.brick.erasure.KernelType;
import io.sdds.brick.group.Group;
import io.sdds.brick.group.Groups;
import io.sdds.brick.group.NoRequests;
import io.sdds.brick.group.ProtocolLinks;
import io.sdds.brick.group.QueuedConnection;
import io.sdds.brick.map.BrickMap;
import io.sdds.brick.map.TableView;
import io.sdds.brick.memory.ArenaMemorySource;
import io.sdds.brick.memory.MemoryBudget;
import io.sdds.brick.memory.RecordStore;
import io.sdds.brick.parity.member.Column;
import io.sdds.brick.parity.member.ParityPartition;
import io.sdds.brick.parity.records.CodedRecord;
import io.sdds.brick.parity.records.ParityCheck;
import io.sdds.brick.parity.stage.ParityStage;
import io.sdds.brick.partition.Gate;
import io.sdds.brick.partition.HashPartition;
import io.sdds.brick.partition.Operations;
import io.sdds.brick.partition.Partition;
import io.sdds.brick.partition.Replies;
import io.sdds.brick.partition.Request;
import io.sdds.brick.partition.Results;
import io.sdds.brick.partition.Tables;
import io.sdds.brick.stage.StageContext;
import io.sdds.core.control.ControlMessage.MapUpdate;
import io.sdds.core.control.ControlMessage.MigrationReport;
import io.sdds.core.control.ControlMessage.MigrationState;
import io.sdds.core.model.AddressBlock;
import io.sdds.core.model.BrickInfo;
import io.sdds.core.model.KeySpan;
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
import io.sdds.core.node.FakeWorld;
import io.sdds.core.node.Link;
import io.sdds.core.node.SilentConnection;
import io.sdds.core.protocol.Hello;
import io.sdds.core.protocol.RequestFrame;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.IntFunction;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * One parity group of real members: the primaries of two columns on the bricks 0 and 1, parity 0 on brick 2, and brick
 * 3, which joins as parity 1, or in the place of parity 0. The fixture carries the frames between them, and gives all
 * of them one map.
 */
final class JoinFixture implements AutoCloseable {
    static final int TABLE = 1;
    static final int COLUMNS = 2;
    static final int JOINER = 3;
    static final long ORDER = 40;
    private static final int PARITY_INDEX = 1;
    private static final int REPLACED_INDEX = 0;

    /** The brick of parity 0, which leads the columns whose primaries are gone. */
    static final int LEAD = 2;

    private static final Parity PARITY = new Parity(COLUMNS, 2);
    private static final TableDefinition DEFINITION = new TableDefinition(
            TABLE,
            "t",
            TableSpec.of(TableKind.HASH)
                    .capacity(100)
                    .firstPartitions(COLUMNS)
                    .parity(PARITY)
                    .build());

    final FakeWorld world = new FakeWorld(1);
    final List<Brick> bricks = new ArrayList<>();
    private long mapVersion;
    private long epoch = 1;
    private boolean ordered;
    private boolean joined;
    private boolean replaces;
    private int recovered = -1;
    private int lost = -1;

    JoinFixture(long joinerBytes) {
        this(joinerBytes, 64 << 20);
    }

    JoinFixture(long joinerBytes, long memberBytes) {
        for (int number = 0; number <= JOINER; number++) {
            bricks.add(new Brick(number, number == JOINER ? joinerBytes : memberBytes));
        }
        takeMap();
        pump();
    }

    static Member member(int brick) {
        return new Member(brick, 1);
    }

    /** A brick of one stage, with what the stage's groups need. */
    final class Brick {
        final int number;
        final BrickMap map = new BrickMap();
        final Tables tables = new Tables();
        final MemoryBudget budget;
        final ArenaMemorySource memory;
        final RecordStore store;
        final ParityStage parity;
        final Groups groups;
        final @Nullable Partition partition;
        private final Operations operations;
        private final FakeWorld.FakeEnv env = world.newEnv();
        private final Link client =
                Link.view(env, null, Hello.of(Hello.Role.CLIENT, "c", 1), new SilentConnection("client"));
        private final Link[] links = new Link[JOINER + 1];
        private final List<Deque<ByteBuf>> sent = new ArrayList<>();
        private final Set<Integer> unreachable = new TreeSet<>();

        /** Which frames to this brick are lost. */
        Predicate<ByteBuf> loses = frame -> false;

        boolean hangs;

        Brick(int number, long memoryBytes) {
            this.number = number;
            budget = new MemoryBudget(memoryBytes);
            memory = new ArenaMemorySource(budget);
            store = new RecordStore(memory, budget);
            Replies replies = new Replies();
            for (int other = 0; other <= JOINER; other++) {
                sent.add(new ArrayDeque<>());
                connect(other);
            }
            StageContext context = new StageContext(
                    env,
                    null,
                    map,
                    tables,
                    store,
                    budget,
                    replies,
                    new ProtocolLinks(brick -> unreachable.contains(brick) ? null : links[brick]),
                    partition -> true,
                    2);
            parity = new ParityStage(
                    context,
                    budget.reserveBytes(),
                    Groups.LOG_BYTES_MAX,
                    KernelType.fastest().open(),
                    () -> member(number),
                    new Reruns());
            groups = parity.groups();
            operations = new Operations(store, replies, session -> false, session -> false, env::nowNanos, 2);
            partition = number < COLUMNS ? new HashPartition(TABLE, number, 1, 0, store) : null;
        }

        private void connect(int other) {
            sent.get(other).clear();
            links[other] = Link.view(
                    env, null, Hello.of(Hello.Role.BRICK, "b" + other, 1), new QueuedConnection(sent.get(other)));
        }

        private void take(MapUpdate update) {
            assertThat(map.apply(update, dropped -> {})).isTrue();
            TableView table = map.table(TABLE);
            if (partition != null && tables.find(TABLE, number) == null) {
                partition.bucket().ranks().begin(new RankSpace(store.slots()));
                groups.begin(partition, table.groupPlace(number));
                tables.add(partition);
            } else if (partition != null) {
                partition.group().become(table.groupPlace(number));
            }
            parity.parities().take(table, 0);
            parity.joins().reconcile();
            endTurn();
        }

        private void endTurn() {
            groups.onDrained();
            for (Link link : links) {
                link.flush();
            }
        }

        private void onBytes(int from, ByteBuf frames) {
            for (int at = frames.readerIndex(); at < frames.writerIndex(); at += frames.getIntLE(at)) {
                if (!loses.test(frames.slice(at, frames.getIntLE(at)))) {
                    groups.onFrame(links[from], frames, at, frames.getIntLE(at));
                }
            }
            endTurn();
        }

        void write(byte opcode, long session, long seq, String key, int valueBytes) {
            ByteBuf frame = env.allocate(RequestFrame.WRITE_BODY + 100 + valueBytes);
            RequestFrame.writeHeader(frame, 0, opcode, 0, 1, TABLE, number, 1_000, 1, key.length());
            RequestFrame.writeRequestId(frame, session, seq, Math.max(1, seq - 20));
            frame.writeCharSequence(key, StandardCharsets.US_ASCII);
            for (int k = 0; k < valueBytes; k++) {
                frame.writeByte((int) (seq * 31 + k));
            }
            frame.setIntLE(RequestFrame.LENGTH, frame.writerIndex());
            run(client, frame);
            frame.release();
            client.flush();
            endTurn();
        }

        private void run(Link link, ByteBuf frame) {
            Request request = new Request();
            request.read(link, frame, Request.memoryOf(frame), 0, frame.readableBytes());
            Gate gate = partition.gate();
            if (gate.admits(request)) {
                operations.run(partition, request);
            }
        }

        /** Runs the requests that have waited. */
        private final class Reruns extends NoRequests {
            @Override
            public void rerun(Link link, ByteBuf frame) {
                run(link, frame);
            }
        }

        /** The coded record that the column has at a rank. */
        ParityCheck.@Nullable Coded coded(int rank) {
            long ref = partition.bucket().ranks().space().reference(rank);
            if (ref == 0) {
                return null;
            }
            byte[] bytes = new byte[CodedRecord.length(store, ref)];
            CodedRecord.write(store, ref, MemorySegment.ofArray(bytes), 0);
            return new ParityCheck.Coded(bytes, store.hash(ref));
        }
    }

    // ---- the map

    private void takeMap() {
        ParityMembers present = new ParityMembers(List.of(member(LEAD), ParityMembers.MISSING));
        ParityMembers parities = joined ? present.with(index(), member(JOINER)) : present;
        List<Place> places = List.of(place(0), place(1));
        List<BrickInfo> infos = new ArrayList<>();
        for (int number = 0; number <= JOINER; number++) {
            infos.add(new BrickInfo(number, "b" + number, 1, "b" + number));
        }
        MapUpdate update = new MapUpdate(
                mapVersion,
                mapVersion + 1,
                infos,
                List.of(new TableMap(DEFINITION, COLUMNS, mapVersion + 1)),
                List.of(),
                List.of(new AddressBlock(TABLE, 0, mapVersion + 1, places, List.of(), List.of(parities))),
                orders(places),
                0,
                List.of());
        mapVersion++;
        bricks.forEach(brick -> brick.take(update));
    }

    private Place place(int column) {
        return Place.of(List.of(member(column == lost ? LEAD : column)), 0, epoch);
    }

    private List<MigrationOrder> orders(List<Place> places) {
        List<MigrationOrder> orders = new ArrayList<>();
        if (ordered) {
            Place target = Place.of(List.of(member(JOINER)), ORDER, 1);
            orders.add(order(ORDER, MigrationKind.PARITY, 0, index(), places.get(0), target));
        }
        if (recovered >= 0) {
            Place lead = Place.of(List.of(member(LEAD)), 0, epoch);
            orders.add(order(ORDER - 1, MigrationKind.RECOVERY, recovered, 0, lead, places.get(recovered)));
        }
        return orders;
    }

    private static MigrationOrder order(
            long id, MigrationKind kind, int column, int level, Place source, Place target) {
        return new MigrationOrder(id, kind, TABLE, column, column, level, KeySpan.ALL, source, target);
    }

    /** The coordinators order the join. */
    void order() {
        ordered = true;
        takeMap();
    }

    /** The coordinators order the join in the place of the parity that is present. */
    void orderReplacement() {
        replaces = true;
        order();
    }

    private int index() {
        return replaces ? REPLACED_INDEX : PARITY_INDEX;
    }

    /** The coordinators drop the order. */
    void dropOrder() {
        ordered = false;
        takeMap();
    }

    /** Has a column move records into the holes of its ranks; returns whether it has proposed an entry. */
    boolean densify(int column) {
        boolean proposed = group(column).densify();
        bricks.get(column).endTurn();
        return proposed;
    }

    /** Has a column drop records that it does not own; returns whether it has proposed an entry. */
    boolean dropUnowned(int column) {
        boolean proposed = group(column).dropUnowned(1000);
        bricks.get(column).endTurn();
        return proposed;
    }

    /** The primary of a column is gone: parity 0 leads the column. */
    void lose(int column) {
        bricks.get(column).hangs = true;
        lost = column;
        raiseEpochs();
    }

    /** All columns get another epoch. */
    void raiseEpochs() {
        epoch++;
        takeMap();
    }

    /** A column is filling, by an order in the map; none is with a negative number. */
    void recover(int column) {
        recovered = column;
        takeMap();
    }

    /** The coordinators name the joined member in the map. */
    void commitJoin() {
        ordered = false;
        joined = true;
        epoch++;
        takeMap();
    }

    // ---- what is reported, and the state

    Brick joiner() {
        return bricks.get(JOINER);
    }

    @Nullable
    MigrationState reported() {
        List<MigrationReport> reports = joiner().parity.joins().reports();
        return reports.isEmpty() ? null : reports.getFirst().state();
    }

    Group group(int column) {
        return bricks.get(column).partition.group();
    }

    /** Whether the primary of a column counts the joining member's votes. */
    boolean counts(int column) {
        return group(column).replication().leader().hasVotingLearner();
    }

    /** The parity member of a brick; null if the map does not name it. */
    @Nullable
    ParityPartition parity(int brick) {
        return bricks.get(brick).parity.parities().of(TABLE, 0);
    }

    /** Compares the parity member of a brick with the columns. All entries are committed everywhere. */
    void check(int brick, Object context) {
        ParityPartition parity = parity(brick);
        assertThat(parity).as("%s: parity member on brick %d", context, brick).isNotNull();
        for (int c = 0; c < COLUMNS; c++) {
            Brick column = bricks.get(c);
            assertThat(parity.columns().get(c).committed())
                    .as("%s: column %d on brick %d", context, c, brick)
                    .isEqualTo(group(c).last());
            Column copy = parity.columns().get(c);
            Map<Long, Long> lows = lows(column.partition.results());
            assertThat(results(copy.results(), lows))
                    .as("%s", context)
                    .isEqualTo(results(column.partition.results(), lows));
            assertThat(copy.version()).as("%s", context).isEqualTo(column.partition.version());
        }
        checkRecords(brick, context);
    }

    /** Compares the parity records of a brick with the records of the columns. */
    void checkRecords(int brick, Object context) {
        List<IntFunction<ParityCheck.@Nullable Coded>> columns = new ArrayList<>();
        int top = 0;
        for (Brick column : bricks.subList(0, COLUMNS)) {
            columns.add(column::coded);
            top = Math.max(top, column.partition.bucket().ranks().space().top());
        }
        assertThat(ParityCheck.faults(parity(brick).records(), columns, top))
                .as("%s, brick %d", context, brick)
                .isEmpty();
    }

    /** The low of each session. A request that was refused may have raised a low at the primary, and nowhere else. */
    private static Map<Long, Long> lows(Results results) {
        Map<Long, Long> lows = new TreeMap<>();
        results.forEach((session, seq, low, hash, status, value) -> lows.put(session, low));
        return lows;
    }

    private static Set<String> results(Results results, Map<Long, Long> lows) {
        Set<String> open = new TreeSet<>();
        results.forEach((session, seq, low, hash, status, value) -> {
            if (seq != 0 && seq >= lows.getOrDefault(session, 0L)) {
                open.add(session + " " + seq + " " + hash + " " + status + " " + value);
            }
        });
        return open;
    }

    // ---- frames and time

    /** Delivers all frames, and those that are sent on them. */
    void pump() {
        while (deliver(0)) {
            // Each call delivers what one brick has sent to another in one turn.
        }
    }

    /** Delivers the oldest bytes of one pair of bricks; false if there are none. */
    boolean deliver(int pair) {
        int pairs = bricks.size() * bricks.size();
        for (int k = 0; k < pairs; k++) {
            int from = (pair + k) % pairs / bricks.size();
            int to = (pair + k) % bricks.size();
            ByteBuf frames =
                    bricks.get(to).hangs ? null : bricks.get(from).sent.get(to).poll();
            if (frames != null) {
                bricks.get(to).onBytes(from, frames);
                return true;
            }
        }
        return false;
    }

    /** Delivers a frame once more. */
    void repeat(int from, int to, ByteBuf frame) {
        bricks.get(to).onBytes(from, frame);
    }

    boolean deliver(Random random) {
        return deliver(random.nextInt(bricks.size() * bricks.size()));
    }

    /** The link between two bricks goes down with all frames on it, and the next link is up at once. */
    void cut(int one, int other) {
        bricks.get(one).connect(other);
        bricks.get(other).connect(one);
        bricks.get(one).groups.onLinkUp();
        bricks.get(one).endTurn();
        bricks.get(other).groups.onLinkUp();
        bricks.get(other).endTurn();
    }

    /** Two bricks have no link, or have one again. */
    void reach(int one, int other, boolean up) {
        if (up) {
            bricks.get(one).unreachable.remove(other);
            bricks.get(other).unreachable.remove(one);
        } else {
            bricks.get(one).unreachable.add(other);
            bricks.get(other).unreachable.add(one);
        }
        cut(one, other);
    }

    /** 100 ms pass. */
    void tick() {
        world.clockOnly(Duration.ofMillis(100));
        for (Brick brick : bricks) {
            if (!brick.hangs) {
                brick.groups.tick();
                brick.endTurn();
            }
        }
    }

    /** Ticks, and delivers all frames, so many times. */
    void run(int ticks) {
        for (int k = 0; k < ticks; k++) {
            pump();
            tick();
        }
        pump();
    }

    void runUntilReported(MigrationState state) {
        for (int k = 0; k < 400 && reported() != state; k++) {
            run(1);
        }
        assertThat(reported()).isEqualTo(state);
    }

    @Override
    public void close() {
        for (Brick brick : bricks) {
            brick.groups.release();
            brick.memory.close();
        }
    }
}
