package io.sdds.brick.group;

import io.sdds.brick.group.Group.SubsumedState;
import io.sdds.brick.memory.RecordStore;
import io.sdds.brick.partition.Applied;
import io.sdds.brick.partition.Change;
import io.sdds.brick.partition.Current;
import io.sdds.brick.partition.Gate;
import io.sdds.brick.partition.KeySet;
import io.sdds.brick.partition.LogicalTime;
import io.sdds.brick.partition.Partition;
import io.sdds.brick.partition.Request;
import io.sdds.core.model.Place.Member;
import io.sdds.core.protocol.Opcode;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a group replicates, at one member: its log, what is committed of it, and this member's side of the protocol. Who
 * the members are and which of them leads says {@link Group}. It is there while the gate is shut.
 */
final class Replication implements Gate {
    private static final int LOG_BYTES_MAX = 1 << 20;
    private static final int LOG_ENTRIES_MAX = 1 << 14;

    private final Groups groups;
    private final Group group;
    private final Partition partition;
    private final GroupLog log;
    private final UncommittedLog uncommitted;
    private final PendingReplies pendingReplies = new PendingReplies();
    private final CoDelAdmission queue;
    private final GroupAdmission admission;
    private final Leader leader;
    private final Follower follower;
    private final LogicalTime time;
    private final EntryWriter writer;

    /** The log's last entry when this member began to lead: until it is committed, reads wait. */
    private long inherited;

    private boolean changedHands;
    private @Nullable SubsumedState subsumedState;

    Replication(Groups groups, Group group) {
        this.groups = groups;
        this.group = group;
        this.partition = group.partition();
        this.log = new GroupLog(groups.env()::allocate);
        this.uncommitted = new UncommittedLog(log, partition, groups.store());
        this.admission = new GroupAdmission(groups, group, this);
        this.queue = new CoDelAdmission(groups.env()::nowNanos);
        this.leader = new Leader(groups, this, log);
        this.follower = new Follower(groups, this, log);
        this.time = partition.time();
        this.writer = new EntryWriter(log, partition);
    }

    Group group() {
        return group;
    }

    Partition partition() {
        return partition;
    }

    long epoch() {
        return group.epoch();
    }

    UncommittedLog uncommitted() {
        return uncommitted;
    }

    GroupLog log() {
        return log;
    }

    Leader leader() {
        return leader;
    }

    Follower follower() {
        return follower;
    }

    GroupAdmission admission() {
        return admission;
    }

    /** Entries up to here are committed. */
    long committed() {
        return uncommitted.committed();
    }

    /** The last entry of the log. */
    long last() {
        return log.last();
    }

    /** Bytes of the log that are kept. */
    long logBytes() {
        return log.bytes();
    }

    /** The last entry of the log when this member began to lead. */
    long inherited() {
        return inherited;
    }

    /** Whether all that this member inherited when it began to lead is committed. */
    boolean knowsInherited() {
        return committed() >= inherited;
    }

    /** At the primary: entries behind this were acknowledged to nobody. */
    long acknowledged() {
        return Math.max(committed(), inherited);
    }

    @Nullable
    SubsumedState subsumedState() {
        return subsumedState;
    }

    // ---- epochs

    /** This member did not lead, and leads from now on. */
    void beginToLead() {
        inherited = log.last();
        time.goOn(groups.env().nowNanos());
    }

    /** An epoch begins, with these members, and this one leads it. */
    void lead(List<Member> members) {
        leader.begin(members);
        advanceCommit();
    }

    /** An epoch begins that another member leads. */
    void follow() {
        time.end();
        leader.end();
        follower.begin(committed());
    }

    /** The log begins behind a seq: what is in the bucket is all that is committed up to there. */
    void begin(long seq) {
        uncommitted.begin(seq);
        follower.begin(seq);
    }

    /**
     * The sole member has written without the log, and goes on with it: an entry of its own tells what is in the bucket
     * by now from all that was ever logged before.
     *
     * @param seq of the last entry that there was
     */
    void goOnBehind(long seq, List<Member> members) {
        begin(seq);
        inherited = seq;
        leader.begin(members);
        writer.time(epoch());
        proposeClaimed();
    }

    /** Whether nothing is undecided, nobody waits, and nobody else takes the log. */
    boolean mayEnd() {
        return uncommitted.isEmpty()
                && admission.isEmpty()
                && !leader.hasOthers()
                && subsumedState == null
                && !time.isHeld();
    }

    /** This member answers nobody any more; who waits asks again. */
    void fallSilent() {
        leader.end();
        abandonReplies();
        admission.releaseAll();
    }

    /** Whoever waits for a decision is told that the outcome is unknown: the next primary knows. */
    void abandonReplies() {
        for (long seq = committed() + 1; seq <= log.last(); seq++) {
            pendingReplies.take(seq, groups::unknown);
        }
    }

    /** The node ends, or the group. */
    void release() {
        admission.end();
        log.release();
        uncommitted.release();
    }

    // ---- requests

    private boolean leads() {
        return group.leads();
    }

    @Override
    public boolean admits(Request request) {
        return admission.admits(request);
    }

    @Override
    public boolean admitsStill(Request request) {
        return admission.admitsStill(request);
    }

    // ---- writes, at the primary

    @Override
    public long advance() {
        return time.stamp(groups.env().nowNanos());
    }

    @Override
    public long timeNanos() {
        return time.nanos();
    }

    @Override
    public boolean look(Request request, Current current) {
        if (!uncommitted.look(request, current)) {
            return false;
        }
        if (current.isFound() && current.expiry() != RecordStore.NO_EXPIRY && current.expiry() <= time.nanos()) {
            current.absent();
        }
        return true;
    }

    @Override
    public boolean hasRoom(Request request) {
        if (group.members().size() < groups.minCopies(partition.table())) {
            groups.tooFewCopies(request);
            return false;
        }
        boolean room = log.bytes() == 0 || hasRoom(request.length + touchedBytes(request));
        boolean admitted = queue.admits(uncommitted.count(), room);
        if (!admitted) {
            groups.busy(request);
        }
        return admitted;
    }

    private boolean hasRoom(int bytes) {
        return log.bytes() + bytes < LOG_BYTES_MAX && log.last() - log.trimmed() < LOG_ENTRIES_MAX && hasCredit(bytes);
    }

    /** Bytes of the value that a TOUCH logs with its new expiry: the value is in the entry, not in the request. */
    private int touchedBytes(Request request) {
        boolean found = request.opcode == Opcode.TOUCH
                && uncommitted.look(request, groups.current())
                && groups.current().isFound();
        return found ? groups.current().valueLength() : 0;
    }

    /** Whether every member has room for so much more; for one write, be it as large as may be, in any case. */
    private boolean hasCredit(int bytes) {
        return uncommitted.bytes() == 0 || uncommitted.bytes() + bytes <= leader.credit();
    }

    @Override
    public boolean takeMemory(int keyLength, int valueLength, long expiry) {
        return groups.hasMemory(keyLength + valueLength)
                && leader.haveMemory()
                && uncommitted.takeMemory(keyLength, valueLength, expiry);
    }

    @Override
    public boolean attach(Request request) {
        long seq = uncommitted.find(request.session, request.seq);
        if (seq > 0 && !pendingReplies.addAgain(seq, request)) {
            groups.busy(request);
        }
        return seq > 0;
    }

    @Override
    public void propose(Request request, long low, Change change) {
        writer.write(epoch(), request, low, change);
        log.appended();
        uncommitted.add(log.last());
        pendingReplies.add(log.last(), request, committed());
        advanceCommit();
        groups.dirty(group);
    }

    /** The logical time goes on though nobody writes, so that records expire. */
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

    // ---- splits and merges, at the primary

    /** Proposes that these keys are the child's. */
    void handOver(KeySet keys) {
        writer.ownerChange(epoch(), Entry.HANDOVER, keys);
        proposeClaimed();
    }

    /** As {@link Group#subsume}. */
    void subsume(KeySet keys, long shiftNanos) {
        int at = writer.ownerChange(epoch(), Entry.SUBSUME, keys);
        log.memory().set(Entry.LONG, at + Entry.PARENT_TIME, time.nanos() + shiftNanos);
        proposeClaimed();
    }

    /** As {@link Group#absorb}. */
    void absorb(SubsumedState child) {
        advance();
        time.atLeast(child.timeNanos());
        partition.versionAtLeast(child.version());
        writer.ownerChange(epoch(), Entry.ABSORB, child.keys());
        proposeClaimed();
    }

    /** Whether an ABSORB is not decided. */
    boolean isAbsorbing() {
        return uncommitted.barriers().absorb() > committed();
    }

    private void proposeClaimed() {
        log.appended();
        uncommitted.add(log.last());
        advanceCommit();
        groups.dirty(group);
    }

    // ---- entries, at any member

    /** An entry that was received is in the log. */
    void received(long seq) {
        time.atLeast(Entry.number(log.memory(), log.index(seq), Entry.TIME));
        uncommitted.receive(seq);
    }

    /** At the primary: commits what all members have. */
    void advanceCommit() {
        long all = group.isDissolved() ? committed() : leader.votedByAll();
        if (all > committed()) {
            commit(all);
        }
        if (!group.isDissolved()) {
            log.trim(leader.stable());
        }
    }

    /** Entries up to a seq are decided: applies them, and answers whoever waited for them. */
    void commit(long seq) {
        while (committed() < seq) {
            long end = Math.min(seq, committed() + Prefetcher.ENTRIES_MAX);
            groups.prefetcher().prefetch(partition.bucket(), log, committed() + 1, end);
            while (committed() < end) {
                apply(committed() + 1);
            }
        }
        if (changedHands) {
            changedHands = false;
            groups.changedHands(partition);
        }
        admission.release();
    }

    private void apply(long seq) {
        MemorySegment memory = log.memory();
        int at = log.index(seq);
        byte kind = Entry.kind(memory, at);
        long hash = Entry.number(memory, at, Entry.HASH);
        if (time.hasBegun()) {
            partition.bucket().timeNanos(Entry.number(memory, at, Entry.TIME));
        }
        uncommitted.use(seq);
        groups.effects().apply(partition, memory, at, kind, hash);
        uncommitted.used(seq);
        tellMover(memory, at, kind, hash);
        changedHands |= Entry.changesOwner(kind);
        if (kind == Entry.SUBSUME && partition.isClosed()) {
            subsumedState = new SubsumedState(
                    Entry.moved(memory, at),
                    Entry.number(memory, at, Entry.VERSION),
                    Entry.number(memory, at, Entry.PARENT_TIME));
        }
        uncommitted.decided(seq);
        if (leads()) {
            groups.result(partition, Entry.status(memory, at), Entry.number(memory, at, Entry.RESULT));
            pendingReplies.take(seq, groups.answerWriter());
        }
    }

    private void tellMover(MemorySegment memory, int at, byte kind, long hash) {
        Partition.Mover mover = partition.mover();
        if (mover != null) {
            Applied entry = groups.applied();
            entry.hash = hash;
            entry.key = memory;
            entry.keyOffset = (long) at + Entry.KEY;
            entry.keyLength = Entry.isOfKey(kind) ? Entry.keyLength(memory, at) : 0;
            entry.session = Entry.number(memory, at, Entry.SESSION);
            entry.seq = Entry.number(memory, at, Entry.SEQ);
            entry.low = Entry.number(memory, at, Entry.LOW);
            entry.status = Entry.status(memory, at);
            entry.value = Entry.number(memory, at, Entry.RESULT);
            mover.applied(entry);
        }
    }

    // ---- turns

    /** At the end of a turn: what is due leaves. */
    void flush() {
        if (leads()) {
            leader.send();
        } else {
            follower.vote();
        }
        admission.flush();
    }

    /** Each 100 ms: what was lost is said again, what waits too long is answered, and what is idle is tidied up. */
    void tick() {
        admission.expire();
        if (leads()) {
            leader.tick();
            log.trim(leader.stable());
        }
        admission.askAgain();
        log.rest();
        uncommitted.rest();
        groups.dirty(group);
    }
}
