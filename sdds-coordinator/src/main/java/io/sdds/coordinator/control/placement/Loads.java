package io.sdds.coordinator.control.placement;

import io.sdds.coordinator.control.member.BrickRegistry;
import io.sdds.coordinator.control.member.LiveBrick;
import io.sdds.core.control.ControlMessage.PartitionLoad;
import io.sdds.core.model.Place;

/** The loads that bricks have reported, found by the places of partitions. */
public final class Loads {
    private static final PartitionLoad NO_LOAD = new PartitionLoad(0, 0, 0, 0, 0);

    private final BrickRegistry bricks;

    public Loads(BrickRegistry bricks) {
        this.bricks = bricks;
    }

    /** The load that the brick of a partition reported; for a group the primary's report. */
    public PartitionLoad of(int table, int partition, Place place) {
        LiveBrick brick = bricks.heardLast(place.brick());
        PartitionLoad load = brick == null ? null : brick.load(table, partition);
        return load == null ? NO_LOAD : load;
    }
}
