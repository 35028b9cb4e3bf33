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

    /** For each table, a number above the numbers of all its partitions here. */
    private int[] ends = new int[8];

    private final Set<PartitionName> changed = new LinkedHashSet<>();
    private int round;

    /** The partition of a table and number; null when it is not on this stage. */
    public @Nullable Partition find(int table, int number) {
        if (table < 0 || table >= byTable.length) {
            return null;
        }
        Partition[] numbers = byTable[table];
        return numbers != null && number >= 0 && number < numbers.length ? numbers[number] : null;
    }

    /** The partition to which a request is addressed, if it is here and owns the request's key; else null. */
    public @Nullable Partition owner(Request request) {
        Partition partition = find(request.table, request.partition);
        return partition != null && partition.owns(request) ? partition : null;
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

    /** Removes a partition. The caller frees its memory. */
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

    /** The partitions of a table whose numbers are at least {@code number}, by their numbers. */
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

    /** Removes the partitions of a table. The caller frees their memory. */
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

    /** Returns one partition after the other, in an endless round; null while the stage has no partition. */
    public @Nullable Partition nextInRound() {
        if (all.isEmpty()) {
            return null;
        }
        round = (round + 1) % all.size();
        return all.get(round);
    }

    /** The partition of an index from 0 to {@link #count} - 1. Indexes change when a partition comes or goes. */
    public Partition get(int index) {
        return all.get(index);
    }

    /** Number of the partitions that belong to range tables. */
    public int rangeCount() {
        return ranges.size();
    }

    /** The range partition of an index from 0 to {@link #rangeCount} - 1. Indexes change when one comes or goes. */
    public RangePartition range(int index) {
        return ranges.get(index);
    }

    /** Notes that the coordinator should hear of a partition at once, because it has come or gone, for example. */
    public void changed(Partition partition) {
        changed(partition.table(), partition.number());
    }

    /** As the other {@code changed}, of a partition that is perhaps not in these tables. */
    public void changed(int table, int number) {
        changed.add(new PartitionName(table, number));
    }

    /** Takes the names of the partitions that have changed since the last call. */
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
