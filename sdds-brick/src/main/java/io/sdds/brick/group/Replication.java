package io.sdds.brick.group;

import io.sdds.brick.group.Group.SubsumedState;
import io.sdds.brick.partition.Change;
import io.sdds.brick.partition.Gate;
import io.sdds.brick.partition.LogicalTime;
import io.sdds.brick.partition.MovedKeys;
import io.sdds.brick.partition.Outcome;
import io.sdds.brick.partition.Partition;
import io.sdds.brick.partition.Request;
import io.sdds.core.model.Place.Member;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The replication of a group at one member: the log, the commit watermark, and this member's side of the protocol.
 * {@link Group} knows the members and which of them leads. A group has a Replication while its gate is shut; requests
 * pass the {@link ShutGate} of the Replication.
 */
public final class Replication implements MemberLog {
    private final Groups groups;
    private final Group group;
    private final Partition partition;
    private final GroupLog log;
    private final UncommittedLog uncommitted;

    /** Decides what happens to the entries of the log beside replication. */
    private LogMode mode;

    private final PendingReplies pendingReplies = new PendingReplies();
    private final GroupAdmission admission;
    private final Gate gate;
    private final Leader leader;
    private final Follower follower;
    private LogRoom room;
    private final LogicalTime time;
    private final EntryWriter writer;

    /** The last entry of the log when this member began to lead. Reads wait until this entry is committed. */
    private long inherited;

    /** Whether entries are being applied: nothing that runs then may propose an entry. */
    private boolean committing;

    private @Nullable SubsumedState subsumedState;

    Replication(Groups groups, Group group) {
        this.groups = groups;
        this.group = group;
        this.partition = group.partition();
        this.log = groups.newLog();
        this.uncommitted = new UncommittedLog(log, partition, groups.store());
        this.admission = new GroupAdmission(groups, group, this);
        this.gate = new ShutGate(groups, this, admission, pendingReplies);
        this.leader = new Leader(groups, this);
        this.follower = new Follower(groups, this);
        this.time = partition.time();
        this.writer = new EntryWriter(log, partition);
        this.mode = groups.modes().open(this);
        this.room = new LogRoom(groups, log, uncommitted, mode, leader);
    }

    public Group group() {
        return group;
    }

    public Partition partition() {
        return partition;
    }

    @Override
    public int table() {
        return partition.table();
    }

    @Override
    public int number() {
        return partition.number();
    }

    @Override
    public long epoch() {
        return group.epoch();
    }

    @Override
    public boolean isParity() {
        return false;
    }

    public UncommittedLog uncommitted() {
        return uncommitted;
    }

    @Override
    public GroupLog log() {
        return log;
    }

    @Override
    public GroupLog deltas() {
        return mode.deltas();
    }

    /** Decides what happens to the entries of the log beside replication. */
    public LogMode mode() {
        return mode;
    }

    private void mode(LogMode next) {
        if (next != mode) {
            mode = next;
            room = new LogRoom(groups, log, uncommitted, next, leader);
        }
    }

    /** The room of the log for further entries. */
    public LogRoom room() {
        return room;
    }

    public Leader leader() {
        return leader;
    }

    Follower follower() {
        return follower;
    }

    GroupAdmission admission() {
        return admission;
    }

    /** The gate that the requests of the partition pass while it has this log. */
    Gate gate() {
        return gate;
    }

    /** The seq of the last committed entry. */
    @Override
    public long committed() {
        return uncommitted.committed();
    }

    /** The seq of the last entry of the log. */
    public long last() {
        return log.last();
    }

    /** Bytes of the entries that the log has. */
    long logBytes() {
        return log.bytes();
    }

    /** The seq of the last entry of the log when this member began to lead. */
    long inherited() {
        return inherited;
    }

    /** Whether all entries that this member inherited when it began to lead are committed. */
    boolean knowsInherited() {
        return committed() >= inherited;
    }

    @Override
    public long acknowledged() {
        return Math.max(committed(), inherited);
    }

    @Nullable
    SubsumedState subsumedState() {
        return subsumedState;
    }

    // ---- epochs

    /** This member begins to lead. */
    void beginToLead() {
        inherited = log.last();
        time.takeOver();
    }

    /** Begins an epoch with these members, which this member leads. */
    void lead(List<Member> members) {
        leader.begin(members);
        advanceCommit();
        mode(mode.lead());
    }

    /** Begins an epoch that another member leads. */
    void follow() {
        mode(mode.follow());
        time.end();
        leader.end();
        follower.begin(committed());
    }

    /** Begins the log behind a seq. The bucket has the effects of all entries up to this seq. */
    void begin(long seq) {
        uncommitted.begin(seq);
        mode.begin(seq);
        follower.begin(seq);
    }

    /**
     * Begins the log again after the sole member has written past it. The first entry has no effect. It stands for all
     * writes since, so that no earlier log can be taken for equal to this one.
     *
     * @param seq seq of the last entry that the log had
     */
    void restartBehind(long seq, List<Member> members) {
        begin(seq);
        inherited = seq;
        leader.begin(members);
        writer.time(epoch());
        proposeClaimed();
    }

    /**
     * Whether the log is not needed: no entry is uncommitted, no request waits, no other member takes the log, and no
     * keys are changing their owner.
     */
    boolean isRemovable() {
        return uncommitted.isEmpty()
                && admission.isEmpty()
                && !leader.hasOthers()
                && subsumedState == null
                && !time.isHeld();
    }

    /** Stops serving. Writes of uncommitted entries are answered UNKNOWN. Waiting requests run again, elsewhere. */
    void stopServing() {
        leader.end();
        abandonReplies();
        admission.releaseAll();
    }

    /** Answers the writes of uncommitted entries with UNKNOWN, because only the next primary knows their outcome. */
    void abandonReplies() {
        for (long seq = committed() + 1; seq <= log.last(); seq++) {
            answerUnknown(seq);
        }
    }

    private void answerUnknown(long seq) {
        for (Request next = pendingReplies.next(seq); next != null; next = pendingReplies.next(seq)) {
            groups.unknown(next);
        }
    }

    /** Frees all memory, because the node or the group ends. */
    void release() {
        admission.end();
        log.release();
        mode.release();
        uncommitted.release();
    }

    // ---- writes, at the primary

    private boolean leads() {
        return group.leads();
    }

    /** Moves the logical time on, and returns it. */
    long advance() {
        return time.stamp(groups.env().nowNanos());
    }

    /** Takes the memory for a new record; false if this member or another member has no memory. */
    public boolean takeMemory(int keyLength, int valueLength, long expiry) {
        if (!groups.hasMemory(keyLength + valueLength) || !leader.haveMemory() || !mode.takeForPut()) {
            return false;
        }
        boolean taken = uncommitted.takeMemory(keyLength, valueLength, expiry);
        if (!taken) {
            mode.giveBack();
        }
        return taken;
    }

    /** Whether the log removes records by their keys alone, because members without ranks apply it. */
    public boolean removesByKey() {
        return groups.removesByKey(partition);
    }

    /** Appends the entry of a client's write. The request is answered when the entry is committed. */
    void propose(Request request, long low, Outcome outcome) {
        Change change = outcome.change();
        if (change.kind == Change.Kind.CLEAR) {
            mode.clears(change);
        }
        writer.write(epoch(), request, low, outcome);
        appended();
        pendingReplies.add(log.last(), request, committed());
        advanceCommit();
        dirty();
    }

    /** Moves the logical time on without a write, so that records expire. */
    void tickTime() {
        if (leads()
                && partition.bucket().mayExpire()
                && uncommitted.isEmpty()
                && !time.isHeld()
                && subsumedState == null) {
            advance();
            writer.time(epoch());
            proposeClaimed();
        }
    }

    /** Whether a CLEAR is uncommitted. It names no records, so nothing else may be proposed about one of them. */
    public boolean isClearing() {
        return uncommitted.barriers().clear() > committed();
    }

    // ---- what a migration brings to a column

    /**
     * Whether the log and every member have room for an entry of so many bytes. Half of the room is left to the writes
     * of clients, if there are any.
     */
    public boolean hasRoom(int bytes) {
        return partition.isIdle() ? room.hasForIdle(bytes) : room.hasForBackground(bytes);
    }

    /** As {@link Group#forgetSubsumed}. */
    void forgetSubsumed() {
        subsumedState = null;
    }

    public EntryWriter writer() {
        return writer;
    }

    /** As {@link Group#rank}. */
    void rank(int looks) {
        mode(mode.rank(looks));
    }

    // ---- splits and merges, at the primary

    /** As {@link Group#handOver}. */
    void handOver(MovedKeys keys) {
        writer.ownerChange(epoch(), Entry.HANDOVER, keys);
        proposeClaimed();
    }

    /** As {@link Group#subsume}. */
    void subsume(MovedKeys keys, long shiftNanos) {
        int at = writer.ownerChange(epoch(), Entry.SUBSUME, keys);
        log.memory().set(Entry.LONG, at + Entry.PARENT_TIME, time.nanos() + shiftNanos);
        proposeClaimed();
    }

    /** As {@link Group#absorb}. */
    void absorb(SubsumedState child) {
        advance();
        time.atLeast(child.timeNanos(), groups.env().nowNanos());
        partition.versionAtLeast(child.version());
        writer.ownerChange(epoch(), Entry.ABSORB, child.keys());
        proposeClaimed();
    }

    /** As {@link Group#isAbsorbing}. */
    boolean isAbsorbing() {
        return uncommitted.barriers().absorb() > committed();
    }

    /** Adds the entry that {@link #writer} has written to the log. */
    public void proposeClaimed() {
        appended();
        advanceCommit();
        groups.dirty(group);
    }

    /** As {@link #proposeClaimed}, but the entry is not committed in this call. */
    public void appended() {
        log.appended();
        mode.appended();
        uncommitted.add(log.last());
    }

    // ---- entries, at any member

    @Override
    public void primaryHeard() {
        group.onPrimaryHeard();
    }

    @Override
    public void dirty() {
        groups.dirty(group);
    }

    @Override
    public boolean takeMemory(MemorySegment memory, int at) {
        return uncommitted.takeMemory(memory, at);
    }

    @Override
    public void stuck() {
        groups.stuck(table(), number());
    }

    @Override
    public void cut(long seq) {
        uncommitted.cut(seq);
    }

    @Override
    public void received(long seq, long nowNanos) {
        time.atLeast(Entry.number(log.memory(), log.index(seq), Entry.TIME), nowNanos);
        uncommitted.receive(seq);
    }

    /** At the primary: commits the entries that all members have, and trims the log. */
    @Override
    public void advanceCommit() {
        long all = group.isDissolved() ? committed() : leader.votedByAll();
        if (all > committed()) {
            commit(all);
        }
        if (!group.isDissolved()) {
            trim();
        }
    }

    private void trim() {
        long stable = leader.stable();
        log.trim(stable);
        mode.trim(stable);
    }

    /** Commits the entries up to a seq: applies them, and answers the requests that waited for them. */
    @Override
    public void commit(long seq) {
        if (committing) {
            throw new IllegalStateException("entry " + seq + " is committed while entry " + (committed() + 1)
                    + " is being applied, in table " + partition.table() + " partition " + partition.number());
        }
        committing = true;
        boolean ownerChanged = applyUpTo(seq, group.hasMinMembers());
        committing = false;
        if (ownerChanged) {
            groups.ownerChanged(partition);
        }
        admission.release();
    }

    /**
     * Applies entries and answers their requests.
     *
     * @param acknowledges whether the writes may be acknowledged
     * @return whether one of the entries has changed the owner of keys
     */
    private boolean applyUpTo(long seq, boolean acknowledges) {
        boolean ownerChanged = false;
        while (committed() < seq) {
            long end = Math.min(seq, committed() + Prefetcher.ENTRIES_MAX);
            groups.prefetcher().prefetch(partition.bucket(), log, committed() + 1, end);
            while (committed() < end) {
                ownerChanged |= applyOrBlame(committed() + 1, acknowledges);
            }
        }
        return ownerChanged;
    }

    /** Applies an entry. If that fails, the request whose write is the entry ends the brick. */
    private boolean applyOrBlame(long seq, boolean acknowledges) {
        try {
            return apply(seq, acknowledges);
        } catch (Throwable e) {
            for (Request next = pendingReplies.next(seq); next != null; next = pendingReplies.next(seq)) {
                groups.fatal(next);
            }
            throw e;
        }
    }

    private boolean apply(long seq, boolean acknowledges) {
        MemorySegment memory = log.memory();
        int at = log.index(seq);
        byte kind = Entry.kind(memory, at);
        long hash = Entry.number(memory, at, Entry.HASH);
        if (time.hasBegun()) {
            partition.bucket().timeNanos(Entry.number(memory, at, Entry.TIME));
        }
        uncommitted.use(seq);
        mode.applies(seq, kind);
        groups.effects().apply(partition, memory, at, kind, hash);
        uncommitted.used(seq);
        mode.committed(seq);
        groups.effects().notifyMover(partition, memory, at, kind, hash);
        if (kind == Entry.SUBSUME && partition.isClosed()) {
            subsumedState = new SubsumedState(
                    Entry.moved(memory, at),
                    Entry.number(memory, at, Entry.VERSION),
                    Entry.number(memory, at, Entry.PARENT_TIME));
        }
        uncommitted.markCommitted(seq);
        if (leads()) {
            answer(seq, memory, at, acknowledges);
        }
        return Entry.changesOwner(kind);
    }

    /** Answers the requests of a committed entry. The group may have lost members since the entry was proposed. */
    private void answer(long seq, MemorySegment memory, int at, boolean acknowledges) {
        if (!acknowledges) {
            answerUnknown(seq);
            return;
        }
        for (Request next = pendingReplies.next(seq); next != null; next = pendingReplies.next(seq)) {
            groups.answer(partition, next, Entry.status(memory, at), Entry.number(memory, at, Entry.RESULT));
        }
    }

    // ---- turns

    /** At the end of a turn: sends the frames that are due. */
    void flush() {
        if (leads()) {
            leader.send();
        } else {
            follower.voteIfDue();
        }
        admission.flush();
    }

    /** Each 100 ms: sends lost frames again, answers requests that have waited too long, and frees spare memory. */
    void tick() {
        admission.expire();
        if (leads()) {
            leader.tick();
            trim();
        }
        admission.askAgain();
        log.releaseSpareMemory();
        mode.releaseSpareMemory();
        uncommitted.releaseSpareMemory();
        groups.dirty(group);
    }
}
