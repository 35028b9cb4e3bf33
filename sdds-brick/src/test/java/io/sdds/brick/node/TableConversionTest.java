package io.sdds.brick.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.sdds.core.protocol.Status;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Whole bricks with a table that is converted from replicas to parity, as coordinators order it. */
class TableConversionTest {
    private static final int RECORDS = 600;

    private final GrowthFixture cluster = GrowthFixture.replicated();
    private final ExpectedRecords expected = new ExpectedRecords(cluster);

    @AfterEach
    void close() {
        cluster.close();
    }

    private void runUntilRanked() {
        cluster.runUntil("all records have ranks", () -> isRanked(0) && isRanked(1));
    }

    private boolean isRanked(int column) {
        return cluster.ranked.getOrDefault(column, 0L)
                == cluster.places.get(column).epoch();
    }

    private void join() {
        cluster.orderParity();
        cluster.runUntil("the parity has joined", cluster::hasParity);
        cluster.run(500);
    }

    @Test
    void theTableServesThroughItsConversionAndGrowsOn() {
        expected.putAll(0, RECORDS, "v");
        cluster.run(500);
        assertThat(cluster.ranked).isEmpty();
        cluster.convert();
        expected.putAll(RECORDS / 2, RECORDS + 50, "w");
        runUntilRanked();
        join();
        expected.putAll(0, 50, "x");
        expected.remove(60);
        cluster.put("expires", "soon", Duration.ofMillis(200));
        cluster.checkParities();
        assertThat(cluster.get("expires")).isNull();
        assertThat(cluster.bricks.get(1).partition(0)).as("the backup").isNotNull();
        cluster.endConversion();
        cluster.run(1_000);
        assertThat(cluster.bricks.get(1).partition(0)).as("the backup").isNull();
        cluster.ranked.clear();
        expected.putAll(RECORDS, RECORDS + 100, "y");
        expected.remove(61);
        cluster.checkParities();
        expected.checkAll();
        assertThat(cluster.ranked).isEmpty();
        cluster.addColumn(2);
        cluster.orderSplit();
        cluster.runUntil("the split is committed", () -> cluster.partitions == 3);
        cluster.runUntil("the parent is clean", () -> cluster.isClean(0));
        cluster.checkParities();
        expected.checkAll();
    }

    @Test
    void aBackupAnswersNoReadsFromItsCopyAnyMore() {
        expected.putAll(0, 10, "v");
        cluster.run(1_000);
        int primary = cluster.primaryOf("k1");
        int backup = 1 - primary;
        cluster.convert();
        cluster.run(500);
        assertThat(cluster.getAt(backup, "k1")).as("by the primary").isEqualTo(Status.OK);
        cluster.bricks.get(primary).crash();
        assertThat(cluster.getAt(backup, "k1")).isNotEqualTo(Status.OK);
    }

    @Test
    void anotherPrimaryReportsItsRanksInItsEpoch() {
        expected.putAll(0, 100, "v");
        cluster.convert();
        runUntilRanked();
        join();
        cluster.handOver(0);
        expected.putAll(50, 150, "w");
        runUntilRanked();
        join();
        cluster.checkParities();
        cluster.endConversion();
        expected.putAll(120, 160, "x");
        cluster.checkParities();
        expected.checkAll();
    }
}
