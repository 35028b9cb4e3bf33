package io.sdds.coordinator.control;

import io.sdds.core.control.ControlMessage.PartitionLoad;
import io.sdds.core.model.Place;

/** The loads that bricks have reported, by the places of partitions. */
final class Loads {
    private static final PartitionLoad NO_LOAD = new PartitionLoad(0, 0, 0, 0, 0);

    private final BrickRegistry bricks;

    Loads(BrickRegistry bricks) {
        this.bricks = bricks;
    }

    /** What the brick that holds the partition said of it; its primary's, of a group. */
    PartitionLoad of(int table, int partition, Place place) {
        LiveBrick brick = bricks.heardLast(place.brick());
        PartitionLoad load = brick == null ? null : brick.load(table, partition);
        return load == null ? NO_LOAD : load;
    }
}
