package io.sdds.brick.group;

import io.sdds.brick.memory.RecordStore;
import io.sdds.brick.partition.Applied;
import io.sdds.brick.partition.Change;
import io.sdds.brick.partition.Current;
import io.sdds.brick.partition.Moved;
import io.sdds.brick.partition.Partition;
import io.sdds.brick.partition.Replica;
import io.sdds.brick.partition.Request;
import io.sdds.core.model.Place;
import io.sdds.core.model.Place.Member;
import io.sdds.core.node.Link;
import io.sdds.core.protocol.Opcode;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One partition's replica group at one member: the log of undecided writes, what is committed of it, and who may be
 * answered.
 */
public final class Group implements Replica {

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
     * Memory. An entry that is prepared at a member has its memory there (Provisions): the primary takes it before it
     * numbers the entry, a backup before it votes, so to apply what is decided can't fail. A backup that has none does
     * not vote, and leaves; the primary that numbered the entry, and whoever finds it in the log that it leads by
     * later, can always go on, be it alone.
     *
     * Splits. HANDOVER is an entry: when it is prepared, all members of the child's group have all of the half that
     * moves, and when it is committed here the half is theirs, at each member as it applies the entry. While it is
     * undecided a primary, be it the one that proposed it or one that inherited it, lets no write to the half in, and a
     * backup no read of it (docs/design/migration.md, rule 13).
     *
     * Merges. The child's group gives all it has up by such an entry, HANDOVER_ALL, prepared when all members of the
     * parent's group have it; and the parent's group takes it by an entry of its own log, TAKE, proposed when
     * HANDOVER_ALL is known to be committed. So the first decides, and the second only follows; each takes effect at
     * one place of its group's log.
     */
    private static final int LOG_BYTES_MAX = 1 << 20;
    private static final int LOG_ENTRIES_MAX = 1 << 14;

    private final Groups groups;
    private final Partition partition;
    private final GroupLog log;
    private final Prepared prepared;
    private final Writers writers = new Writers();
    private final StandingWrites standing;
    private final ParkedReads reads;
    private final Leading leading;
    private final Backing backing;
    private final Confirmation confirmation;
    private final LogicalTime time;
    private final EntryWriter writer;

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

    /** The log's last entry when this member began to lead: until it is committed, reads wait. */
    private long inherited;

    private boolean changedHands;
    private @Nullable HandedBack handedBack;

    /**
     * What the group of a child that was merged gave its parent's group.
     *
     * @param version of the child's last write
     * @param timeNanos the child's logical time, told by the parent's
     */
    public record HandedBack(Moved keys, long version, long timeNanos) {}

    Group(Groups groups, Partition partition) {
        this.groups = groups;
        this.partition = partition;
        this.log = new GroupLog(groups.env()::allocate);
        this.prepared = new Prepared(log, partition, groups.store());
        this.reads = new ParkedReads(groups.env());
        this.standing = new StandingWrites(groups.env()::nowNanos);
        this.leading = new Leading(groups, this, log);
        this.backing = new Backing(groups, this, log);
        this.confirmation = new Confirmation(groups, partition);
        this.time = new LogicalTime(groups.env());
        this.writer = new EntryWriter(log, partition, time);
    }

    List<Member> members() {
        return members;
    }

    Partition partition() {
        return partition;
    }

    /** The epoch that it takes part in. */
    public long epoch() {
        return epoch;
    }

    /** Entries up to here are committed. */
    public long committed() {
        return prepared.committed();
    }

    /** At the primary: entries behind this were acknowledged to nobody. */
    long acknowledged() {
        return Math.max(committed(), inherited);
    }

    /** Whether the map does not have it among the members yet. */
    public boolean isJoining() {
        return mapEpoch == 0;
    }

    /** The last entry of its log. */
    public long last() {
        return log.last();
    }

    /** Whether all it has prepared is committed. */
    public boolean isDecided() {
        return prepared.isEmpty();
    }

    @Override
    public boolean leads() {
        return leads;
    }

    // ---- epochs

    /** Takes what the map says; older epochs are ignored. */
    void become(Place place) {
        if (place.epoch() <= mapEpoch) {
            return;
        }
        if (gaveUp) {
            gaveUp = false; // the order was of another epoch
            dissolved = false;
        }
        mapEpoch = place.epoch();
        members = place.members();
        if (place.epoch() > epoch) {
            adopt(place.epoch(), members.get(0).equals(groups.self()));
        }
        if (leads) {
            joins = false; // there is no other primary to be heard
            leading.begin(members);
            advanceCommit();
        }
        releaseReads();
    }

    /** It is to join an epoch: what it holds is all that is committed up to a seq. */
    void join(long ofEpoch, long seq, long itsTimeNanos) {
        joins = true;
        epoch = ofEpoch;
        timeFrom(itsTimeNanos);
        prepared.begin(seq);
        backing.begin(seq);
    }

    /** Its records were shipped here: the logical time goes on from there. */
    void timeFrom(long itsTimeNanos) {
        time.from(itsTimeNanos);
        partition.bucket().timeNanos(itsTimeNanos);
    }

    /** It has just come to be here: the primary need not ask whether it has. */
    void sayThatItIsHere() {
        Link primary = leads ? null : groups.link(members.get(0));
        if (primary != null) {
            backing.tell(primary);
        }
    }

    /** The primary's word has come in this epoch. */
    void heardPrimary() {
        joins &= mapEpoch != epoch;
    }

    /** The writes that are not decided: their results come with the log, or never. */
    public Set<WriteId> undecidedWrites() {
        return prepared.writes();
    }

    /** Bytes of the log that are kept. */
    public long logBytes() {
        return log.bytes();
    }

    /** From now on the log is kept for a joiner from behind a seq. */
    public void keepLogFor(Member joiner, long seq) {
        leading.keepLogFor(joiner, seq);
    }

    /**
     * The joiner takes the log from there on; {@code caughtUp} runs when nothing is acknowledged without it any more,
     * {@code noMemory} when it has no memory for the log before that.
     */
    public void letVote(Member joiner, Runnable caughtUp, Runnable noMemory) {
        leading.letVote(joiner, caughtUp, noMemory);
    }

    /** There will be no joiner: the log need not be kept. */
    public void forgetJoiner(Member joiner) {
        leading.forget(joiner);
    }

    /** The primary of a later epoch sends its first message before the map tells of it here: this member follows. */
    void adopt(long later) {
        adopt(later, false);
        releaseReads();
    }

    private void adopt(long later, boolean asPrimary) {
        boolean led = leads;
        epoch = later;
        leads = asPrimary;
        confirmation.end();
        if (asPrimary && !led) {
            inherited = log.last();
            time.goOn();
        } else if (!asPrimary) {
            if (led) {
                abandonWriters();
            }
            time.end();
            leading.end();
            backing.begin(committed());
        }
    }

    /** The map has this brick among the members no more, or the table is gone. */
    void dissolve() {
        fallSilent();
        release();
    }

    /** It answers nobody any more; who waits asks again. */
    private void fallSilent() {
        dissolved = true;
        leads = false;
        leading.end();
        abandonWriters();
        reads.release((seq, inRound) -> true, groups::rerun);
    }

    /** The node ends. */
    void release() {
        reads.release();
        log.release();
        prepared.release();
    }

    /** Whoever waits for a decision is told that the outcome is unknown: the next primary knows. */
    private void abandonWriters() {
        for (long seq = committed() + 1; seq <= log.last(); seq++) {
            writers.take(seq, groups::unknown);
        }
    }

    // ---- requests

    @Override
    public boolean admits(Request request) {
        if (dissolved || joins) {
            groups.redirect(request);
            return false;
        }
        return request.isWrite() ? admitsWrite(request) : groups.isRerun(this) || admitsRead(request);
    }

    @Override
    public boolean admitsStill(Request request) {
        return !dissolved && !joins && (isSole() || groups.isLeased()) || admits(request);
    }

    private boolean admitsWrite(Request request) {
        if (!leads) {
            groups.toPrimary(request);
            return false;
        }
        WideEntries wide = prepared.wide();
        long seq = Math.max(wide.clear(), changesOwner(request) ? wide.handOver() : 0);
        if (seq > committed()) {
            park(request, seq, Confirmation.NONE);
            return false;
        }
        return true;
    }

    /** Whether an undecided HANDOVER may give up what the request is about; a CLEAR may reach into that. */
    private boolean changesOwner(Request request) {
        WideEntries wide = prepared.wide();
        Moved keys = wide.moving();
        return wide.handOver() > committed() && keys != null && partition.isAbout(request, keys);
    }

    private boolean admitsRead(Request request) {
        long seq = mustBeDecided(request);
        // The round counts only without a lease; it is noted in any case, since the lease may end while the read waits.
        long inRound = confirmation.next();
        if (isOver(seq, inRound)) {
            return true;
        }
        park(request, seq, inRound);
        return false;
    }

    private void park(Request request, long seq, long inRound) {
        if (!reads.add(request, seq, inRound)) {
            groups.busy(request);
        } else {
            groups.dirty(this);
        }
    }

    /** The seq that a read waits for: 0 when all it may see is decided. */
    private long mustBeDecided(Request request) {
        if (leads) {
            return committed() < inherited ? inherited : 0;
        }
        if (prepared.isEmpty()) {
            return 0;
        }
        if (!Opcode.isOfKey(request.opcode) || time.nanos() > partition.bucket().timeNanos()) {
            return log.last();
        }
        long ofKey = prepared.lastAbout(request.hash);
        return changesOwner(request) ? Math.max(ofKey, prepared.wide().handOver()) : ofKey;
    }

    private boolean isSole() {
        return leads && members.size() == 1 && !leading.hasVotingJoiner();
    }

    private boolean isOver(long seq, long inRound) {
        return committed() >= Math.min(seq, log.last())
                && (confirmation.isOver(inRound) || isSole() || groups.isLeased());
    }

    void releaseReads() {
        if (!reads.isEmpty()) {
            reads.release(this::isOver, (link, frame) -> groups.rerun(this, link, frame));
        }
    }

    // ---- confirmation

    /**
     * Whether this member can say that its epoch holds. One that is not in the map can't; nor can a primary that has
     * reported a joiner as caught up, until the map tells what became of it: all the members of this epoch may have
     * been left behind by one that has the joiner alone.
     */
    boolean mayConfirm() {
        return mapEpoch == epoch && !dissolved && !(leads && leading.hasVotingJoiner());
    }

    /** Another member says which epoch it is in. */
    void onConfirmed(long theirs, long ofRound, Member from) {
        if (mayConfirm() && theirs == epoch && confirmation.confirmed(ofRound, from, members)) {
            releaseReads();
            groups.dirty(this);
        }
    }

    // ---- writes, at the primary

    @Override
    public long advance() {
        return time.advance();
    }

    @Override
    public long timeNanos() {
        return time.nanos();
    }

    @Override
    public boolean look(Request request, Current current) {
        if (!prepared.look(request, current)) {
            return false;
        }
        if (current.isFound() && current.expiry() != RecordStore.NO_EXPIRY && current.expiry() <= time.nanos()) {
            current.absent();
        }
        return true;
    }

    @Override
    public boolean hasRoom(Request request) {
        if (members.size() < groups.minCopies(partition.table())) {
            groups.tooFewCopies(request);
            return false;
        }
        boolean room = log.bytes() == 0 || hasRoom(request.length + touchedBytes(request));
        boolean admitted = standing.admits(prepared.count(), room);
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
                && prepared.look(request, groups.current())
                && groups.current().isFound();
        return found ? groups.current().valueLength() : 0;
    }

    /** Whether every member has room for so much more; for one write, be it as large as may be, in any case. */
    private boolean hasCredit(int bytes) {
        return prepared.bytes() == 0 || prepared.bytes() + bytes <= leading.credit();
    }

    @Override
    public boolean takeMemory(int keyLength, int valueLength, long expiry) {
        return groups.hasMemory(keyLength + valueLength)
                && leading.haveMemory()
                && prepared.takeMemory(keyLength, valueLength, expiry);
    }

    @Override
    public boolean attach(Request request) {
        long seq = prepared.find(request.session, request.seq);
        if (seq > 0 && !writers.addAgain(seq, request)) {
            groups.busy(request);
        }
        return seq > 0;
    }

    @Override
    public void propose(Request request, long low, Change change) {
        writer.write(epoch, request, low, change);
        log.appended();
        prepared.add(log.last());
        writers.add(log.last(), request, committed());
        advanceCommit();
        groups.dirty(this);
    }

    /** The logical time goes on though nobody writes, so that records expire. */
    void tickTime() {
        if (leads && partition.bucket().mayExpire() && isDecided() && !time.isHeld() && handedBack == null) {
            advance();
            writer.time(epoch);
            proposeClaimed();
        }
    }

    // ---- splits and merges, at the primary

    /** Whether it leads, in this epoch. */
    public boolean leadsIn(long ofEpoch) {
        return leads && epoch == ofEpoch && !dissolved;
    }

    /** The logical time stands still until {@link #releaseTime}; answers it. */
    public long holdTime() {
        return time.hold();
    }

    /** The logical time stands still for so long from now on; answers it. */
    public long setTimeBack(long nanos) {
        return time.setBack(nanos);
    }

    /** The logical time goes on. */
    public void releaseTime() {
        time.release();
    }

    /** Proposes that these keys are the child's. */
    public void handOver(Moved keys) {
        writer.ownerChange(epoch, Entry.HANDOVER, keys);
        proposeClaimed();
    }

    /**
     * Proposes that all there is is the parent's.
     *
     * @param shiftNanos by how much the parent's logical time is ahead of this group's
     */
    public void handOverAll(Moved keys, long shiftNanos) {
        int at = writer.ownerChange(epoch, Entry.HANDOVER_ALL, keys);
        log.memory().set(Entry.LONG, at + Entry.PARENT_TIME, time.nanos() + shiftNanos);
        proposeClaimed();
    }

    /** Proposes that what the child's group has handed back, and all members of this one have, is this one's. */
    public void take(HandedBack child) {
        time.advance();
        time.atLeast(child.timeNanos());
        partition.versionAtLeast(child.version());
        writer.ownerChange(epoch, Entry.TAKE, child.keys());
        proposeClaimed();
    }

    /** Whether a TAKE is not decided. */
    public boolean isTaking() {
        return prepared.wide().take() > committed();
    }

    /** What this group has handed back to its parent's; null: nothing, as far as is committed here. */
    public @Nullable HandedBack handedBack() {
        return handedBack;
    }

    private void proposeClaimed() {
        log.appended();
        prepared.add(log.last());
        advanceCommit();
        groups.dirty(this);
    }

    /**
     * Whether it leads, all that a primary before it may have had committed is, and no member has anything else in its
     * log that could be committed yet if it led.
     */
    public boolean leadsAndKnows() {
        return leads && committed() >= inherited && leading.isFollowedByAll() && !dissolved;
    }

    // ---- entries, at any member

    Prepared prepared() {
        return prepared;
    }

    /** An entry that was received is in the log. */
    void received(long seq) {
        time.atLeast(Entry.number(log.memory(), log.index(seq), Entry.TIME));
        prepared.receive(seq);
    }

    /** At the primary: commits what all members have. */
    void advanceCommit() {
        long all = dissolved ? committed() : leading.votedByAll();
        if (all > committed()) {
            commit(all);
        }
        if (!dissolved) {
            log.trim(leading.stable());
        }
    }

    /** Entries up to a seq are decided: applies them, and answers whoever waited for them. */
    void commit(long seq) {
        while (committed() < seq) {
            long end = Math.min(seq, committed() + TouchAhead.ENTRIES_MAX);
            groups.touchAhead().touch(partition.bucket(), log, committed() + 1, end);
            while (committed() < end) {
                apply(committed() + 1);
            }
        }
        if (changedHands) {
            changedHands = false;
            groups.changedHands(partition);
        }
        releaseReads();
    }

    private void apply(long seq) {
        MemorySegment memory = log.memory();
        int at = log.index(seq);
        byte kind = Entry.kind(memory, at);
        long hash = Entry.number(memory, at, Entry.HASH);
        if (time.hasBegun()) {
            partition.bucket().timeNanos(Entry.number(memory, at, Entry.TIME));
        }
        prepared.use(seq);
        groups.apply(partition, memory, at, kind, hash);
        prepared.used(seq);
        tellMover(memory, at, kind, hash);
        changedHands |= Entry.changesOwner(kind);
        if (kind == Entry.HANDOVER_ALL && partition.isClosed()) {
            handedBack = new HandedBack(
                    Entry.moved(memory, at),
                    Entry.number(memory, at, Entry.VERSION),
                    Entry.number(memory, at, Entry.PARENT_TIME));
        }
        prepared.decided(seq);
        if (leads) {
            groups.result(partition, Entry.status(memory, at), Entry.number(memory, at, Entry.RESULT));
            writers.take(seq, groups.answerWriter());
        }
    }

    /** Whether it has no memory for what its group is to decide. */
    public boolean isStuck() {
        return !leads && backing.isStuck();
    }

    /** As a member in this epoch it answers nobody any more; false when it is none. */
    boolean leave(long inEpoch) {
        if (mapEpoch != inEpoch || epoch != inEpoch || dissolved) {
            return false;
        }
        fallSilent();
        gaveUp = true;
        return true;
    }

    /** Whether its copy is given up in this epoch: it answers nobody. */
    public boolean hasGivenUp() {
        return gaveUp;
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
        if (dissolved) {
            return;
        }
        if (leads) {
            leading.send();
        } else {
            backing.vote();
        }
        boolean asks = !reads.isEmpty() && !confirmation.isOver(reads.lastRound());
        if (asks && !confirmation.isUnderWay() && mayConfirm() && !isSole() && !groups.isLeased()) {
            confirmation.begin(epoch, members);
        }
    }

    /** Each 100 ms: what was lost is said again, what waits too long is answered, and what is idle is tidied up. */
    void tick() {
        if (dissolved) {
            return;
        }
        reads.expire(groups::overdue);
        if (leads) {
            leading.tick();
            log.trim(leading.stable());
        }
        if (!reads.isEmpty() && confirmation.isUnderWay()) {
            confirmation.ask(epoch, members);
        }
        log.rest();
        prepared.rest();
        groups.dirty(this);
    }

    // ---- messages

    Leading leading() {
        return leading;
    }

    Backing backing() {
        return backing;
    }

    @Override
    public String toString() {
        return (leads ? "leads" : "follows") + " in epoch " + epoch + " (map " + mapEpoch + ") of " + members
                + ", committed " + committed() + " of " + log.last();
    }
}
