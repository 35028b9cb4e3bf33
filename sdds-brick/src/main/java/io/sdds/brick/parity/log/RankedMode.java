package io.sdds.brick.parity.log;

import io.sdds.brick.bucket.RankSpace;
import io.sdds.brick.group.Entry;
import io.sdds.brick.group.GroupLog;
import io.sdds.brick.group.Groups;
import io.sdds.brick.group.LogMode;
import io.sdds.brick.group.LogModes;
import io.sdds.brick.group.PlainMode;
import io.sdds.brick.group.Replication;
import io.sdds.brick.memory.RecordStore;
import io.sdds.brick.partition.Change;
import io.sdds.brick.partition.DropList;
import io.sdds.brick.partition.Gate;
import io.sdds.brick.partition.Partition;
import io.sdds.brick.partition.RankedList;
import io.sdds.brick.partition.Request;
import io.sdds.core.protocol.Opcode;
import java.lang.foreign.MemorySegment;

/**
 * The mode of a log whose records have ranks. Parity members get the entries as deltas ({@link DeltaLog}). The primary
 * proposes which records expire, leave the column or move into holes, because the parity members must learn of each of
 * them.
 *
 * <p>While a table is converted to parity, backups have the log in the form for data members. Then a sweep proposes a
 * REMOVE for each record, and a clear is one entry: backups get CLEAR, and parity members DELTA_DROP. While it is
 * uncommitted, later writes wait, and nothing is swept or ranked. Records do not move into holes. While a table is
 * converted back, the log removes records by their keys alone, because backups know no ranks.
 */
final class RankedMode implements LogMode {
    private final Groups groups;
    private final LogModes modes;
    private final Replication replication;
    private final Partition partition;
    private final DeltaLog deltas;
    private final Reranking reranking;
    private final Ranking ranking;

    /** Whether some records may have no rank, because the table is being converted to parity. */
    private boolean partly;

    private RankedMode(Groups groups, LogModes modes, Replication replication, RankSpace ranks) {
        this.groups = groups;
        this.modes = modes;
        this.replication = replication;
        this.partition = replication.partition();
        this.deltas = new DeltaLog(groups, partition, replication.log(), ranks);
        this.reranking = new Reranking(groups, replication, ranks);
        this.ranking = new Ranking(groups, replication, ranks, deltas);
    }

    /** The mode of a log whose records all have ranks. */
    static RankedMode ranked(Groups groups, LogModes modes, Replication log, RankSpace ranks) {
        return new RankedMode(groups, modes, log, ranks);
    }

    /** The mode of a log whose entries give ranks from now on. Its records have none yet. */
    static RankedMode partlyRanked(Groups groups, LogModes modes, Replication log, RankSpace ranks) {
        RankedMode mode = new RankedMode(groups, modes, log, ranks);
        mode.partly = true;
        mode.deltas.beginPartly();
        return mode;
    }

    /**
     * The mode of a column's log.
     *
     * @throws IllegalStateException if the records have no ranks
     */
    static RankedMode of(Replication log) {
        if (log.mode() instanceof RankedMode ranked) {
            return ranked;
        }
        throw new IllegalStateException(
                "a column of no parity group: table " + log.table() + " partition " + log.number());
    }

    ColumnIntake intake() {
        return new ColumnIntake(groups, replication, deltas);
    }

    // ---- epochs

    @Override
    public LogMode lead() {
        if (groups.keepsRanks(partition)) {
            return this;
        }
        LogMode plain = dropRanks();
        partition.dropUnowned(); // no parity knows these records any more, and no backup has them
        return plain;
    }

    /** Only the primary of a replica group may keep ranks. Another primary gives other ones. */
    @Override
    public LogMode follow() {
        return groups.standsOnParity(partition) ? this : dropRanks();
    }

    private LogMode dropRanks() {
        deltas.release();
        partition.bucket().ranks().drop();
        return new PlainMode(modes, replication);
    }

    // ---- writes, at the primary

    @Override
    public boolean look(Request request) {
        return !Opcode.isOfKey(request.opcode)
                || deltas.look(request, replication.uncommitted().lastOf(request.hash));
    }

    @Override
    public int entryBytes(int bytes) {
        return Math.max(bytes, deltas.oldBytes());
    }

    @Override
    public boolean takeForPut() {
        return deltas.takeRank();
    }

    @Override
    public void giveBack() {
        deltas.giveRank();
    }

    @Override
    public Gate.Clears clears() {
        return replication.removesByKey() ? Gate.Clears.BY_BOUNDS_WITH_LIST : Gate.Clears.BY_LIST;
    }

    @Override
    public void clears(Change change) {
        deltas.clears(change.dropped());
    }

    @Override
    public boolean namesRecords() {
        return true;
    }

    // ---- entries

    @Override
    public void begin(long seq) {
        deltas.begin(seq);
    }

    @Override
    public void appended() {
        deltas.appended();
    }

    @Override
    public void applies(long seq, byte kind) {
        if (kind == Entry.PUT) {
            partition.bucket().ranks().rankOfNext(deltas.rankOf(seq));
        }
    }

    @Override
    public void committed(long seq) {
        deltas.committed(seq);
    }

    @Override
    public void trim(long seq) {
        deltas.log().trim(seq);
    }

    @Override
    public GroupLog deltas() {
        return deltas.log();
    }

    // ---- room

    @Override
    public long excessBytes() {
        return deltas.log().excessBytes();
    }

    @Override
    public long shareBytes() {
        return deltas.log().shareBytes();
    }

    @Override
    public long uncommittedBytes() {
        return deltas.uncommittedBytes();
    }

    // ---- records that leave

    /** Proposes to drop expired records. Nobody sweeps a column without telling its parity members. */
    @Override
    public boolean sweep(int steps) {
        if (replication.group().isFilling() || !mayDrop()) {
            return false;
        }
        DropList dropped = beginDrop();
        boolean pays = partition.visitExpired(steps, (rank, ref) -> list(dropped, ref));
        return drop(dropped) && pays;
    }

    @Override
    public boolean dropUnowned(int steps) {
        if (!mayDrop()) {
            return false;
        }
        DropList dropped = beginDrop();
        boolean more = true;
        for (int k = 0; k < steps && more && !dropped.isFull(); k++) {
            more = partition.visitUnowned(ref -> list(dropped, ref));
        }
        return drop(dropped);
    }

    /** Whether background work may propose to drop records now. */
    private boolean mayDrop() {
        return mayProposeLists() && replication.room().hasForList();
    }

    private boolean mayProposeLists() {
        return replication.group().leads() && !partition.time().isHeld() && !replication.isClearing();
    }

    /** An empty list. If records are removed by their keys, each of them takes an entry of its own, which counts. */
    private DropList beginDrop() {
        DropList dropped = groups.dropList();
        dropped.begin(replication.room().listBytesMax(), replication.removesByKey() ? Entry.KEY : 0);
        return dropped;
    }

    /** Adds a record to a list that has room for it, unless an uncommitted entry is about its key. */
    private void list(DropList dropped, long ref) {
        RecordStore store = groups.store();
        if (dropped.fits(store, ref)
                && (!dropped.isLong(store, ref) || replication.room().hasForBackground(store.contentLength(ref)))
                && replication.uncommitted().lastOf(store.hash(ref)) == 0) {
            dropped.add(store, ref);
        }
    }

    /** Proposes to drop some records; false if there are none. */
    private boolean drop(DropList dropped) {
        if (!replication.removesByKey()) {
            return propose(Entry.DROP, dropped);
        }
        remove(dropped);
        replication.advanceCommit();
        replication.dirty();
        return !dropped.isEmpty();
    }

    /**
     * Adds an entry for each record of a list to the log, which removes the record, because backups know no ranks. No
     * uncommitted entry is about one of the records. The entries are not committed in this call.
     */
    private void remove(DropList dropped) {
        RecordStore store = groups.store();
        for (int k = 0; k < dropped.size(); k++) {
            long ref = dropped.reference(k);
            MemorySegment key = store.segment(ref);
            long hash = store.hash(ref);
            deltas.look(hash, key, store.keyOffset(ref), store.keyLength(ref), 0);
            replication.writer().remove(replication.epoch(), hash, key, store.keyOffset(ref), store.keyLength(ref));
            replication.appended();
        }
    }

    /** Proposes an entry with a list of records; false if there are none. */
    private boolean propose(byte kind, RankedList list) {
        if (list.isEmpty()) {
            return false;
        }
        replication.writer().list(replication.epoch(), kind, list);
        replication.proposeClaimed();
        return true;
    }

    // ---- records that get ranks

    @Override
    public boolean densify() {
        return !replication.removesByKey()
                && mayProposeLists()
                && reranking.isDue()
                && propose(Entry.RERANK, reranking.list());
    }

    @Override
    public LogMode rank(int looks) {
        if (partly) {
            ranking.step(looks);
            if (ranking.isComplete()) {
                partly = false;
                deltas.allRanked();
                partition.bucket().ranks().allRanked();
            }
        }
        return this;
    }

    @Override
    public boolean isRanked() {
        return !partly;
    }

    // ---- memory

    @Override
    public void releaseSpareMemory() {
        deltas.log().releaseSpareMemory();
    }

    @Override
    public void release() {
        deltas.release();
    }
}
