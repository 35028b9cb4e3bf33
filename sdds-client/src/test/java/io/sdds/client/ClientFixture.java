package io.sdds.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.sdds.client.routing.ClientSettings;
import io.sdds.client.routing.FakeCluster;
import io.sdds.client.routing.FakeEnv;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/** A client in virtual time, before a scripted cluster. */
final class ClientFixture {
    static final long TIMEOUT_MILLIS = 5000;

    final FakeEnv env = new FakeEnv(Seeds.next("ClientFixture"));
    final FakeCluster cluster;
    final SddsClient client;
    final HashTable<String, String> table;

    ClientFixture(int bricks, int partitions) {
        this(bricks, partitions, ClientSettings.defaults());
    }

    ClientFixture(int bricks, int partitions, ClientSettings settings) {
        cluster = new FakeCluster(env, env, bricks, partitions);
        client = await(SddsClient.connectIn(env, List.of(cluster.address(0)), settings));
        table = await(client.hashTableAsync("t", Codec.utf8(), Codec.utf8()));
    }

    /** Runs the world until the future has ended, which it must before anybody's deadline is long over. */
    <T> T await(CompletableFuture<T> future) {
        env.runUntil(future::isDone, 2 * TIMEOUT_MILLIS);
        return future.join();
    }

    /** The same for one that must fail so. */
    <E extends Throwable> E awaitFailure(CompletableFuture<?> future, Class<E> type) {
        env.runUntil(future::isDone, 2 * TIMEOUT_MILLIS);
        try {
            Object result = future.join();
            return fail("ended with " + result);
        } catch (CompletionException e) {
            assertThat(e.getCause()).isInstanceOf(type);
            return type.cast(e.getCause());
        }
    }

    ClientStatistics statistics() {
        return client.statisticsAsync().join();
    }
}
