package io.sdds.brick.query;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.sdds.brick.memory.ArenaMemorySource;
import io.sdds.brick.memory.MemoryBudget;
import io.sdds.brick.memory.PoisoningMemorySource;
import io.sdds.brick.memory.RecordBatch;
import io.sdds.brick.memory.RecordStore;
import io.sdds.brick.range.KeyRange;
import io.sdds.brick.range.RangeBucket;
import io.sdds.core.Seeds;
import io.sdds.core.query.EvaluationError;
import io.sdds.core.query.EvaluationFailure;
import io.sdds.core.query.Instruction;
import io.sdds.core.query.Op;
import io.sdds.core.query.Output;
import io.sdds.core.query.Program;
import io.sdds.core.query.ProgramCodec;
import io.sdds.core.query.RandomPrograms;
import io.sdds.core.query.RowEvaluator;
import io.sdds.core.query.RowShape;
import io.sdds.core.query.TupleCodec;
import io.sdds.core.query.ValueOrder;
import io.sdds.core.row.KeyEncoding;
import io.sdds.core.row.RowLayout;
import io.sdds.core.row.ValueType;
import io.sdds.core.row.Values;
import java.io.ByteArrayOutputStream;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Random programs on random records: batches give what the evaluation row by row gives, with the same errors. */
class ProgramPropertyTest {
    private static final int RUNS = 20;
    private static final int CASES = 60;

    private final Set<Op> seen = EnumSet.noneOf(Op.class);
    private int answers;
    private int failures;
    private int bounds;

    /** Rows that were not answered because of a bound. */
    private int bounded;

    @Test
    void batchesGiveWhatRowsGive() {
        for (int run = 0; run < RUNS; run++) {
            long seed = Seeds.next("ProgramPropertyTest.batchesGiveWhatRowsGive", run);
            SplittableRandom random = new SplittableRandom(seed);
            for (int k = 0; k < CASES; k++) {
                try (Case one = new Case(random.split())) {
                    one.check();
                } catch (RuntimeException | AssertionError e) {
                    throw new AssertionError("seed " + seed + ", case " + k, e);
                }
            }
        }
        assertThat(seen).containsAll(EnumSet.complementOf(EnumSet.of(Op.UNKNOWN)));
        assertThat(answers).isGreaterThan(RUNS * CASES);
        assertThat(failures).isGreaterThan(RUNS);
        assertThat(bounds).isGreaterThan(RUNS);
        assertThat(bounded).isGreaterThan(RUNS);
    }

    private final class Case implements AutoCloseable {
        private final SplittableRandom random;
        private final RandomPrograms programs;
        private final MemoryBudget budget = new MemoryBudget(64 << 20);
        private final ArenaMemorySource source = new ArenaMemorySource(budget);
        private final RecordStore store = new RecordStore(new PoisoningMemorySource(source), budget);
        private final RangeBucket bucket = new RangeBucket(store);
        private final Programs evaluator = new Programs(store, Unpooled::directBuffer);
        private final TreeMap<byte[], byte[]> records = new TreeMap<>(Arrays::compareUnsigned);
        private final RowShape shape;
        private final RowLayout layout;

        Case(SplittableRandom random) {
            this.random = random;
            this.programs = new RandomPrograms(random);
            this.shape = programs.shape();
            this.layout = new RowLayout(shape.values(), shape.defaults());
        }

        void check() {
            int count = random.nextInt(4) == 0 ? random.nextInt(700) : random.nextInt(40);
            for (int k = 0; k < count; k++) {
                records.put(key(), value());
            }
            records.forEach((key, value) -> bucket.put(
                    MemorySegment.ofArray(key),
                    0,
                    key.length,
                    MemorySegment.ofArray(value),
                    0,
                    value.length,
                    version(key),
                    false));
            for (int k = 0; k < 3; k++) {
                check(programs.program(shape));
            }
        }

        private long version(byte[] key) {
            return Arrays.hashCode(key);
        }

        private byte[] key() {
            if (shape.keys().isEmpty() || random.nextInt(200) == 0) {
                byte[] key = new byte[1 + random.nextInt(4)];
                for (int k = 0; k < key.length; k++) {
                    key[k] = (byte) (random.nextInt(2) == 0 ? random.nextInt(256) : 'a' + random.nextInt(3));
                }
                return key;
            }
            Object[] columns = shape.keys().stream()
                    .map(type -> Values.decode(type, programs.present(type)))
                    .toArray();
            byte[] key = new KeyEncoding(shape.keys()).encode(columns);
            return key.length == 0 ? new byte[] {'x'} : key;
        }

        private byte[] value() {
            if (shape.values().isEmpty()) {
                return programs.present(ValueType.VARBINARY);
            }
            int columns = random.nextInt(4) == 0
                    ? random.nextInt(shape.values().size() + 1)
                    : shape.values().size();
            int more = random.nextInt(10) == 0 ? 1 + random.nextInt(9) : 0;
            byte[] row = row(columns, columns < shape.values().size() ? 0 : more, random.nextInt(10) == 0);
            return random.nextInt(300) == 0 ? Arrays.copyOf(row, random.nextInt(row.length + 4)) : row;
        }

        /** @param more columns behind those of the shape, as a client with a later schema writes them */
        private byte[] row(int columns, int more, boolean wide) {
            int laterFixed = random.nextInt(more + 1);
            long header = layout.header(columns, wide)
                    + ((long) more << 16)
                    + ((long) laterFixed * Integer.BYTES << 32)
                    + ((long) (more - laterFixed) << 48);
            ByteArrayOutputStream fixed = new ByteArrayOutputStream();
            ByteArrayOutputStream variable = new ByteArrayOutputStream();
            ByteBuffer ends =
                    ByteBuffer.allocate(Integer.BYTES * (columns + more)).order(ByteOrder.LITTLE_ENDIAN);
            byte[] nulls = new byte[(columns + more + 7) / 8];
            for (int k = 0; k < columns + more; k++) {
                ValueType type = k < columns
                        ? shape.values().get(k)
                        : k < columns + laterFixed ? ValueType.INTEGER : ValueType.VARCHAR;
                boolean isIllFormed = type.kind() == ValueType.Kind.VARCHAR && random.nextInt(100) == 0;
                byte[] stored = isIllFormed ? new byte[] {'a', (byte) 0xc3} : programs.value(type);
                if (stored == null) {
                    nulls[k / 8] |= (byte) (1 << k % 8);
                    stored = new byte[type.bytes()];
                }
                if (type.bytes() == 0) {
                    variable.writeBytes(stored);
                    if (wide) {
                        ends.putInt(variable.size());
                    } else {
                        ends.putShort((short) variable.size());
                    }
                } else {
                    fixed.writeBytes(stored);
                }
            }
            return ByteBuffer.allocate(8 + fixed.size() + nulls.length + ends.position() + variable.size())
                    .order(ByteOrder.LITTLE_ENDIAN)
                    .putLong(header)
                    .put(fixed.toByteArray())
                    .put(nulls)
                    .put(ends.array(), 0, ends.position())
                    .put(variable.toByteArray())
                    .array();
        }

        private void check(Program program) {
            program.instructions().stream().map(Instruction::op).forEach(seen::add);
            ByteBuf encoded = Unpooled.wrappedBuffer(ProgramCodec.encode(program));
            List<byte @Nullable []> bound = random.nextBoolean() ? bound(program) : null;
            bounds += bound == null ? 0 : 1;
            int bytesMax = random.nextInt(3) == 0 ? 1 + random.nextInt(300) : 1 << 20;
            boolean mayEndInside = random.nextBoolean();
            List<byte[]> keys = List.copyOf(records.keySet());
            int from = 0;
            do {
                int covered;
                try {
                    covered = answer(program, encoded, bound, bytesMax, mayEndInside, keys, from);
                } catch (QueryFailure e) {
                    failures++;
                    checkFailure(program, keys, from, e);
                    return;
                }
                answers++;
                assertThat(covered > from || keys.isEmpty()).isTrue();
                from = covered;
            } while (from < keys.size());
        }

        /** The order of some row of a TOP, or of one that it would answer with a larger limit; null: none. */
        private @Nullable List<byte @Nullable []> bound(Program program) {
            if (!(program.output() instanceof Output.Top top)) {
                return null;
            }
            Output all = new Output.Top(top.order(), top.columns(), Program.TOP_ROWS_MAX);
            RowEvaluator rows =
                    new RowEvaluator(new Program(program.shape(), program.instructions(), program.filter(), all));
            for (byte[] key : records.keySet()) {
                try {
                    add(rows, key);
                } catch (EvaluationFailure e) {
                    continue; // The rows without errors have orders, too.
                }
            }
            List<List<byte @Nullable []>> tuples = rows.drain();
            return tuples.isEmpty()
                    ? null
                    : tuples.get(random.nextInt(tuples.size()))
                            .subList(0, top.order().size());
        }

        /** Evaluates one interval; returns the number of the key behind it. */
        private int answer(
                Program program,
                ByteBuf encoded,
                @Nullable List<byte @Nullable []> bound,
                int bytesMax,
                boolean mayEndInside,
                List<byte[]> keys,
                int from) {
            ByteBuf encodedBound = bound == null
                    ? null
                    : Unpooled.wrappedBuffer(new TupleCodec(program.tuple().subList(0, bound.size())).encode(bound));
            ProgramRun run = evaluator.begin(encoded, encodedBound, bytesMax, Integer.MAX_VALUE);
            try {
                int covered = run(run, mayEndInside, keys, from);
                List<String> expected = expected(program, bound, keys, from, covered, run);
                assertThat(tuples(program, run.answer())).as("%s", program).isEqualTo(expected);
                return covered;
            } finally {
                run.release();
            }
        }

        private int run(ProgramRun run, boolean mayEndInside, List<byte[]> keys, int from) {
            KeyRange range = new KeyRange().toLast();
            if (from < keys.size()) {
                range.from(MemorySegment.ofArray(keys.get(from)), 0, keys.get(from).length, true);
            }
            if (keys.isEmpty()) {
                return 0;
            }
            bucket.begin(range, false);
            RecordBatch batch = new RecordBatch();
            int covered = from;
            boolean more;
            do {
                more = bucket.next(batch, 1 + random.nextInt(RecordBatch.RECORDS_MAX));
                int taken = run.evaluate(batch, mayEndInside, covered > from);
                covered += taken;
                if (taken < batch.size()) {
                    return covered;
                }
            } while (more && !run.isFull());
            return covered;
        }

        private List<String> expected(
                Program program,
                @Nullable List<byte @Nullable []> bound,
                List<byte[]> keys,
                int from,
                int to,
                ProgramRun run) {
            RowEvaluator rows = new RowEvaluator(program);
            long matched = 0;
            int limit = program.output() instanceof Output.Project project ? project.limit() : Integer.MAX_VALUE;
            for (int k = from; k < to && matched < limit; k++) {
                matched += add(rows, keys.get(k)) ? 1 : 0;
            }
            assertThat(run.matched()).isEqualTo(matched);
            List<List<byte @Nullable []>> tuples = rows.drain();
            if (bound != null && program.output() instanceof Output.Top top) {
                Comparator<List<byte @Nullable []>> order = ValueOrder.of(top.order(), program.tuple());
                int before = tuples.size();
                tuples.removeIf(tuple -> order.compare(tuple, bound) >= 0);
                bounded += before - tuples.size();
            }
            return tuples.stream().map(Case::text).toList();
        }

        private boolean add(RowEvaluator rows, byte[] key) {
            return rows.add(key, records.get(key), version(key));
        }

        private void checkFailure(Program program, List<byte[]> keys, int from, QueryFailure failure) {
            RowEvaluator rows = new RowEvaluator(program);
            for (int k = from; k < keys.size(); k++) {
                try {
                    add(rows, keys.get(k));
                } catch (EvaluationFailure e) {
                    // A sum overflows when the values of its batch have been read.
                    boolean exact = e.error() != EvaluationError.OVERFLOW
                            && !String.valueOf(failure.getMessage()).startsWith(EvaluationError.OVERFLOW.text());
                    if (exact || !(program.output() instanceof Output.Aggregate)) {
                        assertThat(failure).hasMessage(e.error().text() + " at key " + ProgramRun.text(keys.get(k)));
                    }
                    return;
                }
            }
            throw new AssertionError("no row has the error", failure);
        }

        private List<String> tuples(Program program, ByteBuf answer) {
            TupleCodec codec = new TupleCodec(program.tuple());
            List<String> tuples = new ArrayList<>();
            while (answer.isReadable()) {
                tuples.add(text(codec.read(answer)));
            }
            return tuples;
        }

        private static String text(List<byte @Nullable []> tuple) {
            StringBuilder text = new StringBuilder();
            for (byte[] value : tuple) {
                text.append(value == null ? "NULL" : HexFormat.of().formatHex(value))
                        .append(' ');
            }
            return text.toString();
        }

        @Override
        public void close() {
            evaluator.release();
            source.close();
        }
    }
}
