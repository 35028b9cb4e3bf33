package io.sdds.coordinator.control;

import io.sdds.core.control.ControlMessage.PartitionLoad;
import io.sdds.core.model.Place;
import java.util.HashMap;
import java.util.Map;

/** All loads that bricks have reported, for looking up. */
final class Loads {
    private static final PartitionLoad NO_LOAD = new PartitionLoad(0, 0, 0, 0, 0);

    private final Map<Key, PartitionLoad> loads = new HashMap<>();

    private record Key(int brick, int table, int partition) {}

    Loads(BrickRegistry bricks) {
        for (LiveBrick brick : bricks.all()) {
            for (PartitionLoad load : brick.loads()) {
                loads.put(new Key(brick.number(), load.table(), load.partition()), load);
            }
        }
    }

    /** What the brick that holds the partition said of it; its primary's, of a group. */
    PartitionLoad of(int table, int partition, Place place) {
        return loads.getOrDefault(new Key(place.brick(), table, partition), NO_LOAD);
    }
}
