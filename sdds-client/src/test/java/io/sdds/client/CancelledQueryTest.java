package io.sdds.client;

import static io.sdds.client.Filters.key;
import static io.sdds.client.Filters.where;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.sdds.client.internal.routing.FakeCluster.Answer;
import io.sdds.core.Seeds;
import io.sdds.core.protocol.Status;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/**
 * However a query is given up, and whenever: the client sends no request after that, also no retry. Cursors:
 * ClosedCursorsTest.
 */
class CancelledQueryTest {
    private static final int RECORDS = 400;

    /** Time in which requests arrive that were sent before. */
    private static final int LATENCY_MILLIS = 1;

    /** Starts a query; returns what gives it up. */
    private interface Way extends Supplier<Runnable> {}

    private final SplittableRandom random = new SplittableRandom(Seeds.next("CancelledQueryTest"));
    private ClientFixture world = new ClientFixture(3, 5);
    private long taken;

    private void fill() {
        for (int k = 0; k < RECORDS; k++) {
            world.cluster.put(("key" + k).getBytes(UTF_8), ("value" + k).getBytes(UTF_8));
        }
    }

    private Map<String, Way> ways() {
        HashTable<String, String> table = world.table;
        Map<String, Way> ways = new LinkedHashMap<>();
        ways.put("forEach", () -> cancel(table.scan().forEachAsync((key, value) -> taken++)));
        ways.put(
                "forEach of a condition",
                () -> cancel(table.scan().where("value contains '1'").forEachAsync((key, value) -> taken++)));
        ways.put(
                "count of a filter",
                () -> cancel(table.scan(where(key().startsWith("key"))).countAsync()));
        ways.put(
                "count of a condition",
                () -> cancel(table.scan().where("length(key) > 2").countAsync()));
        ways.put("rows", () -> cancel(table.scan().rows().toListAsync()));
        ways.put("rows one by one", () -> cancel(table.scan().rows().forEachAsync(row -> taken++)));
        ways.put("groups", () -> cancel(table.scan().groupBy("key").toListAsync()));
        ways.put("count of groups", () -> cancel(table.scan().groupBy("key").countAsync()));
        ways.put("size", () -> cancel(table.sizeAsync()));
        ways.put("a subscription", () -> subscription(table.scan().rows()));
        ways.put("a subscription to groups", () -> subscription(table.scan().groupBy("key")));
        return ways;
    }

    private static Runnable cancel(CompletableFuture<?> future) {
        return () -> future.cancel(false);
    }

    private Runnable subscription(RowQuery<Row> query) {
        List<Flow.Subscription> given = new ArrayList<>();
        query.publisher().subscribe(subscriber(subscription -> {
            given.add(subscription);
            subscription.request(Long.MAX_VALUE);
        }));
        return () -> given.get(0).cancel();
    }

    private Flow.Subscriber<Row> subscriber(Consumer<Flow.Subscription> onSubscribe) {
        return new Flow.Subscriber<>() {
            @Override
            public void onSubscribe(Flow.Subscription subscription) {
                onSubscribe.accept(subscription);
            }

            @Override
            public void onNext(Row row) {
                taken++;
            }

            @Override
            public void onError(Throwable failure) {}

            @Override
            public void onComplete() {}
        };
    }

    /** Requests that bricks have got, also those that were sent again. */
    private long sent() {
        return world.cluster.requests();
    }

    @Test
    void noRequestIsSentAfterThat() {
        int underWay = 0;
        for (int run = 0; run < 6; run++) {
            for (String name : List.copyOf(ways().keySet())) {
                world = new ClientFixture(3, 5);
                fill();
                world.cluster.script(request -> switch (random.nextInt(6)) {
                    case 0 -> Answer.busy(5);
                    case 1 -> Answer.redirect();
                    case 2 -> Answer.NONE;
                    default -> null;
                });
                Runnable giveUp = ways().get(name).get();
                world.run(random.nextInt(25));
                giveUp.run();
                world.run(LATENCY_MILLIS);
                long sent = sent();
                long takenBefore = taken;
                underWay += sent > 0 ? 1 : 0;
                world.run(2 * ClientFixture.TIMEOUT_MILLIS);
                assertThat(sent()).as(name).isEqualTo(sent);
                assertThat(taken).as(name).isEqualTo(takenBefore);
            }
        }
        assertThat(underWay).isGreaterThan(40);
    }

    /** The query asks each brick about its partitions, and no brick answers. */
    private CompletableFuture<?> unansweredGroups() {
        fill();
        world.cluster.script(request -> Answer.NONE);
        CompletableFuture<?> groups = world.table.scan().groupBy("key").toListAsync();
        world.run(5 * LATENCY_MILLIS);
        assertThat(sent()).isGreaterThan(1);
        return groups;
    }

    @Test
    void bricksLearnOfEachRequestThatIsNoLongerNeeded() {
        CompletableFuture<?> groups = unansweredGroups();
        assertThat(world.cluster.cancels()).isZero();
        groups.cancel(false);
        world.run(5 * LATENCY_MILLIS);
        assertThat(world.cluster.cancels()).isEqualTo((int) sent());
    }

    @Test
    void whenOneRequestFailsTheBricksOfTheOthersLearnOfIt() {
        fill();
        boolean[] hasFailed = {false};
        world.cluster.script(request -> {
            boolean fails = !hasFailed[0];
            hasFailed[0] = true;
            return fails ? Answer.of(Status.NO_SUCH_TABLE) : Answer.NONE;
        });
        world.awaitFailure(world.table.scan().groupBy("key").toListAsync(), NoSuchTableException.class);
        world.run(5 * LATENCY_MILLIS);
        assertThat(world.cluster.cancels()).isPositive().isEqualTo((int) sent() - 1);
    }

    @Test
    void aQueryThatHasEndedCancelsNothing() {
        fill();
        world.await(world.table.scan().groupBy("key").toListAsync());
        world.run(5 * LATENCY_MILLIS);
        assertThat(world.cluster.cancels()).isZero();
    }

    @Test
    void aQueryWhoseDeadlineHasPassedSendsNoMore() {
        fill();
        world.cluster.script(request -> Answer.NONE);
        world.awaitFailure(world.table.scan().rows().toListAsync(), IncompleteRangeException.class);
        long sent = sent();
        world.run(2 * ClientFixture.TIMEOUT_MILLIS);
        assertThat(sent()).isEqualTo(sent);
    }
}
