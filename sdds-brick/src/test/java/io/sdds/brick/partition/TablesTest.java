package io.sdds.brick.partition;

import static org.assertj.core.api.Assertions.assertThat;

import io.sdds.brick.memory.ArenaMemorySource;
import io.sdds.brick.memory.MemoryBudget;
import io.sdds.brick.memory.RecordStore;
import io.sdds.core.model.KeySpan;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class TablesTest {
    private static final int TABLE = 1;

    private final MemoryBudget budget = new MemoryBudget(64L << 20);
    private final ArenaMemorySource memory = new ArenaMemorySource(budget);
    private final RecordStore store = new RecordStore(memory, budget);
    private final Tables tables = new Tables();

    @AfterEach
    void close() {
        memory.close();
    }

    @Test
    void fromNamesThePartitionsFromANumberOnInTheirOrder() {
        add(TABLE, 9);
        add(TABLE, 2);
        add(TABLE, 5);
        add(TABLE + 1, 7);
        assertThat(numbersFrom(TABLE, 0)).containsExactly(2, 5, 9);
        assertThat(numbersFrom(TABLE, 5)).containsExactly(5, 9);
        assertThat(numbersFrom(TABLE, 6)).containsExactly(9);
        assertThat(numbersFrom(TABLE, 10)).isEmpty();
    }

    @Test
    void fromNamesNothingOfATableThatIsNotHere() {
        add(TABLE, 0);
        assertThat(numbersFrom(TABLE + 1, 0)).isEmpty();
        assertThat(numbersFrom(1_000, 0))
                .as("beyond all tables that ever were here")
                .isEmpty();
    }

    @Test
    void fromForgetsPartitionsThatAreRemoved() {
        Partition low = add(TABLE, 1);
        Partition high = add(TABLE, 6);
        tables.remove(high);
        assertThat(numbersFrom(TABLE, 0)).containsExactly(1);
        tables.remove(low);
        assertThat(numbersFrom(TABLE, 0)).isEmpty();
        add(TABLE, 3);
        assertThat(numbersFrom(TABLE, 0)).containsExactly(3);
    }

    @Test
    void fromNamesOnlyThePartitionThatTookTheNumberLast() {
        Partition before = add(TABLE, 4);
        Partition now = new HashPartition(TABLE, 4, 3, 0, store);
        tables.add(now);
        tables.remove(before);
        assertThat(tables.from(TABLE, 0)).containsExactly(now);
    }

    @Test
    void fromNamesNothingOfADroppedTableUntilItHasPartitionsAgain() {
        add(TABLE, 0);
        add(TABLE, 40);
        add(TABLE + 1, 2);
        assertThat(tables.removeTable(TABLE)).hasSize(2);
        assertThat(numbersFrom(TABLE, 0)).isEmpty();
        assertThat(numbersFrom(TABLE + 1, 0)).containsExactly(2);
        add(TABLE, 8);
        assertThat(numbersFrom(TABLE, 0)).containsExactly(8);
    }

    @Test
    void rangePartitionsAreCountedByThemselves() {
        add(TABLE, 0);
        RangePartition range = new RangePartition(TABLE + 1, 0, KeySpan.ALL, 0, store);
        tables.add(range);
        assertThat(tables.rangeCount()).isOne();
        assertThat(tables.range(0)).isSameAs(range);
        tables.removeTable(TABLE + 1);
        assertThat(tables.rangeCount()).isZero();
        assertThat(tables.count()).isOne();
    }

    private Partition add(int table, int number) {
        Partition partition = new HashPartition(table, number, 2, 0, store);
        tables.add(partition);
        return partition;
    }

    private List<Integer> numbersFrom(int table, int number) {
        return tables.from(table, number).stream().map(Partition::number).toList();
    }
}
