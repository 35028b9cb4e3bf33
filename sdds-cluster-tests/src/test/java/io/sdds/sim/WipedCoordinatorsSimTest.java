package io.sdds.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.sdds.client.ClientSettings;
import io.sdds.client.Codec;
import io.sdds.client.HashTable;
import io.sdds.client.SddsClient;
import io.sdds.client.TableOptions;
import io.sdds.client.UnavailableException;
import io.sdds.client.internal.EnvClients;
import io.sdds.core.model.BrickInfo;
import io.sdds.core.protocol.ClusterId;
import io.sdds.sim.cluster.SimBrick;
import io.sdds.sim.cluster.SimCluster;
import io.sdds.sim.plan.ClusterPlan;
import io.sdds.sim.world.ServiceTimes;
import io.sdds.sim.world.SimEnv;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A cluster whose coordinators were wiped: another cluster begins where it was, beside what is left of it. */
class WipedCoordinatorsSimTest {
    private static final long SECOND = 1_000_000_000L;

    /** With one coordinator, and with three. */
    private static ClusterPlan plan(long seed) {
        return seed % 2 == 0
                ? ClusterPlan.draw(seed, ClusterPlan.Severity.CALM, 100)
                : ClusterPlan.drawQuorum(seed, ClusterPlan.Severity.CALM, 100);
    }

    /**
     * A cluster with a table and a client that uses it; then its coordinators lose their disks, and a brick comes that
     * is new.
     */
    private static final class Wiped implements AutoCloseable {
        final SimCluster cluster;
        final SimBrick fresh;
        final HashTable<String, String> oldTable;
        final ClusterId old;

        /** @param follows whether the client of the old table goes on in a cluster that was made anew */
        Wiped(long seed, boolean follows) {
            cluster = new SimCluster(plan(seed));
            cluster.start();
            assertThat(cluster.simulation().runUntil(this::isUp, 10 * SECOND)).isTrue();
            oldTable = newTable("x1", follows);
            await("x1", () -> oldTable.putAsync("k", "old"));
            old = cluster.coordinator().state().cluster();
            fresh = new SimBrick(cluster, "b99");
        }

        private boolean isUp() {
            return cluster.coordinatorIsUp()
                    && cluster.coordinator().state().cluster().isKnown()
                    && cluster.coordinator().state().bricks().size()
                            == cluster.bricks().size();
        }

        void wipe() {
            cluster.wipeCoordinators(SECOND / 10);
            fresh.start();
            cluster.simulation().runFor(10 * SECOND);
        }

        HashTable<String, String> newTable(String client, boolean follows) {
            ClientSettings settings = ClientSettings.builder()
                    .name(client)
                    .followsNewCluster(follows)
                    .build();
            SimEnv env = cluster.simulation().env(client, ServiceTimes.DEFAULT);
            SddsClient connected = await(env, () -> EnvClients.connect(env, cluster.coordinatorAddresses(), settings));
            return await(
                    env,
                    () -> connected.createHashTableAsync("t", TableOptions.defaults(), Codec.utf8(), Codec.utf8()));
        }

        <T> T await(String client, Supplier<CompletableFuture<T>> call) {
            return await(
                    cluster.simulation().envs().stream()
                            .filter(env -> env.name().equals(client))
                            .findFirst()
                            .orElseThrow(),
                    call);
        }

        private <T> T await(SimEnv env, Supplier<CompletableFuture<T>> call) {
            CompletableFuture<T> result = new CompletableFuture<>();
            env.execute(() -> call.get().whenComplete((value, failure) -> {
                if (failure == null) {
                    result.complete(value);
                } else {
                    result.completeExceptionally(failure);
                }
            }));
            assertThat(cluster.simulation().runUntil(result::isDone, 20 * SECOND))
                    .isTrue();
            return result.join();
        }

        /** Bricks of the old cluster that take part in the new one. */
        List<String> attached() {
            return cluster.coordinator().state().bricks().stream()
                    .map(BrickInfo::id)
                    .filter(id -> !id.equals(fresh.name()))
                    .toList();
        }

        @Override
        public void close() {
            cluster.close();
            fresh.release();
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6})
    void nothingOfTheOldClusterTakesPartInTheNewOne(long seed) {
        try (Wiped wiped = new Wiped(seed, false)) {
            wiped.wipe();
            ClusterId now = wiped.cluster.coordinator().state().cluster();
            assertThat(wiped.attached()).isEmpty();
            for (SimBrick brick : wiped.cluster.bricks()) {
                assertThat(brick.nodes()).as("%s has ended", brick.name()).isEmpty();
                assertThat(brick.refusal()).contains(wiped.old.toString(), now.toString());
            }
            HashTable<String, String> table = wiped.newTable("x2", true);
            wiped.await("x2", () -> table.putAsync("k", "new"));
            Throwable refused = catchThrowableOfType(
                    Exception.class, () -> wiped.await("x1", () -> wiped.oldTable.putAsync("k", "late")));
            assertThat(refused).hasRootCauseInstanceOf(UnavailableException.class);
            assertThat(refused.getMessage()).contains(wiped.old.toString(), now.toString());
            assertThat(wiped.await("x2", () -> table.getAsync("k"))).isEqualTo("new");
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2})
    void aClientGoesOnInTheNewCluster(long seed) {
        try (Wiped wiped = new Wiped(seed, true)) {
            wiped.wipe();
            HashTable<String, String> table = wiped.newTable("x2", true);
            wiped.await("x2", () -> table.putAsync("k", "new"));
            assertThat(wiped.await("x1", () -> wiped.oldTable.getAsync("k"))).isEqualTo("new");
            wiped.await("x1", () -> wiped.oldTable.putAsync("k", "late"));
            assertThat(wiped.await("x2", () -> table.getAsync("k"))).isEqualTo("late");
        }
    }

    /** The planted bug: coordinators do not tell whose they are. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2})
    void oldBricksWouldAttachIfCoordinatorsDidNotNameTheirCluster(long seed) {
        try (Wiped wiped = new Wiped(seed, false)) {
            wiped.cluster.coordinatorsSay(hello -> hello.withCluster(ClusterId.UNKNOWN));
            wiped.wipe();
            assertThat(wiped.attached()).isNotEmpty();
        }
    }
}
