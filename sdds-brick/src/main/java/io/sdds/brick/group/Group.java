package io.sdds.brick.group;

import io.sdds.brick.partition.MovedKeys;
import io.sdds.brick.partition.Partition;
import io.sdds.core.model.Place;
import io.sdds.core.model.Place.Member;
import io.sdds.core.node.Link;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One partition's replica group at one member: the epoch, the members, and which member leads. {@link Replication} is
 * the log of the group, and {@link LogGate} lets the writes of a sole member past the log. A partition of one copy has
 * a group of one member.
 */
public final class Group {

    /*
     * The write protocol is that of Gribble et al. 2000 (section 3.2: two-phase commit to all members), with epochs.
     * The primary brick leads the protocol instead of the client (docs/design/groups.md, rules 1 to 4, 8 and 11).
     *
     * Writes. The primary makes a numbered entry of each write. The entry has the effect and the result of the write,
     * computed on top of the uncommitted entries before it. An entry is prepared at a member when the entry is in that
     * member's log. An entry is committed when all members of the epoch have voted for it. Votes and commits are
     * watermarks. A member applies entries to the bucket in order, when they are committed. So the bucket has no
     * uncommitted writes, and nothing must be undone when uncommitted entries are cut off. Reads at the primary never
     * wait, because nobody has been told of an uncommitted write.
     *
     * Epochs. The log has the shape of Raft's log. The name of an entry is its seq and the epoch in which it was
     * numbered. Each epoch has one primary, so two logs that have an entry of the same name are equal up to this entry.
     * In a new epoch each member reports the last entry that it knows to be committed; up to there all logs are equal.
     * The primary sends the entries behind. The member keeps the entries that have the same names, cuts off all others,
     * and votes for what it has verified in this epoch. No acknowledged entry can be cut off: all members of the
     * entry's epoch had the entry, so every later primary has it under the same name. Hence any survivor may lead
     * (rule 2). Entries that only a longer log has were not acknowledged.
     *
     * Reads. The entries that a backup has prepared may be committed at the primary. So a read at a backup waits until
     * the entries of its key that were prepared when the read came are committed. At a new primary reads wait for the
     * inherited entries in the same way. Reads also need proof that this brick is still a member. The proof is a lease
     * from the coordinator, or a confirmation of the epoch by all other members that began after the read came. A sole
     * member asks nobody. Writes need no lease, because the votes are the fence.
     *
     * Memory. A member reserves the memory of an entry before the entry is prepared (MemoryReservations): the primary
     * before it numbers the entry, a backup before it votes. So applying a committed entry can't fail. A backup without
     * memory does not vote, and leaves. The primary that numbered the entry, and every later primary that has the entry
     * in its log, can go on, even alone.
     *
     * Splits. HANDOVER is an entry of the log. When it is prepared, all members of the child's group have all records
     * that move. When a member applies it, the moving keys are no longer this partition's. While HANDOVER is
     * uncommitted, the primary lets no write to these keys in, and a backup no read of them. This holds for the primary
     * that proposed the entry and for one that inherited it (docs/design/migration.md, rule 13).
     *
     * Merges. The child's group gives all its keys up by the entry SUBSUME, which is proposed when all members of the
     * parent's group have all records of the child. The parent's group takes the keys by the entry ABSORB of its own
     * log, which is proposed when SUBSUME is known to be committed. So SUBSUME decides, and ABSORB follows. Each entry
     * takes effect at one place of its group's log.
     */
    private final Groups groups;
    private final Partition partition;

    private final LogGate gate;

    /** The epoch in which this member takes part. A frame of the primary may move it ahead of {@link #mapEpoch}. */
    private long epoch;

    /** The last epoch in which the map named this brick as a member; 0 if there was none. */
    private long mapEpoch;

    private List<Member> members = List.of();

    /** Number of members that have the records: all but the parity members. */
    private int copies;

    private boolean leads;

    /** Whether this member serves no requests and sends no frames, because it has left or the group has ended here. */
    private boolean dissolved;

    /**
     * Whether this member was ordered to leave in this epoch. It answers no requests and does not vote. It keeps its
     * copy and its log, because the next epoch may have it as a member again.
     */
    private boolean left;

    /**
     * Whether this member has given a column back that it cannot recover, for want of memory. The coordinators may name
     * another primary at any moment, so this member never serves the column again.
     */
    private boolean gaveBack;

    /** The records that are not here yet, of a column that is being recovered. */
    private MissingRecords missing = MissingRecords.NONE;

    /** Whether this brick votes and does not serve: a learner, or a new member that has not heard the primary yet. */
    private boolean votesOnly;

    /**
     * The state of a child at its SUBSUME, which the parent needs for ABSORB.
     *
     * @param version version of the child's last write
     * @param timeNanos the child's logical time, translated to the parent's logical time
     */
    public record SubsumedState(MovedKeys keys, long version, long timeNanos) {}

    Group(Groups groups, Partition partition) {
        this.groups = groups;
        this.partition = partition;
        this.gate = new LogGate(groups, this);
    }

    public List<Member> members() {
        return members;
    }

    public Partition partition() {
        return partition;
    }

    /** The log of the group; null while the gate is open. */
    public @Nullable Replication replicationIfAny() {
        return gate.replicationIfAny();
    }

    /** The log of the group. Shuts the gate if the gate is open. */
    public Replication replication() {
        return gate.replication();
    }

    /** Shuts the gate, because a copy begins that takes the entries of the log. */
    public void shutGateForCopy() {
        gate.replication();
    }

    /** Opens the gate if this member leads alone and {@link LogGate} does not need the log. */
    private void openGateIfAlone() {
        if (leads && members.size() == 1 && isServing()) {
            gate.openIfIdle();
        }
    }

    /** The epoch in which this member takes part. */
    public long epoch() {
        return epoch;
    }

    /** Whether this brick leads the group, as far as it knows. */
    public boolean leads() {
        return leads;
    }

    /** Whether this brick leads the group in this epoch. */
    public boolean leadsIn(long ofEpoch) {
        return leads && epoch == ofEpoch && !dissolved;
    }

    /**
     * Whether this brick leads and the logs of the group are equal: all inherited entries are committed, and no member
     * has other entries that it could commit if it led.
     */
    public boolean isSettledLeader() {
        Replication log = replicationIfAny();
        return leads
                && !dissolved
                && (log == null || log.knowsInherited() && log.leader().isFollowedByAll());
    }

    /** Whether this brick is the only member and leads, and no learner may lead the next epoch yet. */
    boolean isSole() {
        return leads && members.size() == 1 && !hasVotingLearner();
    }

    private boolean hasVotingLearner() {
        Replication log = replicationIfAny();
        return log != null && log.leader().hasVotingLearner();
    }

    /** Whether the map does not name this brick as a member yet. */
    public boolean isJoining() {
        return mapEpoch == 0;
    }

    /** Whether this member serves no requests any more. */
    public boolean isDissolved() {
        return dissolved;
    }

    /** Whether this member may answer requests. */
    boolean isServing() {
        return !dissolved && !votesOnly;
    }

    /** Whether this member has given its copy up in this epoch, and serves no requests. */
    public boolean hasLeft() {
        return left;
    }

    // ---- epochs

    /** Takes the members of an epoch from the map. Known and older epochs are ignored. */
    public void become(Place place) {
        if (place.epoch() <= mapEpoch || gaveBack) {
            return;
        }
        if (left) {
            left = false; // the order to leave was of another epoch
            dissolved = false;
        }
        if (gate.isOpen() && !place.members().equals(List.of(groups.self()))) {
            gate.replication(); // an entry of the epoch that ends stands for all writes that went past the log
        }
        mapEpoch = place.epoch();
        members = place.members();
        copies = groups.copies(partition, members);
        if (place.epoch() > epoch) {
            adopt(place.epoch(), members.get(0).equals(groups.self()));
        }
        if (leads) {
            votesOnly = false; // this brick is the primary that a member must hear first
        }
        if (replicationIfAny() == null) {
            openGateIfAlone();
        }
        if (leads && !gate.isOpen()) {
            replication().lead(members);
        }
        releaseReads();
    }

    private void releaseReads() {
        Replication log = replicationIfAny();
        if (log != null) {
            log.admission().release();
        }
    }

    /** Begins as a learner of an epoch. The copied records have the effects of all entries up to a seq. */
    void join(long ofEpoch, long seq, long copiedTimeNanos) {
        votesOnly = true;
        epoch = ofEpoch;
        timeFrom(copiedTimeNanos);
        replication().begin(seq);
    }

    /** The logical time goes on from the time of the copied records. */
    void timeFrom(long copiedTimeNanos) {
        partition.timeFrom(copiedTimeNanos, groups.env().nowNanos());
    }

    /** Votes without being asked, because the partition has just been created here. */
    void announceToPrimary() {
        Link primary = leads ? null : groups.link(members.get(0));
        if (primary != null) {
            replication().follower().vote(primary, 0);
        }
    }

    /** A PREPARE of this epoch's primary has come. */
    void onPrimaryHeard() {
        votesOnly &= mapEpoch != epoch;
    }

    /** Follows the primary of a later epoch, whose first PREPARE has come before the map. */
    void adopt(long later) {
        if (gate.isOpen()) {
            gate.replication();
        }
        adopt(later, false);
        releaseReads();
    }

    private void adopt(long later, boolean asPrimary) {
        boolean led = leads;
        epoch = later;
        leads = asPrimary;
        if (gate.isOpen()) {
            return; // this member led alone, and leads in the new epoch, too
        }
        Replication log = replicationIfAny();
        if (log != null) {
            log.admission().epochBegins();
        }
        if (asPrimary && !led) {
            beginToLead();
        } else if (!asPrimary) {
            if (led) {
                replication().abandonReplies();
            }
            replication().follow();
        }
    }

    private void beginToLead() {
        partition.time().takeOver();
        Replication log = replicationIfAny();
        if (log != null) {
            log.beginToLead();
        }
    }

    /** Leaves the group if this brick is a member in this epoch; else returns false. */
    boolean leave(long inEpoch) {
        if (mapEpoch != inEpoch || epoch != inEpoch || dissolved) {
            return false;
        }
        shutGateForCopy(); // no request may run past the gate any more
        stopServing();
        left = true;
        return true;
    }

    /** Stops to serve a column whose records do not fit here. The first parity of its group decodes them again. */
    void giveBack() {
        stopServing();
        left = true;
        gaveBack = true;
    }

    /** Whether this member has given the column back. */
    public boolean hasGivenBack() {
        return gaveBack;
    }

    /** Ends the group here, because the map no longer names this brick as a member, or the table was dropped. */
    public void dissolve() {
        stopServing();
        release();
    }

    private void stopServing() {
        dissolved = true;
        leads = false;
        Replication log = replicationIfAny();
        if (log != null) {
            log.stopServing();
        }
        missing.stopServing();
    }

    /** The node ends. */
    void release() {
        Replication log = replicationIfAny();
        if (log != null) {
            log.release();
        }
        missing.end();
    }

    // ---- confirmation

    /**
     * Whether this member may confirm that its epoch holds. A brick that the map does not name as a member of this
     * epoch may not. Nor may a primary that has reported a learner as caught up, until the map says what became of the
     * learner: the next epoch may have begun with the learner alone.
     */
    boolean mayConfirm() {
        return mapEpoch == epoch && !dissolved && !(leads && hasVotingLearner());
    }

    /** Takes another member's CONFIRMED. */
    void onConfirmed(long theirs, long ofRound, Member from) {
        Replication log = replicationIfAny();
        if (log != null && mayConfirm() && theirs == epoch) {
            log.admission().onConfirmed(ofRound, from, members);
        }
    }

    // ---- parity groups

    /**
     * Begins to lead a column that is recovered here. The partition has its logical time.
     *
     * @param place the primary, which is this process, and the parity members
     * @param seq the last entry of the column's log, which all parity members know to be committed
     * @param records the records that are not here yet
     */
    void recover(Place place, long seq, MissingRecords records) {
        replication().begin(seq);
        missing = records;
        become(place);
    }

    /** The records of a recovered column that are not here yet. */
    public MissingRecords missing() {
        return missing;
    }

    /** All records of the recovered column are here. */
    public void filled() {
        missing.end();
        missing = MissingRecords.NONE;
        groups.filled(partition);
    }

    /** Whether records of a recovered column are not here yet. */
    public boolean isFilling() {
        return missing != MissingRecords.NONE;
    }

    /**
     * Proposes to drop some records that the partition does not own, in a table with parity groups. Leaves half of the
     * log's room to the writes of clients.
     *
     * @param steps how often to look for records
     * @return whether an entry was proposed
     */
    public boolean dropUnowned(int steps) {
        return replication().mode().dropUnowned(steps);
    }

    /**
     * Whether this brick leads, all entries of the log are committed, and all members know that. Then another primary
     * can begin its log behind the last entry, because no member needs an entry before that.
     */
    public boolean isSettled() {
        Replication log = replicationIfAny();
        return log != null
                && isSettledLeader()
                && log.committed() == log.last()
                && log.leader().stable() == log.last();
    }

    /** Whether this brick holds a lease of the coordinators. */
    public boolean isLeased() {
        return groups.isLeased();
    }

    /** Asks the members what they know to be committed, for {@link #isSettled}. All entries are committed here. */
    public void askForCommitted() {
        replication().leader().askForCommitted();
    }

    // ---- the log

    /** The seq of the last committed entry. */
    public long committed() {
        return gate.committed();
    }

    /** The seq of the last entry of the log. */
    public long last() {
        return gate.last();
    }

    /** Whether all entries of the log are committed. */
    public boolean isDecided() {
        Replication log = replicationIfAny();
        return log == null || log.uncommitted().isEmpty();
    }

    /** Whether an uncommitted entry of the log names records by their ranks. */
    public boolean hasUncommittedLists() {
        Replication log = replicationIfAny();
        return log != null && log.uncommitted().hasLists();
    }

    /** Whether this backup has no memory for the next entry of the log. */
    public boolean isStuck() {
        Replication log = replicationIfAny();
        return !leads && log != null && log.follower().isStuck();
    }

    /** The writes of the uncommitted entries. Their results come with the log, or never. */
    public Set<WriteId> uncommittedWrites() {
        Replication log = replicationIfAny();
        return log == null ? new LinkedHashSet<>() : log.uncommitted().writes();
    }

    /** Bytes of the entries that the log has. */
    public long logBytes() {
        Replication log = replicationIfAny();
        return log == null ? 0 : log.logBytes();
    }

    /** From now on the log keeps the entries behind a seq for a learner. */
    public void keepLogFor(Member learner, long seq) {
        replication().leader().keepLogFor(learner, seq);
    }

    /**
     * Begins to send the log to a learner, from the seq of {@link #keepLogFor} on. The learner's vote does not count
     * before {@link #letVote}. A second call sends again what the learner has not voted for.
     */
    public void sendLogTo(Member learner) {
        replication().leader().sendLogTo(learner);
    }

    /**
     * Begins to send the log to a learner, from the seq of {@link #keepLogFor} on.
     *
     * @param caughtUp runs once the learner has caught up; from then on its vote counts
     * @param noMemory runs if the learner has no memory for an entry before that
     */
    public void letVote(Member learner, Runnable caughtUp, Runnable noMemory) {
        replication().leader().letVote(learner, caughtUp, noMemory);
    }

    /** Forgets a learner that does not become a member. The log need not be kept for the learner any more. */
    public void forgetLearner(Member learner) {
        Replication log = replicationIfAny();
        if (log != null) {
            log.leader().forget(learner);
        }
    }

    // ---- time, at the primary

    /** Moves the logical time on, and returns it. */
    public long advance() {
        Replication log = replicationIfAny();
        return log == null ? partition.advanceTime(groups.env().nowNanos()) : log.advance();
    }

    /** Moves the logical time on without a write, so that records expire. */
    public void tickTime() {
        Replication log = replicationIfAny();
        if (log == null) {
            advance();
        } else {
            log.tickTime();
        }
    }

    /**
     * Goes on with the sweep of expired records, or begins one if there may be such records.
     *
     * @return whether so many had expired that going on at once pays
     */
    public boolean sweep(int steps) {
        Replication log = replicationIfAny();
        return log == null ? partition.sweep(steps) : log.mode().sweep(steps);
    }

    /**
     * Whether parity protects this partition: its table has parity groups, and the parities of its own group are in
     * force.
     */
    public boolean standsOnParity() {
        return groups.standsOnParity(partition);
    }

    /** Whether the group has as many members as its table asks for, so that writes may be acknowledged. */
    boolean hasMinMembers() {
        return groups.areEnough(partition, copies, members.size() - copies);
    }

    /**
     * Whether the records should get ranks, because the table is being converted to parity, and this brick leads a
     * group that stands on replicas.
     */
    public boolean wantsRanks() {
        return leads && !dissolved && !isRanked() && partition.mover() == null && groups.wantsRanks(partition);
    }

    /** Whether each record of a group that this brick leads has a rank. */
    public boolean isRanked() {
        Replication log = replicationIfAny();
        return leads && log != null && log.mode().isRanked();
    }

    /**
     * Gives ranks to some records ({@link #wantsRanks}).
     *
     * @param looks how often to look for records
     */
    public void rank(int looks) {
        replication().rank(looks);
    }

    /** Whether records of a column should move into holes of its ranks, by {@link #densify}. */
    public boolean isSparse() {
        return leads && partition.bucket().ranks().areSparse() && !groups.removesByKey(partition);
    }

    /**
     * Proposes to move some records of the column's highest ranks into the lowest holes, if the ranks are sparse, and
     * if nothing speaks against it now.
     *
     * @return whether an entry was proposed
     */
    public boolean densify() {
        Replication log = replicationIfAny();
        return log != null && log.mode().densify();
    }

    /** Stops the logical time until {@link #releaseTime}, and returns it. */
    public long holdTime() {
        return partition.time().hold();
    }

    /** Stops the logical time for {@code nanos} from now on, and returns it. */
    public long holdTime(long nanos) {
        long now = advance();
        partition.time().hold(nanos);
        return now;
    }

    /** The logical time goes on. */
    public void releaseTime() {
        partition.time().release(groups.env().nowNanos());
    }

    // ---- splits and merges, at the primary

    /** Proposes HANDOVER: these keys are the child's from this entry on. */
    public void handOver(MovedKeys keys) {
        replication().handOver(keys);
    }

    /**
     * Proposes SUBSUME: all keys of this group are the parent's from this entry on.
     *
     * @param shiftNanos nanoseconds by which the parent's logical time is ahead of this group's logical time
     */
    public void subsume(MovedKeys keys, long shiftNanos) {
        replication().subsume(keys, shiftNanos);
    }

    /** Proposes ABSORB: the keys of the child, whose records all members have, are this group's from this entry on. */
    public void absorb(SubsumedState child) {
        replication().absorb(child);
    }

    /** Whether the log has an uncommitted ABSORB. */
    public boolean isAbsorbing() {
        Replication log = replicationIfAny();
        return log != null && log.isAbsorbing();
    }

    /** The state at this group's SUBSUME; null if no SUBSUME is committed here. */
    public @Nullable SubsumedState subsumedState() {
        Replication log = replicationIfAny();
        return log == null ? null : log.subsumedState();
    }

    /** A merge that took all keys is over: the column is idle from now on. */
    public void forgetSubsumed() {
        Replication log = replicationIfAny();
        if (log != null) {
            log.forgetSubsumed();
        }
    }

    // ---- turns

    /** At the end of a turn: sends the frames that are due. */
    void flush() {
        Replication log = replicationIfAny();
        if (!dissolved && log != null) {
            log.flush();
            missing.flush();
            openGateIfAlone();
        }
    }

    /** Each 100 ms. */
    void tick() {
        Replication log = replicationIfAny();
        if (!dissolved && log != null) {
            log.tick();
            missing.tick();
            openGateIfAlone();
        }
    }

    @Override
    public String toString() {
        return (leads ? "leads" : "follows") + " in epoch " + epoch + " (map " + mapEpoch + ") of " + members
                + ", committed " + committed() + " of " + last();
    }
}
