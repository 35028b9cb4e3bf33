package io.sdds.cli.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.sdds.cli.process.ProcessSite;
import io.sdds.client.ClusterStatus.PartitionStatus;
import io.sdds.client.Codec;
import io.sdds.client.HashTable;
import io.sdds.client.SddsClient;
import io.sdds.client.TableOptions;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Clusters of processes for experiments. */
class ProcessSiteIT {
    @Test
    @Tag("soak")
    void coordinatorsAreToldThatAKilledBrickHasEndedSoItsLossIsAcceptedWithoutConfirmation()
            throws InterruptedException {
        ConcurrentLinkedQueue<String> notices = new ConcurrentLinkedQueue<>();
        try (ProcessSite site = new ProcessSite(notices::add);
                SddsClient client = SddsClient.connect(site.cluster(2))) {
            HashTable<String, String> lost = table(client, "lost", TableOptions.defaults());
            table(client, "kept", TableOptions.replicas(2));
            String killed = client.status(true).partitions().stream()
                    .filter(partition -> partition.backups().isEmpty())
                    .findFirst()
                    .orElseThrow()
                    .brick();
            site.kill(killed);
            await(() -> client.status(true).partitions().stream()
                    .noneMatch(partition -> partition.backups().contains(killed)
                            || partition.brick().equals(killed)
                                    && !partition.backups().isEmpty()));
            site.restart(killed);
            await(() -> client.status(true).partitions().stream().anyMatch(PartitionStatus::lost));
            client.acceptLoss("lost");
            assertThat(lost.size()).isZero();
        }
        assertThat(notices).isEmpty();
    }

    private static HashTable<String, String> table(SddsClient client, String name, TableOptions options) {
        return client.createHashTable(name, options, Codec.utf8(), Codec.utf8());
    }

    private static void await(Callable<Boolean> condition) {
        Awaitility.await().atMost(Duration.ofSeconds(30)).until(condition);
    }
}
