package io.sdds.brick.group;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sdds.core.protocol.ProtocolViolation;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class EntryTest {
    /** An entry of a kind with these 32-bit numbers behind its header. */
    private static MemorySegment entry(byte kind, int... numbers) {
        int length = Entry.KEY + numbers.length * Integer.BYTES;
        MemorySegment memory = MemorySegment.ofArray(new byte[length]);
        memory.set(Entry.INT, Entry.LENGTH, length);
        memory.set(Entry.INT, Entry.KIND, kind);
        for (int k = 0; k < numbers.length; k++) {
            memory.set(Entry.INT, Entry.KEY + (long) k * Integer.BYTES, numbers[k]);
        }
        return memory;
    }

    private static int checked(MemorySegment entry) {
        return Entry.checked(entry, 0, (int) entry.byteSize());
    }

    private static void refused(MemorySegment entry) {
        assertThatThrownBy(() -> checked(entry)).isInstanceOf(ProtocolViolation.class);
    }

    @Test
    void listsOfRecordsHaveWholeRecords() {
        assertThat(checked(entry(Entry.DROP, 1, 2, 3))).isEqualTo(Entry.KEY + 12);
        assertThat(checked(entry(Entry.RERANK, 1, 2, 3, 4, 1, 2, 3, 4))).isEqualTo(Entry.KEY + 32);
        refused(entry(Entry.DROP, 1, 2, 3, 4));
        refused(entry(Entry.RERANK, 1, 2, 3));
    }

    @Test
    void deltasOfSeveralRecordsHaveRanksAndLengths() {
        assertThat(checked(entry(Entry.DELTA_DROP, 7, 4, 99, 8, 0))).isEqualTo(Entry.KEY + 20);
        assertThat(checked(entry(Entry.DELTA_RERANK, 7, 2, 5, 4, 99, 8, 3, 5, 0)))
                .isEqualTo(Entry.KEY + 36);
        refused(entry(Entry.DELTA_RERANK, -1, 2, 5, 0));
        refused(entry(Entry.DELTA_RERANK, 7, -1, 5, 0));
        refused(entry(Entry.DELTA_RERANK, 7, 2, 5, -1));
        refused(entry(Entry.DELTA_RERANK, 7, 2, 5, 4));
        refused(entry(Entry.DELTA_RERANK, 7, 2, 5));
        refused(entry(Entry.DELTA_RERANK, 7, 2, 5, 0, 1));
    }

    @Test
    void aRecordLeavesItsRankBeforeItEntersTheNextOne() {
        MemorySegment entry = entry(Entry.DELTA_RERANK, 7, 2, 5, 4, 99, 8, 3, 6, 0);
        List<List<Integer>> folds = new ArrayList<>();
        Entry.forEachFold(
                entry,
                0,
                (rank, offset, length, fingerprint) ->
                        folds.add(List.of(rank, (int) offset - Entry.KEY, length, fingerprint)));
        assertThat(folds)
                .containsExactly(
                        List.of(7, 16, 4, Entry.NO_RECORD),
                        List.of(2, 16, 4, 5),
                        List.of(8, 36, 0, Entry.NO_RECORD),
                        List.of(3, 36, 0, 6));
    }
}
