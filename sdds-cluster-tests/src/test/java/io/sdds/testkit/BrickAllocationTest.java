package io.sdds.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.sdds.client.Callback;
import io.sdds.client.Codec;
import io.sdds.client.HashTable;
import io.sdds.client.SddsException;
import io.sdds.client.TableOptions;
import java.lang.management.ManagementFactory;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The brick's request path makes (nearly) no garbage, which is counted, not timed. */
@Isolated("it looks for its brick's thread among those of the JVM, and beside others the compiler comes late")
class BrickAllocationTest {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private static final int OUTSTANDING = 200;
    private static final int OPERATIONS = 300_000;
    private static final int KEYS = 10_000;

    private final byte[] value = new byte[150];

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void anOperationAllocatesLessThan32BytesOnTheBrick(boolean reads) throws Exception {
        try (EmbeddedCluster cluster = EmbeddedCluster.start(1)) {
            HashTable<byte[], byte[]> table =
                    cluster.client().createHashTable("t", TableOptions.defaults(), Codec.bytes(), Codec.bytes());
            run(table, false, OPERATIONS);
            run(table, reads, OPERATIONS);
            long before = brickBytes();
            run(table, reads, OPERATIONS);
            long bytes = brickBytes() - before;
            System.out.printf(
                    "%s: %.1f heap bytes an operation on the brick%n",
                    reads ? "get" : "put", (double) bytes / OPERATIONS);
            assertThat(bytes / OPERATIONS).isLessThan(32);
        }
    }

    private void run(HashTable<byte[], byte[]> table, boolean reads, int operations) throws InterruptedException {
        Loop loop = new Loop(table, reads, operations);
        for (int k = 0; k < OUTSTANDING; k++) {
            loop.next();
        }
        loop.ended.await();
        assertThat(loop.failure).isNull();
    }

    private static long brickBytes() {
        for (long id : THREADS.getAllThreadIds()) {
            var info = THREADS.getThreadInfo(id);
            if (info != null && info.getThreadName().startsWith("sdds-b1")) {
                return THREADS.getThreadAllocatedBytes(id);
            }
        }
        throw new IllegalStateException("no thread of brick b1");
    }

    private final class Loop implements Callback<Object> {
        private final HashTable<byte[], byte[]> table;
        private final boolean reads;
        private final AtomicInteger left;
        private final AtomicInteger unanswered = new AtomicInteger();
        final CountDownLatch ended = new CountDownLatch(1);
        volatile SddsException failure;

        Loop(HashTable<byte[], byte[]> table, boolean reads, int operations) {
            this.table = table;
            this.reads = reads;
            this.left = new AtomicInteger(operations);
        }

        void next() {
            int number = left.decrementAndGet();
            if (number < 0) {
                return;
            }
            unanswered.incrementAndGet();
            byte[] key = ("key " + number % KEYS).getBytes();
            if (reads) {
                table.getAsync(key, this);
            } else {
                table.putAsync(key, value, this);
            }
        }

        @Override
        public void done(Object result, SddsException failed) {
            if (failed != null) {
                failure = failed;
            }
            next();
            if (unanswered.decrementAndGet() == 0 && left.get() <= 0) {
                ended.countDown();
            }
        }
    }
}
