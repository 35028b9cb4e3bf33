package io.sdds.client;

import io.sdds.core.control.ControlMessage.TableStatus;
import io.sdds.core.model.TableDefinition;

/**
 * A table as the coordinator sees it; loads are as old as the bricks' last heartbeats.
 *
 * @param lostPartitions partitions whose only memory is gone
 */
public record TableInfo(TableDefinition definition, int partitions, long records, long bytes, int lostPartitions) {

    public String name() {
        return definition.name();
    }

    static TableInfo of(TableStatus status) {
        return new TableInfo(
                status.table().definition(),
                status.table().partitions(),
                status.records(),
                status.bytes(),
                status.lostPartitions());
    }
}
