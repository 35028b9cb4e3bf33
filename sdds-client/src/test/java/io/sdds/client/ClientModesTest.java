package io.sdds.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import io.sdds.client.internal.routing.FakeCluster.Answer;
import io.sdds.core.protocol.Opcode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests of settings and views: timeouts, the full window, event loops, the executor, pages. */
class ClientModesTest {
    private static final Duration SOON = Duration.ofSeconds(20);

    private final SocketCluster servers = new SocketCluster();
    private final List<SddsClient> clients = new ArrayList<>();
    private final ExecutorService executor = Executors.newSingleThreadExecutor(task -> new Thread(task, "application"));

    private HashTable<String, String> open(ClientSettings settings) {
        SddsClient client = SddsClient.connect(List.of(servers.cluster.address(0)), settings);
        clients.add(client);
        return client.hashTable("t", Codec.utf8(), Codec.utf8());
    }

    @AfterEach
    void close() {
        clients.forEach(SddsClient::close);
        servers.close();
        executor.shutdownNow();
    }

    private static Map<String, String> put(HashTable<String, String> table, int count) {
        Map<String, String> records = new HashMap<>();
        for (int k = 0; k < count; k++) {
            records.put("key" + k, "value" + k);
        }
        table.putAll(records);
        return records;
    }

    private void leaveReadsUnanswered() {
        servers.run(() -> servers.cluster.script(request -> request.opcode() == Opcode.GET ? Answer.NONE : null));
    }

    // ---- views

    @Test
    void closingAViewWithAnotherTimeoutLeavesItsClientOpen() {
        HashTable<String, String> table = open(ClientSettings.defaults());
        SddsClient view = clients.get(0).withTimeout(Duration.ofSeconds(1));
        view.close();
        view.withTimeout(Duration.ofSeconds(2)).close();
        table.put("a", "1");
        assertThat(view.hashTable("t", Codec.utf8(), Codec.utf8()).get("a")).isEqualTo("1");
        clients.get(0).close();
        assertThatThrownBy(() -> view.hashTable("t", Codec.utf8(), Codec.utf8()))
                .isInstanceOf(UnavailableException.class);
    }

    // ---- pages

    @Test
    void aQueryOpenedWithATokenCountsItsLimitAnew() {
        HashTable<String, String> table = open(ClientSettings.defaults());
        Map<String, String> records = put(table, 25);
        Scan<String, String> pages = table.scan().limit(10);
        Map<String, String> found = new HashMap<>();
        List<Integer> sizes = new ArrayList<>();
        String token = take(pages.openResumable(), found, sizes);
        for (int k = 0; k < 3; k++) {
            token = take(pages.open(token), found, sizes);
        }
        assertThat(sizes).containsExactly(10, 10, 5, 0);
        assertThat(found).isEqualTo(records);
    }

    private static String take(Cursor<String, String> page, Map<String, String> found, List<Integer> sizes) {
        try (page) {
            int size = 0;
            for (; page.hasNext(); size++) {
                Map.Entry<String, String> entry = page.next();
                assertThat(found.put(entry.getKey(), entry.getValue())).isNull();
            }
            sizes.add(size);
            return page.token();
        }
    }

    // ---- the full window

    @Test
    void inFailFastModeAFullWindowRefusesAtOnceAndNothingIsSent() {
        HashTable<String, String> table = open(ClientSettings.builder()
                .window(1, 1 << 20)
                .timeout(Duration.ofMinutes(1))
                .failFast(true)
                .build());
        leaveReadsUnanswered();
        CompletableFuture<String> stuck = table.getAsync("a");
        Stream<Runnable> calls = Stream.of(
                () -> table.put("b", "1"),
                () -> table.putAsync("b", "1").join(),
                () -> table.getAll(List.of("b", "c")),
                () -> table.putAll(Map.of("b", "1")),
                table::size,
                table::clear,
                () -> table.scan().count(),
                () -> table.scan().open(),
                () -> table.scan().forEachAsync((key, value) -> {}).join());
        assertTimeoutPreemptively(
                SOON,
                () -> calls.forEach(call -> assertThatThrownBy(call::run)
                        .satisfies(failure -> assertThat(
                                        failure instanceof WindowFullException ? failure : failure.getCause())
                                .isInstanceOf(WindowFullException.class)
                                .hasMessageContaining("window is full"))));
        assertThat(stuck).isNotDone();
        servers.run(() -> servers.cluster.script(request -> null));
        stuck.cancel(false);
        assertThat(open(ClientSettings.defaults()).get("b")).isNull();
    }

    @Test
    void inFailFastModeABatchIsLargerThanTheWindow() {
        HashTable<String, String> table =
                open(ClientSettings.builder().window(4, 1 << 20).failFast(true).build());
        Map<String, String> records = put(table, 100);
        assertThat(table.getAll(records.keySet())).isEqualTo(records);
    }

    // ---- loops

    @Test
    void aClientOfSeveralLoopsAnswersManyThreadsAndKeepsTheOrderOfEach() {
        HashTable<String, String> table =
                open(ClientSettings.builder().eventLoops(3).build());
        List<CompletableFuture<Void>> threads = new ArrayList<>();
        for (int t = 0; t < 6; t++) {
            String key = "thread" + t;
            CompletableFuture<Void> done = new CompletableFuture<>();
            threads.add(done);
            new Thread(() -> {
                        CompletableFuture<Void> last = done;
                        for (int k = 0; k <= 200; k++) {
                            last = table.putAsync(key, "v" + k);
                        }
                        last.whenComplete((result, failure) -> done.complete(null));
                    })
                    .start();
        }
        assertTimeoutPreemptively(SOON, () -> threads.forEach(CompletableFuture::join));
        Map<String, String> found = new TreeMap<>();
        table.scan().forEach(found::put);
        assertThat(found)
                .hasSize(6)
                .allSatisfy((key, value) -> assertThat(value).isEqualTo("v200"));
        assertThat(table.asMap()).isEqualTo(found);
        assertThat(clients.get(0).statistics().requests()).isGreaterThan(6 * 201);
    }

    @Test
    void allLoopsShareTheWindow() {
        HashTable<String, String> table = open(ClientSettings.builder()
                .eventLoops(4)
                .window(2, 1 << 20)
                .failFast(true)
                .build());
        leaveReadsUnanswered();
        CompletableFuture<String> first = table.getAsync("a");
        CompletableFuture<String> second =
                CompletableFuture.supplyAsync(() -> table.getAsync("b")).join();
        CompletableFuture.runAsync(
                        () -> assertThatThrownBy(() -> table.put("c", "1")).isInstanceOf(WindowFullException.class))
                .join();
        assertThat(first).isNotDone();
        assertThat(second).isNotDone();
    }

    @Test
    void aBlockingCallIsRefusedOnEachLoopOfTheClient() {
        HashTable<String, String> table =
                open(ClientSettings.builder().eventLoops(3).build());
        for (int t = 0; t < 6; t++) {
            CompletableFuture<Object> nested = new CompletableFuture<>();
            new Thread(() -> table.getAsync("a", (value, failure) -> {
                        try {
                            nested.complete(table.get("a"));
                        } catch (IllegalStateException e) {
                            nested.complete(e);
                        }
                    }))
                    .start();
            assertThat(nested.join()).isInstanceOf(IllegalStateException.class);
        }
    }

    @Test
    void aClientOfSeveralLoopsMayBeClosedOnAnyOfThem() {
        HashTable<String, String> table =
                open(ClientSettings.builder().eventLoops(2).build());
        CompletableFuture<Void> closed = new CompletableFuture<>();
        table.getAsync("a", (value, failure) -> {
            clients.get(0).close();
            closed.complete(null);
        });
        closed.join();
        assertThatThrownBy(() -> {
                    while (true) {
                        table.get("a");
                    }
                })
                .isInstanceOf(UnavailableException.class);
    }

    // ---- the executor

    @Test
    void withAnExecutorTheApplicationsCodeRunsThereAndMayBlock() {
        HashTable<String, String> table =
                open(ClientSettings.builder().callbackExecutor(executor).build());
        put(table, 40);
        Set<String> threads = ConcurrentHashMap.newKeySet();
        Runnable blocking = () -> {
            threads.add(Thread.currentThread().getName());
            assertThat(table.get("key1")).isEqualTo("value1");
            assertThat(table.getAll(List.of("key2"))).hasSize(1);
            assertThat(table.scan().limit(1).count()).isEqualTo(1);
            clients.get(0).hashTable("t", Codec.utf8(), Codec.utf8());
        };
        CompletableFuture<Void> called = new CompletableFuture<>();
        List<CompletableFuture<?>> ends = List.of(
                called,
                table.getAsync("key1").thenRun(blocking),
                table.getAllAsync(List.of("key1")).thenRun(blocking),
                table.sizeAsync().thenRun(blocking),
                clients.get(0).statisticsAsync().thenRun(blocking),
                table.scan().forEachAsync((key, value) -> blocking.run()));
        table.getAsync("key1", (value, failure) -> {
            blocking.run();
            called.complete(null);
        });
        assertTimeoutPreemptively(SOON, () -> ends.forEach(CompletableFuture::join));
        threads.remove(Thread.currentThread().getName()); // callbacks of a future that was complete already
        assertThat(threads).containsExactly("application");
    }

    @Test
    void aConsumerOnAManyThreadedExecutorIsCalledByOneThreadAtATime() {
        ExecutorService many = Executors.newFixedThreadPool(4);
        try {
            HashTable<String, String> table =
                    open(ClientSettings.builder().callbackExecutor(many).build());
            Map<String, String> records = put(table, 300);
            Map<String, String> found = new HashMap<>();
            List<String> broken = Collections.synchronizedList(new ArrayList<>());
            boolean[] inside = new boolean[1];
            table.scan()
                    .forEachAsync((key, value) -> {
                        if (inside[0]) {
                            broken.add(key);
                        }
                        inside[0] = true;
                        found.put(key, value);
                        inside[0] = false;
                    })
                    .join();
            assertThat(broken).isEmpty();
            assertThat(found).isEqualTo(records);
        } finally {
            many.shutdownNow();
        }
    }

    @Test
    void whatAnExecutorRefusesRunsOnTheLoop() {
        HashTable<String, String> table = open(ClientSettings.builder()
                .callbackExecutor(task -> {
                    throw new RejectedExecutionException("full");
                })
                .build());
        table.put("a", "1");
        assertThat(table.getAsync("a").join()).isEqualTo("1");
    }

    @Test
    void cancellingAFutureOfTheExecutorGivesTheOperationUp() {
        HashTable<String, String> table = open(ClientSettings.builder()
                .window(1, 1 << 20)
                .callbackExecutor(executor)
                .build());
        leaveReadsUnanswered();
        table.getAsync("a").cancel(false);
        assertTimeoutPreemptively(SOON, () -> table.put("b", "1"));
    }

    @Test
    void closingEndsAQueryWhoseConsumerIsBusyOnTheExecutor() {
        HashTable<String, String> table =
                open(ClientSettings.builder().callbackExecutor(executor).build());
        put(table, 40);
        CompletableFuture<Void> inside = new CompletableFuture<>();
        CompletableFuture<Void> leave = new CompletableFuture<>();
        CompletableFuture<Void> query = table.scan().forEachAsync((key, value) -> {
            inside.complete(null);
            leave.join();
        });
        inside.join();
        clients.get(0).close();
        leave.complete(null);
        assertTimeoutPreemptively(SOON, () -> assertThatThrownBy(query::join).hasCauseInstanceOf(SddsException.class));
    }

    // ---- settings

    @Test
    void badSettingsAreRefusedByName() {
        ClientSettings.Builder builder = ClientSettings.builder();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder.timeout(Duration.ZERO))
                .withMessage("timeout PT0S is not positive");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder.window(0, 1))
                .withMessage("window of 0 requests is not within 1 to 65536");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder.eventLoops(0))
                .withMessage("0 event loops: 1 to 64 are allowed");
        assertThatIllegalArgumentException()
                .isThrownBy(
                        () -> TableOptions.builder().replicas(2).minCopies(3).build())
                .withMessage("at least 3 copies of 2 replicas: 1 to 2 are allowed");
    }

    @Test
    void aBuilderOfSettingsBeginsWithThem() {
        ClientSettings settings = ClientSettings.builder()
                .name("web")
                .timeout(Duration.ofMillis(200))
                .window(7, 8)
                .failFast(true)
                .eventLoops(2)
                .callbackExecutor(executor)
                .learnByAdjustmentsOnly(true)
                .multicastGroup("239.255.74.74:7474")
                .build();
        assertThat(settings.toBuilder().build()).usingRecursiveComparison().isEqualTo(settings);
        TableOptions options = TableOptions.builder()
                .capacityRecords(5)
                .replicas(3)
                .minCopies(2)
                .build();
        assertThat(options.toBuilder().build()).isEqualTo(options);
        assertThat(options.withReplicas(1).minCopies()).isEqualTo(1);
    }
}
