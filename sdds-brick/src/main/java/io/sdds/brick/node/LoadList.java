package io.sdds.brick.node;

import io.sdds.brick.partition.PartitionName;
import io.sdds.core.control.ControlMessage.PartitionLoad;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The loads of all stages. Chooses whether the next heartbeat lists all loads, or only the changed ones. */
final class LoadList {
    /*
     * A heartbeat lists only the changes if a coordinator has answered the heartbeat before, and knows all lists up to
     * the list of that heartbeat. In all other cases the heartbeat lists all loads. So no change can be lost.
     */
    private static final long NONE = 0;

    private final Map<PartitionName, PartitionLoad> loads = new LinkedHashMap<>();
    private final Set<PartitionName> changed = new LinkedHashSet<>();
    private long number;
    private long known = NONE;

    /** @param since number of the list to which these loads are the changes; 0 if these are all loads */
    record Listed(long number, long since, List<PartitionLoad> loads) {}

    /** Takes the changed loads of a stage. */
    void take(List<PartitionLoad> changes) {
        for (PartitionLoad load : changes) {
            PartitionName name = new PartitionName(load.table(), load.partition());
            changed.add(name);
            if (load.level() == PartitionLoad.GONE) {
                loads.remove(name);
            } else {
                loads.put(name, load);
            }
        }
    }

    /** The list for a heartbeat that is sent now. */
    Listed next() {
        List<PartitionLoad> listed = known == NONE
                ? List.copyOf(loads.values())
                : changed.stream().map(this::load).toList();
        Listed list = new Listed(++number, known, listed);
        changed.clear();
        known = NONE;
        return list;
    }

    private PartitionLoad load(PartitionName name) {
        PartitionLoad load = loads.get(name);
        return load == null ? new PartitionLoad(name.table(), name.partition(), PartitionLoad.GONE, 0, 0) : load;
    }

    /** The last heartbeat was answered. The coordinator knows the loads up to this list. */
    void answered(long listKnown) {
        known = listKnown == number ? number : NONE;
    }

    /** The coordinator knows no loads of this brick, because the brick has registered with it. */
    void forget() {
        known = NONE;
    }
}
