package io.sdds.brick.partition;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The partitions that live on this stage, by table and number. */
public final class Tables {
    private @Nullable Partition[][] byTable = new Partition[8][];
    private final List<Partition> all = new ArrayList<>();
    private final List<RangePartition> ranges = new ArrayList<>();

    /** By table: above the highest number of a partition. */
    private int[] ends = new int[8];

    private final Set<PartitionName> changed = new LinkedHashSet<>();
    private int round;

    /** The partition, when it lives here. */
    public @Nullable Partition find(int table, int number) {
        if (table < 0 || table >= byTable.length) {
            return null;
        }
        Partition[] numbers = byTable[table];
        return numbers != null && number >= 0 && number < numbers.length ? numbers[number] : null;
    }

    public void add(Partition partition) {
        int table = partition.table();
        if (table >= byTable.length) {
            byTable = Arrays.copyOf(byTable, Math.max(table + 1, byTable.length * 2));
            ends = Arrays.copyOf(ends, byTable.length);
        }
        Partition[] numbers = byTable[table] == null ? new Partition[4] : byTable[table];
        if (partition.number() >= numbers.length) {
            numbers = Arrays.copyOf(numbers, Math.max(partition.number() + 1, numbers.length * 2));
        }
        numbers[partition.number()] = partition;
        byTable[table] = numbers;
        ends[table] = Math.max(ends[table], partition.number() + 1);
        all.add(partition);
        if (partition instanceof RangePartition range) {
            ranges.add(range);
        }
        changed(partition);
    }

    /** Takes a partition off; the caller frees it. */
    public void remove(Partition partition) {
        Partition[] numbers = byTable[partition.table()];
        if (numbers != null && numbers[partition.number()] == partition) {
            numbers[partition.number()] = null;
            lowerEnd(partition.table(), numbers);
        }
        all.remove(partition);
        ranges.remove(partition);
        changed(partition);
    }

    private void lowerEnd(int table, @Nullable Partition[] numbers) {
        while (ends[table] > 0 && numbers[ends[table] - 1] == null) {
            ends[table]--;
        }
    }

    /** The partitions of a table whose numbers are this one or above. */
    public List<Partition> from(int table, int number) {
        int end = table < ends.length ? ends[table] : 0;
        List<Partition> found = new ArrayList<>();
        for (int k = number; k < end; k++) {
            Partition partition = find(table, k);
            if (partition != null) {
                found.add(partition);
            }
        }
        return found;
    }

    /** Takes a table's partitions off; the caller frees them. */
    public List<Partition> removeTable(int table) {
        List<Partition> removed = all.stream().filter(p -> p.table() == table).toList();
        all.removeIf(p -> p.table() == table);
        ranges.removeIf(p -> p.table() == table);
        removed.forEach(this::changed);
        if (table < byTable.length) {
            byTable[table] = null;
            ends[table] = 0;
        }
        return removed;
    }

    public void forEach(Consumer<Partition> action) {
        for (int k = 0; k < all.size(); k++) {
            action.accept(all.get(k));
        }
    }

    /** One partition after the other, in a round that never ends; null while there is none. */
    public @Nullable Partition nextInRound() {
        if (all.isEmpty()) {
            return null;
        }
        round = (round + 1) % all.size();
        return all.get(round);
    }

    /** A number from 0 to {@link #count} - 1 for each partition, as long as none comes or goes. */
    public Partition get(int index) {
        return all.get(index);
    }

    /** How many of the partitions are of range tables. */
    public int rangeCount() {
        return ranges.size();
    }

    /** One for each number from 0 to {@link #rangeCount} - 1, as long as none comes or goes. */
    public RangePartition range(int index) {
        return ranges.get(index);
    }

    /** The coordinator should hear at once what has become of the partition; it has come or gone, for example. */
    public void changed(Partition partition) {
        changed.add(new PartitionName(partition.table(), partition.number()));
    }

    /** Takes the names of the partitions that have changed since this was called last. */
    public List<PartitionName> takeChanged() {
        if (changed.isEmpty()) {
            return List.of();
        }
        List<PartitionName> taken = List.copyOf(changed);
        changed.clear();
        return taken;
    }

    public int count() {
        return all.size();
    }
}
