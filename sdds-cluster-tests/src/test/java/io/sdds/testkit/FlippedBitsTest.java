package io.sdds.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sdds.client.ClusterStatus.BrickStatus;
import io.sdds.client.Codec;
import io.sdds.client.HashTable;
import io.sdds.client.SddsException;
import io.sdds.client.TableOptions;
import io.sdds.core.netty.FlippingProxy;
import io.sdds.testkit.check.SoleWriter;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;

/**
 * Single bits that are flipped on real sockets, between clients and bricks and between bricks: no wrong value is read
 * or stored.
 */
@Order(1)
class FlippedBitsTest {
    private static final long SEED = Long.getLong("sdds.seed", 1); // of the bits; when they are flipped is chance
    private static final int BRICKS = 3;
    private static final int WRITERS = 4;
    private static final int KEYS = 20;
    private static final int DAMAGED_CONNECTIONS = 100;
    private static final Duration PATIENCE = Duration.ofSeconds(40);

    private final SplittableRandom random = new SplittableRandom(SEED);
    private final List<FlippingProxy> proxies = proxies();
    private final EmbeddedCluster cluster = EmbeddedCluster.startBehind(
            proxies.stream().map(FlippingProxy::address).toList());
    private volatile boolean over;

    private List<FlippingProxy> proxies() {
        List<FlippingProxy> made = new ArrayList<>();
        try {
            for (int brick = 0; brick < BRICKS; brick++) {
                made.add(new FlippingProxy(random.nextLong()));
            }
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
        return made;
    }

    @AfterEach
    void stop() throws IOException {
        cluster.close();
        for (FlippingProxy proxy : proxies) {
            proxy.close();
        }
    }

    private void readAndWrite(HashTable<String, String> table, List<SoleWriter> writers, String prefix) {
        List<SoleWriter> own = new ArrayList<>();
        for (int key = 0; key < KEYS; key++) {
            own.add(new SoleWriter(table, prefix + key));
        }
        synchronized (writers) {
            writers.addAll(own);
        }
        for (int k = 0; !over; k++) {
            SoleWriter writer = own.get(k * 7 % KEYS);
            writer.write();
            writer.read();
        }
    }

    @Test
    void noWrongValueIsReadOrStored() {
        for (int brick = 0; brick < BRICKS; brick++) {
            proxies.get(brick).target(cluster.brickAddresses().get(brick));
        }
        HashTable<String, String> single = cluster.client()
                .withTimeout(Duration.ofSeconds(5))
                .createHashTable("single", TableOptions.capacity(20), Codec.utf8(), Codec.utf8());
        HashTable<String, String> copies = cluster.client()
                .withTimeout(Duration.ofSeconds(5))
                .createHashTable("copies", TableOptions.replicas(2), Codec.utf8(), Codec.utf8());
        List<SoleWriter> writers = new ArrayList<>();
        List<CompletableFuture<Void>> running = new ArrayList<>();
        for (int k = 0; k < WRITERS; k++) {
            HashTable<String, String> table = k % 2 == 0 ? single : copies;
            String prefix = k + "/";
            running.add(CompletableFuture.runAsync(
                    () -> readAndWrite(table, writers, prefix), task -> new Thread(task).start()));
        }
        await().atMost(PATIENCE).pollInterval(Duration.ofMillis(20)).until(() -> {
            FlippingProxy proxy = proxies.get(random.nextInt(BRICKS));
            proxy.flip(random.nextBoolean());
            return running.stream().anyMatch(CompletableFuture::isDone) || damaged() >= DAMAGED_CONNECTIONS;
        });
        over = true;
        proxies.forEach(FlippingProxy::flipNoMore);
        running.forEach(CompletableFuture::join);
        assertThat(damaged()).isGreaterThanOrEqualTo(DAMAGED_CONNECTIONS);

        await().atMost(PATIENCE)
                .until(() -> proxies.stream()
                        .allMatch(proxy -> proxy.damagedAndOpen().isEmpty()));
        for (SoleWriter writer : writers) {
            await().atMost(PATIENCE)
                    .ignoreExceptionsInstanceOf(SddsException.class)
                    .untilAsserted(() -> writer.checkNow());
        }
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(checksumFailures())
                        .isGreaterThan(DAMAGED_CONNECTIONS / 10)
                        .isLessThanOrEqualTo(damaged()));
        assertThat(cluster.client().statistics().checksumFailures())
                .as("noticed by the client")
                .isPositive();
    }

    private int damaged() {
        return proxies.stream().mapToInt(FlippingProxy::damaged).sum();
    }

    private long checksumFailures() {
        return cluster.client().status(false).bricks().stream()
                .mapToLong(BrickStatus::checksumFailures)
                .sum();
    }
}
