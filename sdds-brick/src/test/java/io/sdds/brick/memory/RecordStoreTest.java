package io.sdds.brick.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sdds.core.Seeds;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class RecordStoreTest {

    private final MemoryBudget budget = new MemoryBudget(256 << 20);
    private final ArenaMemorySource source = new ArenaMemorySource(budget);
    private final RecordStore store = new RecordStore(new PoisoningMemorySource(source), budget);
    private final Random random = new Random(Seeds.next("RecordStoreTest"));

    @AfterEach
    void giveMemoryBack() {
        source.close();
    }

    @Test
    void readsBackWhatWasWritten() {
        assertWrittenIsRead(1, 0, 7, RecordStore.NO_EXPIRY);
        assertWrittenIsRead(16, 150, -1, RecordStore.NO_EXPIRY);
        assertWrittenIsRead(16, 150, Long.MAX_VALUE, 123_456_789_012L);
        assertWrittenIsRead(RecordStore.KEY_BYTES_MAX, 0, 0, -5);
        assertWrittenIsRead(3, 1 << 20, 0, 5);
    }

    @Test
    void holdsTheLargestRecord() {
        assertWrittenIsRead(RecordStore.KEY_BYTES_MAX, RecordStore.VALUE_BYTES_MAX, Long.MIN_VALUE, 1);
    }

    @Test
    void readsBackRecordsOfRandomSizes() {
        for (int i = 0; i < 1000; i++) {
            long expiry = random.nextBoolean() ? random.nextLong() : RecordStore.NO_EXPIRY;
            assertWrittenIsRead(1 + random.nextInt(300), random.nextInt(2000), random.nextLong(), expiry);
        }
    }

    private void assertWrittenIsRead(int keyLength, int valueLength, long version, long expiry) {
        MemorySegment key = randomBytes(keyLength);
        MemorySegment value = randomBytes(valueLength);
        long ref = store.write(key, 0, keyLength, value, 0, valueLength, version, expiry, false);
        assertThat(ref).isBetween(1L, 0xFFFF_FFFFL);
        assertThat(store.version(ref)).isEqualTo(version);
        assertThat(store.expiry(ref)).isEqualTo(expiry);
        assertThat(store.keyEquals(ref, key, 0, keyLength)).isTrue();
        assertThat(bytes(ref, store.keyOffset(ref), store.keyLength(ref))).isEqualTo(array(key));
        assertThat(bytes(ref, store.valueOffset(ref), store.valueLength(ref))).isEqualTo(array(value));
        assertThat(store.hash(ref)).isEqualTo(SegmentHash.hash(key, 0, keyLength));
        int header = expiry == RecordStore.NO_EXPIRY ? 14 : 22;
        assertThat(store.slotBytes(ref)).isGreaterThanOrEqualTo(header + keyLength + valueLength);
    }

    private MemorySegment randomBytes(int length) {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return MemorySegment.ofArray(bytes);
    }

    private static byte[] array(MemorySegment segment) {
        return segment.toArray(ValueLayout.JAVA_BYTE);
    }

    private byte[] bytes(long ref, long offset, int length) {
        return array(store.segment(ref).asSlice(offset, length));
    }

    private long write(int keyLength, int valueLength, long expiry) {
        return store.write(
                randomBytes(keyLength), 0, keyLength, randomBytes(valueLength), 0, valueLength, 1, expiry, false);
    }

    @Test
    void overwritesInPlaceWhenTheSlotIsOfTheRightSize() {
        long ref = write(10, 100, RecordStore.NO_EXPIRY);
        MemorySegment value = randomBytes(102);
        assertThat(store.overwrite(ref, value, 0, 102, 9, RecordStore.NO_EXPIRY, false))
                .isTrue();
        assertThat(bytes(ref, store.valueOffset(ref), store.valueLength(ref))).isEqualTo(array(value));
        assertThat(store.version(ref)).isEqualTo(9);
    }

    @Test
    void refusesToOverwriteWhenAnotherSlotWouldBeRight() {
        long ref = write(10, 100, RecordStore.NO_EXPIRY);
        MemorySegment value = randomBytes(200);
        assertThat(store.overwrite(ref, value, 0, 200, 9, RecordStore.NO_EXPIRY, false))
                .isFalse();
        assertThat(store.overwrite(ref, value, 0, 50, 9, RecordStore.NO_EXPIRY, false))
                .isFalse();
        assertThat(store.overwrite(ref, value, 0, 100, 9, 77, false)).isFalse();
        assertThat(store.valueLength(ref)).isEqualTo(100);
        assertThat(store.version(ref)).isEqualTo(1);
    }

    @Test
    void shrinksInPlaceWhenAskedTo() {
        long ref = write(10, 100, RecordStore.NO_EXPIRY);
        assertThat(store.overwrite(ref, randomBytes(3), 0, 3, 9, RecordStore.NO_EXPIRY, true))
                .isTrue();
        assertThat(store.valueLength(ref)).isEqualTo(3);
        store.free(ref);
        assertThat(budget.usedBytes()).isZero();
    }

    @Test
    void keysDifferByLengthAndByContent() {
        MemorySegment key = MemorySegment.ofArray("abcdefghij".getBytes());
        long ref = store.write(key, 0, 10, key, 0, 10, 1, RecordStore.NO_EXPIRY, false);
        assertThat(store.keyEquals(ref, key, 0, 9)).isFalse();
        assertThat(store.keyEquals(ref, MemorySegment.ofArray("abcdefghiJ".getBytes()), 0, 10))
                .isFalse();
    }

    @Test
    void countsRecordsAndBytes() {
        long first = write(10, 100, RecordStore.NO_EXPIRY);
        long second = write(10, 100, RecordStore.NO_EXPIRY);
        assertThat(store.recordCount()).isEqualTo(2);
        assertThat(store.liveBytes()).isEqualTo(2 * store.slotBytes(first));
        store.free(first);
        store.free(second);
        assertThat(store.recordCount()).isZero();
        assertThat(store.usedBytes()).isZero();
    }

    @Test
    void rejectsLengthsOutOfBounds() {
        assertThatThrownBy(() -> write(0, 1, 0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> write(RecordStore.KEY_BYTES_MAX + 1, 1, 0))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> write(1, RecordStore.VALUE_BYTES_MAX + 1, 0))
                .isInstanceOf(IllegalArgumentException.class);
    }

    private long writeRanked(int keyLength, int valueLength, long expiry, int rank) {
        store.rankOfNext(rank);
        MemorySegment key = randomBytes(keyLength);
        return store.write(key, 0, keyLength, randomBytes(valueLength), 0, valueLength, 1, expiry, false);
    }

    @Test
    void aRankFollowsTheValueAndChangesNothingElse() {
        for (int rank : new int[] {0, 1, 992, Integer.MAX_VALUE}) {
            for (long expiry : new long[] {RecordStore.NO_EXPIRY, 77}) {
                store.rankOfNext(rank);
                assertWrittenIsRead(16, 150, 5, expiry);
                long ref = writeRanked(1 + random.nextInt(100), random.nextInt(300), expiry, rank);
                assertThat(store.rank(ref)).isEqualTo(rank);
            }
        }
    }

    @Test
    void onlyTheNextRecordGetsTheRank() {
        writeRanked(10, 10, RecordStore.NO_EXPIRY, 5);
        MemorySegment key = randomBytes(10);
        long ref = store.write(key, 0, 10, key, 0, 10, 1, RecordStore.NO_EXPIRY, false);
        assertThat(store.rank(ref)).isEqualTo(RecordStore.NO_RANK);
        store.rankOfNext(6);
        assertThatThrownBy(() -> store.write(key, 0, 0, key, 0, 10, 1, RecordStore.NO_EXPIRY, false))
                .isInstanceOf(IllegalArgumentException.class);
        ref = store.write(key, 0, 10, key, 0, 10, 1, RecordStore.NO_EXPIRY, false);
        assertThat(store.rank(ref)).isEqualTo(RecordStore.NO_RANK);
    }

    @Test
    void anOverwrittenRecordKeepsItsRankWhichCountsInItsSize() {
        long ref = writeRanked(10, 12, RecordStore.NO_EXPIRY, 123_456);
        assertThat(store.slotBytes(ref)).isEqualTo(40);
        assertThat(store.slotBytesFor(10, 12, RecordStore.NO_EXPIRY, true)).isEqualTo(40);
        assertThat(store.slotBytesFor(10, 16, RecordStore.NO_EXPIRY, false)).isEqualTo(40);
        MemorySegment value = randomBytes(13);
        assertThat(store.overwrite(ref, value, 0, 13, 2, RecordStore.NO_EXPIRY, false))
                .isFalse();
        assertThat(store.overwrite(ref, value, 0, 13, 2, RecordStore.NO_EXPIRY, true))
                .isFalse();
        for (int length : new int[] {12, 5, 0, 7}) {
            assertThat(store.overwrite(ref, value, 0, length, 2, RecordStore.NO_EXPIRY, true))
                    .isTrue();
            assertThat(store.rank(ref)).isEqualTo(123_456);
            assertThat(store.valueLength(ref)).isEqualTo(length);
            assertThat(bytes(ref, store.valueOffset(ref), length)).isEqualTo(array(value.asSlice(0, length)));
        }
    }
}
