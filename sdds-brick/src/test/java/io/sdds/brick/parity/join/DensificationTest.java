package io.sdds.brick.parity.join;

import static org.assertj.core.api.Assertions.assertThat;

import io.sdds.brick.bucket.RankSpace;
import io.sdds.brick.group.StageBrick;
import io.sdds.brick.memory.RecordStore;
import io.sdds.brick.parity.decoding.RecordDecoder;
import io.sdds.brick.parity.member.Column;
import io.sdds.brick.parity.records.CodedRecord;
import io.sdds.brick.parity.records.ParityRecords;
import io.sdds.brick.partition.Partition;
import io.sdds.core.Seeds;
import io.sdds.core.control.ControlMessage.MigrationState;
import io.sdds.core.protocol.Opcode;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Records of a column move into the holes of its ranks, beside writes, decodings, joins and the loss of a primary. */
class DensificationTest {
    private static final int VALUE_BYTES = 100;
    private static final long SESSION = 1;

    private JoinFixture group = new JoinFixture(64 << 20);
    private long seq;

    @AfterEach
    void close() {
        group.close();
    }

    private void write(byte opcode, int column, int key) {
        group.bricks.get(column).write(opcode, SESSION, ++seq, "k" + key, opcode == Opcode.PUT ? VALUE_BYTES : 0, 0);
    }

    private void put(int column, int from, int to) {
        for (int key = from; key < to; key++) {
            write(Opcode.PUT, column, key);
            group.pump();
        }
    }

    private void remove(int column, int key) {
        write(Opcode.REMOVE, column, key);
        group.pump();
    }

    /** Puts ten records with the ranks 0 to 9, and removes those of the ranks 2, 3 and 4. */
    private void thinOut(int column) {
        put(column, 0, 10);
        for (int key = 2; key < 5; key++) {
            remove(column, key);
        }
    }

    private RankSpace ranks(int column) {
        return group.bricks.get(column).partition.bucket().ranks().space();
    }

    private ParityRecords parityRecords() {
        return group.parity(JoinFixture.LEAD).records();
    }

    private void densify(int column) {
        for (int k = 0; k < 100 && group.group(column).isSparse(); k++) {
            group.densify(column);
            group.run(1);
            group.bricks.get(column).partition.bucket().maintain(100);
        }
        assertThat(group.group(column).isSparse()).isFalse();
    }

    private int rankOf(int column, int key) {
        StageBrick brick = group.bricks.get(column);
        RankSpace ranks = ranks(column);
        for (int rank = 0; rank < ranks.top(); rank++) {
            long ref = ranks.reference(rank);
            if (ref != 0 && new String(brick.store.key(ref), StandardCharsets.US_ASCII).equals("k" + key)) {
                return rank;
            }
        }
        return RecordStore.NO_RANK;
    }

    // ---- memory

    @Test
    void parityRecordsShrinkToTheRecordsThatAreLeft() {
        int records = 4_000;
        put(0, 0, records);
        put(1, 0, records);
        long bytesBefore = parityRecords().bytes();
        long rankBytesBefore = ranks(0).bytes();
        Random random = new Random(1);
        for (int key = 0; key < records; key++) {
            for (int column = 0; column < JoinFixture.COLUMNS; column++) {
                if (random.nextBoolean()) {
                    remove(column, key);
                }
            }
        }
        long left = Math.max(ranks(0).used(), ranks(1).used());
        assertThat((double) parityRecords().records() / left).as("before").isGreaterThan(1.4);
        densify(0);
        densify(1);
        group.run(20);
        System.out.printf(
                "%d of %d records left: %d parity records, %d of %d bytes; ranks of a column %d of %d bytes%n",
                left,
                records,
                parityRecords().records(),
                parityRecords().bytes(),
                bytesBefore,
                ranks(0).bytes(),
                rankBytesBefore);
        assertThat((double) parityRecords().records() / left).isLessThan(8 / 7.0);
        assertThat((double) parityRecords().top() / left).isLessThan(1.3);
        assertThat((double) parityRecords().bytes() / bytesBefore).isLessThan(0.6);
        assertThat((double) ranks(0).bytes() / rankBytesBefore).isLessThan(0.7);
        group.checkRecords(JoinFixture.LEAD, "after the densification");
    }

    @Test
    void ranksThatAreNotSparseStay() {
        put(0, 0, 16);
        remove(0, 3);
        remove(0, 7);
        assertThat(group.group(0).isSparse()).isFalse();
        assertThat(group.densify(0)).isFalse();
        remove(0, 9);
        assertThat(group.group(0).isSparse()).isTrue();
        assertThat(group.densify(0)).isTrue();
    }

    // ---- beside writes

    @Test
    void aWriteOfAMovingRecordWaitsUntilTheEntryIsCommitted() {
        thinOut(0);
        assertThat(group.densify(0)).isTrue();
        long entry = group.group(0).last();
        write(Opcode.PUT, 0, 9);
        write(Opcode.REMOVE, 0, 8);
        assertThat(group.group(0).last()).as("both wait").isEqualTo(entry);
        write(Opcode.PUT, 0, 0);
        write(Opcode.PUT, 0, 20);
        assertThat(group.group(0).last()).as("other writes do not").isEqualTo(entry + 2);
        group.pump();
        assertThat(group.group(0).last()).isEqualTo(entry + 4);
        assertThat(rankOf(0, 9)).isEqualTo(2);
        assertThat(rankOf(0, 8)).isEqualTo(RecordStore.NO_RANK);
        assertThat(rankOf(0, 7)).isEqualTo(4);
        assertThat(rankOf(0, 20)).as("no rank of a moving record").isEqualTo(10);
        group.check(JoinFixture.LEAD, "after all");
    }

    @Test
    void aRecordWithAnUncommittedEntryStays() {
        thinOut(0);
        write(Opcode.PUT, 0, 9);
        write(Opcode.REMOVE, 0, 8);
        assertThat(group.densify(0)).isTrue();
        group.pump();
        assertThat(rankOf(0, 9)).isEqualTo(9);
        assertThat(rankOf(0, 7)).isEqualTo(2);
        assertThat(rankOf(0, 6)).isEqualTo(3);
        assertThat(rankOf(0, 5)).isEqualTo(4);
        group.check(JoinFixture.LEAD, "after all");
    }

    @Test
    void oneEntryIsUnderWayAtATime() {
        thinOut(0);
        assertThat(group.densify(0)).isTrue();
        write(Opcode.REMOVE, 0, 0);
        write(Opcode.REMOVE, 0, 1);
        assertThat(group.densify(0)).isFalse();
        group.pump();
        assertThat(group.group(0).isSparse()).isTrue();
        assertThat(group.densify(0)).isTrue();
        group.pump();
        assertThat(ranks(0).top()).isEqualTo(5);
        group.check(JoinFixture.LEAD, "after all");
    }

    @Test
    void aLongRecordMovesAloneWhileLittleIsUncommitted() {
        put(0, 0, 9);
        group.bricks.get(0).write(Opcode.PUT, SESSION, ++seq, "k9", 100_000, 0);
        group.run(2);
        for (int key = 2; key < 5; key++) {
            remove(0, key);
        }
        for (int k = 0; k < 11; k++) {
            group.bricks.get(0).write(Opcode.PUT, SESSION, ++seq, "k0", 50_000, 0);
        }
        assertThat(group.densify(0)).as("half of the credit is used").isFalse();
        group.pump();
        assertThat(group.densify(0)).isTrue();
        group.pump();
        assertThat(rankOf(0, 9)).isEqualTo(2);
        assertThat(ranks(0).top()).isEqualTo(9);
        assertThat(group.densify(0)).isTrue();
        group.pump();
        assertThat(ranks(0).top()).isEqualTo(7);
        group.check(JoinFixture.LEAD, "after all");
    }

    @Test
    void recordsOfAnIdleColumnGoBesideWritesThoughTheMembersHaveLittleRoom() {
        group.close();
        group = new JoinFixture(64 << 20, 2 << 20);
        put(0, 0, 100);
        group.run(2);
        Partition idle = group.bricks.get(0).partition;
        idle.idle(true);
        for (int k = 0; k < 100 && idle.bucket().records() > 1; k++) {
            write(Opcode.PUT, 0, 0);
            assertThat(group.dropUnowned(0)).as("beside an uncommitted write").isTrue();
            group.pump();
        }
        assertThat(idle.bucket().records()).isEqualTo(1);
        group.check(JoinFixture.LEAD, "after all");
    }

    @Test
    void aSparseColumnThatLosesItsLastRecordsHasNoRanks() {
        thinOut(0);
        densify(0);
        for (int key = 0; key < 10; key++) {
            remove(0, key);
        }
        densify(0);
        assertThat(ranks(0).used()).isZero();
        assertThat(parityRecords().records()).isZero();
        group.check(JoinFixture.LEAD, "after all");
    }

    // ---- an entry that is cut off

    @Test
    void anEntryThatTheNextLeaderDoesNotHaveIsCutOff() {
        group.order();
        group.runUntilReported(MigrationState.HANDED_OVER);
        group.commitJoin();
        group.run(2);
        thinOut(0);
        group.run(2);
        group.bricks.get(JoinFixture.LEAD).loses = frame -> frame.getByte(4) == Opcode.PREPARE;
        assertThat(group.densify(0)).isTrue();
        group.pump();
        Column atJoiner = group.parity(JoinFixture.JOINER).columns().getFirst();
        assertThat(atJoiner.isDecided()).as("parity 1 alone has the entry").isFalse();
        group.bricks.get(JoinFixture.LEAD).loses = frame -> false;
        group.lose(0);
        group.run(10);
        assertThat(atJoiner.isDecided()).isTrue();
        group.checkRecords(JoinFixture.JOINER, "without the entry");
        group.checkRecords(JoinFixture.LEAD, "without the entry");
    }

    // ---- joins

    @Test
    void recordsThatMoveFromRanksThatAreNotCopiedToCopiedOnesTakeEffectOnce() {
        int records = 2_000;
        put(0, 0, records);
        for (int key = 0; key < 600; key++) {
            remove(0, key % 2 == 0 ? key : records / 2 + key);
        }
        group.order();
        boolean[] held = {false};
        group.joiner().loses = frame ->
                held[0] && frame.getByte(4) == Opcode.JOIN && frame.getByte(JoinFrame.KIND) == JoinFrame.RECORDS;
        group.copyAPart();
        int copied = group.copied();
        held[0] = true;
        assertThat(copied).isLessThan(records / 2);
        assertThat(group.densify(0)).isTrue();
        group.pump();
        assertThat(ranks(0).top())
                .as("records have left ranks that are not copied")
                .isLessThan(records - 100);
        held[0] = false;
        group.runUntilReported(MigrationState.HANDED_OVER);
        densify(0);
        group.commitJoin();
        group.run(2);
        group.check(JoinFixture.JOINER, "after the join");
        group.check(JoinFixture.LEAD, "after the join");
    }

    // ---- decodings

    /** Column 0 is lost. Its records are decoded while the records of column 1 change and move. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3})
    void recordsAreDecodedWhileThoseOfAnotherColumnMove(int run) {
        Random random = new Random(Seeds.next("DensificationTest.recordsAreDecoded", run));
        int records = 60;
        put(0, 0, records);
        put(1, 0, records);
        TreeMap<Integer, byte[]> lost = new TreeMap<>();
        for (int rank = 0; rank < records; rank++) {
            lost.put(rank, group.bricks.get(0).coded(rank).bytes());
        }
        group.lose(0);
        group.run(10);
        int[] outcomes = new int[2];
        int densified = 0;
        for (int k = 0; k < 4_000; k++) {
            int choice = random.nextInt(100);
            if (choice < 12) {
                write(
                        random.nextInt(10) < (k / 500 % 2 == 0 ? 8 : 3) ? Opcode.REMOVE : Opcode.PUT,
                        1,
                        random.nextInt(records));
            } else if (choice < 20) {
                densified += group.densify(1) ? 1 : 0;
            } else if (choice < 30) {
                decode(random, lost, outcomes);
            } else if (choice < 98) {
                group.deliver(random);
            } else if (choice < 99) {
                group.tick();
            } else {
                group.pump();
            }
        }
        group.run(10);
        assertThat(densified).isPositive();
        assertThat(outcomes[0]).as("decoded").isGreaterThan(50);
        group.checkRecords(JoinFixture.LEAD, "after all");
    }

    private void decode(Random random, TreeMap<Integer, byte[]> lost, int[] outcomes) {
        int[] ranks = random.ints(8, 0, lost.size()).distinct().sorted().toArray();
        group.parity(JoinFixture.LEAD).decoder().decode(0, ranks, ranks.length, new RecordDecoder.Listener() {
            @Override
            public void decoded(RecordDecoder.Records records) {
                outcomes[0]++;
                for (int k = 0; k < ranks.length; k++) {
                    assertThat(records.length(k)).as("bytes of a whole record").isNotNegative();
                    MemorySegment record = records.memory(k).asSlice(records.offset(k), records.length(k));
                    assertThat(CodedRecord.isWhole(record, 0, records.length(k)))
                            .isTrue();
                    assertThat(record.toArray(ValueLayout.JAVA_BYTE)).isEqualTo(lost.get(ranks[k]));
                }
            }

            @Override
            public void failed() {
                outcomes[1]++;
            }
        });
    }
}
