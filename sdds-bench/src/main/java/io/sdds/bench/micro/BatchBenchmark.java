package io.sdds.bench.micro;

import io.sdds.client.Codec;
import io.sdds.client.HashTable;
import io.sdds.client.TableOptions;
import io.sdds.testkit.EmbeddedCluster;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;

/**
 * Batches of 100 keys against as many single operations, over the sockets of an embedded cluster of two bricks and at
 * least 16 partitions; one thread, 150-byte values. Beside the rate it prints how often the client flushed for a batch.
 */
@Measurement(iterations = 3, time = 2)
@Fork(
        value = 1,
        jvmArgsAppend = {
            "--enable-native-access=ALL-UNNAMED",
            "-XX:+UseCompactObjectHeaders",
            "-XX:+UseSerialGC",
            "-Dio.netty.leakDetection.level=disabled" // as in the processes of sdds
        })
public class BatchBenchmark extends MicroBenchmark {

    private static final int BATCH = 100;
    private static final int RECORDS = 20_000;
    private static final int RECORDS_A_PARTITION = 1000;
    private static final int PARTITIONS = 16;
    private static final int VALUE_BYTES = 150;

    private final byte[] value = new byte[VALUE_BYTES];

    @SuppressWarnings("NullAway.Init")
    private EmbeddedCluster cluster;

    @SuppressWarnings("NullAway.Init")
    private HashTable<byte[], byte[]> table;

    private long flushesBefore;
    private long requestsBefore;
    private int next;

    /** Fills a table. */
    @Setup(Level.Trial)
    public void fill() throws InterruptedException {
        cluster = EmbeddedCluster.start(2);
        table = cluster.client()
                .createHashTable("batches", TableOptions.capacity(RECORDS_A_PARTITION), Codec.bytes(), Codec.bytes());
        for (int k = 0; k < RECORDS / BATCH; k++) {
            putAll();
        }
        while (cluster.client().tables().get(0).partitions() < PARTITIONS) {
            TimeUnit.MILLISECONDS.sleep(10);
        }
    }

    /** Ends the cluster. */
    @TearDown(Level.Trial)
    public void close() {
        cluster.close();
    }

    /** Stores the counters at the start of an iteration. */
    @Setup(Level.Iteration)
    public void begin() {
        flushesBefore = cluster.client().statistics().flushes();
        requestsBefore = cluster.client().statistics().requests();
    }

    /** Prints the flushes of the iteration. */
    @TearDown(Level.Iteration)
    public void end() {
        double batches = (cluster.client().statistics().requests() - requestsBefore) / (double) BATCH;
        System.out.printf(
                "# %.2f flushes for 100 operations; ",
                (cluster.client().statistics().flushes() - flushesBefore) / batches);
    }

    private byte[] nextKey() {
        next = (next + 1) % RECORDS;
        return ("key-" + next).getBytes(StandardCharsets.US_ASCII);
    }

    private List<byte[]> nextKeys() {
        List<byte[]> keys = new ArrayList<>(BATCH);
        for (int k = 0; k < BATCH; k++) {
            keys.add(nextKey());
        }
        return keys;
    }

    /** 100 keys in one call. */
    @Benchmark
    @OperationsPerInvocation(BATCH)
    public Map<byte[], byte[]> getAll() {
        return table.getAll(nextKeys());
    }

    /** 100 keys in separate calls, all started before the first is awaited. */
    @Benchmark
    @OperationsPerInvocation(BATCH)
    public int getEach() {
        List<CompletableFuture<byte[]>> gets = new ArrayList<>(BATCH);
        for (byte[] key : nextKeys()) {
            gets.add(table.getAsync(key));
        }
        int bytes = 0;
        for (CompletableFuture<byte[]> get : gets) {
            bytes += get.join().length;
        }
        return bytes;
    }

    /** 100 keys, one after the other. */
    @Benchmark
    @OperationsPerInvocation(BATCH)
    public int getOneByOne() {
        int bytes = 0;
        for (byte[] key : nextKeys()) {
            byte[] found = table.get(key);
            bytes += found == null ? 0 : found.length;
        }
        return bytes;
    }

    /** 100 records in one call. */
    @Benchmark
    @OperationsPerInvocation(BATCH)
    public void putAll() {
        Map<byte[], byte[]> records = new LinkedHashMap<>();
        nextKeys().forEach(key -> records.put(key, value));
        table.putAll(records);
    }

    /** 100 records in separate calls, all started before the first is awaited. */
    @Benchmark
    @OperationsPerInvocation(BATCH)
    public void putEach() {
        List<CompletableFuture<Void>> puts = new ArrayList<>(BATCH);
        for (byte[] key : nextKeys()) {
            puts.add(table.putAsync(key, value));
        }
        puts.forEach(CompletableFuture::join);
    }
}
