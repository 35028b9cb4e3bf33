package io.sdds.client.internal.query;

import io.sdds.client.ProtocolException;
import io.sdds.client.QueryException;
import io.sdds.core.query.AggregateStates;
import io.sdds.core.query.EvaluationFailure;
import io.sdds.core.query.Output.Aggregate;
import io.sdds.core.query.Output.Aggregation;
import io.sdds.core.row.ValueType;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Merges the groups of the parts of a table: the states of a group from two parts become one state. The result does not
 * depend on how the table was cut into parts, but for the last digits of sums of DOUBLE.
 */
final class GroupMerge {
    private final int keys;
    private final List<ValueType> types;
    private final List<Aggregation> aggregations;
    private final MemoryBound memory;

    /** Keys and states, found by the bytes of the keys. Equal keys have equal bytes. */
    private final TupleIndex groups;

    /** In place of them, if all aggregates are sums and counts. */
    private final @Nullable GroupStates sums;

    /** @param types those of the tuples that {@link #add} takes: keys, then states */
    GroupMerge(Aggregate aggregate, List<ValueType> types, MemoryBound memory) {
        this.keys = aggregate.keys().size();
        this.types = types;
        this.aggregations = aggregate.aggregations();
        this.groups = new TupleIndex(keys);
        this.sums = GroupStates.fits(aggregate) ? new GroupStates(aggregate, types, memory) : null;
        this.memory = memory;
        if (keys == 0) {
            List<byte @Nullable []> noRows = new ArrayList<>();
            aggregations.forEach(aggregation -> noRows.add(AggregateStates.first(aggregation.function())));
            groups.putIfAbsent(noRows);
        }
    }

    /**
     * Adds the groups of a block of tuples, if it can do so without reading them one by one.
     *
     * @return whether it has
     * @throws QueryException like {@link #add}
     * @throws ProtocolException when the block is no block
     */
    boolean addAll(byte[] block) {
        if (sums == null) {
            return false;
        }
        try {
            sums.addAll(block);
            return true;
        } catch (EvaluationFailure e) {
            throw failure(e);
        }
    }

    /**
     * Adds a group of a part.
     *
     * @throws QueryException when a sum is too large, or the groups need too much memory
     */
    void add(List<byte @Nullable []> tuple) {
        if (sums == null) {
            addTuple(tuple);
            return;
        }
        try {
            sums.add(tuple);
        } catch (EvaluationFailure e) {
            throw failure(e);
        }
    }

    private void addTuple(List<byte @Nullable []> tuple) {
        List<byte @Nullable []> group = groups.putIfAbsent(tuple);
        if (group == null) {
            memory.add(tuple);
            return;
        }
        for (int k = 0; k < aggregations.size(); k++) {
            int column = keys + k;
            byte[] before = group.get(column);
            byte[] after = merged(aggregations.get(k), column, before, tuple.get(column));
            group.set(column, after);
            memory.replace(before, after);
        }
    }

    private byte @Nullable [] merged(
            Aggregation aggregation, int column, byte @Nullable [] one, byte @Nullable [] other) {
        try {
            return AggregateStates.merge(aggregation.function(), types.get(column), one, other);
        } catch (EvaluationFailure e) {
            throw failure(e);
        }
    }

    private static QueryException failure(EvaluationFailure e) {
        return new QueryException("a sum: " + e.error().text());
    }

    /**
     * The groups of all rows, in the order in which they came.
     *
     * @throws QueryException when a sum has more digits than a decimal
     */
    List<List<byte @Nullable []>> tuples() {
        List<List<byte @Nullable []>> all = sums == null ? groups.tuples() : sums.tuples();
        try {
            for (List<byte @Nullable []> group : all) {
                for (int k = 0; k < aggregations.size(); k++) {
                    AggregateStates.result(aggregations.get(k).function(), types.get(keys + k), group.get(keys + k));
                }
            }
        } catch (EvaluationFailure e) {
            throw failure(e);
        }
        return all;
    }
}
