package io.sdds.client.internal.query.lang;

import io.netty.buffer.Unpooled;
import io.sdds.core.query.Instruction;
import io.sdds.core.query.Output;
import io.sdds.core.query.Program;
import io.sdds.core.query.ProgramCodec;
import io.sdds.core.query.RowEvaluator;
import io.sdds.core.row.KeyEncoding;
import io.sdds.core.row.RowWriter;
import io.sdds.core.row.Schema;
import io.sdds.core.row.SchemaText;
import io.sdds.core.row.ValueType;
import io.sdds.core.row.Values;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** QueriedRows of a table in memory, and what programs of texts answer of them. */
final class QueriedRows {
    private record Stored(byte[] key, byte[] value) {}

    private final Schema schema;
    private final List<Stored> rows = new ArrayList<>();

    /** @param schema its text; empty: none */
    QueriedRows(String schema) {
        this.schema = schema.isEmpty() ? Schema.NONE : SchemaText.parse(schema);
    }

    /** Adds a row: the columns of the key, then those of the value. */
    QueriedRows add(@Nullable Object... values) {
        int keys = schema.keyColumns().size();
        byte[] key = KeyEncoding.of(schema).encode(Arrays.copyOf(values, keys));
        byte[] value = new RowWriter(schema).write(Arrays.copyOfRange(values, keys, values.length));
        return addBytes(key, value);
    }

    QueriedRows addBytes(byte[] key, byte[] value) {
        rows.add(new Stored(key, value));
        return this;
    }

    /** The values of an expression, one for each row that passes. */
    List<String> select(String columns, String where) {
        ProgramBuilder builder = new ProgramBuilder(Scope.of(schema));
        int filter = where.isEmpty() ? -1 : builder.addCondition("where", ExpressionParser.expression("where", where));
        List<Integer> numbers = ExpressionParser.selectList("select", columns).stream()
                .map(item -> builder.add("select", item.expression()))
                .toList();
        return answer(builder.build(filter, new Output.Project(numbers, Integer.MAX_VALUE)));
    }

    /** The groups of expressions, with aggregates of an expression. */
    List<String> aggregate(String groups, Output.AggregateFunction function, String operand) {
        ProgramBuilder builder = new ProgramBuilder(Scope.of(schema));
        List<Integer> keys = groups.isEmpty()
                ? List.of()
                : ExpressionParser.selectList("group by", groups).stream()
                        .map(group -> builder.add("group by", group.expression()))
                        .toList();
        int number = operand.isEmpty() ? -1 : builder.add("select", ExpressionParser.expression("select", operand));
        return answer(builder.build(-1, new Output.Aggregate(keys, List.of(new Output.Aggregation(function, number)))));
    }

    /** The first rows of an order. */
    List<String> top(String order, int limit) {
        ProgramBuilder builder = new ProgramBuilder(Scope.of(schema));
        List<Output.SortKey> keys = ExpressionParser.orderList("order by", order).stream()
                .map(item -> new Output.SortKey(
                        builder.add("order by", item.expression()), item.descending(), item.nullsFirst()))
                .toList();
        return answer(builder.build(-1, new Output.Top(keys, List.of(), limit)));
    }

    /** The instructions of a condition. */
    List<Instruction> instructions(String where) {
        ProgramBuilder builder = new ProgramBuilder(Scope.of(schema));
        int filter = builder.addCondition("where", ExpressionParser.expression("where", where));
        return builder.build(filter, new Output.Project(List.of(filter), 1)).instructions();
    }

    /** The program goes through its bytes, as it would to a brick. */
    private List<String> answer(Program program) {
        Program shipped = ProgramCodec.decode(Unpooled.wrappedBuffer(ProgramCodec.encode(program)));
        RowEvaluator evaluator = new RowEvaluator(shipped);
        for (Stored row : rows) {
            evaluator.add(row.key(), row.value(), 7);
        }
        List<ValueType> types = shipped.tuple();
        return evaluator.drain().stream()
                .map(tuple -> String.join(
                        " | ",
                        IntStream.range(0, types.size())
                                .mapToObj(k -> shown(types.get(k), tuple.get(k)))
                                .toList()))
                .toList();
    }

    private static String shown(ValueType type, byte @Nullable [] stored) {
        if (stored == null) {
            return "null";
        }
        Object value = Values.decode(type, stored);
        return value instanceof byte[] bytes ? "x" + HexFormat.of().formatHex(bytes) : value.toString();
    }
}
