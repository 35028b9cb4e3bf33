package io.sdds.brick.group;

import io.sdds.brick.partition.Change;
import io.sdds.brick.partition.Gate;
import io.sdds.brick.partition.Partition;
import io.sdds.brick.partition.Request;

/** The mode of a log that only replicates. Each member sweeps its expired records by itself. */
public final class PlainMode implements LogMode {
    private final LogModes modes;
    private final Replication log;
    private final Partition partition;

    public PlainMode(LogModes modes, Replication log) {
        this.modes = modes;
        this.log = log;
        this.partition = log.partition();
    }

    @Override
    public LogMode lead() {
        return this;
    }

    @Override
    public LogMode follow() {
        return this;
    }

    @Override
    public boolean look(Request request) {
        return true;
    }

    @Override
    public int entryBytes(int bytes) {
        return bytes;
    }

    @Override
    public boolean takeForPut() {
        return true;
    }

    @Override
    public void giveBack() {}

    @Override
    public Gate.Clears clears() {
        return Gate.Clears.BY_BOUNDS;
    }

    @Override
    public void clears(Change change) {}

    @Override
    public boolean namesRecords() {
        return false;
    }

    @Override
    public void begin(long seq) {}

    @Override
    public void appended() {}

    @Override
    public void applies(long seq, byte kind) {}

    @Override
    public void committed(long seq) {}

    @Override
    public void trim(long seq) {}

    @Override
    public GroupLog deltas() {
        throw new IllegalStateException(
                "the records have no ranks, in table " + partition.table() + " partition " + partition.number());
    }

    @Override
    public long excessBytes() {
        return 0;
    }

    @Override
    public long shareBytes() {
        return 0;
    }

    @Override
    public long uncommittedBytes() {
        return 0;
    }

    @Override
    public boolean sweep(int steps) {
        return partition.sweep(steps);
    }

    /** No record stays in a bucket without ranks when its key leaves the partition. */
    @Override
    public boolean dropUnowned(int steps) {
        return false;
    }

    @Override
    public boolean densify() {
        return false;
    }

    @Override
    public LogMode rank(int looks) {
        return modes.beginToRank(log, this);
    }

    @Override
    public boolean isRanked() {
        return false;
    }

    @Override
    public void releaseSpareMemory() {}

    @Override
    public void release() {}
}
