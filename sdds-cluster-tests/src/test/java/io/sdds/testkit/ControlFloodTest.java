package io.sdds.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.sdds.client.Codec;
import io.sdds.client.HashTable;
import io.sdds.client.TableOptions;
import io.sdds.core.control.ControlFrame;
import io.sdds.core.control.ControlMessage;
import io.sdds.core.control.ControlMessage.FetchBlock;
import io.sdds.core.control.ControlMessage.FetchStatus;
import io.sdds.core.control.ControlMessage.Refused;
import io.sdds.core.netty.RawClient;
import io.sdds.core.protocol.Hello;
import io.sdds.core.protocol.Limits;
import io.sdds.core.protocol.Opcode;
import java.io.IOException;
import java.util.Arrays;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * What a client that floods a brick or the coordinator with control requests leaves to others. A table of 512
 * partitions is read in a closed loop, in blocks of time with and without the flood by turns; the figure is the ratio
 * of what was read.
 *
 * <p>It is a measurement when it has the machine to itself and more time: {@code mvn test -pl sdds-cluster-tests -am
 * -Dsurefire.failIfNoSpecifiedTests=false -Dtest=ControlFloodTest -Dsdds.flood.rounds=10 -Dsdds.flood.millis=4000}. The
 * figures stand in the test's output. As a test it has a bound that a busy machine keeps: beside other load the flood
 * takes the same processor time, and the reads get less. It runs alone, because its load takes all processors.
 */
@Order(1)
@Isolated
class ControlFloodTest {
    private static final int ROUNDS = Integer.getInteger("sdds.flood.rounds", 5);
    private static final int BLOCK_MILLIS = Integer.getInteger("sdds.flood.millis", 300);
    private static final int WARMUP_MILLIS = 2 * BLOCK_MILLIS;
    private static final int OUTSTANDING = 200;
    private static final int KEYS = 1000;
    private static final int RATE = 20_000;
    private static final int UNPACED = 0;
    private static final double LEFT_MIN = 0.05;
    private static final long BUFFERS_BYTES_MAX = 64 << 20;

    private final AtomicLong reads = new AtomicLong();
    private final AtomicBoolean reading = new AtomicBoolean(true);
    private long mostBuffersBytes;

    @Test
    void aPacedFloodOfABrickLeavesOthersTheirThroughput() throws Exception {
        assertThat(measure("brick, 20,000/s", RATE, false)).isGreaterThan(LEFT_MIN);
    }

    @Test
    void anUnpacedFloodOfABrickIsBounded() throws Exception {
        measure("brick, as fast as it goes", UNPACED, false);
        assertThat(mostBuffersBytes).isLessThan(BUFFERS_BYTES_MAX);
    }

    @Test
    void aPacedFloodOfTheCoordinatorLeavesOthersTheirThroughput() throws Exception {
        assertThat(measure("coordinator, 20,000/s", RATE, true)).isGreaterThan(LEFT_MIN);
    }

    /**
     * The share of their throughput that others keep: the median of the rounds, of which a busy machine spoils some.
     */
    private double measure(String what, int rate, boolean ofCoordinator) throws Exception {
        try (EmbeddedCluster cluster = EmbeddedCluster.start(1)) {
            HashTable<String, byte[]> table = cluster.client()
                    .createHashTable("t", TableOptions.defaults().withPartitions(512), Codec.utf8(), Codec.bytes());
            for (int k = 0; k < KEYS; k++) {
                table.put("key" + k, new byte[150]);
            }
            String address =
                    ofCoordinator ? cluster.address() : cluster.brickAddresses().get(0);
            int id = cluster.client().status(false).tables().get(0).id();
            ControlMessage asked = ofCoordinator ? new FetchStatus(true) : new FetchBlock(id, 0);
            for (int k = 0; k < OUTSTANDING; k++) {
                readOn(table, k);
            }
            run(WARMUP_MILLIS);
            long quiet = 0;
            long flooded = 0;
            long answered = 0;
            long refused = 0;
            double[] shares = new double[ROUNDS];
            for (int round = 0; round < ROUNDS; round++) {
                long before = run(BLOCK_MILLIS);
                try (Flood flood = new Flood(address, asked, rate)) {
                    long beside = run(BLOCK_MILLIS);
                    quiet += before;
                    flooded += beside;
                    shares[round] = (double) beside / before;
                    answered += flood.answered.get();
                    refused += flood.refused.get();
                }
            }
            reading.set(false);
            double seconds = ROUNDS * BLOCK_MILLIS / 1000.0;
            Arrays.sort(shares);
            double left = shares[ROUNDS / 2];
            System.out.printf(
                    Locale.ROOT,
                    "%s: %.0f reads/s alone, %.0f/s beside the flood: %.1f %%; control requests answered %.0f/s,"
                            + " refused %.0f/s; buffers up to %d KiB%n",
                    what,
                    quiet / seconds,
                    flooded / seconds,
                    100 * left,
                    answered / seconds,
                    refused / seconds,
                    mostBuffersBytes >> 10);
            assertThat(answered).isPositive();
            assertThat(refused).isPositive();
            return left;
        }
    }

    /** Reads one key after the other. */
    private void readOn(HashTable<String, byte[]> table, int key) {
        table.getAsync("key" + key % KEYS).whenComplete((value, failure) -> {
            reads.incrementAndGet();
            if (reading.get()) {
                readOn(table, key + 1);
            }
        });
    }

    /** Lets the load run for a while; how much was read. */
    private long run(long millis) {
        long before = reads.get();
        long end = System.nanoTime() + millis * 1_000_000;
        while (System.nanoTime() < end) {
            mostBuffersBytes = Math.max(mostBuffersBytes, PooledByteBufAllocator.DEFAULT.pinnedDirectMemory());
            LockSupport.parkNanos(5_000_000);
        }
        return reads.get() - before;
    }

    /** A client that sends the same control request again and again. */
    private static final class Flood implements AutoCloseable {
        final AtomicLong answered = new AtomicLong();
        final AtomicLong refused = new AtomicLong();
        private final RawClient client;
        private final Thread sending;
        private final Thread receiving;

        Flood(String address, ControlMessage message, int rate) throws IOException {
            client = new RawClient(address, Hello.Role.CLIENT);
            sending = new Thread(() -> send(message, rate));
            receiving = new Thread(this::receive);
            sending.start();
            receiving.start();
        }

        private void send(ControlMessage message, int rate) {
            int batch = rate == UNPACED ? 10_000 : rate / 500;
            ByteBuf frames = RawClient.controls(message, 0, batch);
            long next = System.nanoTime();
            try {
                while (true) {
                    client.send(frames.duplicate());
                    next += rate == UNPACED ? 0 : 2_000_000;
                    LockSupport.parkNanos(next - System.nanoTime());
                }
            } catch (IOException e) {
                // closed
            }
        }

        private void receive() {
            byte[] frame = new byte[Limits.FRAME_BYTES_MAX];
            int refusal = ControlFrame.types().indexOf(Refused.class) + 1;
            try {
                while (client.read(frame)) {
                    if (frame[Integer.BYTES] == Opcode.CONTROL) {
                        (frame[ControlFrame.CODE] == refusal ? refused : answered).incrementAndGet();
                    }
                }
            } catch (IOException e) {
                // closed
            }
        }

        @Override
        public void close() throws IOException, InterruptedException {
            client.close();
            sending.join();
            receiving.join();
        }
    }
}
