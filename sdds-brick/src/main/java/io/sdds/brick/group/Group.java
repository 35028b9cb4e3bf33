package io.sdds.brick.group;

import io.sdds.brick.partition.KeySet;
import io.sdds.brick.partition.Partition;
import io.sdds.core.model.Place;
import io.sdds.core.model.Place.Member;
import io.sdds.core.node.Link;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One partition's replica group at one member: its epoch, its members, and which of them leads. {@link Replication} is
 * the log of the group, and {@link LogGate} lets the writes of a sole member past the log. A partition of one copy is a
 * group of one member.
 */
public final class Group {

    /*
     * The write protocol of Gribble et al. 2000 (section 3.2: two-phase commit to all members), led by the primary
     * brick instead of the client, with epochs (docs/design/groups.md, rules 1 to 4, 8 and 11).
     *
     * The primary numbers each write: an entry of effect and result, computed on top of the undecided ones before it.
     * It is prepared at a member when it is in that member's log, and committed when all members of the epoch have
     * voted for it; votes and commits are watermarks. The bucket holds what is committed and nothing else: entries are
     * applied, in order, when they are. So there is nothing to undo when an undecided suffix is cut off, and reads at
     * the primary never wait: what it has not committed, nobody was told.
     *
     * Epochs. A member's log has the shape of Raft's: an entry is named by its seq and the epoch it was numbered in,
     * each epoch has one primary, and so two logs with the same name at a seq are the same up to there. In a new epoch
     * each member says how far it knows to be committed, where all logs are equal; the primary sends all that follows,
     * and the member keeps what has the same name, cuts off what has not, and votes for what it has verified so, in
     * this epoch. Nothing that was acknowledged can be cut: all members of its epoch had it, so every primary after
     * that has it under the same name. Hence any survivor may lead (rule 2): what only a longer log has was not
     * acknowledged.
     *
     * Reads. A backup has prepared what the primary may have committed: a read waits there until what was prepared of
     * its key when it came is decided. A new primary's reads wait likewise for what it inherited. All that presumes
     * that this member is one still: by a lease from the coordinator, or by the word of all other members that the
     * epoch is as it was, asked for after the read came. A sole member asks nobody. Writes need no lease: the votes are
     * the fence.
     *
     * Memory. An entry that is prepared at a member has its memory there (MemoryReservations): the primary takes it before
     * numbers the entry, a backup before it votes, so to apply what is decided can't fail. A backup that has none does
     * not vote, and leaves; the primary that numbered the entry, and whoever finds it in the log that it leads by
     * later, can always go on, be it alone.
     *
     * Splits. HANDOVER is an entry: when it is prepared, all members of the child's group have all of the half that
     * moves, and when it is committed here the half is theirs, at each member as it applies the entry. While it is
     * undecided a primary, be it the one that proposed it or one that inherited it, lets no write to the half in, and a
     * backup no read of it (docs/design/migration.md, rule 13).
     *
     * Merges. The child's group gives all it has up by such an entry, SUBSUME, prepared when all members of the
     * parent's group have it; and the parent's group takes it by an entry of its own log, ABSORB, proposed when
     * SUBSUME is known to be committed. So the first decides, and the second only follows; each takes effect at
     * one place of its group's log.
     */
    private final Groups groups;
    private final Partition partition;

    private final LogGate gate;

    /** The epoch it takes part in; ahead of the map's when a message came first. */
    private long epoch;

    private long mapEpoch;
    private List<Member> members = List.of();
    private boolean leads;
    private boolean dissolved;

    /**
     * It was to leave in this epoch: it answers nobody and votes for nothing, and keeps what it has for the next epoch
     * that it is a member of.
     */
    private boolean gaveUp;

    /** It votes and does not serve: no member yet, or one that has not heard the primary since. */
    private boolean joins;

    /**
     * What the group of a child that was merged gave its parent's group.
     *
     * @param version of the child's last write
     * @param timeNanos the child's logical time, told by the parent's
     */
    public record SubsumedState(KeySet keys, long version, long timeNanos) {}

    Group(Groups groups, Partition partition) {
        this.groups = groups;
        this.partition = partition;
        this.gate = new LogGate(groups, this);
    }

    List<Member> members() {
        return members;
    }

    Partition partition() {
        return partition;
    }

    /** The log of the group, and what belongs to it; null while the gate is open. */
    @Nullable
    Replication replicationIfAny() {
        return gate.replicationIfAny();
    }

    /** The log of the group, and what belongs to it; shuts the gate if it is open. */
    Replication replication() {
        return gate.replication();
    }

    /** Shuts the gate, because a copy begins that takes the entries of the log. */
    public void shutGateForCopy() {
        gate.replication();
    }

    /** Opens the gate if this member leads alone and nothing else stands against it. */
    private void openGateIfAlone() {
        if (leads && members.size() == 1 && isServing()) {
            gate.openIfIdle();
        }
    }

    /** The epoch that it takes part in. */
    public long epoch() {
        return epoch;
    }

    /** Whether this brick leads the group, as far as it knows. */
    public boolean leads() {
        return leads;
    }

    /** Whether it leads, in this epoch. */
    public boolean leadsIn(long ofEpoch) {
        return leads && epoch == ofEpoch && !dissolved;
    }

    /**
     * Whether it leads, all that a primary before it may have had committed is, and no member has anything else in its
     * log that could be committed yet if it led.
     */
    public boolean leadsAndKnows() {
        Replication log = replicationIfAny();
        return leads
                && !dissolved
                && (log == null || log.knowsInherited() && log.leader().isFollowedByAll());
    }

    /** Whether it is the only member, and leads, and nobody who joins may lead the next epoch yet. */
    boolean isSole() {
        return leads && members.size() == 1 && !hasVotingJoiner();
    }

    private boolean hasVotingJoiner() {
        Replication log = replicationIfAny();
        return log != null && log.leader().hasVotingJoiner();
    }

    /** Whether the map does not have it among the members yet. */
    public boolean isJoining() {
        return mapEpoch == 0;
    }

    /** Whether it answers nobody any more. */
    boolean isDissolved() {
        return dissolved;
    }

    /** Whether it may answer requests, as the primary or another member. */
    boolean isServing() {
        return !dissolved && !joins;
    }

    /** Whether its copy is given up in this epoch: it answers nobody. */
    public boolean hasGivenUp() {
        return gaveUp;
    }

    // ---- epochs

    /** Takes what the map says; older epochs are ignored. */
    public void become(Place place) {
        if (place.epoch() <= mapEpoch) {
            return;
        }
        if (gaveUp) {
            gaveUp = false; // the order was of another epoch
            dissolved = false;
        }
        if (gate.isOpen() && !place.members().equals(List.of(groups.self()))) {
            gate.replication(); // an entry of the epoch that ends stands for all that was written past the log
        }
        mapEpoch = place.epoch();
        members = place.members();
        if (place.epoch() > epoch) {
            adopt(place.epoch(), members.get(0).equals(groups.self()));
        }
        if (leads) {
            joins = false; // there is no other primary to be heard
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

    /** It is to join an epoch: what it holds is all that is committed up to a seq. */
    void join(long ofEpoch, long seq, long itsTimeNanos) {
        joins = true;
        epoch = ofEpoch;
        timeFrom(itsTimeNanos);
        replication().begin(seq);
    }

    /** Its records were shipped here: the logical time goes on from there. */
    void timeFrom(long itsTimeNanos) {
        partition.time().from(itsTimeNanos);
    }

    /** It has just come to be here: the primary need not ask whether it has. */
    void sayThatItIsHere() {
        Link primary = leads ? null : groups.link(members.get(0));
        if (primary != null) {
            replication().follower().tell(primary);
        }
    }

    /** The primary's word has come in this epoch. */
    void heardPrimary() {
        joins &= mapEpoch != epoch;
    }

    /** The primary of a later epoch sends its first message before the map tells of it here: this member follows. */
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
            return; // this member led alone, and goes on to lead
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
        partition.time().goOn(groups.env().nowNanos());
        Replication log = replicationIfAny();
        if (log != null) {
            log.beginToLead();
        }
    }

    /** As a member in this epoch it answers nobody any more; false when it is none. */
    boolean leave(long inEpoch) {
        if (mapEpoch != inEpoch || epoch != inEpoch || dissolved) {
            return false;
        }
        shutGateForCopy(); // nothing runs past it any more
        fallSilent();
        gaveUp = true;
        return true;
    }

    /** The map has this brick among the members no more, or the table is gone. */
    void dissolve() {
        fallSilent();
        release();
    }

    private void fallSilent() {
        dissolved = true;
        leads = false;
        Replication log = replicationIfAny();
        if (log != null) {
            log.fallSilent();
        }
    }

    /** The node ends. */
    void release() {
        Replication log = replicationIfAny();
        if (log != null) {
            log.release();
        }
    }

    // ---- confirmation

    /**
     * Whether this member can say that its epoch holds. One that is not in the map can't; nor can a primary that has
     * reported a joiner as caught up, until the map tells what became of it: all the members of this epoch may have
     * been left behind by one that has the joiner alone.
     */
    boolean mayConfirm() {
        return mapEpoch == epoch && !dissolved && !(leads && hasVotingJoiner());
    }

    /** Another member says which epoch it is in. */
    void onConfirmed(long theirs, long ofRound, Member from) {
        Replication log = replicationIfAny();
        if (log != null && mayConfirm() && theirs == epoch) {
            log.admission().onConfirmed(ofRound, from, members);
        }
    }

    // ---- what is replicated

    /** Entries up to here are committed. */
    public long committed() {
        return gate.committed();
    }

    /** The last entry of its log. */
    public long last() {
        return gate.last();
    }

    /** Whether all it has prepared is committed. */
    public boolean isDecided() {
        Replication log = replicationIfAny();
        return log == null || log.uncommitted().isEmpty();
    }

    /** Whether it has no memory for what its group is to decide. */
    public boolean isStuck() {
        Replication log = replicationIfAny();
        return !leads && log != null && log.follower().isStuck();
    }

    /** The writes that are not decided: their results come with the log, or never. */
    public Set<WriteId> undecidedWrites() {
        Replication log = replicationIfAny();
        return log == null ? new LinkedHashSet<>() : log.uncommitted().writes();
    }

    /** Bytes of the log that are kept. */
    public long logBytes() {
        Replication log = replicationIfAny();
        return log == null ? 0 : log.logBytes();
    }

    /** From now on the log is kept for a joiner from behind a seq. */
    public void keepLogFor(Member joiner, long seq) {
        replication().leader().keepLogFor(joiner, seq);
    }

    /**
     * The joiner takes the log from there on; {@code caughtUp} runs when nothing is acknowledged without it any more,
     * {@code noMemory} when it has no memory for the log before that.
     */
    public void letVote(Member joiner, Runnable caughtUp, Runnable noMemory) {
        replication().leader().letVote(joiner, caughtUp, noMemory);
    }

    /** There will be no joiner: the log need not be kept. */
    public void forgetJoiner(Member joiner) {
        Replication log = replicationIfAny();
        if (log != null) {
            log.leader().forget(joiner);
        }
    }

    // ---- time, at the primary

    /** Moves the logical time on, and answers it. */
    public long advance() {
        Replication log = replicationIfAny();
        return log == null ? partition.time().advance(groups.env().nowNanos()) : log.advance();
    }

    /** The logical time goes on though nobody writes, so that records expire. */
    public void tickTime() {
        Replication log = replicationIfAny();
        if (log == null) {
            advance();
        } else {
            log.tickTime();
        }
    }

    /** The logical time stands still until {@link #releaseTime}; answers it. */
    public long holdTime() {
        return partition.time().hold();
    }

    /** The logical time stands still for so long from now on; answers it. */
    public long setTimeBack(long nanos) {
        long now = advance();
        partition.time().hold(nanos);
        return now;
    }

    /** The logical time goes on. */
    public void releaseTime() {
        partition.time().release(groups.env().nowNanos());
    }

    // ---- splits and merges, at the primary

    /** Proposes that these keys are the child's. */
    public void handOver(KeySet keys) {
        replication().handOver(keys);
    }

    /**
     * Proposes that all there is is the parent's.
     *
     * @param shiftNanos by how much the parent's logical time is ahead of this group's
     */
    public void subsume(KeySet keys, long shiftNanos) {
        replication().subsume(keys, shiftNanos);
    }

    /** Proposes that what the child's group has handed back, and all members of this one have, is this one's. */
    public void absorb(SubsumedState child) {
        replication().absorb(child);
    }

    /** Whether an ABSORB is not decided. */
    public boolean isAbsorbing() {
        Replication log = replicationIfAny();
        return log != null && log.isAbsorbing();
    }

    /** What this group has handed back to its parent's; null: nothing, as far as is committed here. */
    public @Nullable SubsumedState subsumedState() {
        Replication log = replicationIfAny();
        return log == null ? null : log.subsumedState();
    }

    // ---- turns

    /** At the end of a turn: what is due leaves. */
    void flush() {
        Replication log = replicationIfAny();
        if (!dissolved && log != null) {
            log.flush();
            openGateIfAlone();
        }
    }

    /** Each 100 ms. */
    void tick() {
        Replication log = replicationIfAny();
        if (!dissolved && log != null) {
            log.tick();
            openGateIfAlone();
        }
    }

    @Override
    public String toString() {
        return (leads ? "leads" : "follows") + " in epoch " + epoch + " (map " + mapEpoch + ") of " + members
                + ", committed " + committed() + " of " + last();
    }
}
