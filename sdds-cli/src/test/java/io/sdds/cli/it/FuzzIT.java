package io.sdds.cli.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.netty.buffer.ByteBuf;
import io.sdds.client.Codec;
import io.sdds.client.HashTable;
import io.sdds.client.SddsClient;
import io.sdds.client.SddsException;
import io.sdds.client.TableOptions;
import io.sdds.core.netty.FlippingProxy;
import io.sdds.core.netty.RawClient;
import io.sdds.core.protocol.Hello.Role;
import io.sdds.testkit.check.SoleWriter;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A brick's process after many silent connections and a fuzzer that flips bits: of what clients and the brick send each
 * other, and of frames that strangers send. It prints throughput and memory before and after, which are a measurement
 * when the test has the machine to itself and more time: {@code mvn verify -Psoak -pl sdds-cli -am -Dit.test=FuzzIT}.
 */
class FuzzIT {
    private static final long SEED = Long.getLong("sdds.seed", 1); // of the bits; when they are flipped is chance
    private static final Duration FUZZING = Duration.ofSeconds(Integer.getInteger("sdds.fuzz.seconds", 2));
    private static final int SILENT = Integer.getInteger("sdds.fuzz.silent", 300);
    private static final Duration MEASURED = Duration.ofSeconds(Integer.getInteger("sdds.fuzz.measured", 1));
    private static final Duration PATIENCE = SddsProcess.PATIENCE;
    private static final int KEYS = 20;
    private static final int WRITERS = 2;
    private static final int OUTSTANDING = 200;
    private static final int FRAMES = 20;
    private static final long GROWTH_KIB_MAX = 32 << 10;

    /** A rate-limited log: some lines in each ten seconds, and those of the start. */
    private static final int LINES_A_SECOND_MAX = 5;

    private static final int LINES_MIN = 200;

    @TempDir
    private Path directory;

    private final SplittableRandom random = new SplittableRandom(SEED);
    private final AtomicBoolean over = new AtomicBoolean();

    @Test
    void noWrongValueIsReadOrStoredAndMemoryAndLogsStayBounded() throws Exception {
        int port = SddsProcess.freePorts(2);
        String coordinatorAddress = "127.0.0.1:" + port;
        String brickAddress = "127.0.0.1:" + (port + 1);
        Path coordinatorDirectory = directory.resolve("c1");
        Path brickDirectory = directory.resolve("b1");
        try (FlippingProxy proxy = new FlippingProxy(random.nextLong());
                SddsProcess coordinator = SddsProcess.start(
                        "coordinator", "--listen", coordinatorAddress, "--dir", coordinatorDirectory.toString());
                SddsProcess brick = SddsProcess.start(
                        "brick",
                        "--listen",
                        brickAddress,
                        "--advertise",
                        proxy.address(),
                        "--dir",
                        brickDirectory.toString(),
                        "--memory",
                        "128m",
                        "--coordinators",
                        coordinatorAddress)) {
            proxy.target(brickAddress);
            brick.awaitOut("ready: brick b1");
            try (SddsClient client = SddsClient.connect(coordinatorAddress)) {
                HashTable<String, byte[]> load =
                        client.createHashTable("load", TableOptions.defaults(), Codec.utf8(), Codec.bytes());
                HashTable<String, String> checked = client.withTimeout(Duration.ofSeconds(5))
                        .createHashTable("checked", TableOptions.capacity(20), Codec.utf8(), Codec.utf8());
                measure(load);
                double before = measure(load);
                long beforeKib = residentKib(brick);

                List<Socket> silent = connectSilently(List.of(brickAddress, coordinatorAddress));
                fuzz(proxy, checked, List.of(brickAddress, coordinatorAddress));
                for (Socket socket : silent) {
                    socket.close();
                }

                measure(load);
                double after = measure(load);
                long afterKib = residentKib(brick);
                long brickLines = lines(brickDirectory.resolve("log"));
                long coordinatorLines = lines(coordinatorDirectory.resolve("log"));
                System.out.printf(
                        Locale.ROOT,
                        "%d silent connections, %d s of fuzzing, %d damaged connections: %.0f operations/s before,"
                                + " %.0f/s after: %.1f %%; brick %d KiB before, %d KiB after; log lines: brick %d,"
                                + " coordinator %d%n",
                        SILENT,
                        FUZZING.toSeconds(),
                        proxy.damaged(),
                        before,
                        after,
                        100 * after / before,
                        beforeKib,
                        afterKib,
                        brickLines,
                        coordinatorLines);
                assertThat(proxy.damaged()).isPositive();
                assertThat(afterKib - beforeKib).as("growth in KiB").isLessThan(GROWTH_KIB_MAX);
                long linesMax = LINES_MIN + LINES_A_SECOND_MAX * FUZZING.toSeconds();
                assertThat(brickLines).isPositive().isLessThan(linesMax);
                assertThat(coordinatorLines).isPositive().isLessThan(linesMax);
            }
        }
    }

    /** Operations a second of a closed loop of reads and writes. */
    private static double measure(HashTable<String, byte[]> table) {
        AtomicLong operations = new AtomicLong();
        AtomicBoolean running = new AtomicBoolean(true);
        List<CompletableFuture<Void>> loops = new ArrayList<>();
        for (int k = 0; k < OUTSTANDING; k++) {
            CompletableFuture<Void> ended = new CompletableFuture<>();
            loops.add(ended);
            loop(table, k, operations, running, ended);
        }
        long start = System.nanoTime();
        long before = operations.get();
        long end = start + MEASURED.toNanos();
        while (System.nanoTime() < end) {
            LockSupport.parkNanos(end - System.nanoTime());
        }
        double rate = (operations.get() - before) * 1e9 / (System.nanoTime() - start);
        running.set(false);
        loops.forEach(CompletableFuture::join);
        return rate;
    }

    private static void loop(
            HashTable<String, byte[]> table,
            int number,
            AtomicLong operations,
            AtomicBoolean running,
            CompletableFuture<Void> ended) {
        String key = "key" + number % 1000;
        CompletableFuture<?> operation = number % 2 == 0 ? table.getAsync(key) : table.putAsync(key, new byte[150]);
        operation.whenComplete((value, failure) -> {
            operations.incrementAndGet();
            if (running.get()) {
                loop(table, number + 1, operations, running, ended);
            } else {
                ended.complete(null);
            }
        });
    }

    /** Connections that never say hello. The process may close some of them meanwhile. */
    private static List<Socket> connectSilently(List<String> addresses) throws IOException {
        List<Socket> silent = new ArrayList<>();
        for (int k = 0; k < SILENT; k++) {
            String address = addresses.get(k % addresses.size());
            int colon = address.lastIndexOf(':');
            Socket socket = new Socket();
            socket.connect(
                    new InetSocketAddress(address.substring(0, colon), Integer.parseInt(address.substring(colon + 1))));
            silent.add(socket);
        }
        return silent;
    }

    private void fuzz(FlippingProxy proxy, HashTable<String, String> checked, List<String> addresses)
            throws InterruptedException {
        List<SoleWriter> writers = new ArrayList<>();
        for (int k = 0; k < WRITERS * KEYS; k++) {
            writers.add(new SoleWriter(checked, "checked" + k));
        }
        List<CompletableFuture<Void>> running = new ArrayList<>();
        for (int k = 0; k < WRITERS; k++) {
            List<SoleWriter> own = writers.subList(k * KEYS, (k + 1) * KEYS);
            running.add(inThread(() -> readAndWrite(own)));
        }
        for (String address : addresses) {
            SplittableRandom bits = random.split();
            running.add(inThread(() -> sendDamagedFrames(address, bits)));
        }
        long end = System.nanoTime() + FUZZING.toNanos();
        await().atMost(FUZZING.plus(PATIENCE))
                .pollInterval(Duration.ofMillis(50))
                .until(() -> {
                    proxy.flip(random.nextBoolean());
                    return System.nanoTime() > end || running.stream().anyMatch(CompletableFuture::isDone);
                });
        over.set(true);
        proxy.flipNoMore();
        running.forEach(CompletableFuture::join);
        for (SoleWriter writer : writers) {
            await().atMost(PATIENCE)
                    .ignoreExceptionsInstanceOf(SddsException.class)
                    .untilAsserted(writer::checkNow);
        }
    }

    private static CompletableFuture<Void> inThread(Runnable task) {
        return CompletableFuture.runAsync(task, run -> new Thread(run).start());
    }

    private void readAndWrite(List<SoleWriter> writers) {
        for (int k = 0; !over.get(); k++) {
            SoleWriter writer = writers.get(k * 7 % writers.size());
            writer.write();
            writer.read();
        }
    }

    /** Says hello, then sends frames, one of which has a flipped bit; over connections without checksums. */
    private void sendDamagedFrames(String address, SplittableRandom bits) {
        while (!over.get()) {
            try (RawClient client = new RawClient(address, Role.CLIENT)) {
                client.receive((int) PATIENCE.toMillis());
                ByteBuf frames = RawClient.gets(1, "a key of nobody", 0, FRAMES);
                int bit = bits.nextInt(frames.readableBytes() * Byte.SIZE);
                frames.setByte(bit / Byte.SIZE, frames.getByte(bit / Byte.SIZE) ^ 1 << bit % Byte.SIZE);
                client.send(frames);
                client.receive(100);
            } catch (IOException e) {
                // the process closed the connection, or waits for the rest of a long frame
            }
        }
    }

    private static long residentKib(SddsProcess process) throws IOException {
        Path status = Path.of("/proc/" + process.pid() + "/status");
        assumeTrue(Files.exists(status), "the memory of a process is read from /proc");
        return Files.readAllLines(status).stream()
                .filter(line -> line.startsWith("VmRSS:"))
                .map(line -> line.replaceAll("[^0-9]", ""))
                .mapToLong(Long::parseLong)
                .sum();
    }

    /** Lines of all files of a process's log. */
    private static long lines(Path logs) throws IOException {
        long lines = 0;
        try (DirectoryStream<Path> files = Files.newDirectoryStream(logs)) {
            for (Path file : files) {
                lines += Files.readString(file).lines().count();
            }
        }
        return lines;
    }
}
