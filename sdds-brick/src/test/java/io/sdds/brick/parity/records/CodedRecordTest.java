package io.sdds.brick.parity.records;

import static org.assertj.core.api.Assertions.assertThat;

import io.sdds.brick.erasure.ErasureKernel;
import io.sdds.brick.erasure.KernelType;
import io.sdds.brick.memory.ArenaMemorySource;
import io.sdds.brick.memory.MemoryBudget;
import io.sdds.brick.memory.PoisoningMemorySource;
import io.sdds.brick.memory.RecordStore;
import io.sdds.brick.memory.SegmentBytes;
import io.sdds.brick.memory.SegmentHash;
import io.sdds.core.Seeds;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

class CodedRecordTest {

    private static final int AT = 3;
    private static final long SEED = Seeds.next("CodedRecordTest");

    private final Random random = new Random(SEED);
    private final ErasureKernel kernel = KernelType.fastest().open();

    static byte[] coded(byte[] key, byte[] value, long version, long expiry) {
        byte[] coded = new byte[CodedRecord.length(key.length, value.length, expiry)];
        MemorySegment segment = MemorySegment.ofArray(coded);
        int length = CodedRecord.write(
                MemorySegment.ofArray(key),
                0,
                key.length,
                MemorySegment.ofArray(value),
                0,
                value.length,
                version,
                expiry,
                segment,
                0);
        assertThat(length).isEqualTo(coded.length);
        return coded;
    }

    private byte[] bytes(int length) {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return bytes;
    }

    private long expiry() {
        return random.nextBoolean() ? RecordStore.NO_EXPIRY : 1 + random.nextLong(Long.MAX_VALUE);
    }

    private byte[] codedAny() {
        return coded(bytes(1 + random.nextInt(40)), bytes(random.nextInt(300)), random.nextLong(), expiry());
    }

    @Test
    void partsAreReadAsTheyWereWritten() {
        for (int i = 0; i < 1000; i++) {
            byte[] key = bytes(i == 0 ? RecordStore.KEY_BYTES_MAX : 1 + random.nextInt(100));
            byte[] value = bytes(i == 1 ? RecordStore.VALUE_BYTES_MAX : random.nextInt(1000));
            long version = random.nextLong();
            long expiry = expiry();
            byte[] coded = coded(key, value, version, expiry);
            byte[] field = new byte[AT + coded.length + random.nextInt(20)];
            System.arraycopy(coded, 0, field, AT, coded.length);
            MemorySegment segment = MemorySegment.ofArray(field);

            assertThat(CodedRecord.problem(segment, AT, field.length - AT)).isNull();
            assertThat(CodedRecord.isWhole(segment, AT, field.length - AT)).isTrue();
            assertThat(CodedRecord.length(segment, AT)).isEqualTo(coded.length);
            assertThat(CodedRecord.version(segment, AT)).isEqualTo(version);
            assertThat(CodedRecord.expiry(segment, AT)).isEqualTo(expiry);
            int keyAt = (int) CodedRecord.keyOffset(segment, AT);
            int valueAt = (int) CodedRecord.valueOffset(segment, AT);
            assertThat(Arrays.copyOfRange(field, keyAt, keyAt + CodedRecord.keyLength(segment, AT)))
                    .isEqualTo(key);
            assertThat(Arrays.copyOfRange(field, valueAt, valueAt + CodedRecord.valueLength(segment, AT)))
                    .isEqualTo(value);
        }
    }

    @Test
    void aStoresRecordHasTheSameCodedFormAsItsParts() {
        MemoryBudget budget = new MemoryBudget(1 << 20);
        try (ArenaMemorySource source = new ArenaMemorySource(budget)) {
            RecordStore store = new RecordStore(new PoisoningMemorySource(source), budget);
            for (int i = 0; i < 100; i++) {
                byte[] key = bytes(1 + random.nextInt(40));
                byte[] value = bytes(random.nextInt(300));
                long expiry = expiry();
                long ref = store.write(
                        MemorySegment.ofArray(key),
                        0,
                        key.length,
                        MemorySegment.ofArray(value),
                        0,
                        value.length,
                        i,
                        expiry,
                        true);
                byte[] written = new byte[CodedRecord.length(store, ref)];
                assertThat(CodedRecord.write(store, ref, MemorySegment.ofArray(written), 0))
                        .isEqualTo(written.length);
                assertThat(written).isEqualTo(coded(key, value, i, expiry));
            }
        }
    }

    @Test
    void neverEndsInAZeroByte() {
        for (int i = 0; i < 5000; i++) {
            byte[] coded = coded(bytes(8), new byte[random.nextInt(20)], i, RecordStore.NO_EXPIRY);
            assertThat(coded[coded.length - 1]).isNotZero();
        }
    }

    @Test
    void checksumIsNoPseudoKey() {
        byte[] coded = coded(bytes(8), bytes(8), 1, RecordStore.NO_EXPIRY);
        int covered = coded.length - CodedRecord.CHECKSUM_BYTES;
        MemorySegment segment = MemorySegment.ofArray(coded);
        assertThat(segment.get(SegmentBytes.INT, covered)).isNotEqualTo((int) SegmentHash.hash(segment, 0, covered));
    }

    @Test
    void anyChangedByteIsFound() {
        for (int run = 0; run < 50; run++) {
            byte[] coded = codedAny();
            byte[] field = Arrays.copyOf(coded, coded.length + 5);
            for (int i = 0; i < field.length; i++) {
                field[i] ^= (byte) (1 + random.nextInt(255));
                assertThat(CodedRecord.problem(MemorySegment.ofArray(field), 0, field.length))
                        .as("byte %d of %d, seed %d", i, coded.length, SEED)
                        .isNotNull();
                field[i] = i < coded.length ? coded[i] : 0;
            }
        }
    }

    @Test
    void aFieldThatIsTooShortOrEmptyIsNoRecord() {
        byte[] coded = codedAny();
        for (int length = 0; length < coded.length; length++) {
            assertThat(CodedRecord.isWhole(MemorySegment.ofArray(Arrays.copyOf(coded, length)), 0, length))
                    .isFalse();
        }
        MemorySegment zeros = MemorySegment.ofArray(new byte[100]);
        assertThat(CodedRecord.isWhole(zeros, 0, 100)).isFalse();
        assertThat(CodedRecord.isZero(zeros, 0, 100)).isTrue();
        assertThat(CodedRecord.isZero(MemorySegment.ofArray(coded), 0, coded.length))
                .isFalse();
    }

    @Test
    void xorOfThreeRecordsOfOneLengthIsFound() {
        for (int i = 0; i < 1000; i++) {
            byte[] key = bytes(8);
            byte[] mixed = coded(key, bytes(100), i, RecordStore.NO_EXPIRY);
            byte[] before = coded(key, bytes(100), i, RecordStore.NO_EXPIRY);
            byte[] after = coded(key, bytes(100), i, RecordStore.NO_EXPIRY);
            for (int b = 0; b < mixed.length; b++) {
                mixed[b] ^= (byte) (before[b] ^ after[b]);
            }
            assertThat(CodedRecord.problem(MemorySegment.ofArray(mixed), 0, mixed.length))
                    .as("seed %d", SEED)
                    .contains("checksum");
        }
    }

    @Test
    void deltaLeadsFromTheOldRecordToTheNewOneAndBack() {
        for (int i = 0; i < 1000; i++) {
            byte[] before = random.nextInt(5) == 0 ? new byte[0] : codedAny();
            byte[] after = random.nextInt(5) == 0 ? new byte[0] : codedAny();
            int longest = Math.max(before.length, after.length);
            byte[] delta = new byte[longest + 8];
            Arrays.fill(delta, (byte) 0x55);
            System.arraycopy(after, 0, delta, 0, after.length);
            int length = CodedRecord.toDelta(
                    kernel,
                    MemorySegment.ofArray(before),
                    0,
                    before.length,
                    MemorySegment.ofArray(delta),
                    0,
                    after.length);
            assertThat(length).isEqualTo(longest);
            byte[] sum = Arrays.copyOf(before, longest);
            for (int b = 0; b < longest; b++) {
                sum[b] ^= delta[b];
            }
            assertThat(sum).isEqualTo(Arrays.copyOf(after, longest));
        }
    }
}
