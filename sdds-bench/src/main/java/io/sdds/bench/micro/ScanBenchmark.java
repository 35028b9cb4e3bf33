package io.sdds.bench.micro;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.sdds.brick.bucket.HashBucket;
import io.sdds.brick.memory.ArenaMemorySource;
import io.sdds.brick.memory.ByteSearch;
import io.sdds.brick.memory.MemoryBudget;
import io.sdds.brick.memory.RecordBatch;
import io.sdds.brick.memory.RecordStore;
import io.sdds.brick.query.ProgramRun;
import io.sdds.brick.query.Programs;
import io.sdds.brick.range.KeyRange;
import io.sdds.brick.range.RangeBucket;
import io.sdds.brick.scan.FilterMatcher;
import io.sdds.client.internal.query.FilterProgram;
import io.sdds.client.internal.query.lang.FilterParser;
import io.sdds.core.query.ProgramCodec;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;

/**
 * Scans of a million records of 100 bytes (16-byte keys, 84-byte values of random letters), inserted in random order,
 * that count the records that pass a filter, one thread. One record in a hundred passes. An operation is one record.
 */
public class ScanBenchmark extends MicroBenchmark {

    private static final int RECORDS = 1_000_000;
    private static final int VALUE_BYTES = 84;
    private static final int PASSES_ONE_IN = 100;
    private static final String SOUGHT = "sought";
    private static final long BATCH_BYTES = 64 << 10;

    /** The filter tests nothing, the beginning of the value, a part of the value, or three parts and the key. */
    @Param({"everything", "prefix", "contains", "combined"})
    public String filter = "";

    private final Arena arena = Arena.ofShared();
    private final MemoryBudget budget = new MemoryBudget(4L << 30);
    private final ArenaMemorySource source = new ArenaMemorySource(budget);
    private final RecordStore store = new RecordStore(source, budget);
    private final HashBucket hash = new HashBucket(store, 0);
    private final RangeBucket range = new RangeBucket(store);
    private final RecordBatch batch = new RecordBatch();
    private final Programs programs = new Programs(store, Unpooled::directBuffer);

    @SuppressWarnings("NullAway.Init")
    private FilterMatcher matcher;

    @SuppressWarnings("NullAway.Init")
    private ByteBuf program;

    /** Fills both buckets with the same records. */
    @Setup(Level.Trial)
    public void fill() {
        KeySet keys = new KeySet(arena, 'k', RECORDS);
        Random random = new Random(1);
        for (int i = 0; i < RECORDS; i++) {
            MemorySegment value = MemorySegment.ofArray(value(random, i));
            MemorySegment segment = keys.segment();
            long at = keys.offset(i);
            hash.put(keys.hash(i), segment, at, KeySet.KEY_BYTES, value, 0, VALUE_BYTES, i, false);
            range.put(segment, at, KeySet.KEY_BYTES, value, 0, VALUE_BYTES, i, false);
        }
        program = Unpooled.wrappedBuffer(FilterProgram.encode(FilterParser.parse(text(filter))));
        matcher = FilterMatcher.of(ProgramCodec.decode(program.slice()), new ByteSearch());
    }

    private byte[] value(Random random, int index) {
        byte[] value = new byte[VALUE_BYTES];
        for (int i = 0; i < VALUE_BYTES; i++) {
            value[i] = (byte) ('a' + random.nextInt(26));
        }
        if (index % PASSES_ONE_IN == 0) {
            byte[] sought = SOUGHT.getBytes(StandardCharsets.US_ASCII);
            int at = filter.equals("prefix") ? 0 : random.nextInt(VALUE_BYTES - sought.length);
            System.arraycopy(sought, 0, value, at, sought.length);
        }
        return value;
    }

    private static String text(String name) {
        return switch (name) {
            case "everything" -> "true";
            case "prefix", "contains" -> "value " + name + " '" + SOUGHT + "'";
            default ->
                "(value contains '" + SOUGHT + "' or value prefix 'zzzz' or value contains 'lookedfor')"
                        + " and key prefix 'k'";
        };
    }

    /** Gives the memory back. */
    @TearDown(Level.Trial)
    public void close() {
        programs.release();
        source.close();
        arena.close();
    }

    /** Scans a hash bucket. */
    @Benchmark
    @OperationsPerInvocation(RECORDS)
    public long hashScan() {
        long matched = 0;
        long cursor = 0;
        do {
            cursor = hash.next(cursor, 0, BATCH_BYTES, batch);
            matched += matched();
        } while (cursor != 0);
        return matched;
    }

    /** The same as a query that counts: the same program, evaluated as any other. */
    @Benchmark
    @OperationsPerInvocation(RECORDS)
    public long hashQuery() {
        ProgramRun run = programs.begin(program, null, Integer.MAX_VALUE, Integer.MAX_VALUE);
        long cursor = 0;
        do {
            cursor = hash.next(cursor, 0, BATCH_BYTES, batch);
            run.evaluate(batch, false, false);
        } while (cursor != 0);
        long matched = run.matched();
        run.release();
        return matched;
    }

    /** Walks over a range bucket in the order of keys. */
    @Benchmark
    @OperationsPerInvocation(RECORDS)
    public long rangeWalk() {
        long matched = 0;
        range.begin(new KeyRange(), false);
        boolean more;
        do {
            more = range.next(batch, RecordBatch.RECORDS_MAX);
            matched += matched();
        } while (more);
        return matched;
    }

    private int matched() {
        int matched = 0;
        for (int from = 0; from < batch.size(); from += FilterMatcher.RECORDS_MAX) {
            matched += Long.bitCount(matcher.matches(store, batch, from));
        }
        return matched;
    }
}
