package io.sdds.bench.micro;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.sdds.brick.bucket.HashBucket;
import io.sdds.brick.memory.ArenaMemorySource;
import io.sdds.brick.memory.MemoryBudget;
import io.sdds.brick.memory.RecordBatch;
import io.sdds.brick.memory.RecordStore;
import io.sdds.brick.query.KeptProgram;
import io.sdds.brick.query.ProgramLoader;
import io.sdds.brick.query.ProgramRun;
import io.sdds.brick.query.Programs;
import io.sdds.brick.range.KeyRange;
import io.sdds.brick.range.RangeBucket;
import io.sdds.core.query.BloomFilter;
import io.sdds.core.query.Instruction;
import io.sdds.core.query.Op;
import io.sdds.core.query.Output;
import io.sdds.core.query.Output.AggregateFunction;
import io.sdds.core.query.Program;
import io.sdds.core.query.ProgramCodec;
import io.sdds.core.query.RowShape;
import io.sdds.core.row.RowLayout;
import io.sdds.core.row.ValueType;
import io.sdds.core.row.Values;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;

/**
 * Shipped programs over a million records of 100 bytes that were inserted in random order, one thread: keys of 16
 * bytes, and rows of four columns (integer, bigint, integer of a thousand values, text) of 84 bytes.
 */
public class ProgramBenchmark extends MicroBenchmark {
    private static final int RECORDS = 1_000_000;
    private static final int GROUPS = 1_000;
    private static final int LIST = 10_000;
    private static final int FILTERED = 700_000;
    private static final double FALSE_POSITIVES = 0.01;
    private static final int PERCENT = 100;
    private static final int VALUE_BYTES = 84;
    private static final int TEXT_BYTES = VALUE_BYTES - RowLayout.HEADER_BYTES - 16 - 1 - Short.BYTES;
    private static final int ANSWER_BYTES = 1 << 20;
    private static final int BATCH_BYTES = 64 << 10;
    private static final long LIMIT_BYTES = 16L << 30;
    private static final List<ValueType> COLUMNS =
            List.of(ValueType.INTEGER, ValueType.BIGINT, ValueType.INTEGER, ValueType.VARCHAR);

    /** The kind of table. */
    @Param({"range", "hash"})
    public String table = "range";

    private final Arena arena = Arena.ofShared();
    private final MemoryBudget budget = new MemoryBudget(LIMIT_BYTES);
    private final ArenaMemorySource source = new ArenaMemorySource(budget);
    private final RecordStore store = new RecordStore(source, budget);
    private final HashBucket hash = new HashBucket(store, 0);
    private final RangeBucket range = new RangeBucket(store);
    private final RecordBatch batch = new RecordBatch();
    private final KeyRange all = new KeyRange();
    private final Programs programs = new Programs(store, Unpooled::directBuffer);
    private final ByteBuf filterScan = encoded(new Program(
            shape(),
            List.of(column(0), constant(PERCENT), less(0, 1), key(), column(1)),
            2,
            new Output.Project(List.of(3, 4), Integer.MAX_VALUE)));
    private final ByteBuf filterCount = encoded(new Program(
            shape(),
            List.of(column(0), constant(PERCENT), less(0, 1)),
            2,
            new Output.Aggregate(List.of(), List.of(new Output.Aggregation(AggregateFunction.COUNT_ROWS, -1)))));
    private final ByteBuf textCount = encoded(new Program(
            shape(),
            List.of(
                    column(3),
                    new Instruction(
                            Op.CONSTANT,
                            ValueType.VARCHAR,
                            -1,
                            -1,
                            -1,
                            Collections.singletonList("zq".getBytes(StandardCharsets.UTF_8))),
                    new Instruction(Op.CONTAINS, ValueType.BOOLEAN, 0, 1, -1, List.of())),
            2,
            new Output.Aggregate(List.of(), List.of(new Output.Aggregation(AggregateFunction.COUNT_ROWS, -1)))));
    private final ByteBuf groupBy = encoded(new Program(
            shape(),
            List.of(column(1), column(2)),
            -1,
            new Output.Aggregate(
                    List.of(1),
                    List.of(
                            new Output.Aggregation(AggregateFunction.COUNT_ROWS, -1),
                            new Output.Aggregation(AggregateFunction.SUM, 0)))));

    private final KeptProgram inList = kept(new Instruction(Op.IN, ValueType.BOOLEAN, 0, -1, -1, list()));
    private final KeptProgram bloom = kept(new Instruction(Op.BLOOM, ValueType.BOOLEAN, 0, -1, -1, List.of(filter())));

    private static List<byte @Nullable []> list() {
        Random random = new Random(2);
        List<byte @Nullable []> list = new ArrayList<>();
        for (int k = 0; k < LIST; k++) {
            list.add(Values.encode(ValueType.BIGINT, random.nextLong(), null));
        }
        return list;
    }

    /** A filter of a mebibyte, of numbers that are not in the table. */
    private static byte[] filter() {
        BloomFilter filter = new BloomFilter(ValueType.BIGINT, FILTERED, FALSE_POSITIVES);
        Random random = new Random(3);
        for (int k = 0; k < FILTERED; k++) {
            filter.add(Values.encode(ValueType.BIGINT, random.nextLong(), null));
        }
        return filter.bytes();
    }

    /** Counts the records of which a test of their number is true. */
    private static KeptProgram kept(Instruction test) {
        ProgramLoader loader = new ProgramLoader(encoded(new Program(
                shape(),
                List.of(column(1), test),
                1,
                new Output.Aggregate(List.of(), List.of(new Output.Aggregation(AggregateFunction.COUNT_ROWS, -1))))));
        KeptProgram kept;
        do {
            kept = loader.advance(Integer.MAX_VALUE);
        } while (kept == null);
        return kept;
    }

    private static RowShape shape() {
        return new RowShape(List.of(), COLUMNS, Arrays.asList(null, null, null, null));
    }

    private static Instruction column(int number) {
        return new Instruction(Op.VALUE_COLUMN, COLUMNS.get(number), number, -1, -1, List.of());
    }

    private static Instruction key() {
        return new Instruction(Op.KEY, ValueType.VARBINARY, -1, -1, -1, List.of());
    }

    private static Instruction constant(int number) {
        byte[] stored = Values.encode(ValueType.INTEGER, number, null);
        return new Instruction(Op.CONSTANT, ValueType.INTEGER, -1, -1, -1, Collections.singletonList(stored));
    }

    private static Instruction less(int a, int b) {
        return new Instruction(Op.LESS, ValueType.BOOLEAN, a, b, -1, List.of());
    }

    private static ByteBuf encoded(Program program) {
        return Unpooled.wrappedBuffer(ProgramCodec.encode(program));
    }

    /** Fills the bucket. */
    @Setup(Level.Trial)
    public void fill() {
        KeySet keys = new KeySet(arena, 'k', RECORDS);
        RowLayout layout = new RowLayout(COLUMNS, Arrays.asList(null, null, null, null));
        byte[] row = new byte[VALUE_BYTES];
        MemorySegment value = arena.allocate(VALUE_BYTES);
        ByteBuffer bytes = ByteBuffer.wrap(row).order(ByteOrder.LITTLE_ENDIAN);
        Random random = new Random(1);
        for (int k = 0; k < RECORDS; k++) {
            bytes.clear();
            bytes.putLong(layout.header(COLUMNS.size(), false))
                    .putInt(random.nextInt(100 * PERCENT))
                    .putLong(random.nextLong())
                    .putInt(random.nextInt(GROUPS))
                    .put((byte) 0)
                    .putShort((short) TEXT_BYTES);
            for (int i = 0; i < TEXT_BYTES; i++) {
                bytes.put((byte) ('a' + random.nextInt(26)));
            }
            MemorySegment.copy(MemorySegment.ofArray(row), 0, value, 0, VALUE_BYTES);
            if (table.equals("range")) {
                range.put(keys.segment(), keys.offset(k), KeySet.KEY_BYTES, value, 0, VALUE_BYTES, k, false);
            } else {
                hash.put(
                        keys.hash(k),
                        keys.segment(),
                        keys.offset(k),
                        KeySet.KEY_BYTES,
                        value,
                        0,
                        VALUE_BYTES,
                        k,
                        false);
            }
        }
    }

    /** Gives the memory back. */
    @TearDown(Level.Trial)
    public void close() {
        programs.release();
        source.close();
        arena.close();
    }

    /** Key and a number of the one percent of the records whose integer is below a constant. */
    @Benchmark
    @OperationsPerInvocation(RECORDS)
    public long filterScan() {
        return run(filterScan);
    }

    /** Number of the records whose integer is below a constant. */
    @Benchmark
    @OperationsPerInvocation(RECORDS)
    public long filterCount() {
        return run(filterCount);
    }

    /** Number of the records whose text of 57 bytes contains two letters. */
    @Benchmark
    @OperationsPerInvocation(RECORDS)
    public long textCount() {
        return run(textCount);
    }

    /** Count and sum for each of a thousand groups. */
    @Benchmark
    @OperationsPerInvocation(RECORDS)
    public long groupBy() {
        return run(groupBy);
    }

    /** Number of the records whose number is in a list of ten thousand. */
    @Benchmark
    @OperationsPerInvocation(RECORDS)
    public long inList() {
        return run(() -> programs.begin(inList, null, ANSWER_BYTES, Integer.MAX_VALUE));
    }

    /** Number of the records whose number may be one of 700,000, by a Bloom filter with one percent of errors. */
    @Benchmark
    @OperationsPerInvocation(RECORDS)
    public long bloom() {
        return run(() -> programs.begin(bloom, null, ANSWER_BYTES, Integer.MAX_VALUE));
    }

    /** The batches alone: what a scan costs without a program. */
    @Benchmark
    @OperationsPerInvocation(RECORDS)
    public long batches() {
        return run((Supplier<ProgramRun>) null);
    }

    private long run(ByteBuf program) {
        return run(() -> programs.begin(program, null, ANSWER_BYTES, Integer.MAX_VALUE));
    }

    private long run(@Nullable Supplier<ProgramRun> begin) {
        long[] sum = new long[1];
        ProgramRun[] run = new ProgramRun[1];
        Runnable next = () -> {
            if (begin == null) {
                sum[0] += batch.size() + store.keyLength(batch.get(0));
                return;
            }
            if (run[0] == null) {
                run[0] = begin.get();
            }
            run[0].evaluate(batch, false, false);
            if (run[0].isFull()) {
                sum[0] += end(run);
            }
        };
        if (table.equals("range")) {
            range.begin(all, false);
            boolean more;
            do {
                more = range.next(batch, RecordBatch.RECORDS_MAX);
                next.run();
            } while (more);
        } else {
            long cursor = 0;
            do {
                cursor = hash.next(cursor, 0, BATCH_BYTES, batch);
                next.run();
            } while (cursor != 0);
        }
        return sum[0] + end(run);
    }

    private static long end(ProgramRun[] run) {
        ProgramRun ended = run[0];
        if (ended == null) {
            return 0;
        }
        long result = ended.matched() + ended.answer().readableBytes();
        ended.release();
        run[0] = null;
        return result;
    }
}
