package io.sdds.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.sdds.client.ClientSettings;
import io.sdds.client.Codec;
import io.sdds.client.HashTable;
import io.sdds.client.SddsClient;
import io.sdds.client.TableOptions;
import io.sdds.client.internal.EnvClients;
import io.sdds.sim.cluster.SimCluster;
import io.sdds.sim.plan.ClusterPlan;
import io.sdds.sim.plan.Scenario;
import io.sdds.sim.world.ServiceTimes;
import io.sdds.sim.world.SimEnv;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** A client that creates and drops tables, in a cluster at rest: nothing waits for a tick, and no burst is refused. */
class TableChurnSimTest {
    private static final List<Long> SEEDS = LongStream.rangeClosed(1, 2).boxed().toList();
    private static final int OPERATIONS = 300;
    private static final int TABLES = 12;
    private static final int BURST = 300;
    private static final long START_NANOS = 300_000_000L;

    /** Well below the interval of heartbeats, which is 200 ms. */
    private static final long CHANGE_NANOS_MAX = 50_000_000L;

    @Test
    void aTableIsCreatedAndDroppedWithoutWaitingForAHeartbeatAndABurstOfThemSucceeds() {
        for (Churn churn : churns()) {
            assertThat(churn.creations).hasSize(TABLES);
            assertThat(median(churn.creations)).as("creating, ns").isLessThan(CHANGE_NANOS_MAX);
            assertThat(churn.drops).hasSize(TABLES);
            assertThat(median(churn.drops)).as("dropping, ns").isLessThan(CHANGE_NANOS_MAX);
            assertThat(churn.failures).isEmpty();
            assertThat(churn.burst).isEqualTo(2 * BURST);
        }
    }

    private static List<Churn> churns() {
        ClusterSeeds seeds = new ClusterSeeds(Scenario.GROWING, ClusterPlan.Severity.CALM, OPERATIONS);
        return ClusterSeeds.each(SEEDS, seed -> {
            List<Churn> churn = new ArrayList<>();
            seeds.run(seed, cluster -> churn.add(new Churn(cluster)));
            return churn.get(0);
        });
    }

    private static long median(List<Long> times) {
        return times.stream().sorted().skip(times.size() / 2).findFirst().orElseThrow();
    }

    /** Creates and drops one table after the other, and then many at once. */
    private static final class Churn {
        private final SimEnv env;
        private final List<String> addresses;
        private final List<Long> creations = new ArrayList<>();
        private final List<Long> drops = new ArrayList<>();
        private final List<String> failures = new ArrayList<>();
        private int burst;

        Churn(SimCluster cluster) {
            env = cluster.simulation().env("churn", ServiceTimes.DEFAULT);
            addresses = cluster.coordinatorAddresses();
            cluster.simulation().after(START_NANOS, () -> env.execute(this::begin));
        }

        private void begin() {
            EnvClients.connect(env, addresses, ClientSettings.defaults()).whenComplete((client, failure) -> {
                if (failure == null) {
                    createAndDrop(client, TABLES);
                } else {
                    failures.add(failure.toString());
                }
            });
        }

        private void createAndDrop(SddsClient client, int left) {
            if (left == 0) {
                burst(client);
                return;
            }
            long before = env.nowNanos();
            create(client, "one" + left).whenComplete((table, failure) -> {
                long created = env.nowNanos();
                creations.add(created - before);
                client.dropTableAsync("one" + left).whenComplete((done, trouble) -> {
                    drops.add(env.nowNanos() - created);
                    createAndDrop(client, left - 1);
                });
            });
        }

        private void burst(SddsClient client) {
            List<CompletableFuture<?>> all = IntStream.range(0, BURST)
                    .<CompletableFuture<?>>mapToObj(k -> create(client, "burst" + k)
                            .whenComplete(this::count)
                            .thenCompose(table -> client.dropTableAsync("burst" + k))
                            .whenComplete(this::count))
                    .toList();
            CompletableFuture.allOf(all.toArray(CompletableFuture[]::new))
                    .whenComplete((done, failure) -> client.close());
        }

        private void count(Object result, Throwable failure) {
            if (failure == null) {
                burst++;
            } else {
                failures.add(failure.toString());
            }
        }

        private static CompletableFuture<HashTable<String, String>> create(SddsClient client, String name) {
            return client.createHashTableAsync(name, TableOptions.defaults(), Codec.utf8(), Codec.utf8());
        }
    }
}
