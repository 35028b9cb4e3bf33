package io.sdds.brick.migration;

import io.netty.buffer.ByteBuf;
import io.sdds.brick.map.TableView;
import io.sdds.brick.partition.Partition;
import io.sdds.brick.partition.Request;
import io.sdds.brick.stage.StageContext;
import io.sdds.core.control.ControlMessage.Answer;
import io.sdds.core.control.ControlMessage.SnapshotOpen;
import io.sdds.core.model.MigrationOrder;
import io.sdds.core.model.Place;
import io.sdds.core.model.Place.Member;
import io.sdds.core.model.TableKind;
import io.sdds.core.node.Link;

/** The target of a learner's copy. Once the copy is complete the partition takes the log of its group. */
final class LearnerTarget extends MigrationTarget {
    private final TableKind kind;
    private boolean installed;

    LearnerTarget(StageContext context, MigrationOrder order, Migrations migrations, TableKind kind) {
        super(context, order, migrations, empty(context, order, kind));
        this.kind = kind;
    }

    @Override
    Answer open(Link link, SnapshotOpen open) {
        uninstall();
        return openAnew(link, open, kind);
    }

    @Override
    boolean parks(Request request, int partition) {
        return false;
    }

    @Override
    void onSlice(Link link, ByteBuf frames, int index, int length) {
        if (!installed) {
            super.onSlice(link, frames, index, length);
            SliceFrame.Seal seal = copy().seal();
            if (seal != null) {
                install(seal);
            }
        }
    }

    /** The log goes on behind the last entry that is in the copy. */
    private void install(SliceFrame.Seal seal) {
        installed = true;
        Partition partition = partition();
        partition.versionAtLeast(seal.version());
        TableView table = table();
        if (table != null) {
            partition.ttlMillis(table.definition().spec().ttlMillis());
        }
        migrations().join(partition, seal);
    }

    private void uninstall() {
        if (installed) {
            installed = false;
            migrations().remove(partition());
        }
    }

    /** The order is gone: the map has the learner among the members by now, or never will. */
    @Override
    void end() {
        Member self = migrations().self();
        Place place = placeOf(order().receiver());
        boolean member = place != null && place.migration() != 0 && place.has(self.brick(), self.incarnation());
        if (!member || !installed) {
            uninstall();
            migrations().maintenance().free(partition());
        }
    }
}
