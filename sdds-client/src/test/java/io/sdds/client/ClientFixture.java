package io.sdds.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.netty.buffer.ByteBuf;
import io.sdds.client.internal.EnvClients;
import io.sdds.client.internal.routing.FakeCluster;
import io.sdds.core.Seeds;
import io.sdds.core.node.FakeWorld;
import io.sdds.core.node.Link;
import io.sdds.core.node.Node;
import io.sdds.core.protocol.Hello;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.BooleanSupplier;

/** A client of a scripted cluster, in virtual time. */
final class ClientFixture {
    static final long TIMEOUT_MILLIS = 5000;

    private final FakeWorld world = new FakeWorld(Seeds.next("ClientFixture"));
    final FakeWorld.FakeEnv env = world.newEnv();
    final FakeCluster cluster;
    final SddsClient client;
    final HashTable<String, String> table;

    ClientFixture(int bricks, int partitions) {
        this(bricks, partitions, ClientSettings.defaults());
    }

    ClientFixture(int bricks, int partitions, ClientSettings settings) {
        cluster = new FakeCluster(env, new InMemory(), bricks, partitions);
        client = await(EnvClients.connect(env, List.of(cluster.address(0)), settings));
        table = await(client.hashTableAsync("t", Codec.utf8(), Codec.utf8()));
    }

    /** Places the partitions on all bricks in turn, and lets the client learn the places. */
    void placeOnAllBricks(int bricks) {
        for (int a = 0; a < cluster.partitions(); a++) {
            cluster.move(a, 1 + a % bricks);
        }
        await(table.sizeAsync());
    }

    /** One more client, in the same world. */
    SddsClient connect() {
        return await(EnvClients.connect(env, List.of(cluster.address(0)), ClientSettings.defaults()));
    }

    /** Hangs a brick's process: it does nothing any more, but does not refuse connections. */
    void hang(int brick) {
        FakeWorld.FakeEnv hanging = world.newEnv();
        hanging.hang();
        world.listen(cluster.address(brick), hanging, () -> Hello.of(Hello.Role.BRICK, "hangs", 0), new Node() {
            @Override
            public void onLinkUp(Link link) {}

            @Override
            public void onFrames(Link link, ByteBuf frames) {}

            @Override
            public void onLinkDown(Link link, String reason) {}
        });
    }

    /** Lets time pass. */
    void run(long millis) {
        world.run(Duration.ofMillis(millis));
    }

    /** Lets time pass until the condition holds. */
    void runUntil(BooleanSupplier condition, long mostMillis) {
        world.runUntil(condition, Duration.ofMillis(mostMillis));
    }

    /** Runs the world until the future has ended, and fails if the future has not ended well after all deadlines. */
    <T> T await(CompletableFuture<T> future) {
        runUntil(future::isDone, 2 * TIMEOUT_MILLIS);
        return future.join();
    }

    /** Runs the world until the future has failed with an exception of a type. */
    <E extends Throwable> E awaitFailure(CompletableFuture<?> future, Class<E> type) {
        runUntil(future::isDone, 2 * TIMEOUT_MILLIS);
        try {
            Object result = future.join();
            return fail("ended with " + result);
        } catch (CompletionException e) {
            assertThat(e.getCause()).isInstanceOf(type);
            return type.cast(e.getCause());
        }
    }

    /** The cluster's servers, all in the client's thread. */
    private final class InMemory implements FakeCluster.Network {
        @Override
        public String listen(String name, Hello hello, Node node) {
            world.listen(name, env, () -> hello, node);
            return name;
        }

        @Override
        public void unlisten(String address) {
            world.stopListening(address);
        }
    }

    ClientStatistics statistics() {
        return client.statisticsAsync().join();
    }
}
