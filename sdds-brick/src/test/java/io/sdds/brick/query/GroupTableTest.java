package io.sdds.brick.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.sdds.brick.memory.ArenaMemorySource;
import io.sdds.brick.memory.MemoryBudget;
import io.sdds.brick.memory.RecordBatch;
import io.sdds.brick.memory.RecordStore;
import io.sdds.brick.range.KeyRange;
import io.sdds.brick.range.RangeBucket;
import io.sdds.core.query.Instruction;
import io.sdds.core.query.Op;
import io.sdds.core.query.Output;
import io.sdds.core.query.Output.AggregateFunction;
import io.sdds.core.query.Output.Aggregation;
import io.sdds.core.query.Program;
import io.sdds.core.query.ProgramCodec;
import io.sdds.core.query.RowShape;
import io.sdds.core.query.TupleCodec;
import io.sdds.core.row.KeyEncoding;
import io.sdds.core.row.RowWriter;
import io.sdds.core.row.Schema;
import io.sdds.core.row.SchemaText;
import io.sdds.core.row.ValueType;
import io.sdds.core.row.Values;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Groups whose key is one number, which a table finds without encoding the key. */
class GroupTableTest {
    private static final Schema SCHEMA = SchemaText.parse("k bigint key, a bigint");
    private static final Instruction COLUMN = new Instruction(Op.VALUE_COLUMN, ValueType.BIGINT, 0, -1, -1, List.of());
    private static final Output COUNTS =
            new Output.Aggregate(List.of(0), List.of(new Aggregation(AggregateFunction.COUNT_ROWS, -1)));

    private final MemoryBudget budget = new MemoryBudget(64 << 20);
    private final ArenaMemorySource source = new ArenaMemorySource(budget);
    private final RecordStore store = new RecordStore(source, budget);
    private final RangeBucket bucket = new RangeBucket(store);
    private final Programs programs = new Programs(store, Unpooled::directBuffer);
    private long rows;

    @AfterEach
    void close() {
        programs.release();
        source.close();
    }

    private void add(@Nullable Long value) {
        byte[] key = KeyEncoding.of(SCHEMA).encode(rows++);
        byte[] row = new RowWriter(SCHEMA).write(new Object[] {value});
        bucket.put(MemorySegment.ofArray(key), 0, key.length, MemorySegment.ofArray(row), 0, row.length, rows, false);
    }

    private Map<String, Long> counts(Program program) {
        ProgramRun run = programs.begin(Unpooled.wrappedBuffer(ProgramCodec.encode(program)), null, 1 << 20, 1 << 20);
        try {
            bucket.begin(new KeyRange().toLast(), false);
            RecordBatch batch = new RecordBatch();
            boolean more;
            do {
                more = bucket.next(batch, RecordBatch.RECORDS_MAX);
                assertThat(run.evaluate(batch, true, true)).isEqualTo(batch.size());
            } while (more);
            ByteBuf answer = run.answer();
            TupleCodec codec = new TupleCodec(program.tuple());
            Map<String, Long> counts = new HashMap<>();
            while (answer.isReadable()) {
                List<byte @Nullable []> tuple = codec.read(answer);
                byte[] key = tuple.get(0);
                byte[] count = tuple.get(1);
                counts.put(
                        key == null ? "NULL" : String.valueOf(Values.decode(ValueType.BIGINT, key)),
                        count == null ? -1 : (Long) Values.decode(ValueType.BIGINT, count));
            }
            return counts;
        } finally {
            run.release();
        }
    }

    private static Program program(Instruction... instructions) {
        return program(List.of(instructions), COUNTS);
    }

    private static Program program(List<Instruction> instructions, Output output) {
        RowShape shape = new RowShape(List.of(), List.of(ValueType.BIGINT), Collections.singletonList(null));
        return new Program(shape, instructions, -1, output);
    }

    @Test
    void nullAndZeroAreGroupsOfTheirOwnAlsoWhenTheTableGrows() {
        add(null);
        add(0L);
        Map<String, Long> expected = new HashMap<>(Map.of("NULL", 2L, "0", 3L));
        for (long value : new long[] {Long.MIN_VALUE, Long.MAX_VALUE, -1, 1L << 32, 1L << 33}) {
            add(value);
            expected.put(String.valueOf(value), 1L);
        }
        for (long k = 1; k <= 1_000; k++) {
            add(k);
            expected.put(String.valueOf(k), 1L);
        }
        add(0L);
        add(null);
        add(0L);
        assertThat(counts(program(COLUMN))).isEqualTo(expected);
    }

    @Test
    void nullComesFirstBehindOtherGroups() {
        add(0L);
        add(null);
        add(0L);
        assertThat(counts(program(COLUMN))).isEqualTo(Map.of("0", 2L, "NULL", 1L));
    }

    @Test
    void aKeyThatIsAnErrorFailsAlsoBehindARowWithNull() {
        add(null);
        add(0L);
        Instruction ten = new Instruction(
                Op.CONSTANT, ValueType.BIGINT, -1, -1, -1, Arrays.asList(Values.encode(ValueType.BIGINT, 10L, null)));
        Instruction divided = new Instruction(Op.DIVIDE, ValueType.BIGINT, 1, 0, -1, List.of());
        Output output = new Output.Aggregate(List.of(2), List.of(new Aggregation(AggregateFunction.COUNT_ROWS, -1)));
        assertThatThrownBy(() -> counts(program(List.of(COLUMN, ten, divided), output)))
                .isInstanceOf(QueryFailure.class)
                .hasMessageContaining("division by zero");
    }
}
