package io.sdds.cli.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.sdds.client.HashTable;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;

/** Puts one new key after the other, each when the one before it is acknowledged. */
final class Writer {
    private static final Duration PATIENCE = SddsProcess.PATIENCE;

    private final HashTable<String, String> table;
    private final AtomicInteger written = new AtomicInteger();
    private final AtomicLong longestStallNanos = new AtomicLong();
    private final AtomicBoolean stopped = new AtomicBoolean();
    private final Thread thread;

    Writer(HashTable<String, String> table) {
        this.table = table;
        this.thread = Thread.ofPlatform().start(this::write);
    }

    private void write() {
        while (!stopped.get()) {
            long start = System.nanoTime();
            int k = written.get();
            table.put("key-" + k, "value-" + k);
            written.incrementAndGet();
            longestStallNanos.accumulateAndGet(System.nanoTime() - start, Math::max);
        }
    }

    void awaitMore(int writes) {
        int until = written.get() + writes;
        Awaitility.await().atMost(PATIENCE).until(() -> written.get() >= until || !thread.isAlive());
        assertThat(written.get()).as("acknowledged writes").isGreaterThanOrEqualTo(until);
    }

    int end() throws InterruptedException {
        stopped.set(true);
        thread.join();
        return written.get();
    }

    /** Whether the first so many records of a writer are there; they are asked for many at a time. */
    static void assertAreThere(HashTable<String, String> table, int written) {
        assertAreThere(table, "key-", IntStream.range(0, written));
    }

    /** Whether records of a prefix and these numbers are there. */
    static void assertAreThere(HashTable<String, String> table, String prefix, IntStream numbers) {
        Map<String, String> expected = new TreeMap<>();
        numbers.forEach(k -> expected.put(prefix + k, "value-" + k));
        assertThat(new TreeMap<>(table.getAll(expected.keySet()))).isEqualTo(expected);
    }

    /** From now on only what comes counts. */
    void forgetStalls() {
        longestStallNanos.set(0);
    }

    Duration longestStall() {
        return Duration.ofNanos(longestStallNanos.get());
    }
}
