package io.sdds.brick.parity.records;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.sdds.brick.erasure.ErasureCode;
import io.sdds.brick.erasure.Shards;
import io.sdds.brick.memory.SegmentBytes;
import io.sdds.brick.parity.records.ParityFixture.Column;
import io.sdds.core.Seeds;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ParityRecordsTest {

    private static final long LIMIT_BYTES = 64 << 20;
    private static final long SEED = Seeds.next("ParityRecordsTest");

    private final Random random = new Random(SEED);

    private byte[] value(int length) {
        byte[] value = new byte[length];
        random.nextBytes(value);
        return value;
    }

    private ParityCheck.Coded coded(int valueBytes) {
        return ParityFixture.coded(random.nextLong(), value(valueBytes), random.nextLong());
    }

    @Test
    void aRankTakesAReferenceFourFingerprintsAndASlot() {
        int ranks = 16 * RankPages.PAGE_RANKS;
        try (ParityFixture fixture = new ParityFixture(LIMIT_BYTES, 4)) {
            for (int rank = 0; rank < ranks; rank++) {
                for (Column column : fixture.columns) {
                    column.set(rank, coded(150));
                }
            }
            fixture.check(SEED);
            fixture.checkMemoryAtRest();
            // 14 bytes of header, 8 of key, 150 of value, 4 of checksum, 4 of length
            long slot = fixture.slots.slotBytesFor(14 + 8 + 150 + 4 + 4);
            ParityRecords parity = fixture.parities.getFirst();
            assertThat(parity.records()).isEqualTo(ranks);
            // The sum of four random last bytes may be 0, and the field is a byte shorter then.
            assertThat(parity.bytes()).isBetween(ranks * (4 + 16 + slot) - ranks / 16, ranks * (4 + 16 + slot));
        }
    }

    @Test
    void aSmallPartitionTakesLittleMemory() {
        try (ParityFixture fixture = new ParityFixture(LIMIT_BYTES, 4)) {
            fixture.columns.getFirst().set(3, coded(0));
            assertThat(fixture.parities.getFirst().bytes())
                    .isEqualTo(4 * (4 + 16) + fixture.slots.slotBytesFor(14 + 8 + 4 + 4));
        }
    }

    @Test
    void grownBytesAreZeroAndShrinkingTakesASmallerSlot() {
        try (ParityFixture fixture = new ParityFixture(LIMIT_BYTES, 2)) {
            Column column = fixture.columns.get(1);
            long bytesBefore = 0;
            for (int valueBytes : new int[] {10, 12, 900, 5000, 300, 10}) {
                column.set(0, coded(valueBytes));
                fixture.check(valueBytes);
                ParityRecords parity = fixture.parities.getFirst();
                assertThat(parity.fieldLength(0)).isEqualTo(14 + 8 + valueBytes + 4);
                bytesBefore = bytesBefore == 0 ? parity.bytes() : bytesBefore;
            }
            assertThat(fixture.parities.getFirst().bytes()).isEqualTo(bytesBefore);
            fixture.checkMemoryAtRest();
        }
    }

    @Test
    void aRankWithoutRecordsFreesItsSlotAndItsPage() {
        try (ParityFixture fixture = new ParityFixture(LIMIT_BYTES, 2)) {
            for (int rank = 0; rank < 3 * RankPages.PAGE_RANKS; rank++) {
                fixture.columns.getFirst().set(rank, coded(20));
            }
            for (int rank = 3 * RankPages.PAGE_RANKS - 1; rank >= 0; rank--) {
                fixture.columns.getFirst().set(rank, null);
                assertThat(fixture.parities.getFirst().fieldLength(rank)).isZero();
            }
            fixture.parities.forEach(parity -> assertThat(parity.bytes()).isZero());
            fixture.parities.forEach(parity -> assertThat(parity.top()).isZero());
            fixture.checkMemoryAtRest();
        }
    }

    @Test
    void ranksAreFoundByFingerprint() {
        try (ParityFixture fixture = new ParityFixture(LIMIT_BYTES, 4)) {
            ParityRecords parity = fixture.parities.get(2);
            Column column = fixture.columns.get(3);
            ParityCheck.Coded[] records = new ParityCheck.Coded[1000];
            for (int rank = 0; rank < records.length; rank += 3) {
                records[rank] = coded(0);
                column.set(rank, records[rank]);
            }
            int end = parity.top();
            for (int rank = 0; rank < records.length; rank++) {
                int next = (rank + 2) / 3 * 3;
                assertThat(parity.next(3, rank, end)).isEqualTo(next < records.length ? next : -1);
                assertThat(parity.next(2, rank, end)).isEqualTo(-1);
                if (records[rank] != null) {
                    int fingerprint = ParityRecords.fingerprint(records[rank].hash());
                    assertThat(parity.find(3, fingerprint, 0, end)).isEqualTo(rank);
                    assertThat(parity.find(3, fingerprint, 0, rank)).isEqualTo(-1);
                    assertThat(parity.find(3, fingerprint, rank + 1, end)).isEqualTo(-1);
                    assertThat(parity.present(rank)).isEqualTo(1 << 3);
                }
            }
        }
    }

    @Test
    void fingerprintIsNeverZero() {
        assertThat(ParityRecords.fingerprint(0x1234_5678L)).isEqualTo(1);
        assertThat(ParityRecords.fingerprint(0x8765_4321_0000_0000L)).isEqualTo(0x8765_4321);
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 4, 8, 16})
    void upToKColumnsAreDecoded(int m) {
        int ranks = 40;
        try (ParityFixture fixture = new ParityFixture(LIMIT_BYTES, m)) {
            for (Column column : fixture.columns) {
                for (int rank = 0; rank < ranks; rank++) {
                    if (random.nextInt(5) > 0) {
                        column.set(rank, coded(random.nextInt(300)));
                    }
                }
            }
            ErasureCode code = new ErasureCode(fixture.kernel, m, ParityFixture.PARITIES);
            for (int rank = 0; rank < ranks; rank++) {
                decode(fixture, code, rank, 1 + random.nextInt(ParityFixture.PARITIES));
            }
        }
    }

    /** Loses some columns of a rank, and decodes them with as many parities, chosen by chance. */
    private void decode(ParityFixture fixture, ErasureCode code, int rank, int losses) {
        int m = fixture.columns.size();
        int lost = someOf(m, Math.min(losses, m));
        int used = someOf(ParityFixture.PARITIES, Integer.bitCount(lost));
        byte[][] fields = new byte[m + ParityFixture.PARITIES][];
        int longest = 0;
        for (int shard = 0; shard < fields.length; shard++) {
            boolean known = shard < m ? (lost >> shard & 1) == 0 : (used >> shard - m & 1) == 1;
            fields[shard] = known ? field(fixture, shard, rank) : new byte[0];
            longest = Math.max(longest, fields[shard].length);
        }
        Shards shards = new Shards(fields.length);
        for (int shard = 0; shard < fields.length; shard++) {
            fields[shard] = Arrays.copyOf(fields[shard], longest);
            shards.set(shard, MemorySegment.ofArray(fields[shard]), 0);
        }
        code.decode((1 << m) - 1 & ~lost | used << m, lost, shards, longest);
        for (int rest = lost; rest != 0; rest &= rest - 1) {
            int column = Integer.numberOfTrailingZeros(rest);
            MemorySegment decoded = MemorySegment.ofArray(fields[column]);
            byte[] expected = field(fixture, column, rank);
            if (fixture.parities.getFirst().fingerprint(column, rank) == 0) {
                assertThat(CodedRecord.isZero(decoded, 0, longest)).isTrue();
            } else {
                assertThat(CodedRecord.problem(decoded, 0, longest)).isNull();
                assertThat(Arrays.copyOf(fields[column], CodedRecord.length(decoded, 0)))
                        .as("rank %d, column %d, seed %d", rank, column, SEED)
                        .isEqualTo(expected);
                fields[column][random.nextInt(longest)] ^= 0x10;
                assertThat(CodedRecord.isWhole(decoded, 0, longest)).isFalse();
            }
        }
    }

    private int someOf(int all, int wanted) {
        int chosen = 0;
        while (Integer.bitCount(chosen) < wanted) {
            chosen |= 1 << random.nextInt(all);
        }
        return chosen;
    }

    private static byte[] field(ParityFixture fixture, int shard, int rank) {
        int m = fixture.columns.size();
        if (shard < m) {
            ParityCheck.Coded coded = fixture.columns.get(shard).committed.get(rank);
            return coded == null ? new byte[0] : coded.bytes();
        }
        ParityRecords parity = fixture.parities.get(shard - m);
        byte[] field = new byte[parity.fieldLength(rank)];
        MemorySegment.copy(
                parity.segment(rank),
                SegmentBytes.BYTE,
                field.length == 0 ? 0 : parity.offset(rank),
                field,
                0,
                field.length);
        return field;
    }

    @Test
    void evacuationMovesSlotsAndChangesNothing() {
        try (ParityFixture fixture = new ParityFixture(LIMIT_BYTES, 2)) {
            Column column = fixture.columns.getFirst();
            int ranks = 10_000;
            for (int rank = 0; rank < ranks; rank++) {
                column.set(rank, coded(150));
            }
            for (int rank = 0; rank < ranks; rank++) {
                if (rank % 5 > 0) {
                    column.set(rank, null);
                }
            }
            fixture.parities.forEach(ParityRecords::releaseSpares);
            long usedBytes = fixture.slots.usedBytes();
            fixture.maintainToTheEnd();
            fixture.maintainToTheEnd();
            fixture.check(SEED);
            fixture.checkMemoryAtRest();
            assertThat(fixture.slots.usedBytes()).isLessThan(usedBytes * 3 / 4);
            fixture.releaseAndCheck();
        }
    }

    @Test
    void copiesAreRefusedWithoutMemoryAndChangeNothing() {
        try (ParityFixture fixture = new ParityFixture(1 << 20, 2)) {
            ParityRecords parity = fixture.parities.get(1);
            ParityCheck.Coded record = coded(1000);
            MemorySegment delta = MemorySegment.ofArray(record.bytes());
            int length = record.bytes().length;
            int rank = 0;
            while (parity.tryFold(1, rank, delta, 0, length, ParityRecords.fingerprint(record.hash()), false)) {
                rank++;
            }
            assertThat(rank).isGreaterThan(100);
            int refused = rank;
            assertThat(parity.fieldLength(refused)).isZero();
            assertThat(parity.fingerprint(1, refused)).isZero();
            assertThat(parity.records()).isEqualTo(refused);
            assertThat(fixture.slots.liveBytes()).isEqualTo(parity.bytes());
            List<IntFunction<ParityCheck.Coded>> columns = List.of(r -> null, r -> r < refused ? record : null);
            assertThat(ParityCheck.faults(parity, columns, refused + 1)).isEmpty();
        }
    }

    @Test
    void aRemovalThatLeavesBytesBehindIsABug() {
        try (ParityFixture fixture = new ParityFixture(LIMIT_BYTES, 2)) {
            ParityRecords parity = fixture.parities.getFirst();
            MemorySegment delta = MemorySegment.ofArray(coded(10).bytes());
            assertThat(parity.tryFold(0, 7, delta, 0, 20, 99, true)).isTrue();
            delta.set(SegmentBytes.BYTE, 5, (byte) (delta.get(SegmentBytes.BYTE, 5) + 1));
            assertThatIllegalStateException()
                    .isThrownBy(() -> parity.tryFold(0, 7, delta, 0, 20, 0, true))
                    .withMessageContaining("rank 7");
        }
    }

    @Test
    void whatDiffersIsReported() {
        try (ParityFixture fixture = new ParityFixture(LIMIT_BYTES, 2)) {
            ParityCheck.Coded record = coded(10);
            fixture.columns.get(1).set(4, record);
            ParityRecords parity = fixture.parities.get(2);
            assertThat(ParityCheck.faults(parity, List.of(r -> null, r -> r == 4 ? record : null), 5))
                    .isEmpty();
            assertThat(ParityCheck.faults(parity, List.of(r -> null, r -> r == 5 ? record : null), 6))
                    .hasSize(4)
                    .anyMatch(fault -> fault.startsWith("parity 2, rank 4, column 1: expected fingerprint 00000000"));
            parity.segment(4).set(SegmentBytes.BYTE, parity.offset(4) + 6, (byte) 0x77);
            assertThat(ParityCheck.faults(parity, List.of(r -> null, r -> r == 4 ? record : null), 5))
                    .hasSize(1)
                    .allMatch(fault -> fault.startsWith("parity 2, rank 4: expected byte 6 to be"));
        }
    }
}
