package io.sdds.brick.bucket;

import static org.assertj.core.api.Assertions.assertThat;

import io.sdds.brick.memory.RecordStore;
import io.sdds.brick.memory.SlotSpace;
import io.sdds.core.Seeds;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class LhChainsTest {

    private final BucketFixture fixture = new BucketFixture(1 << 20);
    private final RecordStore store = fixture.store;
    private final SlotSpace slots = store.slots();
    private final LhChains chains = new LhChains(store, new RankedRecords(store, new EmptyIndex()));
    private final Random random = new Random(Seeds.next("LhChainsTest"));
    private long first;
    private long other;

    /** Stands for a bucket that is not ranked. */
    private static final class EmptyIndex implements RankedRecords.Index {
        @Override
        public long records() {
            return 0;
        }

        @Override
        public boolean isFreeing() {
            return false;
        }

        @Override
        public boolean removeRank(int rank) {
            return false;
        }
    }

    @BeforeEach
    void twoLhBuckets() {
        first = slots.allocate(LhLine.BYTES, false);
        other = slots.allocate(LhLine.BYTES, false);
        chains.clear(first);
        chains.clear(other);
    }

    @AfterEach
    void giveMemoryBack() {
        fixture.close();
    }

    private List<Long> add(long line, int records) {
        List<Long> refs = new ArrayList<>();
        for (int i = 0; i < records; i++) {
            byte[] key = new byte[8];
            random.nextBytes(key);
            MemorySegment segment = MemorySegment.ofArray(key);
            long ref = store.write(segment, 0, 8, segment, 0, 8, 1, RecordStore.NO_EXPIRY, false);
            assertThat(chains.add(line, LhLine.tag(store.hash(ref)), ref, false))
                    .isTrue();
            refs.add(ref);
        }
        return refs;
    }

    /**
     * Returns the records of a chain. Checks that all lines but the last are full, and that the tags match the records.
     */
    private List<Long> records(long firstLine) {
        List<Long> refs = new ArrayList<>();
        for (long line = firstLine; line != 0; ) {
            MemorySegment segment = slots.segment(line);
            long at = slots.offset(line);
            int count = LhLine.count(segment, at);
            for (int place = 0; place < count; place++) {
                long ref = LhLine.reference(segment, at, place);
                assertThat(LhLine.tagAt(segment, at, place)).isEqualTo(LhLine.tag(store.hash(ref)));
                refs.add(ref);
            }
            long next = LhLine.overflow(segment, at);
            assertThat(next == 0 || count == LhLine.PLACES).isTrue();
            assertThat(line == firstLine || count > 0).isTrue();
            line = next;
        }
        return refs;
    }

    private static int overflowLines(int records) {
        return Math.max(0, records - 1) / LhLine.PLACES;
    }

    @Test
    void chainGrowsByALineWhenAllAreFull() {
        for (int count = 1; count <= 100; count++) {
            add(first, 1);
            assertThat(records(first)).hasSize(count);
            assertThat(chains.overflowLines()).isEqualTo(overflowLines(count));
        }
    }

    @Test
    void removedRecordIsReplacedByTheLastOne() {
        List<Long> refs = add(first, 60);
        while (!refs.isEmpty()) {
            removeAt(random.nextInt(refs.size()), refs);
            assertThat(records(first)).containsExactlyInAnyOrderElementsOf(refs);
            assertThat(chains.overflowLines()).isEqualTo(overflowLines(refs.size()));
        }
    }

    private void removeAt(int position, List<Long> refs) {
        long line = first;
        for (int i = 0; i < position / LhLine.PLACES; i++) {
            line = LhLine.overflow(slots.segment(line), slots.offset(line));
        }
        int place = position % LhLine.PLACES;
        refs.remove(LhLine.reference(slots.segment(line), slots.offset(line), place));
        chains.remove(first, line, place);
    }

    @Test
    void splitSendsRecordsByTheirBitAndMergeBringsThemBack() {
        for (int count : new int[] {0, 1, 5, 12, 13, 24, 25, 70}) {
            List<Long> refs = add(first, count);
            chains.split(first, other, 17);
            List<Long> stayed = records(first);
            List<Long> gone = records(other);
            assertThat(stayed).allMatch(ref -> (store.hash(ref) >>> 17 & 1) == 0);
            assertThat(gone).allMatch(ref -> (store.hash(ref) >>> 17 & 1) != 0);
            assertThat(chains.overflowLines()).isEqualTo(overflowLines(stayed.size()) + overflowLines(gone.size()));
            assertThat(chains.merge(first, other)).isTrue();
            assertThat(records(first)).containsExactlyInAnyOrderElementsOf(refs);
            chains.freeAll(first);
            assertThat(chains.overflowLines()).isZero();
            assertThat(store.recordCount()).isZero();
        }
    }

    @Test
    void splitNeedsNoMemory() {
        List<Long> refs = add(first, 100);
        fillMemory();
        for (int bit = 0; bit < 64; bit++) {
            chains.split(first, other, bit);
            assertThat(records(first).size() + records(other).size()).isEqualTo(refs.size());
            if (!chains.merge(first, other)) {
                break;
            }
        }
    }

    @Test
    void withoutMemoryAddAndMergeAreRefusedAndChangeNothing() {
        List<Long> refs = add(first, 12);
        List<Long> others = add(other, 1);
        fillMemory();
        assertThat(chains.add(first, 1, 1, true)).isFalse();
        assertThat(chains.merge(first, other)).isFalse();
        assertThat(records(first)).isEqualTo(refs);
        assertThat(records(other)).isEqualTo(others);
    }

    private void fillMemory() {
        for (int bytes : new int[] {4096, LhLine.BYTES}) {
            while (slots.allocate(bytes, true) != 0) {
                // Take all memory.
            }
        }
    }
}
