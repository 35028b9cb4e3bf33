package io.sdds.brick.group;

import io.sdds.brick.partition.Partition;
import org.jspecify.annotations.Nullable;

/** Lets the writes of a sole member past the group's log while no other brick needs the log. */
final class LogGate {

    /* The gate is open while this brick leads alone, no entry is uncommitted, and no other brick takes the log. Writes
     * then take effect at once, as in a store of one copy, and have no seq. There is no log and no Replication then.
     *
     * The gate is shut in the turn that begins a learner's copy or an epoch of more members, and in the turn of an
     * entry that changes keys: HANDOVER, SUBSUME or ABSORB. The end of a turn, or a tick, opens the gate again when the
     * reason is over. */

    private final Groups groups;
    private final Group group;
    private final Partition partition;

    /** Null while the gate is open, and before the group's first epoch. */
    private @Nullable Replication replication;

    private boolean open;

    /** The seq of the last entry that the log had, while there is no log. */
    private long lastLogged;

    LogGate(Groups groups, Group group) {
        this.groups = groups;
        this.group = group;
        this.partition = group.partition();
    }

    /** Whether writes go past the log. */
    boolean isOpen() {
        return open;
    }

    /** The log; null while there is none. */
    @Nullable
    Replication replicationIfAny() {
        return replication;
    }

    /** The log; shuts the gate if there is none. */
    Replication replication() {
        Replication now = replication;
        return now == null ? shut() : now;
    }

    /** The seq of the last entry of the log. */
    long last() {
        return replication == null ? lastLogged : replication.last();
    }

    /** The seq of the last entry that is known to be committed. */
    long committed() {
        return replication == null ? lastLogged : replication.committed();
    }

    /**
     * From now on writes go through the log. The writes that went past the log have no seq. One entry stands for all of
     * them, so that no earlier log is ever taken for equal to this one (docs/design/groups.md, rule 2).
     */
    private Replication shut() {
        boolean wasOpen = open;
        Replication built = new Replication(groups, group);
        open = false;
        replication = built;
        partition.shutGate(built.gate());
        if (wasOpen) {
            groups.gateMoved(partition, false);
            built.restartBehind(lastLogged, group.members());
        }
        return built;
    }

    /** Opens the gate of the sole member, which leads, unless the log is still needed. */
    void openIfIdle() {
        Replication now = replication;
        if (isNeeded(now)) {
            return;
        }
        if (now != null) {
            lastLogged = now.last();
            replication = null;
            now.release();
        }
        if (!open) {
            open = true;
            groups.gateMoved(partition, true);
        }
        partition.openGate();
    }

    private boolean isNeeded(@Nullable Replication now) {
        Partition.Mover mover = partition.mover();
        return partition.isClosed()
                || mover != null && mover.takesLog()
                || !groups.maySkipLog(partition.table())
                || now != null && !now.isRemovable();
    }
}
