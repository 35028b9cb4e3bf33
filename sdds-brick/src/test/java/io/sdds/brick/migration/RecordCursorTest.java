package io.sdds.brick.migration;

import static org.assertj.core.api.Assertions.assertThat;

import io.sdds.brick.memory.ArenaMemorySource;
import io.sdds.brick.memory.MemoryBudget;
import io.sdds.brick.memory.RecordStore;
import io.sdds.brick.partition.HashPartition;
import io.sdds.brick.partition.Partition;
import io.sdds.brick.partition.RangePartition;
import io.sdds.core.model.KeySpan;
import io.sdds.core.model.MigrationKind;
import io.sdds.core.model.MigrationOrder;
import io.sdds.core.model.Place;
import io.sdds.core.protocol.Status;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class RecordCursorTest {
    private static final long SESSION = 7;

    private final MemoryBudget budget = new MemoryBudget(1 << 20);
    private final ArenaMemorySource memory = new ArenaMemorySource(budget);
    private final RecordStore store = new RecordStore(memory, budget);

    @AfterEach
    void free() {
        memory.close();
    }

    /** With a result of a key of each half: seq 1 of the lower, 2 of the upper. */
    private static Partition withResults(Partition partition) {
        partition.results().take(SESSION, 1, 1, 0b10, Status.OK, 5);
        partition.results().take(SESSION, 2, 1, 0b01, Status.OK, 6);
        return partition;
    }

    private static List<Long> shipped(RecordCursor part, Partition partition) {
        List<Long> seqs = new ArrayList<>();
        part.results(partition.results(), (session, seq, low, hash, status, value) -> seqs.add(seq));
        return seqs;
    }

    private static MigrationOrder order(int parent, int child, int level, KeySpan span) {
        Place place = new Place(1, 1, 0);
        return new MigrationOrder(
                1,
                parent == child ? MigrationKind.MOVE : MigrationKind.SPLIT,
                1,
                parent,
                child,
                level,
                span,
                place,
                place);
    }

    @Test
    void aSplitShipsTheLowOfASessionAndTheResultsOfTheHalfThatMoves() {
        Partition partition = withResults(new HashPartition(1, 0, 0, 0, store));
        assertThat(shipped(RecordCursor.of(partition, order(0, 1, 0, KeySpan.ALL), store), partition))
                .containsExactly(0L, 2L);
    }

    @Test
    void aMoveShipsTheResultsOfAllKeys() {
        Partition hashed = withResults(new HashPartition(1, 0, 0, 0, store));
        assertThat(shipped(RecordCursor.of(hashed, order(0, 0, 0, KeySpan.ALL), store), hashed))
                .containsExactly(0L, 1L, 2L);
        Partition ranged = withResults(new RangePartition(1, 0, KeySpan.ALL, 0, store));
        assertThat(shipped(RecordCursor.of(ranged, order(0, 0, 0, KeySpan.ALL), store), ranged))
                .containsExactly(0L, 1L, 2L);
    }
}
