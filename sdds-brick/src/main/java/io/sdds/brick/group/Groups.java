package io.sdds.brick.group;

import io.netty.buffer.ByteBuf;
import io.sdds.brick.erasure.ErasureKernel;
import io.sdds.brick.map.BrickMap;
import io.sdds.brick.map.TableView;
import io.sdds.brick.memory.MemoryBudget;
import io.sdds.brick.memory.RecordStore;
import io.sdds.brick.parity.DecodingBudget;
import io.sdds.brick.parity.RecoveryCounters;
import io.sdds.brick.partition.Current;
import io.sdds.brick.partition.DropList;
import io.sdds.brick.partition.Partition;
import io.sdds.brick.partition.Replies;
import io.sdds.brick.partition.Request;
import io.sdds.brick.partition.RerankList;
import io.sdds.brick.partition.Tables;
import io.sdds.brick.stage.Peers;
import io.sdds.brick.stage.StageContext;
import io.sdds.core.control.ControlMessage.Ranked;
import io.sdds.core.model.MigrationKind;
import io.sdds.core.model.MigrationOrder;
import io.sdds.core.model.Place;
import io.sdds.core.model.Place.Member;
import io.sdds.core.node.Env;
import io.sdds.core.node.Link;
import io.sdds.core.node.LogLimit;
import io.sdds.core.protocol.MissingParities;
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

/** The replica groups of this stage's partitions: frames, work at the end of turns, ticks, and the brick's lease. */
public final class Groups {
    /**
     * Largest credit in bytes that a member grants a primary. A member must never refuse an entry for want of memory
     * (docs/design/groups.md, rule 1). So the member grants the credit beforehand, and keeps a reserve of memory for
     * all credits together (docs/design/memory.md, rule 22).
     */
    static final int CREDIT_MAX = 1 << 20;

    /** Most bytes of the log of a group, and of its long entries beyond their shares. */
    public static final int LOG_BYTES_MAX = 1 << 20;

    /** A long entry counts in the room of a log with this part of the room. */
    private static final int LOG_SHARES = 16;

    /**
     * Smallest credit in bytes, so that many groups on a small brick still make progress. The reserve may be smaller
     * than all credits together then.
     */
    public static final int CREDIT_MIN = 16 << 10;

    private static final int DAMAGED_LINES = 10;
    private static final long DAMAGED_INTERVAL_NANOS = 60_000_000_000L;

    private static final Logger log = LoggerFactory.getLogger(Groups.class);

    private final Env env;
    private final BrickMap map;
    private final Tables tables;
    private final RecordStore store;
    private final MemoryBudget budget;
    private final long reserveBytes;
    private final int logBytesMax;
    private final Peers peers;
    private final Replies replies;
    private final int busyHintMillis;
    private final Prefetcher prefetcher = new Prefetcher();
    private final Current current;
    private final DropList dropList = new DropList();
    private final RerankList rerankList = new RerankList();
    private final Supplier<Member> self;
    private final DecodingBudget ledDecodings = new DecodingBudget(DecodingBudget.BYTES_MAX);
    private final DecodingBudget residues = new DecodingBudget(DecodingBudget.BYTES_MAX);
    private final DecodingBudget pulls = new DecodingBudget(DecodingBudget.BYTES_MAX);
    private final Listener listener;
    private final EntryEffects effects;
    private final GroupMessages messages;
    private final ErasureKernel kernel;
    private final ParityGroups parities;
    private final RecoveryCounters recoveryCounters = new RecoveryCounters();

    /** A spare asks for a record that is not whole again and again. */
    private final LogLimit damagedLines = new LogLimit(DAMAGED_LINES, DAMAGED_INTERVAL_NANOS);

    private List<Group> dirty = new ArrayList<>();
    private List<Group> flushing = new ArrayList<>();
    private @Nullable Group rerun;
    private long leaseUntilNanos;
    private boolean leased;
    private boolean clockRead;
    private boolean leasedNow;

    /** The stage, as its groups see it. */
    public interface Listener {
        /** Runs a request that has waited, as if it had just come. */
        void rerun(Link link, ByteBuf frame);

        /** Answers a request whose deadline has passed. The request had no effect. */
        void overdue(Link link, ByteBuf frame);

        /** Forwards a request to the primary of its partition, as the map says. */
        void toPrimary(Request request);

        /** The stage fails because of one request, or of what a brick sent, so that no other request is to blame. */
        void causeOfFailureFound();

        /** Asks for a heartbeat now. */
        void reportSoon();

        /**
         * An entry that changes the owner of keys is committed at this member. By HANDOVER the partition has lost the
         * child's keys, by SUBSUME it serves no key any more, and by ABSORB it owns the child's keys.
         */
        void ownerChanged(Partition partition);

        /** Has the stage that owns a parity group run a request of a column that the group's parity member leads. */
        void toParity(Request request, int group);
    }

    /**
     * Begins without groups, and uses {@code parities} from the first group on.
     *
     * @param reserveBytes this stage's share of the brick's memory that is reserved for entries of the log
     * @param logBytesMax most bytes of the log of a group, and of its long entries beyond their shares
     * @param kernel folds deltas into parity records
     */
    public Groups(
            StageContext context,
            long reserveBytes,
            int logBytesMax,
            ErasureKernel kernel,
            Supplier<Member> self,
            Listener listener,
            ParityGroups parities) {
        this.env = context.env();
        this.map = context.map();
        this.tables = context.tables();
        this.store = context.store();
        this.current = new Current(store);
        this.budget = context.budget();
        this.reserveBytes = reserveBytes;
        this.logBytesMax = logBytesMax;
        this.peers = context.peers();
        this.replies = context.replies();
        this.busyHintMillis = context.busyHintMillis();
        this.self = self;
        this.listener = listener;
        this.effects = new EntryEffects(context.store());
        this.kernel = kernel;
        this.parities = parities;
        this.messages = new GroupMessages(this, context, parities);
    }

    /** What this stage has done for parity groups that lack members. */
    public RecoveryCounters recoveryCounters() {
        return recoveryCounters;
    }

    /** For the decodings that the parity members of this stage lead. */
    public DecodingBudget ledDecodings() {
        return ledDecodings;
    }

    /** For the decodings in which the parity members of this stage take part. */
    public DecodingBudget residues() {
        return residues;
    }

    /** Bytes that decodings hold or have asked for. */
    public long decodingBytes() {
        return ledDecodings.usedBytes() + residues.usedBytes() + pulls.usedBytes();
    }

    /** For the records that the filling columns of this stage have asked for. */
    public DecodingBudget pulls() {
        return pulls;
    }

    // ---- the map

    /** Begins the group of a new, empty partition. */
    public void begin(Partition partition, Place place) {
        Group group = new Group(this, partition);
        partition.group(group);
        group.become(place);
    }

    /**
     * Begins the group of a partition that a split has made.
     *
     * @param timeNanos logical time of the copied records
     */
    public void beginShipped(Partition partition, Place place, long timeNanos) {
        Group group = new Group(this, partition);
        partition.group(group);
        group.timeFrom(timeNanos);
        group.become(place);
        group.announceToPrimary();
    }

    /**
     * Begins to take the log of a group of which this brick is a learner.
     *
     * @param seq the copied records have the effects of all entries up to this one
     * @param timeNanos logical time of the copied records
     */
    public void join(Partition partition, long epoch, long seq, long timeNanos) {
        Group group = new Group(this, partition);
        partition.group(group);
        group.join(epoch, seq, timeNanos);
    }

    /**
     * Begins the group of a column that is recovered here. The partition has the column's logical time.
     *
     * @param place the primary, which is this process, and the parity members
     * @param seq the last entry of the column's log, which all parity members know to be committed
     * @param missing the records that are not here yet
     */
    public void beginRecovered(Partition partition, Place place, long seq, MissingRecords missing) {
        Group group = new Group(this, partition);
        partition.group(group);
        log.info(
                "table {} partition {} is served here, and recovers {} records",
                partition.table(),
                partition.number(),
                missing.total());
        group.recover(place, seq, missing);
    }

    /**
     * Begins the group of a column that has moved here with all its records.
     *
     * @param place the primary, which is this process, and the parity members
     * @param seq the last entry of the column's log, which all parity members know to be committed
     * @param timeNanos logical time of the column
     */
    public void beginMoved(Partition partition, Place place, long seq, long timeNanos) {
        recoveryCounters.add(RecoveryCounters.Event.COLUMN_MOVED);
        partition.timeFrom(timeNanos, env().nowNanos());
        beginRecovered(partition, place, seq, MissingRecords.NONE);
    }

    /** Gives up this brick's copy of the partition, because this brick is ordered to leave the group in this epoch. */
    public void leave(Partition partition, long epoch) {
        Group group = partition.group();
        if (group.leave(epoch)) {
            log.info("leaves the group of table {} partition {}", partition.table(), partition.number());
            tables.changed(partition);
            listener.reportSoon();
        }
    }

    /** Gives a column back whose records do not fit here ({@link io.sdds.brick.parity.recovery.Recovery#report}). */
    public void giveBack(Partition partition) {
        log.warn(
                "gives table {} partition {} back to be decoded: its records do not fit into the memory of this brick",
                partition.table(),
                partition.number());
        partition.group().giveBack();
        recoveryCounters().add(RecoveryCounters.Event.COLUMN_GIVEN_BACK);
        tables.changed(partition);
        listener.reportSoon();
    }

    /** The epoch of a partition's group in the map; 0 if the map does not have the partition. */
    public long epochInMap(Partition partition) {
        TableView table = map.table(partition.table());
        Place place = table == null ? null : table.place(partition.number());
        return place == null ? 0 : place.epoch();
    }

    /**
     * Takes a lease that the coordinator grants for the map that this stage has now (docs/design/coordinator.md, rules
     * 9 and 10).
     *
     * @param untilNanos end of the lease on this brick's clock
     */
    public void lease(long untilNanos) {
        leaseUntilNanos = leased ? Math.max(leaseUntilNanos, untilNanos) : untilNanos;
        leased = true;
        readClockAnew();
    }

    /**
     * Whether the brick held a lease at some time after the request was received. The clock is read once for all
     * requests that a turn runs together, because all of them read the state of this turn.
     */
    public boolean isLeased() {
        if (!clockRead) {
            clockRead = true;
            leasedNow = leased && env.nowNanos() - leaseUntilNanos < 0;
        }
        return leasedNow;
    }

    /** Has {@link #isLeased} read the clock again, because the next requests may have been received since. */
    public void readClockAnew() {
        clockRead = false;
    }

    /**
     * Bricks that have not voted for too long in groups that this brick leads. The brick reports them, because the
     * coordinator may still hear them (docs/design/coordinator.md, rule 9).
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

    /** The columns that this stage leads whose records all have ranks, while their groups stand on replicas. */
    public List<Ranked> ranked() {
        if (!map.isConverting()) {
            return List.of();
        }
        List<Ranked> ranked = new ArrayList<>();
        forEach(group -> {
            Partition partition = group.partition();
            if (group.isRanked() && !standsOnParity(partition)) {
                ranked.add(new Ranked(partition.table(), partition.number(), group.epoch()));
            }
        });
        return ranked;
    }

    /** Visits the groups whose gate is shut. Groups with an open gate have no log and send nothing. */
    private void forEach(Consumer<Group> action) {
        tables.forEach(partition -> {
            Group group = partition.group();
            if (group.replicationIfAny() != null) {
                action.accept(group);
            }
        });
    }

    // ---- turns

    public void dirty(Group group) {
        if (dirty.isEmpty() || dirty.get(dirty.size() - 1) != group) {
            dirty.add(group);
        }
    }

    /** At the end of a turn: sends entries, votes and watermarks. */
    public void onDrained() {
        readClockAnew();
        parities.flush();
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

    /** A link to another brick is up: sends the frames that waited for the link. */
    public void onLinkUp() {
        forEach(this::dirty);
        parities.onLinkUp();
        onDrained();
    }

    /** Each 100 ms. */
    public void tick() {
        readClockAnew();
        forEach(Group::tick);
        parities.tick();
        onDrained();
    }

    /** The node ends. */
    public void release() {
        forEach(Group::release);
        parities.release();
    }

    /** Takes a frame of a group. A frame for an unknown partition is dropped; the sender sends it again. */
    public void onFrame(Link link, ByteBuf frames, int index, int length) {
        messages.onFrame(link, frames, index, length);
    }

    // ---- what a group needs

    public Env env() {
        return env;
    }

    public Replies replies() {
        return replies;
    }

    /** Codes records for parity groups. */
    public ErasureKernel kernel() {
        return kernel;
    }

    public RecordStore store() {
        return store;
    }

    /** This brick's process, as a member. */
    public Member self() {
        return self.get();
    }

    /** The protocol link to another member, if it is up. */
    public @Nullable Link link(Member member) {
        return peers.protocol(member.brick());
    }

    public void touched(Link link) {
        peers.touched(link);
    }

    /**
     * Whether a sole member of a group of this table may write past the log. Tables with replicas or parity groups may
     * not: a group of such a table has a sole member only for a while.
     */
    boolean maySkipLog(int table) {
        TableView view = map.table(table);
        return view == null
                || !view.definition().isReplicated()
                        && view.definition().parity().isNone();
    }

    /** The number m of columns, if a member of a partition's group is a parity member; else 0. */
    int columnsAt(Partition partition, Member member) {
        return columnsAt(partition.table(), partition.number(), member);
    }

    /** As {@link ParityGroups#columnsAt}. */
    int columnsAt(int table, int number, Member member) {
        return parities.columnsAt(table, number, member);
    }

    /** As {@link Group#standsOnParity}. */
    public boolean standsOnParity(Partition partition) {
        TableView view = map.table(partition.table());
        return view != null && view.standsOnParity(partition.number());
    }

    /** As {@link TableView#keepsRanks}. */
    public boolean keepsRanks(Partition partition) {
        TableView view = map.table(partition.table());
        return view != null && view.keepsRanks(partition.number());
    }

    /** As {@link TableView#removesByKey}. */
    boolean removesByKey(Partition partition) {
        TableView view = map.table(partition.table());
        return view == null || view.removesByKey(partition.number());
    }

    /** Whether a partition's table is being converted, to parity or to replicas. */
    boolean isConverting(Partition partition) {
        TableView view = map.isConverting() ? map.table(partition.table()) : null;
        return view != null && view.definition().isConverting();
    }

    /**
     * Whether the records of a partition are to get ranks, because its table is being converted to parity. Not before a
     * split or merge of the partition is over, since those are about records without ranks.
     */
    boolean wantsRanks(Partition partition) {
        TableView view = map.isConverting() ? map.table(partition.table()) : null;
        return view != null
                && view.definition().isConvertingToParity()
                && !view.standsOnParity(partition.number())
                && map.migrations().stream().noneMatch(order -> resizes(order, partition));
    }

    private static boolean resizes(MigrationOrder order, Partition partition) {
        return (order.kind() == MigrationKind.SPLIT || order.isMerge())
                && order.table() == partition.table()
                && (order.sender() == partition.number() || order.receiver() == partition.number());
    }

    /** Number of the members that are no parity members, of a partition's group. */
    int copies(Partition partition, List<Member> members) {
        return (int) members.stream()
                .filter(member -> columnsAt(partition, member) == 0)
                .count();
    }

    /** Whether the group of a partition has as many copies, or parities, as its table asks for. */
    boolean areEnough(Partition partition, int copies, int parityMembers) {
        TableView view = map.table(partition.table());
        if (view != null && view.standsOnParity(partition.number())) {
            return parityMembers >= view.definition().parity().minParities();
        }
        return view == null || copies >= view.definition().spec().minCopies();
    }

    /** Whether a record of so many bytes may be put. The reserved memory does not count. */
    public boolean hasMemory(int bytes) {
        return budget.admitsOrdinary(bytes);
    }

    /** Most bytes of a log, and of its long entries beyond their shares. */
    int logBytesMax() {
        return logBytesMax;
    }

    /** An empty log of a group. */
    public GroupLog newLog() {
        return new GroupLog(env::allocate, logBytesMax / LOG_SHARES);
    }

    /** Bytes of entries that each primary may have under way to this stage. */
    int credit() {
        return (int)
                Math.clamp(reserveBytes / Math.max(1, tables.count() + parities.columns()), CREDIT_MIN, CREDIT_MAX);
    }

    /** The shared holder for a lookup of a record; valid until the next lookup. */
    Current current() {
        return current;
    }

    /** The shared list of records that an entry is to drop. */
    public DropList dropList() {
        return dropList;
    }

    /** The shared list of records that an entry is to give other ranks. */
    public RerankList rerankList() {
        return rerankList;
    }

    EntryEffects effects() {
        return effects;
    }

    /** Chooses what the logs of this stage do with their entries. */
    LogModes modes() {
        return parities.modes();
    }

    public Prefetcher prefetcher() {
        return prefetcher;
    }

    /** The gate of a partition's group was opened or shut. */
    void gateMoved(Partition partition, boolean open) {
        log.debug(
                "table {} partition {}: the gate is {}", partition.table(), partition.number(), open ? "open" : "shut");
    }

    void ownerChanged(Partition partition) {
        listener.ownerChanged(partition);
    }

    /** Asks for a heartbeat now. */
    public void reportSoon() {
        listener.reportSoon();
    }

    /** A member has no memory for the next entry. The coordinator is to hear of this at once. */
    public void stuck(int table, int number) {
        log.warn(
                "no memory for the next log entry of table {} partition {}: this copy must leave its group",
                table,
                number);
        tables.changed(table, number);
        listener.reportSoon();
    }

    /** All records of a recovered column are here. The coordinator is to hear of this at once. */
    void filled(Partition partition) {
        log.info("table {} partition {} is recovered", partition.table(), partition.number());
        tables.changed(partition);
        listener.reportSoon();
    }

    /** A decoded record is not whole by its checksum, or has another key. */
    public void decodingFailed(int table, int number, int rank) {
        recoveryCounters.add(RecoveryCounters.Event.DECODED_NOT_WHOLE);
        if (damagedLines.admit(env.nowNanos()) == LogLimit.LEAVE_OUT) {
            return;
        }
        log.error(
                "the record of rank {} of table {} partition {} was decoded and is not whole: it is not served;"
                        + " {} such records since the start",
                rank,
                table,
                number,
                recoveryCounters.count(RecoveryCounters.Event.DECODED_NOT_WHOLE));
    }

    // ---- answers

    /** Answers a request whose write is committed. */
    void answer(Partition partition, Request request, byte status, long value) {
        if (request.wantsAdjustment()) {
            adjust(request, partition);
        }
        replies.number(request, status, value);
        replies.adjustNothing();
        touched(request.link);
    }

    /** Adds an image adjustment to the next reply, which names the primary as the partition's brick. */
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

    /**
     * The stage fails because of a request, and ends after this call. The answer leaves at once.
     *
     * @see Status#FATAL
     */
    public void fatal(Request request) {
        log.error("a request of {} ends this brick", request.link.remote());
        replies.status(request, Status.FATAL);
        request.link.flush();
        listener.causeOfFailureFound();
    }

    public void busy(Request request) {
        replies.busy(request, busyHintMillis);
    }

    public void tooFewCopies(Request request) {
        replies.status(request, Status.TOO_FEW_COPIES);
    }

    /** Refuses a write, because the group of its partition has fewer members than its table asks for. */
    void tooFewMembers(Partition partition, Request request) {
        TableView view = map.table(partition.table());
        MissingParities missing = view == null ? null : view.missingParities(partition.number());
        if (missing == null) {
            tooFewCopies(request);
        } else {
            replies.number(request, Status.TOO_FEW_COPIES, missing.number());
        }
    }

    void redirect(Request request) {
        replies.redirect(request, map.version());
    }

    public void toParity(Request request, int group) {
        listener.toParity(request, group);
    }

    void toPrimary(Request request) {
        listener.toPrimary(request);
    }

    /** Runs a request that has waited. */
    public void rerun(Link link, ByteBuf frame) {
        listener.rerun(link, frame);
    }

    /** Runs a read of a group that has waited long enough. The group does not check the read again. */
    void rerun(Group group, Link link, ByteBuf frame) {
        rerun = group;
        listener.rerun(link, frame);
        rerun = null;
    }

    boolean isRerun(Group group) {
        return rerun == group;
    }

    /** Whether a read that has waited is running. A scan then need not queue again. */
    public boolean isRerunning() {
        return rerun != null;
    }

    public void overdue(Link link, ByteBuf frame) {
        listener.overdue(link, frame);
    }
}
