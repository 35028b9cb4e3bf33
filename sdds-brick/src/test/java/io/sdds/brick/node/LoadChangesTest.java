package io.sdds.brick.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.sdds.brick.memory.ArenaMemorySource;
import io.sdds.brick.memory.MemoryBudget;
import io.sdds.brick.memory.RecordStore;
import io.sdds.brick.partition.HashPartition;
import io.sdds.brick.partition.Partition;
import io.sdds.brick.partition.Tables;
import io.sdds.core.control.ControlMessage.PartitionLoad;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** When a stage reports the load of a partition. */
class LoadChangesTest {
    private static final long SECOND = 1_000_000_000L;

    private final MemoryBudget budget = new MemoryBudget(64L << 20);
    private final ArenaMemorySource memory = new ArenaMemorySource(budget);
    private final RecordStore store = new RecordStore(memory, budget);
    private final Tables tables = new Tables();
    private final Map<Integer, PartitionLoad> now = new HashMap<>();
    private final LoadChanges changes = new LoadChanges(tables, partition -> now.get(partition.number()));

    @AfterEach
    void close() {
        memory.close();
    }

    @Test
    void aPartitionThatComesOrGoesIsToldAtOnce() {
        Partition partition = add(0, 100);
        assertThat(changes.urgent(0)).containsExactly(now.get(0));
        assertThat(changes.urgent(0)).isEmpty();
        tables.remove(partition);
        assertThat(changes.urgent(0)).containsExactly(new PartitionLoad(1, 0, PartitionLoad.GONE, 0, 0));
        assertThat(changes.ofTick(0)).isEmpty();
    }

    @Test
    void theTablesThatAreDroppedAreToldAtOnce() {
        add(0, 100);
        add(1, 100);
        changes.urgent(0);
        tables.removeTable(1);
        assertThat(changes.urgent(0))
                .extracting(PartitionLoad::level)
                .containsExactly(PartitionLoad.GONE, PartitionLoad.GONE);
    }

    @Test
    void oneThatCameAndWentBetweenTwoLooksIsNotTold() {
        tables.remove(add(0, 100));
        assertThat(changes.urgent(0)).isEmpty();
    }

    @Test
    void aLoadIsToldWhenItHasMovedByASixteenth() {
        add(0, 1600);
        changes.urgent(0);
        set(0, 2, 1699);
        assertThat(changes.ofTick(SECOND)).isEmpty();
        set(0, 2, 1700);
        assertThat(changes.ofTick(SECOND)).containsExactly(now.get(0));
        set(0, 2, 1500);
        assertThat(changes.ofTick(SECOND)).containsExactly(now.get(0));
        assertThat(changes.ofTick(SECOND)).isEmpty();
    }

    @Test
    void aLoadThatChangesAllTheTimeIsToldAfterFiveSecondsAndOneAtRestNever() {
        add(0, 1600);
        add(1, 1600);
        changes.urgent(0);
        set(0, 2, 1601);
        assertThat(changes.ofTick(SECOND)).isEmpty();
        set(0, 2, 1602);
        assertThat(changes.ofTick(5 * SECOND - 1)).isEmpty();
        set(0, 2, 1603);
        assertThat(changes.ofTick(5 * SECOND)).containsExactly(now.get(0));
        assertThat(changes.ofTick(100 * SECOND)).isEmpty();
    }

    @Test
    void aLoadThatHasChangedAndSettledIsToldWithTheNextTick() {
        add(0, 1600);
        changes.urgent(0);
        set(0, 2, 1601);
        assertThat(changes.ofTick(1)).isEmpty();
        assertThat(changes.ofTick(2)).containsExactly(now.get(0));
        assertThat(changes.ofTick(3)).isEmpty();
    }

    @Test
    void settledLoadsOfManyPartitionsAreToldBitByBit() {
        int count = 2 * LoadChanges.SETTLED_PER_TICK + 1;
        for (int k = 0; k < count; k++) {
            add(k, 1600);
        }
        changes.urgent(0);
        for (int k = 0; k < count; k++) {
            set(k, 2, 1601);
        }
        assertThat(changes.ofTick(1)).isEmpty();
        List<PartitionLoad> told = new ArrayList<>(changes.ofTick(2));
        assertThat(told).hasSize(LoadChanges.SETTLED_PER_TICK);
        told.addAll(changes.ofTick(3));
        told.addAll(changes.ofTick(4));
        assertThat(told).hasSize(count).doesNotHaveDuplicates();
    }

    @Test
    void anotherLevelOrEpochIsToldWithTheNextTick() {
        add(0, 1600);
        changes.urgent(0);
        set(0, 3, 1600);
        assertThat(changes.ofTick(1)).containsExactly(now.get(0));
        now.put(0, new PartitionLoad(1, 0, PartitionLoad.GIVEN_UP, 1600, 160_000, 7));
        assertThat(changes.ofTick(1)).containsExactly(now.get(0));
        now.put(0, new PartitionLoad(1, 0, PartitionLoad.GIVEN_UP, 1600, 160_000, 8));
        assertThat(changes.ofTick(1)).containsExactly(now.get(0));
    }

    @Test
    void whoeverSaysThatAPartitionHasChangedHasItToldAtOnceAsItIs() {
        Partition partition = add(0, 1600);
        changes.urgent(0);
        set(0, 2, 1590);
        tables.changed(partition);
        assertThat(changes.urgent(0)).containsExactly(now.get(0));
    }

    @Test
    void manyPartitionsAreLookedAtInTurn() {
        int count = LoadChanges.CHECKED_PER_TICK + 10;
        for (int k = 0; k < count; k++) {
            add(k, 100);
        }
        changes.urgent(0);
        for (int k = 0; k < count; k++) {
            set(k, 2, 200);
        }
        List<PartitionLoad> told = new ArrayList<>(changes.ofTick(0));
        assertThat(told).hasSize(LoadChanges.CHECKED_PER_TICK);
        told.addAll(changes.ofTick(0));
        assertThat(told).hasSize(count).doesNotHaveDuplicates();
    }

    private Partition add(int number, long records) {
        set(number, 2, records);
        Partition partition = new HashPartition(1, number, 2, 0, store);
        tables.add(partition);
        return partition;
    }

    private void set(int number, int level, long records) {
        now.put(number, new PartitionLoad(1, number, level, records, 100 * records));
    }
}
