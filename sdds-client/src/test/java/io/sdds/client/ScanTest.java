package io.sdds.client;

import static io.sdds.client.Filters.key;
import static io.sdds.client.Filters.not;
import static io.sdds.client.Filters.value;
import static io.sdds.client.Filters.where;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sdds.client.internal.routing.FakeCluster;
import io.sdds.client.internal.routing.FakeCluster.Answer;
import io.sdds.core.Seeds;
import io.sdds.core.protocol.Opcode;
import io.sdds.core.protocol.Status;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class ScanTest {
    private static final int RECORDS = 500;

    private final ClientFixture world = new ClientFixture(3, 5);
    private final Map<String, String> all = new HashMap<>();

    private HashTable<String, String> filled() {
        for (int k = 0; k < RECORDS; k++) {
            all.put("key" + k, "value" + k);
        }
        all.forEach((key, value) -> world.cluster.put(key.getBytes(UTF_8), value.getBytes(UTF_8)));
        return world.table;
    }

    private Map<String, String> collected(Scan<String, String> scan) {
        Map<String, String> found = new HashMap<>();
        world.await(scan.forEachAsync(
                (key, value) -> assertThat(found.put(key, value)).isNull()));
        return found;
    }

    @Test
    void deliversEachRecordOnce() {
        HashTable<String, String> table = filled();
        assertThat(collected(table.scan())).isEqualTo(all);
        assertThat(world.await(table.scan().countAsync())).isEqualTo(RECORDS);
        assertThat(world.await(table.sizeAsync())).isEqualTo(RECORDS);
    }

    @Test
    void staysExactWhilePartitionsSplitAndMove() {
        HashTable<String, String> table = filled();
        SplittableRandom random = Seeds.random("ScanTest");
        for (int round = 0; round < 40; round++) {
            world.cluster.script(request -> {
                int dice = random.nextInt(100);
                if (dice < 10 && world.cluster.partitions() < 150) {
                    world.cluster.split();
                } else if (dice < 15) {
                    world.cluster.move(random.nextInt(world.cluster.partitions()), 1 + random.nextInt(3));
                }
                return dice >= 92 ? Answer.CLOSE : dice >= 85 ? Answer.redirect() : null;
            });
            assertThat(collected(table.scan())).isEqualTo(all);
            assertThat(world.await(table.sizeAsync())).isEqualTo(RECORDS);
        }
        assertThat(world.cluster.partitions()).isGreaterThan(100);
    }

    @Test
    void filtersLimitsAndLeavesValuesOut() {
        HashTable<String, String> table = filled();
        assertThat(world.await(table.scan(where(value().contains("99"))).countAsync()))
                .isEqualTo(5);
        assertThat(collected(table.scan(where(key().startsWith("key1").and(not(value().is("value1")))))))
                .hasSize(110);
        assertThat(collected(table.scan().limit(7))).hasSize(7);
        assertThat(world.await(table.scan().limit(7).countAsync())).isEqualTo(7);
        assertThat(collected(table.scan().limit(0))).isEmpty();

        List<String> keys = new ArrayList<>();
        world.await(table.scan(where(key().is("key7"))).keysOnly().forEachAsync((key, nothing) -> {
            assertThat(nothing).isNull();
            keys.add(key);
        }));
        assertThat(keys).containsExactly("key7");
    }

    @Test
    void deliversEachRecordWithItsVersion() {
        HashTable<String, String> table = filled();
        Map<String, String> found = new HashMap<>();
        world.await(table.scan().versioned().forEachAsync((key, record) -> {
            found.put(key, record.value());
            assertThat(record.version()).isEqualTo(FakeCluster.SCANNED_VERSION);
            assertThat(record.timeToLive()).isZero();
        }));
        assertThat(found).isEqualTo(all);
    }

    @Test
    void aScanForKeysOrVersionsIsNotAskedForVersions() {
        Scan<String, String> scan = world.table.scan();
        assertThatThrownBy(() -> scan.keysOnly().versioned())
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("keys");
        assertThatThrownBy(() -> scan.versioned().versioned()).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void clearsEverythingThoughAnswersAreLost() {
        HashTable<String, String> table = filled();
        int[] requests = {0};
        world.cluster.script(request -> ++requests[0] % 7 == 0 ? Answer.RUN_AND_CLOSE : null);
        world.await(table.clearAsync());
        assertThat(world.cluster.records()).isZero();
    }

    @Test
    void namesWhatItCouldNotReach() {
        HashTable<String, String> table = filled();
        world.cluster.script(
                request -> request.opcode() == Opcode.SCAN && request.partition() == 3 ? Answer.of(Status.LOST) : null);
        IncompleteRangeException failure =
                world.awaitFailure(table.scan().countAsync(), IncompleteRangeException.class);
        assertThat(failure.missing()).contains("c000000000000000-end");
        assertThat(failure).hasMessageContaining("missing: ").hasCauseInstanceOf(UnavailableException.class);
    }

    @Test
    void aFailingConsumerEndsItsScanAlone() {
        HashTable<String, String> table = filled();
        CompletableFuture<Void> scan = table.scan().forEachAsync((key, value) -> {
            throw new IllegalArgumentException("on purpose");
        });
        world.awaitFailure(scan, IllegalArgumentException.class);
        assertThat(world.await(table.getAsync("key1"))).isEqualTo("value1");
    }

    @Test
    void aCancelledScanAsksForNothingMoreAndCallsNobody() {
        HashTable<String, String> table = filled();
        List<CompletableFuture<Void>> scans = new ArrayList<>();
        List<String> taken = new ArrayList<>();
        scans.add(table.scan().forEachAsync((key, value) -> {
            taken.add(key);
            if (taken.size() == 1) { // the block holds two more records
                scans.get(0).cancel(false);
            }
        }));
        world.runUntil(() -> !taken.isEmpty(), 1000);
        assertNothingMoreIsAsked();
        assertThat(taken).hasSize(1);
        assertThat(world.await(table.getAsync("key1"))).isEqualTo("value1");
    }

    @Test
    void cancelledCountsAndClearsAskForNothingMore() {
        HashTable<String, String> table = filled();
        List<CompletableFuture<?>> sweeps =
                List.of(table.sizeAsync(), table.clearAsync(), table.scan().countAsync());
        int before = world.cluster.requests();
        world.runUntil(() -> world.cluster.requests() > before + 3, 1000);
        sweeps.forEach(sweep -> assertThat(sweep.cancel(false)).isTrue());
        assertNothingMoreIsAsked();
        assertThat(world.cluster.records()).isBetween(1, RECORDS);
    }

    @Test
    void aStepThatWaitsToBeTriedAgainEndsWithItsScan() {
        HashTable<String, String> table = filled();
        world.cluster.script(request -> request.opcode() == Opcode.GET ? null : Answer.redirect());
        CompletableFuture<Long> count = table.scan().countAsync();
        CompletableFuture<Void> clear = table.clearAsync();
        world.runUntil(() -> world.statistics().redirects() > 20, 2000);
        assertThat(count.cancel(false)).isTrue();
        assertThat(clear.cancel(false)).isTrue();
        world.run(1);
        int asked = world.cluster.requests();
        world.run(2 * ClientFixture.TIMEOUT_MILLIS);
        assertThat(world.cluster.requests()).isEqualTo(asked);
        assertThat(world.statistics().timeouts()).isZero();
        assertThat(world.await(table.getAsync("key1"))).isEqualTo("value1");
    }

    private void assertNothingMoreIsAsked() {
        long begun = world.statistics().requests();
        world.run(2 * ClientFixture.TIMEOUT_MILLIS);
        assertThat(world.statistics().requests()).isEqualTo(begun);
    }

    @Test
    void anAnswerThatGoesNowhereEndsTheScan() {
        HashTable<String, String> table = filled();
        world.cluster.script(request -> request.opcode() == Opcode.SCAN ? new Answer(Status.OK, new byte[16]) : null);
        world.awaitFailure(table.scan().countAsync(), ProtocolException.class);
    }

    @Test
    void aConditionOnTheWholeKeyAsksOnePartition() {
        ClientFixture world = new ClientFixture(3, 8);
        for (int k = 0; k < 100; k++) {
            world.cluster.put(("key" + k).getBytes(UTF_8), "v".getBytes(UTF_8));
        }
        world.placeOnAllBricks(3);
        assertThat(requests(world, world.table.scan().where("key = 'key7' and value = 'v'"), 1))
                .isEqualTo(1);
        assertThat(requests(world, world.table.scan().where("key in ('key8') and length(value) > 1"), 0))
                .isEqualTo(1);
        assertThat(requests(world, world.table.scan(where(key().is("key9"))), 1))
                .isEqualTo(1);
        assertThat(requests(world, world.table.scan().where("key = 'key7' and key = 'key8'"), 0))
                .isZero();
        assertThat(requests(world, world.table.scan().where("key = 'key7' or key = 'key8'"), 2))
                .isGreaterThanOrEqualTo(8);
    }

    private static int requests(ClientFixture world, Scan<String, String> scan, long found) {
        int before = world.cluster.requests();
        assertThat(world.await(scan.countAsync())).isEqualTo(found);
        int counting = world.cluster.requests() - before;
        assertThat(world.await(scan.rows().toListAsync())).hasSize((int) found);
        assertThat(world.cluster.requests() - before).isEqualTo(2 * counting);
        return counting;
    }
}
