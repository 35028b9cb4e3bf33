package io.sdds.client.internal.query;

import io.sdds.client.Row;
import io.sdds.client.internal.routing.KeyBounds;
import io.sdds.client.internal.routing.Sweep;
import io.sdds.core.protocol.RequestFrame;
import io.sdds.core.row.Schema;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Collects the rows of a query from the answers of a sweep. The simulator uses this class, because a sweep of the
 * simulator has no {@link io.sdds.client.internal.ClientRuntime}.
 */
public final class RowCollector {
    private final CompiledQuery query;
    private final Tuples tuples;
    private final RowMerge merge;

    /** The tuples of a query whose rows are not merged. */
    private final List<List<byte @Nullable []>> streamed = new ArrayList<>();

    /** @throws IllegalArgumentException when an expression is wrong */
    public RowCollector(Schema schema, RowSpec spec) {
        this.query = QueryCompiler.rows(schema, null, spec);
        this.tuples = new Tuples(schema, query.program());
        this.merge = new RowMerge(query, MemoryBound.BYTES_MAX);
    }

    /** The question of the sweep. */
    public Sweep.Asked asked(byte opcode, int blockBytes, int parallel) {
        return new Sweep.Asked(opcode, RequestFrame.SCAN_PROGRAM, query.encoded(), blockBytes, parallel);
    }

    /** The bounds of the keys of records that can be in the result. */
    public KeyBounds keys() {
        return query.keys();
    }

    /** The order of the last row that is wanted so far, as {@link Sweep#bound} takes it; null: all rows are wanted. */
    public byte @Nullable [] bound() {
        return query.streams() ? null : merge.bound();
    }

    /**
     * Adds an answer about a part.
     *
     * @throws io.sdds.client.SddsException when the answer cannot be read, or a value is an error
     */
    public void add(Sweep.Part part, byte[] block) {
        List<List<byte @Nullable []>> answered = tuples.of(block, part.hasRecords());
        if (query.streams()) {
            streamed.addAll(answered);
        } else {
            merge.add(answered);
        }
    }

    /** The rows, at most as many as the limit; called once, at the end. */
    public List<Row> rows() {
        List<List<byte @Nullable []>> all = query.streams() ? streamed : merge.rows();
        int first = query.order().size();
        List<Row> rows = new ArrayList<>();
        for (List<byte @Nullable []> tuple : all) {
            if (rows.size() < query.limit()) {
                rows.add(new TupleRow(query.columns(), tuple.subList(first, tuple.size())));
            }
        }
        return rows;
    }
}
