package io.sdds.client.internal.query;

import io.sdds.client.QueryException;
import io.sdds.core.query.Evaluation;
import io.sdds.core.query.EvaluationFailure;
import io.sdds.core.query.Output;
import io.sdds.core.query.Output.Aggregate;
import io.sdds.core.query.Output.Top;
import io.sdds.core.query.Program;
import io.sdds.core.query.TupleCodec;
import io.sdds.core.query.ValueOrder;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Merges the tuples of the parts of a table to the rows of a query that has groups or an order. */
final class RowMerge {
    private final CompiledQuery query;
    private final @Nullable GroupMerge groups;
    private final @Nullable SortedRows sorted;

    /** Layout of the bounds of a program with the output TOP; else null. */
    private final @Nullable TupleCodec bounds;

    /** @param bytesMax most bytes of groups, and of rows to sort */
    RowMerge(CompiledQuery query, long bytesMax) {
        this.query = query;
        this.groups = query.program().output() instanceof Aggregate aggregate
                ? new GroupMerge(aggregate, query.program().tuple(), new MemoryBound("groups", bytesMax))
                : null;
        this.sorted = query.order().isEmpty() ? null : sorted(query, new MemoryBound("rows to sort", bytesMax));
        this.bounds = query.program().output() instanceof Top top
                ? new TupleCodec(query.program().tuple().subList(0, top.order().size()))
                : null;
    }

    private static SortedRows sorted(CompiledQuery query, MemoryBound memory) {
        Program finish = query.finish();
        Program last = finish == null ? query.program() : finish;
        return new SortedRows(ValueOrder.of(query.order(), last.tuple()), query.limit(), memory);
    }

    /**
     * Adds what a part has answered.
     *
     * @throws QueryException when it is too much, or a sum is too large
     */
    void add(List<List<byte @Nullable []>> tuples) {
        for (List<byte @Nullable []> tuple : tuples) {
            if (groups != null) {
                groups.add(tuple);
            } else if (sorted != null) {
                sorted.add(tuple);
            }
        }
    }

    /**
     * Adds a block of tuples that a brick has computed, if it can do so without reading them one by one.
     *
     * @return whether it has
     * @throws QueryException like {@link #add}
     */
    boolean addAll(byte[] block) {
        return groups != null && groups.addAll(block);
    }

    /**
     * The order of the last row of a top, as a tuple, once there are as many rows as the limit: rows of other parts
     * that are not before it are not wanted. Null: all rows are.
     */
    byte @Nullable [] bound() {
        List<byte @Nullable []> last = bounds == null || sorted == null ? null : sorted.bound();
        return last == null || bounds == null
                ? null
                : bounds.encode(last.subList(0, bounds.types().size()));
    }

    /**
     * The tuples of the rows, in order, at most as many as the limit of an order; called once, at the end.
     *
     * @throws QueryException when a value of a group is an error
     */
    List<List<byte @Nullable []>> rows() {
        List<List<byte @Nullable []>> ofGroups = List.of();
        if (groups != null) {
            Program finish = query.finish();
            ofGroups = finish == null ? groups.tuples() : finished(finish, groups.tuples());
        }
        if (sorted == null) {
            return ofGroups;
        }
        ofGroups.forEach(sorted::add);
        return sorted.tuples();
    }

    private static List<List<byte @Nullable []>> finished(Program finish, List<List<byte @Nullable []>> groups) {
        Evaluation evaluation = new Evaluation(finish);
        List<Integer> columns = ((Output.Project) finish.output()).columns();
        List<List<byte @Nullable []>> rows = new ArrayList<>(groups.size());
        for (List<byte @Nullable []> group : groups) {
            try {
                evaluation.begin(group);
                rows.add(evaluation.values(columns));
            } catch (EvaluationFailure e) {
                throw new QueryException(e.error().text() + ", in a group of the result");
            }
        }
        return rows;
    }
}
