package io.sdds.client.internal.query;

import io.sdds.client.internal.routing.KeyBounds;
import io.sdds.core.query.Output;
import io.sdds.core.query.Output.SortKey;
import io.sdds.core.query.Program;
import io.sdds.core.query.ProgramCodec;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A query as bricks and client evaluate it. The bricks answer the tuples of a program. The client merges them: groups
 * by their keys, then evaluates what the query makes of the groups; rows by their order.
 *
 * @param program what the bricks evaluate next to the records
 * @param finish what the client evaluates for each merged group, whose keys and states are the columns of its shape;
 *     null: the tuples of the program are the rows
 * @param order of the rows; empty: none. The values of the order are the first columns of the tuples of the last step
 * @param columns of the rows, which are the further columns of these tuples
 * @param limit most rows
 * @param keys ascending bounds of the keys of records that can be in the result
 */
record CompiledQuery(
        Program program,
        @Nullable Program finish,
        List<SortKey> order,
        RowColumns columns,
        long limit,
        KeyBounds keys) {
    CompiledQuery(Program program, @Nullable Program finish, List<SortKey> order, RowColumns columns, long limit) {
        this(program, finish, order, columns, limit, KeyBounds.ALL);
    }

    /** The same query of a table of which only some keys can be in the result. */
    CompiledQuery withKeys(KeyBounds bounds) {
        return new CompiledQuery(program, finish, order, columns, limit, bounds);
    }

    /** Whether the rows can be given as they come, because the client merges nothing. */
    boolean streams() {
        return order.isEmpty() && !(program.output() instanceof Output.Aggregate);
    }

    /** The program as requests carry it. */
    byte[] encoded() {
        return ProgramCodec.encode(program);
    }

    /** The same query with another limit. */
    CompiledQuery limited(long rows) {
        return new CompiledQuery(program, finish, order, columns, rows, keys);
    }

    /** The query for the number of records that pass the filter. */
    CompiledQuery counting() {
        Output.Aggregation rows = new Output.Aggregation(Output.AggregateFunction.COUNT_ROWS, -1);
        Program counts = new Program(
                program.shape(),
                program.instructions(),
                program.filter(),
                new Output.Aggregate(List.of(), List.of(rows)));
        return new CompiledQuery(counts, null, List.of(), new RowColumns(List.of("count"), counts.tuple()), 1, keys);
    }
}
