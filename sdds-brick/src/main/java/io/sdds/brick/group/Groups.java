package io.sdds.brick.group;

import io.netty.buffer.ByteBuf;
import io.sdds.brick.map.BrickMap;
import io.sdds.brick.map.TableView;
import io.sdds.brick.memory.MemoryBudget;
import io.sdds.brick.memory.RecordStore;
import io.sdds.brick.partition.Applied;
import io.sdds.brick.partition.Current;
import io.sdds.brick.partition.Partition;
import io.sdds.brick.partition.Replies;
import io.sdds.brick.partition.Request;
import io.sdds.brick.partition.Tables;
import io.sdds.brick.stage.Peers;
import io.sdds.brick.stage.StageContext;
import io.sdds.core.model.Place;
import io.sdds.core.model.Place.Member;
import io.sdds.core.node.Env;
import io.sdds.core.node.Link;
import io.sdds.core.protocol.Status;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The replica groups that this stage's partitions are members of: their messages, their turns, and the brick's lease.
 */
public final class Groups {
    /**
     * No member is ever asked whether it has room for an entry (docs/design/groups.md, rule 1, and memory.md, rule 22):
     * it grants each primary a credit beforehand, and all credits together are what its memory keeps in reserve.
     */
    static final int CREDIT_MAX = 1 << 20;

    /** So that much goes on with many groups on a small brick: then the reserve may be less than all credits. */
    static final int CREDIT_MIN = 16 << 10;

    private static final Logger log = LoggerFactory.getLogger(Groups.class);

    private final Env env;
    private final BrickMap map;
    private final Tables tables;
    private final RecordStore store;
    private final MemoryBudget budget;
    private final long reserveBytes;
    private final Peers peers;
    private final Replies replies;
    private final int busyHintMillis;
    private final Prefetcher prefetcher = new Prefetcher();
    private final Current current = new Current();
    private final Applied applied = new Applied();
    private final Supplier<Member> self;
    private final Listener listener;
    private final EntryEffects effects;
    private final GroupMessages messages;
    private final Consumer<Request> answerWriter = this::answer;
    private List<Group> dirty = new ArrayList<>();
    private List<Group> flushing = new ArrayList<>();
    private @Nullable Group rerun;
    private long leaseUntilNanos;
    private boolean leased;
    private boolean clockRead;
    private boolean leasedNow;
    private @Nullable Partition answered;
    private byte status;
    private long value;

    /** What the stage does for its groups. */
    public interface Listener {
        /** A request that waited goes its way again. */
        void rerun(Link link, ByteBuf frame);

        /** A request whose deadline has passed: it had no effect. */
        void overdue(Link link, ByteBuf frame);

        /** Only the primary can serve this: the map says who that is. */
        void toPrimary(Request request);

        /** The next heartbeat should be now. */
        void reportSoon();

        /**
         * HANDOVER of a split or merge, or ABSORB, is committed at this member: it has dropped the half that is the
         * child's now, or serves nothing any more, or has what was the child's.
         */
        void changedHands(Partition partition);

        /** This brick can't bring the request further. */
        void redirect(Request request);
    }

    /** @param reserveBytes of the brick's memory, kept for what is decided: this stage's share */
    public Groups(StageContext context, long reserveBytes, Supplier<Member> self, Listener listener) {
        this.env = context.env();
        this.map = context.map();
        this.tables = context.tables();
        this.store = context.store();
        this.budget = context.budget();
        this.reserveBytes = reserveBytes;
        this.peers = context.peers();
        this.replies = context.replies();
        this.busyHintMillis = context.busyHintMillis();
        this.self = self;
        this.listener = listener;
        this.effects = new EntryEffects(context.store());
        this.messages = new GroupMessages(this, context);
    }

    // ---- the map

    /** A partition has come to be here, empty: it is a member of its group. */
    public void begin(Partition partition, Place place) {
        Group group = new Group(this, partition);
        partition.group(group);
        group.become(place);
    }

    /** A split has made this partition of what was shipped to all members of its group: it is one of them. */
    public void beginShipped(Partition partition, Place place, long timeNanos) {
        Group group = new Group(this, partition);
        partition.group(group);
        group.timeFrom(timeNanos);
        group.become(place);
        group.sayThatItIsHere();
    }

    /** A partition was shipped here: it is to be a member of its group, in which all up to a seq is committed. */
    public void join(Partition partition, long epoch, long seq, long timeNanos) {
        Group group = new Group(this, partition);
        partition.group(group);
        group.join(epoch, seq, timeNanos);
    }

    /** The group of a partition that this brick leads, in an epoch; null when it is another. */
    public @Nullable Group leader(Partition partition, long epoch) {
        Group group = partition.group();
        return group.leads() && group.epoch() == epoch ? group : null;
    }

    /**
     * Another member is to leave the partition's group: the coordinator waits for one that stays to have heard of it.
     */
    public void staysWithout(Partition partition) {
        listener.reportSoon();
    }

    /** This brick is to leave the partition's group, in an epoch: the copy is given up. */
    public void leave(Partition partition, long epoch) {
        Group group = partition.group();
        if (group.leave(epoch)) {
            log.info("leaves the group of table {} partition {}", partition.table(), partition.number());
            tables.changed(partition);
            listener.reportSoon();
        }
    }

    /** The epoch of a partition's group, by the map. */
    public long epochInMap(Partition partition) {
        TableView table = map.table(partition.table());
        Place place = table == null ? null : table.place(partition.number());
        return place == null ? 0 : place.epoch();
    }

    /** A partition is here no more, or its table is gone. It is off the stage's tables by now. */
    public void dissolve(Partition partition) {
        partition.group().dissolve();
    }

    /**
     * The coordinator grants a lease, by the map that this stage knows now (docs/design/coordinator.md, rules 9 and
     * 10).
     *
     * @param untilNanos by this brick's clock
     */
    public void lease(long untilNanos) {
        leaseUntilNanos = leased ? Math.max(leaseUntilNanos, untilNanos) : untilNanos;
        leased = true;
        readClockAnew();
    }

    /**
     * Whether the brick held a lease at some time after whatever asks came off its socket: the clock is read once for
     * the requests that a turn runs together, since what they read is what was here then.
     */
    boolean isLeased() {
        if (!clockRead) {
            clockRead = true;
            leasedNow = leased && env.nowNanos() - leaseUntilNanos < 0;
        }
        return leasedNow;
    }

    /** What comes now may have come off its socket after the clock was read. */
    public void readClockAnew() {
        clockRead = false;
    }

    /**
     * Bricks whose votes groups that this one leads have waited for in vain for long: the coordinator, which may hear
     * them, should know (docs/design/coordinator.md, rule 9).
     */
    public Set<Integer> missed() {
        Set<Integer> missed = new TreeSet<>();
        forEach(group -> {
            if (group.leads()) {
                group.replication().leader().missed(member -> missed.add(member.brick()));
            }
        });
        return missed;
    }

    /** All whose gate is shut: the others have nothing to be said, asked or tidied up. */
    private void forEach(Consumer<Group> action) {
        tables.forEach(partition -> {
            Group group = partition.group();
            if (group.replicationIfAny() != null) {
                action.accept(group);
            }
        });
    }

    // ---- turns

    void dirty(Group group) {
        if (dirty.isEmpty() || dirty.get(dirty.size() - 1) != group) {
            dirty.add(group);
        }
    }

    /** At the end of a turn: prepares, votes and watermarks leave. */
    public void onDrained() {
        readClockAnew();
        if (dirty.isEmpty()) {
            return;
        }
        List<Group> now = dirty;
        dirty = flushing;
        flushing = now;
        for (int k = 0; k < now.size(); k++) {
            now.get(k).flush();
        }
        now.clear();
    }

    /** A link to another brick is up: what waited for it leaves. */
    public void onLinkUp() {
        forEach(this::dirty);
        onDrained();
    }

    /** Each 100 ms. */
    public void tick() {
        readClockAnew();
        forEach(Group::tick);
        onDrained();
    }

    /** The node ends. */
    public void release() {
        forEach(Group::release);
    }

    /** Takes a frame of a group; one for a partition that is not here is not heard: it comes again. */
    public void onFrame(Link link, ByteBuf frames, int index, int length) {
        messages.onFrame(link, frames, index, length);
    }

    // ---- what a group needs

    Env env() {
        return env;
    }

    RecordStore store() {
        return store;
    }

    /** This brick's process, as a member. */
    public Member self() {
        return self.get();
    }

    /** The protocol link to another member, if it is up. */
    @Nullable
    Link link(Member member) {
        return peers.protocol(member.brick());
    }

    void touched(Link link) {
        peers.touched(link);
    }

    /**
     * Whether a sole member of a table's groups may write past the log: not of a table that wants more members, whose
     * group is alone for a while only.
     */
    boolean maySkipLog(int table) {
        TableView view = map.table(table);
        return view == null || !view.definition().isReplicated();
    }

    int minCopies(int table) {
        TableView view = map.table(table);
        return view == null ? 1 : view.definition().minCopies();
    }

    /** Whether so many bytes more may be put here. */
    boolean hasMemory(int bytes) {
        return budget.admitsOrdinary(bytes);
    }

    /** Bytes of entries that each primary of a group that this stage is in may have on their way here. */
    int credit() {
        return (int) Math.clamp(reserveBytes / Math.max(1, tables.count()), CREDIT_MIN, CREDIT_MAX);
    }

    /** For a look at a record; valid until the next look. */
    Current current() {
        return current;
    }

    /** For an entry that is told to whoever copies the partition. */
    Applied applied() {
        return applied;
    }

    EntryEffects effects() {
        return effects;
    }

    Prefetcher prefetcher() {
        return prefetcher;
    }

    /** The gate of a partition's group was opened or shut. */
    void gateMoved(Partition partition, boolean open) {
        log.debug(
                "table {} partition {}: the gate is {}", partition.table(), partition.number(), open ? "open" : "shut");
    }

    void changedHands(Partition partition) {
        listener.changedHands(partition);
    }

    /** The coordinator should hear of it at once. */
    void stuck(Partition partition) {
        log.warn(
                "no memory for what the group of table {} partition {} is to decide: this copy has to leave it",
                partition.table(),
                partition.number());
        tables.changed(partition);
        listener.reportSoon();
    }

    // ---- answers

    /** What the next writers are answered. */
    void result(Partition partition, byte itsStatus, long itsValue) {
        answered = partition;
        status = itsStatus;
        value = itsValue;
    }

    Consumer<Request> answerWriter() {
        return answerWriter;
    }

    private void answer(Request request) {
        if (request.teaches() && answered != null) {
            adjust(request, answered);
        }
        replies.number(request, status, value);
        replies.adjustNothing();
        touched(request.link);
    }

    /** What a reply teaches, to a forwarded request, say: the primary is where the partition is. */
    public void adjust(Request request, Partition partition) {
        TableView table = map.table(partition.table());
        Place place = table == null ? null : table.place(partition.number());
        if (place != null && !place.lost()) {
            replies.adjust(request, partition, map.version(), place.brick());
        }
    }

    void unknown(Request request) {
        replies.status(request, Status.UNKNOWN);
        touched(request.link);
    }

    void busy(Request request) {
        replies.busy(request, busyHintMillis);
    }

    void tooFewCopies(Request request) {
        replies.status(request, Status.TOO_FEW_COPIES);
    }

    void redirect(Request request) {
        listener.redirect(request);
    }

    void toPrimary(Request request) {
        listener.toPrimary(request);
    }

    /** Runs a request that waited. */
    void rerun(Link link, ByteBuf frame) {
        listener.rerun(link, frame);
    }

    /** Runs a read that has waited for all that it had to. */
    void rerun(Group group, Link link, ByteBuf frame) {
        rerun = group;
        listener.rerun(link, frame);
        rerun = null;
    }

    boolean isRerun(Group group) {
        return rerun == group;
    }

    /** Whether a read that has waited is being run: a scan need not queue again. */
    public boolean isRerunning() {
        return rerun != null;
    }

    void overdue(Link link, ByteBuf frame) {
        listener.overdue(link, frame);
    }
}
