package io.sdds.brick.parity.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.sdds.brick.bucket.RankSpace;
import io.sdds.brick.group.Entry;
import io.sdds.brick.group.Group;
import io.sdds.brick.group.GroupLog;
import io.sdds.brick.group.Replication;
import io.sdds.brick.group.StageBrick;
import io.sdds.brick.group.StageCluster;
import io.sdds.brick.memory.RecordStore;
import io.sdds.brick.memory.SegmentHash;
import io.sdds.brick.parity.member.ParityPartition;
import io.sdds.core.addressing.ScanOrder;
import io.sdds.core.control.ControlMessage.MigrationState;
import io.sdds.core.model.KeySpan;
import io.sdds.core.model.MigrationKind;
import io.sdds.core.model.MigrationOrder;
import io.sdds.core.model.Parity;
import io.sdds.core.model.ParityMembers;
import io.sdds.core.model.Place;
import io.sdds.core.model.Place.Member;
import io.sdds.core.model.TableDefinition;
import io.sdds.core.model.TableKind;
import io.sdds.core.model.TableSpec;
import io.sdds.core.protocol.Opcode;
import io.sdds.core.protocol.ReplyFrame;
import io.sdds.core.protocol.RequestFrame;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A table of two partitions with two replicas each, which is converted to parity 2,2. Brick c is the first primary of
 * partition c, brick 2 + c its backup, and the bricks 4 and 5 get the parities.
 */
final class ConversionFixture extends StageCluster<ConversionFixture.Brick> {
    static final int COLUMNS = 2;
    static final int PARITIES = 2;
    static final int FIRST_PARITY = 2 * COLUMNS;
    private static final int BRICKS = FIRST_PARITY + PARITIES;
    private static final long FIRST_ORDER = 40;
    private static final Parity PARITY = new Parity(COLUMNS, PARITIES);

    /** Between the keys of the two partitions, in a range table. */
    private static final byte[] BOUND = "m".getBytes(StandardCharsets.US_ASCII);

    private final TableKind kind;
    private TableDefinition definition;
    private final List<List<Member>> groups = new ArrayList<>();
    private final long[] epochs = {1, 1};

    /** For each column, the highest version that a committed entry has had at some member. */
    private final long[] versions = new long[COLUMNS];

    private @Nullable ParityMembers parities;
    private long order;
    private int ordered = -1;

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

    /** A brick that knows what clients were answered. */
    final class Brick extends StageBrick {
        /** The statuses of all answers. */
        private final List<Byte> statuses = new ArrayList<>();

        Brick(int number, long memoryBytes) {
            super(world, number, BRICKS, number < FIRST_PARITY ? number % COLUMNS : -1, memoryBytes);
        }

        List<Byte> answers() {
            answers.take().forEach(answer -> statuses.add(answer.getByte(ReplyFrame.STATUS)));
            return statuses;
        }

        @Override
        public void endTurn() {
            noteVersion();
            super.endTurn();
        }

        /** A member keeps a committed entry until all members know of it, so some member still has it here. */
        private void noteVersion() {
            Replication here = partition == null ? null : partition.group().replicationIfAny();
            if (here != null && here.committed() > here.log().trimmed()) {
                GroupLog log = here.log();
                long version = Entry.number(log.memory(), log.index(here.committed()), Entry.VERSION);
                int column = partition.number();
                versions[column] = Math.max(versions[column], version);
            }
        }

        @Override
        protected void tick() {
            super.tick();
            if (partition != null) {
                partition.bucket().maintain(100);
            }
        }

        /** Removes all records of the partition, or as many as one request removes. */
        void clear(long session, long seq) {
            int column = partition.number();
            boolean isRange = kind == TableKind.RANGE;
            byte[] low = isRange ? span(column).low() : new byte[0];
            ByteBuf frame = isRange
                    ? begin(Opcode.RANGE_CLEAR, RequestFrame.FLAG_END_INCLUSIVE, column, 1, low.length)
                    : begin(Opcode.CLEAR, 0, column, 1, 0);
            RequestFrame.writeRequestId(frame, session, seq, Math.max(1, seq - 20));
            if (isRange) {
                byte[] high = span(column).high();
                frame.writeBytes(low).writeShortLE(high.length).writeBytes(high);
            } else {
                frame.writeLongLE(ScanOrder.start(column)).writeLongLE(ScanOrder.end(column, 1));
            }
            run(frame);
        }

        /** The records that have not expired. */
        Map<String, String> records() {
            return records(store, partition);
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
        takeMap(
                definition,
                places,
                kind == TableKind.RANGE ? spans : List.of(),
                parities == null ? List.of() : List.of(parities),
                ordered < 0 ? List.of() : List.of(order(places.get(0))));
    }

    private MigrationOrder order(Place source) {
        Place target = Place.of(List.of(member(FIRST_PARITY + ordered)), order, 1);
        return order(order, MigrationKind.PARITY, 0, ordered, source, target);
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

    private Brick joiner() {
        return bricks.get(FIRST_PARITY + ordered);
    }

    @Nullable
    MigrationState reported() {
        return reported(joiner());
    }

    void runUntilJoined() {
        runUntilReported(joiner(), MigrationState.HANDED_OVER);
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
        checkRecords(FIRST_PARITY + parity, List.of(primary(0), primary(1)), context);
        ParityPartition here = parity(FIRST_PARITY + parity);
        for (int column = 0; column < COLUMNS; column++) {
            assertThat(here.columns().get(column).committed())
                    .as("%s: parity %d", context, parity)
                    .isEqualTo(primary(column).partition.group().last());
        }
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
}
