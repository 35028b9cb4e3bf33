package io.sdds.brick.node;

import io.sdds.brick.partition.PartitionName;
import io.sdds.core.control.ControlMessage.PartitionLoad;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The loads of all stages, and which of them the next heartbeat lists: all, or what the coordinator does not know. */
final class LoadList {
    /*
     * A heartbeat lists changes only when the one before was answered by a coordinator that knows the list up to it.
     * Whatever else becomes of a heartbeat, the next one lists all; so no change can be lost.
     */
    private static final long NONE = 0;

    private final Map<PartitionName, PartitionLoad> loads = new LinkedHashMap<>();
    private final Set<PartitionName> changed = new LinkedHashSet<>();
    private long number;
    private long known = NONE;

    /** @param since the number of the list that these are the changes of; 0: these are all */
    record Listed(long number, long since, List<PartitionLoad> loads) {}

    /** A stage says what has changed. */
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

    /** For a heartbeat that leaves now. */
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

    /** The answer to the last heartbeat says up to which list the coordinator knows the loads. */
    void answered(long listKnown) {
        known = listKnown == number ? number : NONE;
    }

    /** Another coordinator, or the same one anew, knows nothing. */
    void forget() {
        known = NONE;
    }
}
