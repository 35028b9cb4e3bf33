package io.sdds.coordinator.control.member;

import io.sdds.core.control.ControlMessage.Heartbeat;
import io.sdds.core.control.ControlMessage.PartitionLoad;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The loads of a brick's partitions, collected from the heartbeats of one link. */
final class BrickLoads {
    private final Map<Integer, Map<Integer, PartitionLoad>> byTable = new TreeMap<>();

    /** Number of the brick's last list of loads that this coordinator has taken; 0: a list is missing. */
    private long known;

    private boolean complete;
    private long records;
    private long bytes;
    private int stuck;
    private int givenUp;

    /**
     * Takes a heartbeat's list: all loads, or the changes since the known list. Changes since another list are ignored,
     * and the brick is asked for all loads.
     */
    void take(Heartbeat heartbeat) {
        boolean all = heartbeat.loadsSince() == 0;
        complete = all || heartbeat.loadsSince() == known;
        if (all) {
            clear();
        }
        if (complete) {
            heartbeat.loads().forEach(this::take);
            known = heartbeat.loadsNumber();
        } else {
            known = 0;
        }
    }

    private void clear() {
        byTable.clear();
        records = 0;
        bytes = 0;
        stuck = 0;
        givenUp = 0;
    }

    private void take(PartitionLoad load) {
        if (load.level() == PartitionLoad.GONE) {
            count(remove(load.table(), load.partition()), -1);
        } else {
            Map<Integer, PartitionLoad> ofTable = byTable.computeIfAbsent(load.table(), id -> new HashMap<>());
            count(ofTable.put(load.partition(), load), -1);
            count(load, 1);
        }
    }

    private @Nullable PartitionLoad remove(int table, int partition) {
        Map<Integer, PartitionLoad> ofTable = byTable.get(table);
        PartitionLoad removed = ofTable == null ? null : ofTable.remove(partition);
        if (ofTable != null && ofTable.isEmpty()) {
            byTable.remove(table);
        }
        return removed;
    }

    private void count(@Nullable PartitionLoad load, int change) {
        if (load != null) {
            records += change * load.records();
            bytes += change * load.bytes();
            stuck += load.level() == PartitionLoad.STUCK ? change : 0;
            givenUp += load.level() == PartitionLoad.GIVEN_UP ? change : 0;
        }
    }

    /** Number of the brick's last list of loads that this coordinator has taken; 0: the brick must send all loads. */
    long known() {
        return known;
    }

    /** Whether the loads are as new as the brick's last heartbeat. */
    boolean isComplete() {
        return complete;
    }

    /** The load of a partition; null when the brick does not have the partition. */
    @Nullable
    PartitionLoad of(int table, int partition) {
        Map<Integer, PartitionLoad> ofTable = byTable.get(table);
        return ofTable == null ? null : ofTable.get(partition);
    }

    /** The loads of a table's partitions, by their numbers. */
    Map<Integer, PartitionLoad> of(int table) {
        Map<Integer, PartitionLoad> ofTable = byTable.get(table);
        return ofTable == null ? Collections.emptyMap() : Collections.unmodifiableMap(ofTable);
    }

    /** The copies that were given up. */
    List<PartitionLoad> givenUp() {
        return givenUp == 0 ? List.of() : all(PartitionLoad.GIVEN_UP);
    }

    private List<PartitionLoad> all(int level) {
        List<PartitionLoad> found = new ArrayList<>();
        for (Map<Integer, PartitionLoad> ofTable : byTable.values()) {
            for (PartitionLoad load : ofTable.values()) {
                if (load.level() == level) {
                    found.add(load);
                }
            }
        }
        return found;
    }

    /** Whether a copy has no memory for the next entry of its group's log. */
    boolean anyStuck() {
        return stuck > 0;
    }

    /** Records of all partitions. */
    long records() {
        return records;
    }

    /** Bytes of all partitions. */
    long bytes() {
        return bytes;
    }
}
