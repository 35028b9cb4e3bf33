package io.sdds.client;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertTimeout;

import io.sdds.client.internal.ClientRuntime;
import io.sdds.client.internal.routing.FakeCluster;
import io.sdds.client.internal.routing.FakeCluster.Answer;
import io.sdds.core.protocol.Opcode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests of a client with its own loop, called by threads, over sockets. */
class ThreadsTest {
    private final SocketCluster servers = new SocketCluster();
    private final FakeCluster cluster = servers.cluster;
    private SddsClient client;
    private HashTable<String, String> table;

    @BeforeEach
    void connect() {
        open(ClientSettings.defaults());
    }

    private void open(ClientSettings settings) {
        client = SddsClient.connect(List.of(cluster.address(0)), settings);
        table = client.hashTable("t", Codec.utf8(), Codec.utf8());
    }

    @AfterEach
    void close() {
        client.close();
        servers.close();
    }

    private void onServers(Runnable task) {
        servers.run(task);
    }

    @Test
    void blockingCallsOfManyThreadsAnswer() throws Exception {
        List<Thread> threads = new ArrayList<>();
        AtomicInteger right = new AtomicInteger();
        for (int t = 0; t < 4; t++) {
            String prefix = "thread" + t + "-";
            Thread thread = new Thread(() -> {
                for (int k = 0; k < 500; k++) {
                    table.put(prefix + k, "v" + k);
                    right.addAndGet(table.get(prefix + k).equals("v" + k) ? 1 : 0);
                    table.increment("sum", 1);
                }
            });
            thread.start();
            threads.add(thread);
        }
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(right).hasValue(2000);
        assertThat(table.get("sum")).isEqualTo("2000");
        assertThat(table.size()).isEqualTo(2001);
        assertThat(table.remove("sum")).isTrue();
        assertThat(table.getAll(List.of("thread0-1", "none"))).isEqualTo(Map.of("thread0-1", "v1"));
        assertThat(client.statistics().requests()).isGreaterThan(6000);
    }

    @Test
    void aBlockingCallInACompletionIsRefusedAtOnce() {
        CompletableFuture<String> nested = new CompletableFuture<>();
        onServers(() -> cluster.put("a".getBytes(UTF_8), "1".getBytes(UTF_8)));
        table.getAsync("a", (value, failure) -> {
            try {
                nested.complete(table.get("a"));
            } catch (IllegalStateException e) {
                nested.completeExceptionally(e);
            }
        });
        assertThatThrownBy(nested::get)
                .isInstanceOf(ExecutionException.class)
                .hasCauseInstanceOf(IllegalStateException.class);
        assertThat(table.get("a")).isEqualTo("1");
    }

    @Test
    void threadsWaitForRoomInTheWindowAndGetIt() {
        client.close();
        open(ClientSettings.builder().window(4, 1 << 20).build());
        AtomicBoolean held = new AtomicBoolean(true);
        List<FakeCluster.Incoming> kept = new ArrayList<>();
        onServers(() -> cluster.script(request -> {
            if (request.opcode() == Opcode.GET && held.get()) {
                kept.add(request);
                return Answer.NONE;
            }
            return null;
        }));
        List<CompletableFuture<String>> first = new ArrayList<>();
        for (int k = 0; k < 4; k++) {
            first.add(table.getAsync("key" + k));
        }
        CompletableFuture<Void> fifth = CompletableFuture.runAsync(() -> table.put("a", "1"));
        await().until(() -> {
            AtomicInteger seen = new AtomicInteger();
            onServers(() -> seen.set(kept.size()));
            return seen.get() == 4;
        });
        assertThat(fifth).isNotDone();
        held.set(false);
        onServers(() -> cluster.closeLinks(1));
        onServers(() -> cluster.closeLinks(2));
        fifth.join();
        first.forEach(CompletableFuture::join);
    }

    @Test
    void aThreadThatFindsNoRoomUntilItsDeadlineIsToldSo() {
        client.close();
        open(ClientSettings.builder().window(1, 1 << 20).build());
        onServers(() -> cluster.script(request -> request.opcode() == Opcode.GET ? Answer.NONE : null));
        CompletableFuture<String> stuck = table.getAsync("a");
        HashTable<String, String> hasty =
                client.withTimeout(Duration.ofMillis(300)).hashTable("t", Codec.utf8(), Codec.utf8());
        assertThatThrownBy(() -> hasty.put("b", "1"))
                .isInstanceOf(OverloadedException.class)
                .hasMessageContaining("window")
                .hasMessageContaining("not applied");
        onServers(() -> {
            cluster.script(request -> null);
            cluster.closeLinks(1);
            cluster.closeLinks(2);
        });
        assertThat(stuck.join()).isNull();
        table.put("b", "2");
        assertThat(table.get("b")).isEqualTo("2");
    }

    @Test
    void aScanThatFindsNoRoomWaitsNoLongerThanItsOwnTimeout() {
        client.close();
        open(ClientSettings.builder()
                .window(1, 1 << 20)
                .timeout(Duration.ofNanos(60_000_000_000L))
                .build());
        onServers(() -> cluster.script(request -> Answer.NONE));
        CompletableFuture<String> stuck = table.getAsync("a");
        HashTable<String, String> hasty =
                client.withTimeout(Duration.ofMillis(300)).hashTable("t", Codec.utf8(), Codec.utf8());
        Stream<Runnable> scans = Stream.of(
                hasty::size,
                () -> hasty.scan().count(),
                () -> hasty.scan().open(),
                () -> ClientRuntime.await(hasty.scan().forEachAsync((key, value) -> {})));
        assertTimeout(
                Duration.ofSeconds(20),
                () -> scans.forEach(scan -> assertThatThrownBy(scan::run)
                        .isInstanceOf(OverloadedException.class)
                        .hasMessageContaining("window stayed full")));
        assertThat(stuck).isNotDone();
    }

    @Test
    void timeoutsOfAnyLengthAreTaken() {
        client.close();
        open(ClientSettings.builder().timeout(Duration.ofNanos(Long.MAX_VALUE)).build());
        assertThat(table.get("a")).isNull();
        Duration longest = Duration.ofSeconds(Long.MAX_VALUE);
        HashTable<String, String> patient = client.withTimeout(longest).hashTable("t", Codec.utf8(), Codec.utf8());
        patient.put("a", "1");
        assertThat(patient.size()).isEqualTo(1);
    }

    @Test
    void cursorsAndStreamsDeliverEachRecordOnce() {
        Map<String, String> records = new HashMap<>();
        for (int k = 0; k < 300; k++) {
            records.put("key" + k, "value" + k);
        }
        table.putAll(records);

        Map<String, String> found = new HashMap<>();
        table.scan().forEach((key, value) -> assertThat(found.put(key, value)).isNull());
        assertThat(found).isEqualTo(records);
        assertThat(table.scan(Filters.parse("key prefix 'key1'")).count()).isEqualTo(111);
        try (Stream<Map.Entry<String, Void>> keys = table.scan().keysOnly().stream()) {
            assertThat(keys.map(Map.Entry::getKey)).hasSize(300).doesNotHaveDuplicates();
        }
        try (Cursor<String, String> some = table.scan().open()) {
            for (int k = 0; k < 5; k++) {
                assertThat(records).contains(some.next());
            }
        }
        int limited = 0;
        for (Map.Entry<String, String> entry : table.scan().limit(11)) {
            assertThat(records).contains(entry);
            limited++;
        }
        assertThat(limited).isEqualTo(11);
        table.clear();
        assertThat(table.size()).isZero();
    }

    @Test
    void closingEndsWhoWaits() {
        onServers(() -> cluster.script(request -> Answer.NONE));
        CompletableFuture<String> waiting = CompletableFuture.supplyAsync(() -> table.get("a"));
        Cursor<String, String> cursor = table.scan().open();
        await().until(() -> client.statistics().requests() > 1);
        client.close();
        assertThatThrownBy(waiting::join).hasCauseInstanceOf(UnavailableException.class);
        assertThatThrownBy(cursor::hasNext).isInstanceOf(SddsException.class);
        assertThatThrownBy(() -> table.get("a"))
                .isInstanceOf(UnavailableException.class)
                .hasMessageContaining("closed");
        assertThatThrownBy(() -> client.tables()).isInstanceOf(UnavailableException.class);
        client.close();
    }

    @Test
    void closingInACompletionWorks() {
        CompletableFuture<Void> closed = new CompletableFuture<>();
        table.getAsync("a", (value, failure) -> {
            client.close();
            closed.complete(null);
        });
        closed.join();
        await().untilAsserted(() -> assertThatThrownBy(() -> table.get("a")).isInstanceOf(UnavailableException.class));
    }

    @Test
    void anUnreachableClusterIsNamed() {
        ClientSettings hasty =
                ClientSettings.builder().timeout(Duration.ofNanos(300_000_000)).build();
        assertThatThrownBy(() -> SddsClient.connect(List.of("127.0.0.1:1"), hasty))
                .isInstanceOf(UnavailableException.class)
                .hasMessageContaining("127.0.0.1:1");
    }

    @Test
    void aMalformedAddressIsRefusedAtOnce() {
        assertThatThrownBy(() -> SddsClient.connect(cluster.address(0) + ",nonsense"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("'nonsense' is not host:port: the port is missing");
        assertThatThrownBy(() -> SddsClient.connect(" , ")).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void failuresShowWhoWaited() {
        onServers(() -> cluster.script(request -> Answer.of(io.sdds.core.protocol.Status.MEMORY_FULL)));
        assertThatThrownBy(() -> table.put("a", "1"))
                .isInstanceOf(MemoryFullException.class)
                .satisfies(failure -> assertThat(failure.getSuppressed()[0].getStackTrace())
                        .anyMatch(frame -> frame.getMethodName().contains("failuresShowWhoWaited")));
    }
}
