package io.sdds.core.query;

import io.sdds.core.row.ValueType;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Computes what a program answers of some records, with an {@link Evaluation}: the rows of {@link Output.Project} in
 * their order, the groups of {@link Output.Aggregate} in the order in which they appeared, and the rows of
 * {@link Output.Top} in order. Of rows of a top that are equal in the order the earlier one comes first. For one
 * thread.
 */
public final class RowEvaluator {
    private final Program program;
    private final Evaluation evaluation;
    private final TupleCodec keys;
    private final List<List<byte @Nullable []>> rows = new ArrayList<>();
    private final Map<ByteBuffer, List<byte @Nullable []>> groups = new LinkedHashMap<>();

    /** For a valid program of a query. */
    public RowEvaluator(Program program) {
        if (program.output().isUpdate()) {
            throw new IllegalArgumentException("the program is of an update");
        }
        this.program = program;
        this.evaluation = new Evaluation(program);
        int columns = program.output() instanceof Output.Aggregate aggregate
                ? aggregate.keys().size()
                : 0;
        this.keys = new TupleCodec(program.tuple().subList(0, columns));
        if (program.output() instanceof Output.Aggregate aggregate && columns == 0) {
            groups.put(ByteBuffer.allocate(0), firstStates(aggregate, List.of()));
        }
    }

    /**
     * Takes a record.
     *
     * @return whether it passed the filter
     * @throws EvaluationFailure when a value that is used is an error
     */
    public boolean add(byte[] key, byte[] value, long version) {
        evaluation.begin(key, value, version);
        if (!evaluation.passes()) {
            return false;
        }
        if (program.output() instanceof Output.Project project) {
            List<byte @Nullable []> tuple = evaluation.values(project.columns());
            if (rows.size() < project.limit()) {
                rows.add(tuple);
            }
        } else if (program.output() instanceof Output.Aggregate aggregate) {
            addToGroup(aggregate);
        } else if (program.output() instanceof Output.Top top) {
            addToTop(top);
        }
        return true;
    }

    /** The tuples of the records that were taken since the last call of {@code drain}, or since the beginning. */
    public List<List<byte @Nullable []>> drain() {
        List<List<byte @Nullable []>> tuples = new ArrayList<>(groups.isEmpty() ? rows : groups.values());
        rows.clear();
        groups.clear();
        return tuples;
    }

    private void addToGroup(Output.Aggregate aggregate) {
        List<byte @Nullable []> key = evaluation.values(aggregate.keys());
        List<byte @Nullable []> tuple =
                groups.computeIfAbsent(ByteBuffer.wrap(keys.encode(key)), encoded -> firstStates(aggregate, key));
        for (int k = 0; k < aggregate.aggregations().size(); k++) {
            Output.Aggregation aggregation = aggregate.aggregations().get(k);
            int operand = aggregation.operand();
            ValueType type = operand == -1
                    ? ValueType.BIGINT
                    : program.instructions().get(operand).type();
            int column = aggregate.keys().size() + k;
            byte[] value = operand == -1 ? null : evaluation.value(operand);
            tuple.set(column, AggregateStates.add(aggregation.function(), type, tuple.get(column), value));
        }
    }

    private static List<byte @Nullable []> firstStates(Output.Aggregate aggregate, List<byte @Nullable []> key) {
        List<byte @Nullable []> tuple = new ArrayList<>(key);
        aggregate.aggregations().forEach(aggregation -> tuple.add(AggregateStates.first(aggregation.function())));
        return tuple;
    }

    /** Inserts the row behind those that are not after it, and drops the last row if there are too many. */
    private void addToTop(Output.Top top) {
        List<byte @Nullable []> tuple = evaluation.values(
                top.order().stream().map(Output.SortKey::value).toList());
        tuple.addAll(evaluation.values(top.columns()));
        Comparator<List<byte @Nullable []>> order = ValueOrder.of(top.order(), program.tuple());
        int at = rows.size();
        while (at > 0 && order.compare(rows.get(at - 1), tuple) > 0) {
            at--;
        }
        rows.add(at, tuple);
        if (rows.size() > top.limit()) {
            rows.remove(rows.size() - 1);
        }
    }
}
