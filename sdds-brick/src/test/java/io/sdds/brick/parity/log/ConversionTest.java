package io.sdds.brick.parity.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.sdds.brick.group.Group;
import io.sdds.brick.memory.RecordStore;
import io.sdds.core.control.ControlMessage.MigrationState;
import io.sdds.core.model.TableKind;
import io.sdds.core.protocol.Opcode;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

/** A table with replicas is converted to parity, at the bricks: records get ranks, parities join, backups leave. */
class ConversionTest {
    private static final int VALUE_BYTES = 100;
    private static final long SESSION = 1;

    private ConversionFixture table = new ConversionFixture(TableKind.HASH, 2, 64 << 20);
    private long seq;

    @AfterEach
    void close() {
        table.close();
    }

    private void begin(TableKind kind, int replicas, long bytes) {
        table.close();
        table = new ConversionFixture(kind, replicas, bytes);
    }

    private void write(byte opcode, int column, int key, int valueBytes, long ttlMillis) {
        table.primary(column).write(opcode, SESSION, ++seq, table.key(column, key), valueBytes, ttlMillis);
    }

    private void put(int column, int key) {
        write(Opcode.PUT, column, key, VALUE_BYTES, 0);
    }

    private void putAll(int from, int to) {
        for (int key = from; key < to; key++) {
            for (int column = 0; column < ConversionFixture.COLUMNS; column++) {
                put(column, key);
            }
            table.pump();
        }
    }

    private void check(Object context) {
        table.run(2);
        table.checkBackups(context);
        table.checkRanks(context);
        table.checkParities(context);
    }

    @ParameterizedTest
    @EnumSource(mode = Mode.EXCLUDE, names = "UNKNOWN")
    void recordsGetRanksAndParitiesAndLoseTheirBackups(TableKind kind) {
        begin(kind, 2, 64 << 20);
        putAll(0, 500);
        table.convert();
        table.rankAll();
        check("ranked");
        putAll(400, 600);
        write(Opcode.REMOVE, 0, 7, 0, 0);
        check("written to");
        table.joinAll();
        check("with parities");
        putAll(500, 700);
        write(Opcode.REMOVE, 1, 9, 0, 0);
        check("with parities, written to");
        table.end();
        check("on parity");
        putAll(600, 800);
        write(Opcode.REMOVE, 1, 11, 0, 0);
        check("on parity, written to");
        assertThat(table.primary(0).partition.bucket().records()).isEqualTo(799);
    }

    // ---- ranks

    @Test
    void aWriteGivesARecordWithoutRankItsRank() {
        putAll(0, 5);
        table.convert();
        table.rank(0, 0);
        assertThat(table.rankOf(0, 3)).isEqualTo(RecordStore.NO_RANK);
        put(0, 3);
        put(0, 3);
        put(0, 9);
        assertThat(table.ranks(0).used()).as("one rank for both writes").isEqualTo(2);
        table.pump();
        assertThat(table.rankOf(0, 3)).isZero();
        assertThat(table.rankOf(0, 9)).isEqualTo(1);
        assertThat(table.rankOf(0, 4)).isEqualTo(RecordStore.NO_RANK);
        write(Opcode.REMOVE, 0, 3, 0, 0);
        write(Opcode.REMOVE, 0, 4, 0, 0);
        table.pump();
        assertThat(table.ranks(0).used()).isEqualTo(1);
        table.rankAll();
        check("after all");
    }

    @Test
    void entriesThatAreUncommittedWhenTheRankingBeginsWriteRecordsWithoutRanks() {
        putAll(0, 5);
        table.convert();
        put(0, 2);
        put(0, 7);
        write(Opcode.REMOVE, 0, 4, 0, 0);
        table.rank(0, 64);
        table.rank(0, 64);
        assertThat(table.ranks(0).used())
                .as("the ranking waits for the entries")
                .isZero();
        put(0, 2);
        write(Opcode.REMOVE, 0, 7, 0, 0);
        table.pump();
        assertThat(table.rankOf(0, 2)).isZero();
        assertThat(table.isRanked(0)).isFalse();
        table.rankAll();
        check("after all");
        assertThat(table.primary(0).records()).hasSize(4);
    }

    @Test
    void aRecordWithAnUncommittedEntryGetsItsRankByTheEntry() {
        putAll(0, 3);
        table.convert();
        table.rank(0, 0);
        put(0, 1);
        table.rank(0, 64);
        table.rank(0, 64);
        assertThat(table.ranks(0).used())
                .as("0 by the entry, 1 and 2 by the ranking")
                .isEqualTo(3);
        assertThat(table.isRanked(0)).isFalse();
        table.pump();
        assertThat(table.rankOf(0, 1)).isZero();
        table.rankAll();
        check("after all");
    }

    @ParameterizedTest
    @EnumSource(mode = Mode.EXCLUDE, names = "UNKNOWN")
    void anotherPrimaryGivesOtherRanks(TableKind kind) {
        begin(kind, 2, 64 << 20);
        putAll(0, 300);
        table.convert();
        table.rankAll();
        table.joinAll();
        check("with parities");
        put(0, 5);
        table.handOver(0);
        table.run(20);
        assertThat(table.hasParity(0)).isFalse();
        assertThat(table.isRanked(0)).isFalse();
        assertThat(table.isRanked(1)).as("it leads on").isTrue();
        putAll(250, 350);
        table.rankAll();
        table.joinAll();
        check("at the backup");
        table.handOver(0);
        table.run(20);
        putAll(300, 400);
        table.rankAll();
        table.joinAll();
        table.end();
        check("at the first primary again");
    }

    @Test
    void aBackupGoesOnWhenThePrimaryIsLost() {
        putAll(0, 300);
        table.convert();
        table.rankAll();
        table.joinAll();
        put(0, 5);
        put(0, 301);
        table.losePrimary(0);
        table.run(20);
        assertThat(table.primary(0).records()).containsKey(table.key(0, 299));
        table.rankAll();
        table.joinAll();
        table.end();
        check("after all");
    }

    @Test
    void aMemberCountsVersionsOnFromEntriesThatAHandOverCutOff() {
        putAll(0, 5);
        table.convert();
        ConversionFixture.Brick first = table.primary(0);
        long version = first.partition.version();
        put(0, 5);
        put(0, 6);
        table.handOver(0); // before the backup has the entries
        table.run(20);
        ConversionFixture.Brick second = table.primary(0);
        assertThat(first.records()).as("cut off").doesNotContainKey(table.key(0, 5));
        assertThat(first.partition.version()).isEqualTo(version + 2);
        assertThat(second.partition.version()).isEqualTo(version);
        put(0, 7);
        table.rankAll();
        check("at the backup");
        assertThat(second.partition.version()).isEqualTo(version + 1);
        table.handOver(0);
        table.run(20);
        put(0, 7);
        table.rankAll();
        check("at the first primary again");
        assertThat(second.partition.version()).isEqualTo(version + 3);
    }

    @Test
    void longRecordsGetRanksBesideWrites() {
        for (int key = 0; key < 12; key++) {
            write(Opcode.PUT, 0, key, 180_000 + 4_096 * key - 8 * key, 0);
            table.run(1);
        }
        table.convert();
        table.rankAll();
        check("ranked");
        write(Opcode.PUT, 0, 3, 210_000, 0);
        table.joinAll();
        table.end();
        check("after all");
    }

    // ---- records that go

    @ParameterizedTest
    @EnumSource(mode = Mode.EXCLUDE, names = "UNKNOWN")
    void recordsThatExpireBeforeTheyHaveRanksAreSwept(TableKind kind) {
        begin(kind, 2, 64 << 20);
        for (int key = 0; key < 100; key++) {
            write(Opcode.PUT, 0, key, VALUE_BYTES, key % 2 == 0 ? 300 : 600_000);
        }
        table.pump();
        table.convert();
        table.rank(0, 0);
        table.run(5);
        put(0, 0);
        put(0, 101);
        table.pump();
        table.rankAll();
        assertThat(table.primary(0).partition.bucket().records()).isEqualTo(52);
        table.joinAll();
        check("after all");
        assertThat(table.rankOf(0, 2)).isEqualTo(RecordStore.NO_RANK);
    }

    @ParameterizedTest
    @EnumSource(mode = Mode.EXCLUDE, names = "UNKNOWN")
    void recordsThatExpireOrAreClearedLeaveBackupsAndParities(TableKind kind) {
        begin(kind, 2, 64 << 20);
        table.convert();
        table.rankAll();
        table.joinAll();
        for (int key = 0; key < 200; key++) {
            write(Opcode.PUT, 0, key, VALUE_BYTES, key % 2 == 0 ? 300 : 600_000);
            put(1, key);
            table.pump();
        }
        table.run(5);
        for (int k = 0; k < 10; k++) {
            table.expire();
            table.run(1);
        }
        assertThat(table.primary(0).partition.bucket().records()).isEqualTo(100);
        check("after the sweep");
        table.primary(1).clear(SESSION, ++seq);
        put(1, 7);
        table.run(2);
        assertThat(table.primary(1).records()).hasSize(1);
        check("after the clear");
        table.end();
        table.primary(0).clear(SESSION, ++seq);
        table.run(2);
        assertThat(table.primary(0).records()).isEmpty();
        check("on parity");
    }

    /** Another primary then knows the whole clear or nothing of it, so the clear takes effect once. */
    @ParameterizedTest
    @EnumSource(mode = Mode.EXCLUDE, names = "UNKNOWN")
    void aClearIsOneEntryBeforeAndAfterTheRanking(TableKind kind) {
        begin(kind, 2, 64 << 20);
        putAll(0, 300);
        table.convert();
        table.rank(0, 0);
        put(0, 3);
        table.pump();
        assertThat(entriesOfClear(0)).as("some records have ranks").isEqualTo(1);
        assertThat(table.primary(0).records()).isEmpty();
        putAll(250, 350);
        table.rankAll();
        check("ranked");
        table.joinAll();
        assertThat(entriesOfClear(1)).as("with parities").isEqualTo(1);
        assertThat(table.primary(1).records()).isEmpty();
        putAll(0, 20);
        check("after the clears");
    }

    private long entriesOfClear(int column) {
        Group group = table.primary(column).partition.group();
        long last = group.last();
        table.primary(column).clear(SESSION, ++seq);
        long entries = group.last() - last;
        table.pump();
        return entries;
    }

    @Test
    void recordsThatExpireWithTheClearAreLeftToTheSweep() {
        table.convert();
        table.rankAll();
        table.joinAll();
        for (int key = 0; key < 40; key++) {
            write(Opcode.PUT, 0, key, VALUE_BYTES, key % 2 == 0 ? 300 : 600_000);
            table.pump();
        }
        table.run(5); // some have expired, and no entry has moved the logical time on since
        assertThat(entriesOfClear(0)).isEqualTo(1);
        assertThat(table.primary(0).records()).isEmpty();
        for (int k = 0; k < 10; k++) {
            table.expire();
            table.run(1);
        }
        assertThat(table.primary(0).partition.bucket().records()).isZero();
        check("after the sweep");
    }

    // ---- joins and members

    @Test
    void aParityJoinsWhenAllRecordsHaveRanks() {
        putAll(0, 50);
        table.convert();
        table.order(0);
        table.run(50);
        assertThat(table.reported()).isEqualTo(MigrationState.SHIPPING);
        table.rankAll();
        table.runUntilJoined();
        table.commitJoin();
        check("after the join");
    }

    @Test
    void parityMembersAreNoCopies() {
        table.close();
        table = new ConversionFixture(TableKind.HASH, 2, 2, 64 << 20);
        putAll(0, 5);
        table.convert();
        table.rankAll();
        table.joinAll();
        table.loseBackup(0);
        table.run(2);
        put(0, 9);
        put(1, 9);
        table.run(2);
        assertThat(table.primary(0).records()).as("refused").hasSize(5);
        assertThat(table.primary(1).records()).hasSize(6);
        table.end();
        table.run(2);
        put(0, 9);
        check("on parity");
        assertThat(table.primary(0).records()).hasSize(6);
    }

    @Test
    void aPartitionOfOneCopyIsConverted() {
        begin(TableKind.HASH, 1, 64 << 20);
        putAll(0, 100);
        assertThat(table.primary(0).partition.gate().isOpen())
                .as("the gate is open")
                .isTrue();
        table.convert();
        table.rankAll();
        assertThat(table.primary(0).partition.gate().isOpen()).isFalse();
        putAll(90, 110);
        table.joinAll();
        table.end();
        putAll(100, 120);
        check("after all");
    }

    @Test
    void recordsGetRanksWhenThereIsMemoryAgain() {
        begin(TableKind.HASH, 2, 4 << 20);
        int records = 0;
        while (table.primary(0).budget.admitsOrdinary(64 << 10)) {
            write(Opcode.PUT, 0, records, 1_022 - 16 - table.key(0, records).length(), 0);
            records++;
            table.pump();
        }
        table.convert();
        for (int k = 0; k < 200; k++) {
            table.rank(0, 64);
            table.run(1);
        }
        assertThat(table.isRanked(0)).isFalse();
        for (int key = 0; key < records / 2; key++) {
            write(Opcode.REMOVE, 0, key, 0, 0);
            table.pump();
        }
        table.run(10);
        table.rankAll();
        check("after all");
        assertThat(table.primary(0).records()).hasSize(records - records / 2);
    }
}
