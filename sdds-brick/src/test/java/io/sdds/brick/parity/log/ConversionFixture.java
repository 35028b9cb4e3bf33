package io.sdds.brick.parity.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.sdds.brick.bucket.RankSpace;
import io.sdds.brick.erasure.KernelType;
import io.sdds.brick.group.Entry;
import io.sdds.brick.group.Group;
import io.sdds.brick.group.GroupLog;
import io.sdds.brick.group.Groups;
import io.sdds.brick.group.NoRequests;
import io.sdds.brick.group.ProtocolLinks;
import io.sdds.brick.group.QueuedConnection;
import io.sdds.brick.group.Replication;
import io.sdds.brick.map.BrickMap;
import io.sdds.brick.map.TableView;
import io.sdds.brick.memory.ArenaMemorySource;
import io.sdds.brick.memory.MemoryBudget;
import io.sdds.brick.memory.RecordStore;
import io.sdds.brick.memory.SegmentHash;
import io.sdds.brick.parity.member.ParityPartition;
import io.sdds.brick.parity.records.CodedRecord;
import io.sdds.brick.parity.records.ParityCheck;
import io.sdds.brick.parity.stage.ParityStage;
import io.sdds.brick.partition.Gate;
import io.sdds.brick.partition.Operations;
import io.sdds.brick.partition.Partition;
import io.sdds.brick.partition.Replies;
import io.sdds.brick.partition.Request;
import io.sdds.brick.partition.Tables;
import io.sdds.brick.stage.EmptyPartitions;
import io.sdds.brick.stage.StageContext;
import io.sdds.core.addressing.ScanOrder;
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
import io.sdds.core.protocol.Opcode;
import io.sdds.core.protocol.ReplyFrame;
import io.sdds.core.protocol.RequestFrame;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * A table of two partitions with two replicas each, which is converted to parity 2,2. Brick c is the first primary of
 * partition c, brick 2 + c its backup, and the bricks 4 and 5 get the parities. The fixture carries the frames between
 * the bricks, and gives all of them one map.
 */
final class ConversionFixture implements AutoCloseable {
    static final int TABLE = 1;
    static final int COLUMNS = 2;
    static final int PARITIES = 2;
    static final int FIRST_PARITY = 2 * COLUMNS;
    private static final int BRICKS = FIRST_PARITY + PARITIES;
    private static final long FIRST_ORDER = 40;
    private static final Parity PARITY = new Parity(COLUMNS, PARITIES);

    /** Between the keys of the two partitions, in a range table. */
    private static final byte[] BOUND = "m".getBytes(StandardCharsets.US_ASCII);

    final FakeWorld world = new FakeWorld(1);
    final List<Brick> bricks = new ArrayList<>();
    private final TableKind kind;
    private TableDefinition definition;
    private final List<List<Member>> groups = new ArrayList<>();
    private final long[] epochs = {1, 1};

    /** For each column, the highest version that a committed entry has had at some member. */
    private final long[] versions = new long[COLUMNS];

    private @Nullable ParityMembers parities;
    private long order;
    private int ordered = -1;
    private long mapVersion;
    private int nextCorrelation;

    /** @param bytes memory of each brick */
    ConversionFixture(TableKind kind, int replicas, long bytes) {
        this(kind, replicas, 1, bytes);
    }

    ConversionFixture(TableKind kind, int replicas, int minCopies, long bytes) {
        this.kind = kind;
        this.definition = new TableDefinition(
                TABLE,
                "t",
                TableSpec.of(kind)
                        .capacity(1 << 20)
                        .replicas(replicas)
                        .minCopies(minCopies)
                        .firstPartitions(COLUMNS)
                        .build());
        this.order = FIRST_ORDER;
        for (int column = 0; column < COLUMNS; column++) {
            groups.add(replicas == 1 ? List.of(member(column)) : List.of(member(column), member(COLUMNS + column)));
        }
        for (int number = 0; number < BRICKS; number++) {
            bricks.add(new Brick(number, bytes));
        }
        takeMap();
        run(2);
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

        @Nullable
        Partition partition;

        private final Operations operations;
        private final FakeWorld.FakeEnv env = world.newEnv();
        private final Link client = Link.view(env, null, Hello.of(Hello.Role.CLIENT, "c", 1), new Client());
        private final Link[] links = new Link[BRICKS];

        /** The statuses of all answers. */
        final List<Byte> answers = new ArrayList<>();

        private final List<Deque<ByteBuf>> sent = new ArrayList<>();
        boolean hangs;

        Brick(int number, long memoryBytes) {
            this.number = number;
            budget = new MemoryBudget(memoryBytes);
            memory = new ArenaMemorySource(budget);
            store = new RecordStore(memory, budget);
            Replies replies = new Replies();
            for (int other = 0; other < BRICKS; other++) {
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
                    new ProtocolLinks(brick -> links[brick]),
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
        }

        private int column() {
            return number % COLUMNS;
        }

        private void connect(int other) {
            sent.get(other).clear();
            links[other] = Link.view(
                    env, null, Hello.of(Hello.Role.BRICK, "b" + other, 1), new QueuedConnection(sent.get(other)));
        }

        private void take(MapUpdate update) {
            assertThat(map.apply(update, dropped -> {})).isTrue();
            TableView table = map.table(TABLE);
            Place place = table.groupPlace(column());
            boolean member = number < FIRST_PARITY && table.place(column()).has(number, 1);
            if (member && partition == null) {
                Partition made = EmptyPartitions.make(table, column(), 0, store);
                partition = made;
                groups.begin(made, place);
                tables.add(made);
            } else if (member) {
                partition.group().become(place);
            } else if (partition != null) {
                drop(partition);
            }
            parity.parities().take(table, 0);
            parity.joins().reconcile();
            endTurn();
        }

        private void drop(Partition gone) {
            tables.remove(gone);
            gone.group().dissolve();
            gone.bucket().release();
            partition = null;
        }

        private void endTurn() {
            noteVersion();
            groups.onDrained();
            client.flush();
            for (Link link : links) {
                link.flush();
            }
        }

        /** A member keeps a committed entry until all members know of it, so some member still has it here. */
        private void noteVersion() {
            Replication here = partition == null ? null : partition.group().replicationIfAny();
            if (here != null && here.committed() > here.log().trimmed()) {
                GroupLog log = here.log();
                long version = Entry.number(log.memory(), log.index(here.committed()), Entry.VERSION);
                versions[column()] = Math.max(versions[column()], version);
            }
        }

        private void onBytes(int from, ByteBuf frames) {
            for (int at = frames.readerIndex(); at < frames.writerIndex(); at += frames.getIntLE(at)) {
                groups.onFrame(links[from], frames, at, frames.getIntLE(at));
            }
            endTurn();
        }

        /** @param ttlMillis 0: the record does not expire */
        void write(byte opcode, long session, long seq, String key, int valueBytes, long ttlMillis) {
            boolean expires = opcode == Opcode.PUT;
            ByteBuf frame = begin(opcode, expires ? RequestFrame.FLAG_TTL : 0, session, seq, key.length(), valueBytes);
            frame.writeCharSequence(key, StandardCharsets.US_ASCII);
            if (expires) {
                frame.writeLongLE(ttlMillis);
            }
            for (int k = 0; k < valueBytes; k++) {
                frame.writeByte((int) (seq * 31 + k));
            }
            run(frame);
        }

        /** Removes all records of the partition, or as many as one request removes. */
        void clear(long session, long seq) {
            if (kind == TableKind.HASH) {
                ByteBuf frame = begin(Opcode.CLEAR, 0, session, seq, 0, 16);
                frame.writeLongLE(ScanOrder.start(column())).writeLongLE(ScanOrder.end(column(), 1));
                run(frame);
            } else {
                KeySpan span = span(column());
                ByteBuf frame =
                        begin(Opcode.RANGE_CLEAR, RequestFrame.FLAG_END_INCLUSIVE, session, seq, span.low().length, 16);
                frame.writeBytes(span.low()).writeShortLE(span.high().length).writeBytes(span.high());
                run(frame);
            }
        }

        private ByteBuf begin(byte opcode, int flags, long session, long seq, int keyLength, int valueBytes) {
            ByteBuf frame = env.allocate(RequestFrame.WRITE_BODY + 100 + valueBytes);
            RequestFrame.writeHeader(frame, 0, opcode, flags, ++nextCorrelation, TABLE, column(), 1_000, 1, keyLength);
            RequestFrame.writeRequestId(frame, session, seq, Math.max(1, seq - 20));
            return frame;
        }

        private void run(ByteBuf frame) {
            frame.setIntLE(RequestFrame.LENGTH, frame.writerIndex());
            run(client, frame);
            frame.release();
            client.flush();
            endTurn();
        }

        private void run(Link link, ByteBuf frame) {
            Request request = new Request();
            request.read(link, frame, Request.memoryOf(frame), 0, frame.readableBytes());
            Partition here = partition;
            if (here == null) {
                return;
            }
            Gate gate = here.gate();
            if (gate.admits(request)) {
                operations.run(here, request);
            }
        }

        /** Notes the statuses of answers. */
        private final class Client extends SilentConnection {
            Client() {
                super("client");
            }

            @Override
            public void write(ByteBuf replies) {
                for (int at = replies.readerIndex(); at < replies.writerIndex(); at += replies.getIntLE(at)) {
                    answers.add(replies.getByte(at + ReplyFrame.STATUS));
                }
                super.write(replies);
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
            return ref == 0 ? null : new ParityCheck.Coded(bytes(ref), store.hash(ref));
        }

        private byte[] bytes(long ref) {
            byte[] bytes = new byte[CodedRecord.length(store, ref)];
            CodedRecord.write(store, ref, MemorySegment.ofArray(bytes), 0);
            return bytes;
        }

        /** The records that have not expired, by key: version, expiry, and length and hash of the value. */
        Map<String, String> records() {
            Map<String, String> records = new TreeMap<>();
            boolean more = partition.visitNext(ref -> {});
            while (more) {
                more = partition.visitNext(ref -> {}); // ends the round that is under way
            }
            more = true;
            while (more) {
                more = partition.visitNext(ref -> {
                    String known = records.put(
                            new String(store.key(ref), StandardCharsets.US_ASCII),
                            store.version(ref) + " " + store.expiry(ref) + " " + store.valueLength(ref) + " "
                                    + Arrays.hashCode(value(ref)));
                    assertThat(known).isNull();
                });
            }
            return records;
        }

        private byte[] value(long ref) {
            return store.segment(ref)
                    .asSlice(store.valueOffset(ref), store.valueLength(ref))
                    .toArray(ValueLayout.JAVA_BYTE);
        }
    }

    /** A key that the partition owns. */
    String key(int column, int key) {
        for (int k = 0; ; k++) {
            String name = (column == 0 ? "a" : "z") + key + "." + k;
            byte[] bytes = name.getBytes(StandardCharsets.US_ASCII);
            long hash = SegmentHash.hash(MemorySegment.ofArray(bytes), 0, bytes.length);
            if (kind == TableKind.RANGE || (hash & COLUMNS - 1) == column) {
                return name;
            }
        }
    }

    // ---- the map

    private static KeySpan span(int column) {
        return column == 0 ? KeySpan.ALL.upTo(BOUND) : KeySpan.ALL.above(BOUND);
    }

    private void takeMap() {
        List<Place> places = new ArrayList<>();
        List<KeySpan> spans = new ArrayList<>();
        for (int column = 0; column < COLUMNS; column++) {
            places.add(Place.of(groups.get(column), 0, epochs[column]));
            spans.add(span(column));
        }
        List<BrickInfo> infos = new ArrayList<>();
        for (int number = 0; number < BRICKS; number++) {
            infos.add(new BrickInfo(number, "b" + number, 1, "b" + number));
        }
        MapUpdate update = new MapUpdate(
                mapVersion,
                mapVersion + 1,
                infos,
                List.of(new TableMap(definition, COLUMNS, mapVersion + 1)),
                List.of(),
                List.of(new AddressBlock(
                        TABLE,
                        0,
                        mapVersion + 1,
                        places,
                        kind == TableKind.RANGE ? spans : List.of(),
                        parities == null ? List.of() : List.of(parities))),
                ordered < 0 ? List.of() : List.of(order(places.get(0))),
                0,
                List.of());
        mapVersion++;
        bricks.stream().filter(brick -> !brick.hangs).forEach(brick -> brick.take(update));
    }

    private MigrationOrder order(Place source) {
        Place target = Place.of(List.of(member(FIRST_PARITY + ordered)), order, 1);
        return new MigrationOrder(order, MigrationKind.PARITY, TABLE, 0, 0, ordered, KeySpan.ALL, source, target);
    }

    /** The conversion begins: the group is to get parities. */
    void convert() {
        definition = definition.converting(PARITY);
        parities = ParityMembers.joining(PARITIES);
        takeMap();
    }

    /** The coordinators order the join of a parity. */
    void order(int parity) {
        order++;
        ordered = parity;
        takeMap();
    }

    /** The coordinators name the joined parity in the map. */
    void commitJoin() {
        parities = parities.with(ordered, member(FIRST_PARITY + ordered));
        ordered = -1;
        raiseEpochs();
        takeMap();
    }

    /** The table takes no writes with fewer parities from now on. */
    void minParities(int min) {
        definition = definition.withParity(definition.parity().withMinParities(min));
        takeMap();
    }

    /** A parity is gone: its group goes on without it. */
    void loseParity(int parity) {
        parities = parities.with(parity, ParityMembers.MISSING);
        raiseEpochs();
        takeMap();
    }

    /** The backups leave, and the group stands on parity. */
    void end() {
        groups.replaceAll(members -> List.of(members.get(0)));
        parities = parities.inForce(true);
        definition = definition.converted();
        raiseEpochs();
        takeMap();
    }

    /** The backup of a partition becomes primary, and the primary its backup, so that the group has no parities. */
    void handOver(int column) {
        change(column, groups.get(column).reversed());
    }

    /** The primary of a partition is gone. */
    void losePrimary(int column) {
        primary(column).hangs = true;
        change(column, List.of(groups.get(column).get(1)));
    }

    /** The backup of a partition is gone. */
    void loseBackup(int column) {
        bricks.get(groups.get(column).get(1).brick()).hangs = true;
        groups.set(column, groups.get(column).subList(0, 1));
        raiseEpochs();
        takeMap();
    }

    private void change(int column, List<Member> members) {
        groups.set(column, members);
        if (parities != null) {
            parities = ParityMembers.joining(PARITIES);
        }
        ordered = -1;
        raiseEpochs();
        takeMap();
    }

    private void raiseEpochs() {
        for (int column = 0; column < COLUMNS; column++) {
            epochs[column]++;
        }
    }

    // ---- what bricks do in the background

    /** Has the primary of a partition give ranks to some records. */
    void rank(int column, int looks) {
        Group group = primary(column).partition.group();
        if (group.wantsRanks()) {
            group.rank(looks);
        }
        primary(column).endTurn();
    }

    /** Has a column that stands on parity move records into the holes of its ranks. */
    void densify(int column) {
        primary(column).partition.group().densify();
        primary(column).endTurn();
    }

    /** Has the primaries give ranks to all records. */
    void rankAll() {
        for (int k = 0; k < 1_000 && !isRanked(); k++) {
            for (int column = 0; column < COLUMNS; column++) {
                rank(column, 64);
            }
            pump();
            if (k % 10 == 9) {
                expire();
                tick();
            }
        }
        assertThat(isRanked()).isTrue();
    }

    private boolean isRanked() {
        return isRanked(0) && isRanked(1);
    }

    /** The rank of a record at the primary; {@link RecordStore#NO_RANK} if it has none. */
    int rankOf(int column, int key) {
        Brick primary = primary(column);
        RankSpace ranks = ranks(column);
        byte[] bytes = key(column, key).getBytes(StandardCharsets.US_ASCII);
        for (int rank = 0; ranks != null && rank < ranks.top(); rank++) {
            long ref = ranks.reference(rank);
            if (ref != 0 && Arrays.equals(primary.store.key(ref), bytes)) {
                return rank;
            }
        }
        return RecordStore.NO_RANK;
    }

    boolean isRanked(int column) {
        return primary(column).partition.group().isRanked();
    }

    /** Moves the logical time of all partitions on, and has all members sweep. */
    void expire() {
        for (Brick brick : bricks) {
            if (brick.partition != null && !brick.hangs) {
                brick.partition.group().tickTime();
                brick.partition.group().sweep(1_000);
                brick.endTurn();
            }
        }
    }

    // ---- what is reported, and the state

    Brick primary(int column) {
        return bricks.get(groups.get(column).get(0).brick());
    }

    RankSpace ranks(int column) {
        return primary(column).partition.bucket().ranks().space();
    }

    @Nullable
    MigrationState reported() {
        List<MigrationReport> reports =
                bricks.get(FIRST_PARITY + ordered).parity.joins().reports();
        return reports.isEmpty() ? null : reports.getFirst().state();
    }

    boolean hasParity(int parity) {
        return parities != null && !parities.isMissing(parity);
    }

    boolean isOrdered() {
        return ordered >= 0;
    }

    /**
     * Compares the members of each group. All entries are committed everywhere. No member would give a committed
     * version again. A member may have counted further than another one, by entries that a change of primaries cut off.
     */
    void checkBackups(Object context) {
        for (int column = 0; column < COLUMNS; column++) {
            Brick primary = primary(column);
            for (Member member : groups.get(column)) {
                Brick brick = bricks.get(member.brick());
                assertThat(brick.partition.group().committed())
                        .as("%s: brick %d", context, brick.number)
                        .isEqualTo(primary.partition.group().last());
                assertThat(brick.records())
                        .as("%s: brick %d", context, brick.number)
                        .isEqualTo(primary.records());
                assertThat(brick.partition.version())
                        .as("%s: version at brick %d", context, brick.number)
                        .isGreaterThanOrEqualTo(versions[column]);
                assertThat(!brick.partition.bucket().ranks().areGiven() || brick == primary)
                        .as("%s: a backup has no ranks", context)
                        .isTrue();
            }
        }
    }

    /** Compares the parities with a fresh encoding of the columns. All entries are committed everywhere. */
    void checkParities(Object context) {
        for (int parity = 0; parity < PARITIES; parity++) {
            if (hasParity(parity)) {
                checkParity(parity, context);
            }
        }
    }

    private void checkParity(int parity, Object context) {
        ParityPartition here =
                bricks.get(FIRST_PARITY + parity).parity.parities().of(TABLE, 0);
        assertThat(here).as("%s: parity %d", context, parity).isNotNull();
        List<IntFunction<ParityCheck.@Nullable Coded>> columns = new ArrayList<>();
        int top = 0;
        for (int column = 0; column < COLUMNS; column++) {
            Brick primary = primary(column);
            columns.add(primary::coded);
            top = Math.max(top, ranks(column).top());
            assertThat(here.columns().get(column).committed())
                    .as("%s: parity %d", context, parity)
                    .isEqualTo(primary.partition.group().last());
        }
        assertThat(ParityCheck.faults(here.records(), columns, top))
                .as("%s: parity %d", context, parity)
                .isEmpty();
    }

    /** Checks that each record of the primaries has a rank, and each rank a record. All entries are committed. */
    void checkRanks(Object context) {
        for (int column = 0; column < COLUMNS; column++) {
            Brick primary = primary(column);
            RankSpace ranks = ranks(column);
            int records = 0;
            for (int rank = 0; rank < ranks.top(); rank++) {
                long ref = ranks.reference(rank);
                assertThat(ref != 0).as("%s: rank %d", context, rank).isEqualTo(ranks.isAllocated(rank));
                records += ref == 0 ? 0 : 1;
                assertThat(ref == 0 || primary.store.rank(ref) == rank).isTrue();
            }
            assertThat(records).as("%s", context).isEqualTo((int)
                    primary.partition.bucket().records());
        }
    }

    // ---- frames and time

    /** Delivers all frames, and those that are sent on them. */
    void pump() {
        while (deliver(0)) {
            // Each call delivers what one brick has sent to another in one turn.
        }
    }

    /** Delivers the oldest bytes of one pair of bricks; false if there are none. */
    private boolean deliver(int pair) {
        int pairs = BRICKS * BRICKS;
        for (int k = 0; k < pairs; k++) {
            int from = (pair + k) % pairs / BRICKS;
            int to = (pair + k) % BRICKS;
            ByteBuf frames = bricks.get(from).sent.get(to).poll();
            if (frames != null && !bricks.get(to).hangs) {
                bricks.get(to).onBytes(from, frames);
            }
            if (frames != null) {
                return true;
            }
        }
        return false;
    }

    void deliver(Random random) {
        deliver(random.nextInt(BRICKS * BRICKS));
    }

    /** The link between two bricks goes down with all frames on it, and the next link is up at once. */
    void cut(int one, int other) {
        bricks.get(one).connect(other);
        bricks.get(other).connect(one);
        for (int brick : new int[] {one, other}) {
            if (!bricks.get(brick).hangs) {
                bricks.get(brick).groups.onLinkUp();
                bricks.get(brick).endTurn();
            }
        }
    }

    /** 100 ms pass. */
    void tick() {
        world.clockOnly(Duration.ofMillis(100));
        for (Brick brick : bricks) {
            if (!brick.hangs) {
                brick.groups.tick();
                brick.endTurn();
                if (brick.partition != null) {
                    brick.partition.bucket().maintain(100);
                }
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

    void runUntilJoined() {
        for (int k = 0; k < 400 && reported() != MigrationState.HANDED_OVER; k++) {
            run(1);
        }
        assertThat(reported()).isEqualTo(MigrationState.HANDED_OVER);
    }

    /** All parities that are missing join, one after the other. All records have ranks. */
    void joinAll() {
        for (int parity = 0; parity < PARITIES; parity++) {
            if (!hasParity(parity)) {
                order(parity);
                runUntilJoined();
                commitJoin();
                run(2);
            }
        }
    }

    @Override
    public void close() {
        for (Brick brick : bricks) {
            brick.groups.release();
            brick.memory.close();
        }
    }
}
