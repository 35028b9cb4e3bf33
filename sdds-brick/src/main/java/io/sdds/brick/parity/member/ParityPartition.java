package io.sdds.brick.parity.member;

import io.sdds.brick.group.Groups;
import io.sdds.brick.map.BrickMap;
import io.sdds.brick.parity.records.ParityRecords;
import io.sdds.core.model.Parity;
import java.util.ArrayList;
import java.util.List;

/** One parity member of a parity group: the parity records, and the m columns whose records they protect. */
public final class ParityPartition {
    private static final int STEPS_PER_TICK = 256;
    private static final int STEPS_TO_FREE = 1024;

    private final ParityPartitions owner;
    private final int table;
    private final int group;
    private final int index;
    private final Parity parity;
    private final ParityRecords records;
    private final List<Column> columns = new ArrayList<>();
    private final Decoder decoder;
    private final Decodings decodings;
    private final DegradedReads reads;

    /**
     * Makes a parity member of columns without records.
     *
     * @param owner the parity members of the stage
     * @param index p, the parity's index in the group, from 0 on
     */
    public ParityPartition(
            Groups groups, BrickMap map, ParityPartitions owner, int table, int group, int index, Parity parity) {
        this.owner = owner;
        this.table = table;
        this.group = group;
        this.index = index;
        this.parity = parity;
        this.records = new ParityRecords(groups.store().slots(), groups.kernel(), index, parity.columns());
        for (int c = 0; c < parity.columns(); c++) {
            columns.add(new Column(groups, this, c));
        }
        this.decoder = new Decoder(groups, map, this);
        this.decodings = new Decodings(groups, this, decoder);
        this.reads = new DegradedReads(groups, map, this);
    }

    /** The parity members of the stage. */
    ParityPartitions owner() {
        return owner;
    }

    public int table() {
        return table;
    }

    /** The number of the parity group. */
    public int group() {
        return group;
    }

    /** The parity's index in the group, from 0 on. */
    public int index() {
        return index;
    }

    public Parity parity() {
        return parity;
    }

    public ParityRecords records() {
        return records;
    }

    /** The column of a data partition of the group. */
    public Column column(int number) {
        return columns.get(parity.column(number));
    }

    /** The columns of the group, from 0 on. */
    public List<Column> columns() {
        return columns;
    }

    /** Decodes records of lost columns, if this is the first parity member of its group. */
    public Decoder decoder() {
        return decoder;
    }

    /** Answers requests of the columns that this member leads. */
    DegradedReads reads() {
        return reads;
    }

    /** The decodings in which this member takes part. */
    public Decodings decodings() {
        return decodings;
    }

    /** The seq up to which the deltas of a column are folded. */
    public long folded(int column) {
        return columns.get(column).committed();
    }

    /** After a {@link #release}, each 100 ms: frees some memory. Returns whether there is more to free. */
    boolean free() {
        return records.maintain(STEPS_PER_TICK);
    }

    /** Each 100 ms: frees spare memory, and moves some records out of memory that is nearly empty. */
    public void tick() {
        columns.forEach(Column::tick);
        decodings.tick();
        decoder.tick();
        reads.tick();
        records.maintain(STEPS_PER_TICK);
    }

    /** The member ends here. {@link #free} frees the memory of the parity records. */
    void release() {
        decodings.clear();
        decoder.clear();
        reads.release();
        columns.forEach(Column::release);
        records.release();
    }
}
