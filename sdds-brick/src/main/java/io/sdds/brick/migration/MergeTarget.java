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
        super(context, order, migrations, parent);
        this.group = parent.group();
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
        Refused notReady = prepare(open);
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
        if (prepared) {
            prepared = false;
            return noRoom(open);
        }
        prepared = true;
        parent.beginWidening(order());
        return parent.isWide() ? null : later;
    }

    /** The child's group has committed SUBSUME. The answer is Done once this member has committed ABSORB. */
    @Override
    Answer onActivate(Activate activate) {
        if (!isStaging() && !isServing()) {
            return Migrations.unknown(order().id());
        }
        if (!isTaken() && copy().seal() != null && !group.isAbsorbing() && group.isSettledLeader()) {
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
