package io.sdds.brick.migration;

import io.sdds.brick.group.Group;
import io.sdds.brick.group.Group.SubsumedState;
import io.sdds.brick.partition.MovedKeys;
import io.sdds.brick.partition.Partition;
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
import org.jspecify.annotations.Nullable;

/** The target of a merge: the parent, at one member of its group, which goes on serving its own keys. */
final class MergeTarget extends MigrationTarget {

    /*
     * The members of the parent hold the child's records beside their own. ABSORB, an entry of the parent's log, makes
     * the records the parent's. Its primary proposes ABSORB when a member of the child says that SUBSUME is committed
     * there (SubsumedPartition). A member whose order is gone keeps the records if it has ABSORB in its log, decided or
     * not. Otherwise the merge was abandoned: ABSORB is committed, and so prepared at all members, before the
     * coordinator hears of it, and ABSORB is never proposed of a merge that may still be abandoned.
     */
    private final Group group;
    private boolean prepared;

    MergeTarget(StageContext context, MigrationOrder order, Migrations migrations, Partition parent) {
        super(context, order, migrations, receiver(context, order, parent));
        this.group = parent.group();
    }

    /** What comes to a column of a parity group goes through the column's log. */
    private static SnapshotReceiver receiver(StageContext context, MigrationOrder order, Partition parent) {
        return !parent.bucket().ranks().areGiven()
                ? new SnapshotReceiver(order.id(), parent, context.store())
                : new ColumnReceiver(context, order.id(), parent);
    }

    private boolean isColumn() {
        return partition().bucket().ranks().areGiven();
    }

    /**
     * Whether this process became primary of the parent's column after the merge was ordered. If SUBSUME is committed
     * in the child's log, the column holds all records of the child.
     */
    private boolean isHeir() {
        return !order().target().members().contains(migrations().self());
    }

    @Override
    boolean isReceiving() {
        return isHeir() || prepared || copy().hasSlices();
    }

    private boolean isTaken() {
        return partition().hasAbsorbed(MovedKeys.by(order()));
    }

    // ---- the order

    @Override
    boolean isVoid() {
        return !migrations().isHere(partition());
    }

    @Override
    void end() {
        copy().release();
        rerunParked();
        if (!isVoid() && !isTaken() && !group.isAbsorbing()) {
            partition().dropShipped();
            migrations().maintenance().maintain(partition());
        }
    }

    /** ABSORB is committed at this member. */
    @Override
    void ownerChanged(Partition changed) {
        if (changed != partition() || !isTaken()) {
            return;
        }
        migrations().learn(order());
        partition().results().dropEnded(map()::sessionEnded);
        if (!isServing()) {
            serving();
            migrations().listener().reportSoon();
        }
    }

    /** A child that is lost can't say that it had handed over. So from here on it had not. */
    private void discardIfLost() {
        Place child = placeOf(order().child());
        if (isStaging()
                && child != null
                && child.lost()
                && group.isSettledLeader()
                && !group.isAbsorbing()
                && !isTaken()) {
            discard();
        }
    }

    // ---- the source's requests

    @Override
    Answer open(Link link, SnapshotOpen open) {
        boolean primary = order().target().primary().equals(migrations().self());
        if (primary && !group.leads()) {
            return new Refused(Refusal.NOT_READY, "the group has not begun its epoch here");
        }
        if (isHeir()) {
            return Migrations.unknown(order().id());
        }
        Refused notReady = isColumn() ? prepareColumn(open) : prepare(open);
        migrations().maintenance().maintain(partition());
        return notReady == null ? copy().open(link, open, partition(), primary ? group.advance() : 0) : notReady;
    }

    /**
     * Readies the parent for a first or later attempt, a step at a time. The records of an earlier attempt are dropped
     * first.
     *
     * @return why the attempt can't begin yet; null when the parent is ready
     */
    private @Nullable Refused prepare(SnapshotOpen open) {
        Partition parent = partition();
        Refused later = new Refused(Refusal.NOT_READY, "the partition is made ready for a merge");
        if (parent.isChanging()) {
            return later;
        }
        if (parent.isWide() && !copy().hasSlices()) {
            return null;
        }
        if (parent.isWide()) {
            parent.dropShipped();
            copy().end();
            prepared = false;
            return later;
        }
        return widen(open, later);
    }

    private @Nullable Refused widen(SnapshotOpen open, Refused later) {
        if (prepared) {
            prepared = false;
            return noRoom(open);
        }
        prepared = true;
        partition().beginWidening(order());
        return partition().isWide() ? null : later;
    }

    /** As {@link #prepare}, of a column, whose log drops the records of an earlier attempt ({@link Cleaning}). */
    private @Nullable Refused prepareColumn(SnapshotOpen open) {
        Partition parent = partition();
        Refused later = new Refused(Refusal.NOT_READY, "the column is made ready for a merge");
        copy().end();
        if (parent.isChanging() || !group.isSettledLeader() || group.isFilling() || !group.isDecided()) {
            return later;
        }
        if (!parent.hasOnlyOwn()) {
            prepared = false;
            return later;
        }
        if (parent.isWide()) {
            prepared = true;
            return null;
        }
        return widen(open, later);
    }

    /** The child's group has committed SUBSUME. The answer is Done once this member has committed ABSORB. */
    @Override
    Answer onActivate(Activate activate) {
        if (!isStaging() && !isServing()) {
            return Migrations.unknown(order().id());
        }
        boolean complete = copy().seal() != null || isHeir();
        if (!isTaken() && complete && !group.isAbsorbing() && group.isSettledLeader()) {
            if (isHeir() && !partition().isWide()) {
                partition().beginWidening(order());
            }
            group.absorb(new SubsumedState(MovedKeys.by(order()), activate.version(), activate.timeNanos()));
        }
        return isTaken() ? new Done(map().version()) : new Refused(Refusal.NOT_READY, "ABSORB is not committed yet");
    }

    // ---- requests of clients

    @Override
    boolean parks(Request request, int partition) {
        return order().child() == partition && order().table() == request.table && group.isAbsorbing();
    }

    @Override
    void tick() {
        discardIfLost();
        super.tick();
        if (!group.isAbsorbing()) {
            rerunParked(); // ABSORB was cut off with its primary
        }
    }
}
