package io.sdds.brick.migration;

import io.sdds.brick.group.Group.SubsumedState;
import io.sdds.brick.map.BrickMap;
import io.sdds.brick.map.TableView;
import io.sdds.brick.parity.member.ParityPartitions;
import io.sdds.brick.stage.Peers;
import io.sdds.brick.stage.StageContext;
import io.sdds.core.control.ControlMessage.Activate;
import io.sdds.core.model.MigrationOrder;
import io.sdds.core.model.Place;
import io.sdds.core.node.Link;

/**
 * Merged children whose primary is gone, at the parity member that leads the child's column. It asks the parent's
 * primary to absorb the records, as the child's primary would ({@link SubsumedPartition}), until the order is gone.
 */
final class SubsumedColumns {
    private final BrickMap map;
    private final Peers peers;
    private final ParityPartitions parities;

    SubsumedColumns(StageContext context, ParityPartitions parities) {
        this.map = context.map();
        this.peers = context.peers();
        this.parities = parities;
    }

    /** Each 100 ms. */
    void tick() {
        for (MigrationOrder order : map.migrations()) {
            SubsumedState child = order.isMerge() ? parities.subsumed(order) : null;
            if (child != null) {
                ask(order, child);
            }
        }
    }

    private void ask(MigrationOrder merge, SubsumedState child) {
        TableView table = map.table(merge.table());
        Place parent = table == null ? null : table.place(merge.receiver());
        Link link = parent == null || parent.lost() || parent.none() ? null : peers.protocol(parent.brick());
        if (link != null) {
            Activate activate = new Activate(
                    merge.id(),
                    0,
                    merge.table(),
                    merge.receiver(),
                    child.keys().level(),
                    child.version(),
                    child.timeNanos());
            peers.ask(link, activate, answer -> {}); // the order goes when the parent has absorbed the records
        }
    }
}
