package io.sdds.brick.migration;

import io.sdds.brick.group.Group;
import io.sdds.brick.partition.Partition;
import io.sdds.brick.partition.RangePartition;
import io.sdds.brick.partition.Request;
import io.sdds.brick.stage.StageContext;
import io.sdds.core.control.ControlMessage.Activate;
import io.sdds.core.control.ControlMessage.Answer;
import io.sdds.core.control.ControlMessage.Done;
import io.sdds.core.control.ControlMessage.Refusal;
import io.sdds.core.control.ControlMessage.Refused;
import io.sdds.core.control.ControlMessage.SnapshotOpen;
import io.sdds.core.model.MigrationOrder;
import io.sdds.core.model.Place;
import io.sdds.core.node.Link;

/**
 * The target of a split in a table with parity groups: an idle column, at its primary. All that comes goes through the
 * column's own log ({@link ColumnReceiver}), so that its parity members protect it before the column owns a key.
 */
final class ColumnTarget extends MigrationTarget {
    ColumnTarget(StageContext context, MigrationOrder order, Migrations migrations, Partition column) {
        super(context, order, migrations, new ColumnReceiver(context, order.id(), column));
    }

    /** Whether the column may hold records of a copy that may still be completed. */
    @Override
    boolean isReceiving() {
        return copy().hasSlices();
    }

    // ---- the order

    @Override
    boolean isVoid() {
        return !migrations().isHere(partition());
    }

    /** If the source is lost, it can't say any more that it has handed over. */
    @Override
    void mapChanged() {
        Place source = placeOf(order().sender());
        if (isStaging() && source != null && source.lost()) {
            discard();
        }
    }

    /** The order is gone: the column owns its keys by the map, or what has come is dropped by entries of its log. */
    @Override
    void end() {
        copy().release();
        if (!isServing()) {
            rerunParked();
        }
    }

    // ---- the source's requests

    /** Opens an attempt when nothing is left of earlier attempts and of earlier times. */
    @Override
    Answer open(Link link, SnapshotOpen open) {
        Partition column = partition();
        Group group = column.group();
        if (!column.isIdle()) {
            return Migrations.unknown(order().id());
        }
        copy().end();
        return group.isSettledLeader() && !group.isFilling() && group.isDecided() && column.isClean()
                ? copy().open(link, open, column, group.advance())
                : new Refused(Refusal.NOT_READY, "the column is being made ready");
    }

    @Override
    Answer onActivate(Activate activate) {
        if (isStaging()) {
            serve(activate.attempt());
        }
        return isServing() ? new Done(map().version()) : Migrations.unknown(order().id());
    }

    private void serve(int attempt) {
        if (copy().seal() == null || attempt != copy().attempt()) {
            throw new IllegalStateException("HANDOVER of migration " + order().id() + " attempt " + attempt
                    + ", but the copy of attempt " + copy().attempt() + " is not complete");
        }
        wake();
        partition().results().dropEnded(map()::sessionEnded);
        context().tables().changed(partition());
        migrations().learn(order());
        serving();
    }

    private void wake() {
        if (partition() instanceof RangePartition range) {
            range.wake(order().span());
        } else {
            partition().idle(false);
        }
    }

    // ---- requests of clients

    @Override
    boolean parks(Request request, int partition) {
        return isStaging() && order().child() == partition && order().table() == request.table;
    }
}
