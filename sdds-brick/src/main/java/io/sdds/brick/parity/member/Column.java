package io.sdds.brick.parity.member;

import io.sdds.brick.group.Entry;
import io.sdds.brick.group.EntryResults;
import io.sdds.brick.group.EntryWriter;
import io.sdds.brick.group.Follower;
import io.sdds.brick.group.Group.SubsumedState;
import io.sdds.brick.group.GroupLog;
import io.sdds.brick.group.Groups;
import io.sdds.brick.group.Leader;
import io.sdds.brick.group.MemberLog;
import io.sdds.brick.group.Prefetcher;
import io.sdds.brick.parity.records.DeltaReservations;
import io.sdds.brick.parity.records.ParityRecords;
import io.sdds.brick.partition.LogicalTime;
import io.sdds.brick.partition.Results;
import io.sdds.core.model.Place;
import io.sdds.core.model.Place.Member;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One data partition of a parity group, as a parity member knows it: the log, and what the log has changed beside the
 * records. The records of all columns are folded into the parity records of the {@link ParityPartition}.
 *
 * <p>After W. Litwin, R. Moussa, T. Schwarz, "LH*RS: A Highly-Available Scalable Distributed Data Structure" (TODS
 * 2005), section 3. There a data bucket sends each change to the parity buckets and does not wait. Here the deltas are
 * entries of the group's log, and a parity member folds an entry when the entry is committed (docs/design/parity.md,
 * rule 19).
 */
public final class Column implements MemberLog {
    private final Groups groups;
    private final ParityPartition parity;
    private final int index;
    private final GroupLog log;
    private final Follower follower;
    private final Leader leader;
    private final DeltaReservations reservations;
    private final Results results = new Results();
    private long epoch;

    /** The last epoch in which the map named this brick as a parity member; 0 if there was none. */
    private long mapEpoch;

    /** The members of the column's group in this epoch, the primary first. */
    private List<Member> members = List.of();

    /** Whether this parity member leads the log, because the column's primary is gone. */
    private boolean leads;

    /** The last entry of the log when this member began to lead. */
    private long inherited;

    private long committed;

    /** The last committed entry that was no {@link Entry#NOTHING}. The entries behind it have changed no record. */
    private long lastEffect;

    /**
     * Deltas at this rank and higher ranks are dropped, because a copy brings their effects later. Above all ranks when
     * this member has a whole copy.
     */
    private int copiedRanks = ParityRecords.RANKS_MAX;

    private long version;

    /** The T of the last entry of the log, committed or not. */
    private final LogicalTime time = new LogicalTime();

    /** The T of the last committed entry. */
    private long timeNanos;

    /** The migration by whose HANDOVER or SUBSUME the column has last given keys away; 0 if there was none. */
    private long handedOver;

    /** The state of the column at its last committed SUBSUME; null if there was none. */
    private @Nullable SubsumedState subsumed;

    /** The migration by whose ABSORB the column has last got keys; 0 if there was none. */
    private long absorbed;

    /** Consumes the loaded bytes, so that the compiler does not remove the loads. */
    @SuppressWarnings("UnusedVariable")
    private long touched;

    /**
     * Makes a column without records.
     *
     * @param index the column of the parity group, from 0 on
     */
    Column(Groups groups, ParityPartition parity, int index) {
        this.groups = groups;
        this.parity = parity;
        this.index = index;
        this.log = groups.newLog();
        this.follower = new Follower(groups, this);
        this.leader = new Leader(groups, this);
        this.reservations = new DeltaReservations(parity.records(), index);
    }

    @Override
    public int table() {
        return parity.table();
    }

    @Override
    public int number() {
        return parity.group() * parity.parity().columns() + index;
    }

    @Override
    public long epoch() {
        return epoch;
    }

    @Override
    public GroupLog log() {
        return log;
    }

    /** The seq up to which the deltas are folded. */
    @Override
    public long committed() {
        return committed;
    }

    @Override
    public boolean isParity() {
        return true;
    }

    public Follower follower() {
        return follower;
    }

    /** The parity member whose column this is. */
    ParityPartition parity() {
        return parity;
    }

    /** The column of the parity group, from 0 on. */
    public int index() {
        return index;
    }

    /** Whether all entries of the log are folded. */
    public boolean isDecided() {
        return committed == log.last();
    }

    /** The members of the column's group as the map last named them, the primary first. */
    public List<Member> members() {
        return members;
    }

    /** The results of the column's recent writes. */
    public Results results() {
        return results;
    }

    /** The version of the column's last committed write. An entry that is cut off leaves no version behind. */
    public long version() {
        return version;
    }

    /** The column's logical time, as the committed entries tell it. */
    public long timeNanos() {
        return timeNanos;
    }

    /** The migration of the last committed HANDOVER or SUBSUME; 0 if there was none. */
    long handedOver() {
        return handedOver;
    }

    /** The state of the column at the SUBSUME of a merge; null if that is not committed. */
    @Nullable
    SubsumedState subsumedBy(long migration) {
        return subsumed != null && subsumed.keys().migration() == migration ? subsumed : null;
    }

    /** The migration of the last committed ABSORB; 0 if there was none. */
    public long absorbed() {
        return absorbed;
    }

    // ---- epochs

    /**
     * Takes the members of an epoch from the map. Known and older epochs are ignored.
     *
     * @param place the primary, and the parity members of the group. The first living parity member is the primary
     *     itself when the column's own primary is gone.
     */
    void become(Place place) {
        if (place.epoch() <= mapEpoch) {
            return;
        }
        mapEpoch = place.epoch();
        members = place.members();
        adopt(mapEpoch);
        if (mapEpoch == epoch && place.primary().equals(groups.self())) {
            leads = true;
            inherited = log.last();
            time.takeOver();
            leader.begin(place.members());
            advanceCommit();
        }
    }

    /** Follows the primary of a later epoch. Known and older epochs are ignored. */
    public void adopt(long later) {
        if (later > epoch) {
            epoch = later;
            leads = false;
            leader.end();
            follower.begin(committed);
        }
    }

    // ---- the copy of a member that joins

    /** Begins to take the log behind a seq, in an epoch of which this brick is no member. No rank is copied yet. */
    public void beginCopy(long ofEpoch, long seq) {
        epoch = ofEpoch;
        committed = seq;
        lastEffect = seq;
        copiedRanks = 0;
        log.begin(seq);
        reservations.begin(seq);
        follower.begin(seq);
    }

    /**
     * Folds a record as all entries up to {@link #committed} have left it. The rank is not copied yet.
     *
     * @return false if the memory is refused; nothing has changed then
     */
    public boolean foldRecord(int rank, MemorySegment coded, long offset, int length, int fingerprint) {
        return parity.records().tryFold(index, rank, coded, offset, length, fingerprint, false);
    }

    /** All records below a rank are copied. */
    public void copiedUpTo(int rank) {
        copiedRanks = rank;
    }

    /** Takes version and logical time of the column's primary, if they are later than those here. */
    public void takeTotals(long otherVersion, long otherTimeNanos) {
        time.atLeast(otherTimeNanos, groups.env().nowNanos());
        atLeast(otherVersion, otherTimeNanos);
    }

    private void atLeast(long otherVersion, long otherTimeNanos) {
        version = Math.max(version, otherVersion);
        timeNanos = Math.max(timeNanos, otherTimeNanos);
    }

    /** Whether this parity member leads the log, because the column's primary is gone. */
    public boolean leads() {
        return leads;
    }

    /**
     * Whether this member leads the log, and all entries that it inherited are committed here and at the other parity
     * members. No entry comes any more in this epoch that changes a record, only such that move the logical time.
     */
    boolean isClosed() {
        return leads && committed >= inherited && leader.isFollowedByAll();
    }

    /**
     * Whether this member leads the log, {@link #isClosed}, and all members know that all entries are committed. Then
     * another primary can begin its log behind the last entry, because no member needs an entry before that.
     */
    public boolean isSettled() {
        return isClosed() && committed == log.last() && leader.stable() == log.last();
    }

    /** Whether this member may confirm that its epoch holds. */
    public boolean mayConfirm() {
        return mapEpoch == epoch;
    }

    @Override
    public void primaryHeard() {}

    // ---- while this member leads

    public Leader leader() {
        return leader;
    }

    @Override
    public GroupLog deltas() {
        return log;
    }

    @Override
    public long acknowledged() {
        return Math.max(committed, inherited);
    }

    @Override
    public void advanceCommit() {
        if (leads) {
            commit(Math.max(committed, leader.votedByAll()));
            log.trim(leader.stable());
        }
    }

    @Override
    public void dirty() {
        parity.owner().dirty(this);
    }

    // ---- entries

    @Override
    public boolean takeMemory(MemorySegment memory, int at) {
        long seq = log.last() + 1;
        return switch (Entry.kind(memory, at)) {
            case Entry.DELTA, Entry.DELTA_REMOVE ->
                reservations.provide(
                        seq,
                        Entry.integer(memory, (long) at + Entry.KEY),
                        Entry.length(memory, at) - Entry.DELTA_BYTES,
                        true);
            case Entry.DELTA_DROP, Entry.DELTA_RERANK -> takeAll(seq, memory, at);
            default -> true;
        };
    }

    private boolean takeAll(long seq, MemorySegment memory, int at) {
        boolean[] taken = {true};
        Entry.forEachFold(memory, at, (rank, offset, length, fingerprint) -> {
            taken[0] = taken[0] && reservations.provideMore(seq, rank, length, true);
        });
        return taken[0];
    }

    @Override
    public void received(long seq, long nowNanos) {
        time.atLeast(Entry.number(log.memory(), log.index(seq), Entry.TIME), nowNanos);
        EntryResults.keep(results, log.memory(), log.index(seq));
    }

    @Override
    public void cut(long seq) {
        EntryResults.forget(results, log, seq);
        reservations.cut(seq, log.last());
        log.cut(seq);
    }

    @Override
    public void commit(long seq) {
        while (committed < seq) {
            long end = Math.min(seq, committed + Prefetcher.ENTRIES_MAX);
            touch(end);
            while (committed < end) {
                foldNext();
            }
        }
    }

    private void foldNext() {
        long next = committed + 1;
        MemorySegment memory = log.memory();
        int at = log.index(next);
        atLeast(Entry.number(memory, at, Entry.VERSION), Entry.number(memory, at, Entry.TIME));
        reservations.use(next);
        fold(memory, at);
        reservations.used(next);
        committed = next;
        lastEffect = Entry.kind(memory, at) == Entry.NOTHING ? lastEffect : next;
    }

    /** Loads the fields of the next folds into the processor's caches, so that the waits for memory overlap. */
    private void touch(long end) {
        long consumed = 0;
        for (long seq = committed + 1; seq <= end; seq++) {
            int at = log.index(seq);
            byte kind = Entry.kind(log.memory(), at);
            if (kind == Entry.DELTA || kind == Entry.DELTA_REMOVE) {
                consumed += parity.records().touch(Entry.integer(log.memory(), (long) at + Entry.KEY));
            }
        }
        touched = consumed;
    }

    /**
     * Folds the entries up to a seq, which is known to be committed, and no further.
     *
     * @return whether the parity records have the effects of all entries up to the seq, and no others. False if a later
     *     entry is folded that has changed records, or entries up to the seq have not come yet
     */
    public boolean foldTo(long seq) {
        if (!leads && seq > committed && seq <= follower.match()) {
            commit(seq);
        }
        return lastEffect <= seq && seq <= committed;
    }

    /** The last committed entry that may have changed a record. */
    long lastEffect() {
        return lastEffect;
    }

    private void fold(MemorySegment memory, int at) {
        switch (Entry.kind(memory, at)) {
            case Entry.DELTA -> fold(memory, at, ParityRecords.fingerprint(Entry.number(memory, at, Entry.HASH)));
            case Entry.DELTA_REMOVE -> fold(memory, at, Entry.NO_RECORD);
            case Entry.DELTA_DROP, Entry.DELTA_RERANK ->
                Entry.forEachFold(
                        memory,
                        at,
                        (rank, offset, length, fingerprint) -> fold(rank, memory, offset, length, fingerprint));
            case Entry.HANDOVER -> handedOver = Entry.number(memory, at, Entry.KEY);
            case Entry.SUBSUME -> subsumed(memory, at);
            case Entry.ABSORB -> absorbed = Entry.number(memory, at, Entry.KEY);
            default -> {}
        }
    }

    private void subsumed(MemorySegment memory, int at) {
        handedOver = Entry.number(memory, at, Entry.KEY);
        subsumed = new SubsumedState(
                Entry.moved(memory, at),
                Entry.number(memory, at, Entry.VERSION),
                Entry.number(memory, at, Entry.PARENT_TIME));
    }

    private void fold(MemorySegment memory, int at, int fingerprint) {
        fold(
                Entry.integer(memory, (long) at + Entry.KEY),
                memory,
                (long) at + Entry.DELTA_BYTES,
                Entry.length(memory, at) - Entry.DELTA_BYTES,
                fingerprint);
    }

    private void fold(int rank, MemorySegment memory, long offset, int length, int fingerprint) {
        if (rank >= copiedRanks) {
            reservations.skip(rank);
            return;
        }
        reservations.fold(rank, memory, offset, length, fingerprint);
        parity.decodings().folded(index, rank, memory, offset, length);
    }

    @Override
    public void stuck() {
        if (mapEpoch != 0) { // a member that joins gives its join up
            groups.stuck(table(), number());
        }
    }

    // ---- turns

    /** At the end of a turn: sends the frames that are due. */
    void flush() {
        if (leads) {
            leader.send();
            if (isClosed() && !isSettled()) {
                leader.askForCommitted(); // the spare waits for that
            }
        } else {
            follower.voteIfDue();
        }
    }

    /** Each 100 ms: sends lost frames again, and frees spare memory. */
    void tick() {
        if (leads) {
            leader.tick();
            tickTime();
            advanceCommit();
            dirty();
        }
        log.releaseSpareMemory();
        reservations.releaseSpares();
    }

    /**
     * Moves the logical time on, so that records expire. Each member gets the time with the log, so it never goes back
     * when another one leads. While the map has a spare for the column the time stands still, because a spare may begin
     * its log behind the last entry.
     */
    private void tickTime() {
        if (time.hasBegun() && isClosed() && isDecided() && !parity.reads().hasSpare(this)) {
            EntryWriter.time(log, epoch, time.stamp(groups.env().nowNanos()));
            log.appended();
        }
    }

    /** The column ends here. */
    void release() {
        log.release();
        reservations.release();
    }

    @Override
    public String toString() {
        return (leads ? "leads " : "") + "column " + number() + " of table " + table() + " in epoch " + epoch + " (map "
                + mapEpoch + "), committed " + committed + " of " + log.last();
    }
}
