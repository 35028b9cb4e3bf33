package io.sdds.brick.migration;

import io.sdds.brick.map.TableView;
import io.sdds.brick.partition.Partition;
import io.sdds.brick.partition.Request;
import io.sdds.brick.stage.StageContext;
import io.sdds.core.control.ControlMessage.Activate;
import io.sdds.core.control.ControlMessage.Answer;
import io.sdds.core.control.ControlMessage.Done;
import io.sdds.core.control.ControlMessage.SnapshotOpen;
import io.sdds.core.model.MigrationOrder;
import io.sdds.core.model.Place;
import io.sdds.core.model.Place.Member;
import io.sdds.core.model.TableKind;
import io.sdds.core.node.Link;

/** The target of a split, whose partition is a new child, or of a move. The partition serves once it is handed over. */
final class ChildTarget extends MigrationTarget {
    private final TableKind kind;

    ChildTarget(StageContext context, MigrationOrder order, Migrations migrations, TableKind kind) {
        super(context, order, migrations, empty(context, order, kind));
        this.kind = kind;
    }

    @Override
    Answer open(Link link, SnapshotOpen open) {
        return openAnew(link, open, kind);
    }

    @Override
    boolean parks(Request request, int partition) {
        return isStaging()
                && order().child() == partition
                && order().table() == request.table
                && (!order().isMove() || isFromSource(request));
    }

    @Override
    void mapChanged() {
        Place source = placeOf(order().sender());
        if (isStaging() && source != null && source.lost()) {
            discard();
        }
    }

    @Override
    Answer onActivate(Activate activate) {
        if (isStaging()) {
            serve(activate.attempt(), order().target());
        }
        return isServing() ? new Done(map().version()) : Migrations.unknown(order().id());
    }

    private void serve(int attempt, Place place) {
        SliceFrame.Seal seal = copy().seal();
        if (seal == null || attempt != copy().attempt()) {
            throw new IllegalStateException("HANDOVER of migration " + order().id() + " attempt " + attempt
                    + ", but the copy of attempt " + copy().attempt() + " is not complete");
        }
        Partition child = partition();
        child.versionAtLeast(seal.version());
        TableView table = table();
        if (table != null) {
            child.ttlMillis(table.definition().spec().ttlMillis());
        }
        child.results().dropEnded(map()::sessionEnded);
        migrations().add(child, place, seal.timeNanos());
        migrations().learn(order());
        serving();
    }

    /**
     * The order is gone: the partition is here by now, or never will be. If the map names this process as a member, the
     * partition came by this order, even if other members have joined since: whatever else could have made this process
     * a member needs a map in which the order was gone. The place of a partition that begins empty, after an accepted
     * loss, names no migration.
     */
    @Override
    void end() {
        if (isServing()) {
            return;
        }
        Member self = migrations().self();
        Place place = placeOf(order().child());
        if (copy().seal() != null
                && place != null
                && place.migration() != 0
                && place.has(self.brick(), self.incarnation())) {
            serve(copy().attempt(), place);
        } else {
            rerunParked();
            migrations().maintenance().free(partition());
        }
    }
}
