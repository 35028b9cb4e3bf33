package io.sdds.core.query;

import static org.assertj.core.api.Assertions.assertThat;

import io.sdds.core.Seeds;
import io.sdds.core.query.Output.AggregateFunction;
import io.sdds.core.row.Column;
import io.sdds.core.row.RowWriter;
import io.sdds.core.row.Schema;
import io.sdds.core.row.ValueType;
import io.sdds.core.row.ValueType.Kind;
import io.sdds.core.row.Values;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Outputs against lists and maps of plain Java, and the merge of partial answers against one answer. */
class RowEvaluatorPropertyTest {
    private static final int RUNS = 2_000;

    private final SplittableRandom random = Seeds.random("RowEvaluatorPropertyTest");
    private final RandomPrograms programs = new RandomPrograms(random);

    /** A program on the columns of the value, and the rows. */
    private record Case(Program program, List<byte[]> rows) {}

    private Case draw() {
        RowShape all = programs.shape();
        RowShape shape = new RowShape(List.of(), all.values(), all.defaults());
        List<Column> columns = new ArrayList<>();
        shape.values()
                .forEach(type ->
                        columns.add(new Column("c" + columns.size(), type, false, false, false, new byte[0], false)));
        RowWriter writer = new RowWriter(new Schema(1, columns));
        List<byte[]> rows = new ArrayList<>();
        for (int k = random.nextInt(30); k > 0; k--) {
            rows.add(writer.write(shape.values().stream()
                    .map(type -> decoded(type, programs.value(type)))
                    .toArray()));
        }
        return new Case(programs.program(shape), rows);
    }

    private static @Nullable Object decoded(ValueType type, byte @Nullable [] stored) {
        return stored == null ? null : Values.decode(type, stored);
    }

    private static List<List<byte @Nullable []>> answer(Program program, List<byte[]> rows) {
        RowEvaluator evaluator = new RowEvaluator(program);
        rows.forEach(row -> evaluator.add(new byte[] {1}, row, 5));
        return evaluator.drain();
    }

    private static String text(List<byte @Nullable []> tuple) {
        return tuple.stream()
                .map(value -> value == null ? "null" : HexFormat.of().formatHex(value))
                .toList()
                .toString();
    }

    @Test
    void answersWhatListsAndMapsGive() {
        int answers = 0;
        for (int run = 0; run < RUNS; run++) {
            Case drawn = draw();
            List<String> expected;
            try {
                expected = expected(drawn);
            } catch (EvaluationFailure | ArithmeticException e) {
                continue;
            }
            assertThat(answer(drawn.program(), drawn.rows()).stream().map(RowEvaluatorPropertyTest::text))
                    .as("%s", drawn.program())
                    .containsExactlyElementsOf(expected);
            answers++;
        }
        assertThat(answers).isGreaterThan(RUNS / 2);
    }

    private static List<String> expected(Case drawn) {
        Program program = drawn.program();
        Evaluation evaluation = new Evaluation(program);
        List<List<byte @Nullable []>> passed = new ArrayList<>();
        List<Integer> all =
                IntStream.range(0, program.instructions().size()).boxed().toList();
        List<Integer> used = used(program.output());
        for (byte[] row : drawn.rows()) {
            evaluation.begin(new byte[] {1}, row, 5);
            if (evaluation.passes()) {
                List<byte @Nullable []> values = new ArrayList<>();
                all.forEach(k -> values.add(used.contains(k) ? evaluation.value(k) : null));
                passed.add(values);
            }
        }
        if (program.output() instanceof Output.Project project) {
            return passed.stream()
                    .limit(project.limit())
                    .map(row -> text(pick(row, project.columns())))
                    .toList();
        }
        if (program.output() instanceof Output.Top top) {
            return top(program, top, passed);
        }
        return groups(program, (Output.Aggregate) program.output(), passed);
    }

    private static List<Integer> used(Output output) {
        List<Integer> used = new ArrayList<>();
        if (output instanceof Output.Project project) {
            used.addAll(project.columns());
        } else if (output instanceof Output.Top top) {
            used.addAll(top.columns());
            top.order().forEach(key -> used.add(key.value()));
        } else if (output instanceof Output.Aggregate aggregate) {
            used.addAll(aggregate.keys());
            aggregate.aggregations().forEach(aggregation -> used.add(aggregation.operand()));
        }
        return used;
    }

    private static List<byte @Nullable []> pick(List<byte @Nullable []> row, List<Integer> columns) {
        List<byte @Nullable []> picked = new ArrayList<>();
        columns.forEach(column -> picked.add(row.get(column)));
        return picked;
    }

    private static List<String> top(Program program, Output.Top top, List<List<byte @Nullable []>> rows) {
        Comparator<List<byte @Nullable []>> order = Comparator.comparing(row -> 0);
        for (Output.SortKey key : top.order()) {
            ValueType type = program.instructions().get(key.value()).type();
            Comparator<byte[]> values = (one, other) -> ValueOrder.compare(type, one, other);
            values = key.descending() ? values.reversed() : values;
            values = key.nullsFirst() ? Comparator.nullsFirst(values) : Comparator.nullsLast(values);
            order = order.thenComparing(row -> row.get(key.value()), values);
        }
        List<Integer> columns =
                new ArrayList<>(top.order().stream().map(Output.SortKey::value).toList());
        columns.addAll(top.columns());
        return rows.stream()
                .sorted(order)
                .limit(top.limit())
                .map(row -> text(pick(row, columns)))
                .toList();
    }

    private static List<String> groups(
            Program program, Output.Aggregate aggregate, List<List<byte @Nullable []>> rows) {
        Map<String, List<List<byte @Nullable []>>> groups = new LinkedHashMap<>();
        if (aggregate.keys().isEmpty()) {
            groups.put("[]", new ArrayList<>());
        }
        rows.forEach(row -> groups.computeIfAbsent(text(pick(row, aggregate.keys())), key -> new ArrayList<>())
                .add(row));
        List<String> tuples = new ArrayList<>();
        groups.forEach((key, members) -> {
            List<byte @Nullable []> tuple =
                    members.isEmpty() ? new ArrayList<>() : pick(members.get(0), aggregate.keys());
            aggregate.aggregations().forEach(aggregation -> tuple.add(state(program, aggregation, members)));
            tuples.add(text(tuple));
        });
        return tuples;
    }

    private static byte @Nullable [] state(
            Program program, Output.Aggregation aggregation, List<List<byte @Nullable []>> members) {
        if (aggregation.function() == AggregateFunction.COUNT_ROWS) {
            return Values.encode(ValueType.BIGINT, (long) members.size(), null);
        }
        ValueType type = program.instructions().get(aggregation.operand()).type();
        List<byte[]> operands = members.stream()
                .map(row -> row.get(aggregation.operand()))
                .filter(Objects::nonNull)
                .toList();
        Comparator<byte[]> order = (one, other) -> ValueOrder.compare(type, one, other);
        return switch (aggregation.function()) {
            case COUNT -> Values.encode(ValueType.BIGINT, (long) operands.size(), null);
            case MIN -> operands.stream().min(order).orElse(null);
            case MAX -> operands.stream().max(order).orElse(null);
            default -> operands.isEmpty() ? null : sum(type, operands);
        };
    }

    private static byte[] sum(ValueType type, List<byte[]> operands) {
        if (type.kind() == Kind.DOUBLE) {
            double sum = 0;
            for (byte[] operand : operands) {
                double before = sum;
                double value = (Double) Values.decode(type, operand);
                sum += value;
                if (Double.isInfinite(sum) && Double.isFinite(before) && Double.isFinite(value)) {
                    throw new ArithmeticException("overflow");
                }
            }
            return Values.encode(type, sum, null);
        }
        BigDecimal sum = BigDecimal.ZERO.setScale(type.scale());
        for (byte[] operand : operands) {
            sum = sum.add(new BigDecimal(Values.decode(type, operand).toString()));
            if (sum.unscaledValue().bitLength() > 127) {
                throw new ArithmeticException("overflow");
            }
        }
        return Int128.write(sum.unscaledValue());
    }

    @Test
    void partialAnswersMergeToTheWholeAnswer() {
        int answers = 0;
        for (int run = 0; run < RUNS; run++) {
            Case drawn = draw();
            // A sum of doubles depends on the order in which they are added
            if (!sumsDoubles(drawn.program()) && !(drawn.program().output() instanceof Output.Project)) {
                answers += mergesToTheWhole(drawn) ? 1 : 0;
            }
        }
        assertThat(answers).isGreaterThan(RUNS / 5);
    }

    private static boolean sumsDoubles(Program program) {
        return program.output() instanceof Output.Aggregate aggregate
                && aggregate.aggregations().stream()
                        .anyMatch(aggregation -> aggregation.function() == AggregateFunction.SUM
                                && program.instructions()
                                                .get(aggregation.operand())
                                                .type()
                                                .kind()
                                        == Kind.DOUBLE);
    }

    private boolean mergesToTheWhole(Case drawn) {
        Program program = drawn.program();
        List<List<byte @Nullable []>> partials = new ArrayList<>();
        List<List<byte @Nullable []>> whole;
        try {
            int from = 0;
            while (from <= drawn.rows().size()) {
                int to = Math.min(drawn.rows().size(), from + random.nextInt(10));
                partials.addAll(answer(program, drawn.rows().subList(from, to)));
                from = to == drawn.rows().size() ? to + 1 : to;
            }
            whole = answer(program, drawn.rows());
        } catch (EvaluationFailure e) {
            return false;
        }
        List<String> merged;
        if (program.output() instanceof Output.Top top) {
            merged = partials.stream()
                    .sorted(ValueOrder.of(top.order(), program.tuple()))
                    .limit(top.limit())
                    .map(RowEvaluatorPropertyTest::text)
                    .toList();
            assertThat(whole.stream().map(RowEvaluatorPropertyTest::text)).isEqualTo(merged);
        } else {
            merged = mergedGroups(program, (Output.Aggregate) program.output(), partials);
            assertThat(whole.stream().map(RowEvaluatorPropertyTest::text)).containsExactlyInAnyOrderElementsOf(merged);
        }
        return true;
    }

    private static List<String> mergedGroups(
            Program program, Output.Aggregate aggregate, List<List<byte @Nullable []>> partials) {
        int keys = aggregate.keys().size();
        Map<String, List<byte @Nullable []>> groups = new TreeMap<>();
        for (List<byte @Nullable []> partial : partials) {
            List<byte @Nullable []> group = groups.putIfAbsent(text(partial.subList(0, keys)), partial);
            for (int k = keys; group != null && k < partial.size(); k++) {
                AggregateFunction function =
                        aggregate.aggregations().get(k - keys).function();
                group.set(k, AggregateStates.merge(function, program.tuple().get(k), group.get(k), partial.get(k)));
            }
        }
        return groups.values().stream().map(RowEvaluatorPropertyTest::text).toList();
    }
}
