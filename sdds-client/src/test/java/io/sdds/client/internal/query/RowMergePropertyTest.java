package io.sdds.client.internal.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.sdds.client.QueryException;
import io.sdds.core.Seeds;
import io.sdds.core.query.Output;
import io.sdds.core.query.RowEvaluator;
import io.sdds.core.query.TupleCodec;
import io.sdds.core.query.ValueOrder;
import io.sdds.core.row.KeyEncoding;
import io.sdds.core.row.RowWriter;
import io.sdds.core.row.Schema;
import io.sdds.core.row.SchemaText;
import io.sdds.core.row.ValueType;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What the client merges of parts, against one evaluation of all rows. */
class RowMergePropertyTest {
    private static final Schema SCHEMA =
            SchemaText.parse("k bigint key, a integer, b decimal(10,2), c varchar, d double, e boolean");
    private static final List<String> TESTS =
            List.of("a > 0", "c like '%x%' or e", "b is not null", "d < 1.5 and not e");
    private static final List<String> GROUPS = List.of("a", "c", "a, e", "a % 3, b", "d");
    private static final List<String> AGGREGATES = List.of(
            "count(*)",
            "count(b)",
            "sum(a)",
            "sum(b) as s, avg(b)",
            "min(c)",
            "max(d)",
            "sum(d)",
            "max(k) - min(k)",
            "avg(a) + count(*)",
            "case when count(*) > 2 then max(c) end");
    private static final List<String> ORDERS =
            List.of("a", "a desc", "a nulls first", "b desc", "c nulls first", "d desc nulls last", "e, c desc");

    private record Entry(byte[] key, byte[] value) {}

    private static final int RUNS = Seeds.part(15_000);

    private final SplittableRandom random = Seeds.random("RowMergePropertyTest");

    private String one(List<String> of) {
        return of.get(random.nextInt(of.size()));
    }

    private List<Entry> rows() {
        KeyEncoding keys = KeyEncoding.of(SCHEMA);
        RowWriter writer = new RowWriter(SCHEMA);
        return IntStream.range(0, random.nextInt(120))
                .mapToObj(k -> new Entry(keys.encode((long) k), writer.write(new Object[] {
                    some(random.nextInt(-3, 6)),
                    some(BigDecimal.valueOf(random.nextInt(-200, 200), 2)),
                    some("x".repeat(random.nextInt(3)) + random.nextInt(3)),
                    some(random.nextInt(-8, 8) / 4.0),
                    some(random.nextBoolean())
                })))
                .toList();
    }

    private <T> T some(T value) {
        return random.nextInt(5) == 0 ? null : value;
    }

    private RowSpec query() {
        RowSpec text = RowSpec.of(List.of(), Long.MAX_VALUE);
        if (random.nextBoolean()) {
            text = text.withCondition(one(TESTS));
        }
        if (random.nextInt(3) == 0) {
            text = text.withSelect("k, b, a").withOrderBy(one(ORDERS) + ", k");
        } else {
            String keys = one(GROUPS);
            text = random.nextInt(4) == 0
                    ? text.withAggregate(one(AGGREGATES) + ", " + one(AGGREGATES))
                            .withOrderBy("count(*)")
                    : text.withGroupBy(keys)
                            .withAggregate(one(AGGREGATES) + ", " + one(AGGREGATES))
                            .withOrderBy(one(AGGREGATES).split(" as |, ")[0] + ", " + keys);
        }
        return random.nextBoolean() ? text.withLimit(1 + random.nextInt(9)) : text;
    }

    /** The answer of a part, as a brick gives it. */
    private static byte[] answer(CompiledQuery query, List<Entry> part) {
        return answer(query, part, null);
    }

    private static byte[] answer(CompiledQuery query, List<Entry> part, byte @Nullable [] bound) {
        RowEvaluator evaluator = new RowEvaluator(query.program());
        part.forEach(entry -> evaluator.add(entry.key(), entry.value(), 1));
        ByteBuf out = Unpooled.buffer();
        TupleCodec codec = new TupleCodec(query.program().tuple());
        evaluator.drain().stream()
                .filter(tuple -> bound == null || isBefore(query, tuple, bound))
                .forEach(tuple -> codec.write(tuple, out));
        byte[] bytes = new byte[out.readableBytes()];
        out.readBytes(bytes);
        return bytes;
    }

    private static boolean isBefore(CompiledQuery query, List<byte @Nullable []> tuple, byte[] bound) {
        Output.Top top = (Output.Top) query.program().output();
        List<ValueType> types = query.program().tuple();
        List<byte @Nullable []> last =
                new TupleCodec(types.subList(0, top.order().size())).read(Unpooled.wrappedBuffer(bound));
        return ValueOrder.of(top.order(), types).compare(tuple, last) < 0;
    }

    /** The records of a part, as a brick gives them that does not know programs. */
    private static byte[] records(List<Entry> part) {
        ByteBuf out = Unpooled.buffer();
        for (Entry entry : part) {
            out.writeShortLE(entry.key().length).writeIntLE(entry.value().length);
            out.writeBytes(entry.key()).writeBytes(entry.value());
        }
        byte[] bytes = new byte[out.readableBytes()];
        out.readBytes(bytes);
        return bytes;
    }

    private static List<String> texts(List<List<byte[]>> tuples) {
        return tuples.stream()
                .map(tuple -> tuple.stream()
                        .map(value -> value == null ? "-" : HexFormat.of().formatHex(value))
                        .toList()
                        .toString())
                .toList();
    }

    @Test
    void partsInAnyOrderGiveTheRowsOfOneEvaluation() {
        int merged = 0;
        long spared = 0;
        for (int run = 0; run < RUNS; run++) {
            List<Entry> rows = new ArrayList<>(rows());
            CompiledQuery query = QueryCompiler.rows(SCHEMA, null, query());
            RowMerge whole = new RowMerge(query, Long.MAX_VALUE);
            whole.add(new Tuples(Schema.NONE, query.program()).of(answer(query, rows), false));
            List<String> expected = texts(whole.rows());

            RowMerge parts = new RowMerge(query, Long.MAX_VALUE);
            Collections.shuffle(rows, new Random(random.nextLong()));
            byte[] bound = null;
            for (int from = 0; from < rows.size(); ) {
                int to = from + 1 + random.nextInt(rows.size() - from);
                boolean asRecords = random.nextInt(4) == 0;
                List<Entry> part = rows.subList(from, to);
                // A bound may be one of an earlier part, because requests are under way together.
                bound = random.nextInt(3) == 0 ? bound : parts.bound();
                byte[] block = asRecords ? records(part) : answer(query, part, bound);
                spared += asRecords ? 0 : answer(query, part).length - block.length;
                parts.add(new Tuples(Schema.NONE, query.program()).of(block, asRecords));
                from = to;
            }
            assertThat(texts(parts.rows())).isEqualTo(expected);
            merged += expected.size() > 1 ? 1 : 0;
        }
        assertThat(merged).isGreaterThan(RUNS / 3);
        assertThat(spared).isGreaterThan(RUNS / 3);
    }

    /** Checks that the test above can fail: a part that counts twice is seen. */
    @Test
    void aPartThatIsMergedTwiceChangesTheResult() {
        CompiledQuery query = QueryCompiler.rows(
                SCHEMA, null, RowSpec.of(List.of(), Long.MAX_VALUE).withAggregate("count(*)"));
        List<Entry> rows =
                List.of(new Entry(KeyEncoding.of(SCHEMA).encode(1L), new RowWriter(SCHEMA).write(new Object[5])));
        Tuples tuples = new Tuples(Schema.NONE, query.program());
        RowMerge once = new RowMerge(query, Long.MAX_VALUE);
        once.add(tuples.of(answer(query, rows), false));
        RowMerge twice = new RowMerge(query, Long.MAX_VALUE);
        twice.add(tuples.of(answer(query, rows), false));
        twice.add(tuples.of(answer(query, rows), false));
        assertThat(texts(twice.rows())).isNotEqualTo(texts(once.rows()));
    }

    @Test
    void groupsAndRowsBeyondTheMemoryEndTheQuery() {
        List<Entry> rows = IntStream.range(0, 100)
                .mapToObj(k -> new Entry(
                        KeyEncoding.of(SCHEMA).encode((long) k),
                        new RowWriter(SCHEMA).write(new Object[] {k, null, "text", null, null})))
                .toList();
        RowSpec all = RowSpec.of(List.of(), Long.MAX_VALUE);
        for (RowSpec text : List.of(all.withGroupBy("k").withAggregate("count(*)"), all.withOrderBy("k"))) {
            CompiledQuery query = QueryCompiler.rows(SCHEMA, null, text);
            RowMerge merge = new RowMerge(query, 4_000);
            assertThatThrownBy(() -> merge.add(new Tuples(Schema.NONE, query.program()).of(answer(query, rows), false)))
                    .isInstanceOf(QueryException.class)
                    .hasMessageContaining("MiB at the client");
        }
        CompiledQuery first =
                QueryCompiler.rows(SCHEMA, null, all.withOrderBy("k").withLimit(3));
        assertThat(first.program().output()).isInstanceOf(Output.Top.class);
        RowMerge merge = new RowMerge(first.limited(3), 4_000);
        merge.add(new Tuples(Schema.NONE, first.program()).of(answer(first, rows), false));
        assertThat(merge.rows()).hasSize(3);
    }

    @Test
    void aTextThatGrowsInMergesCounts() {
        CompiledQuery query = QueryCompiler.rows(
                SCHEMA,
                null,
                RowSpec.of(List.of(), Long.MAX_VALUE).withGroupBy("e").withAggregate("max(c)"));
        RowMerge merge = new RowMerge(query, 4_000);
        Tuples tuples = new Tuples(Schema.NONE, query.program());
        merge.add(tuples.of(answer(query, List.of(row("a"))), false));
        merge.add(tuples.of(answer(query, List.of(row("b".repeat(3_000)))), false));
        merge.add(tuples.of(answer(query, List.of(row("c"))), false)); // the longer text is gone
        merge.add(tuples.of(answer(query, List.of(row("d".repeat(3_000)))), false));
        List<Entry> longer = List.of(row("e".repeat(4_000)));
        assertThatThrownBy(() -> merge.add(tuples.of(answer(query, longer), false)))
                .isInstanceOf(QueryException.class)
                .hasMessageContaining("MiB at the client");
    }

    private static Entry row(String text) {
        return new Entry(
                KeyEncoding.of(SCHEMA).encode(1L),
                new RowWriter(SCHEMA).write(new Object[] {null, null, text, null, null}));
    }
}
