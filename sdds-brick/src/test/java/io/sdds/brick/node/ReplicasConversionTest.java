package io.sdds.brick.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.sdds.core.model.Place;
import io.sdds.core.protocol.Status;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Whole bricks with a table that is converted from parity to replicas, as coordinators order it. */
class ReplicasConversionTest {
    private static final int RECORDS = 600;
    private static final int BACKUP = 4;

    private final GrowthFixture cluster = new GrowthFixture();
    private final ExpectedRecords expected = new ExpectedRecords(cluster);

    @AfterEach
    void close() {
        cluster.close();
    }

    private void addBackup(int column, int brick) {
        int before = cluster.places.get(column).members().size();
        cluster.orderLearner(column, brick);
        cluster.runUntil(
                "the backup of partition " + column + " is a member",
                () -> cluster.places.get(column).members().size() > before);
    }

    @Test
    void theTableServesThroughItsConversionAndTheNextOneToParity() {
        expected.putAll(0, RECORDS, "v");
        cluster.convertToReplicas(2);
        cluster.orderLearner(0, BACKUP);
        expected.putAll(RECORDS / 2, RECORDS + 50, "w");
        cluster.runUntil("the backup is a member", () -> cluster.orders.isEmpty());
        addBackup(1, 0);
        expected.putAll(0, 50, "x");
        expected.remove(60);
        cluster.put("expires", "soon", Duration.ofMillis(200));
        cluster.checkParities();
        cluster.checkBackups("while the table has parity");
        assertThat(cluster.get("expires")).isNull();
        cluster.endWithReplicas();
        expected.putAll(RECORDS, RECORDS + 100, "y");
        expected.remove(61);
        cluster.put("expires", "soon", Duration.ofMillis(200));
        cluster.checkBackups("with replicas");
        cluster.checkNoParity("with replicas");
        expected.checkAll();
        cluster.convert();
        cluster.runUntil("all records have ranks", () -> cluster.ranked.size() == 2);
        cluster.orderParity();
        cluster.runUntil("the parity has joined", cluster::hasParity);
        expected.putAll(20, 70, "z");
        cluster.endConversion();
        cluster.checkParities();
        expected.checkAll();
    }

    @Test
    void aBackupAnswersNoReadsWhileTheTableIsConverted() {
        expected.putAll(0, 10, "v");
        cluster.convertToReplicas(2);
        addBackup(0, BACKUP);
        addBackup(1, BACKUP);
        cluster.run(500);
        expected.putAll(0, 10, "w"); // so that the backups hear their primaries in the present epoch
        int primary = cluster.primaryOf("k1");
        assertThat(cluster.getAt(BACKUP, "k1")).as("by the primary").isEqualTo(Status.OK);
        cluster.bricks.get(primary).crash();
        assertThat(cluster.getAt(BACKUP, "k1")).isNotEqualTo(Status.OK);
    }

    @Test
    void aSpareRecoversAColumnWhosePrimaryIsLost_andTheBackupDropsItsCopy() {
        expected.putAll(0, RECORDS, "v");
        cluster.convertToReplicas(2);
        addBackup(0, BACKUP);
        expected.putAll(0, 100, "w");
        cluster.lose(0);
        cluster.runUntil(
                "the backup has dropped its copy",
                () -> cluster.bricks.get(BACKUP).partition(0) == null);
        cluster.orderRecovery(0, GrowthFixture.SPARE);
        cluster.runUntil("the column is recovered", () -> cluster.orders.isEmpty());
        expected.checkAll();
        addBackup(0, BACKUP);
        expected.putAll(50, 150, "x");
        cluster.checkParities();
        cluster.checkBackups("after the recovery");
    }

    @Test
    void aColumnThatHasRecordsOfASplitGetsNoBackupBeforeItHasDroppedThem() {
        expected.putAll(0, RECORDS, "v");
        cluster.addColumn(2);
        cluster.orderSplit();
        cluster.runUntil("the split is committed", () -> cluster.partitions == 3);
        assertThat(cluster.isClean(0)).isFalse();
        cluster.convertToReplicas(2);
        addBackup(0, BACKUP);
        assertThat(cluster.isClean(0)).isTrue();
        cluster.checkParities();
        cluster.checkBackups("behind the split");
        expected.checkAll();
    }

    @Test
    void aTableOfOneReplicaDropsTheRecordsThatASplitHasTakenAway() {
        expected.putAll(0, RECORDS, "v");
        cluster.addColumn(2);
        cluster.orderSplit();
        cluster.runUntil("the split is committed", () -> cluster.partitions == 3);
        assertThat(cluster.isClean(0)).isFalse();
        cluster.convertToReplicas(1);
        cluster.endWithReplicas();
        cluster.run(1_000);
        cluster.checkNoParity("with one copy");
        assertThat(cluster.isClean(0)).isTrue();
        expected.putAll(0, 50, "w");
        expected.checkAll();
        long records = 0;
        for (int column = 0; column < 3; column++) {
            records += cluster.column(column).bucket().records();
        }
        assertThat(records).isEqualTo(RECORDS);
    }

    @Test
    void anIdleColumnStaysUntilItsGroupStandsOnReplicas() {
        expected.putAll(0, RECORDS, "v");
        cluster.addColumn(2);
        cluster.convertToReplicas(1);
        cluster.flip(0);
        cluster.run(500);
        assertThat(cluster.bricks.get(2).partition(2)).as("of the other group").isNotNull();
        cluster.flip(1);
        cluster.run(500);
        assertThat(cluster.bricks.get(2).partition(2)).isNull();
        cluster.checkNoParity("on replicas");
        cluster.endWithReplicas();
        cluster.run(500);
        expected.putAll(0, 50, "w");
        expected.checkAll();
    }

    @Test
    void aBackupTakesOverWhenItsGroupStandsOnReplicas() {
        expected.putAll(0, RECORDS, "v");
        cluster.convertToReplicas(2);
        addBackup(0, BACKUP);
        addBackup(1, 0);
        cluster.flip(0);
        expected.putAll(0, 50, "w");
        Place place = cluster.places.get(1);
        cluster.bricks.get(place.brick()).crash();
        cluster.places.set(1, Place.of(place.backups(), place.migration(), place.epoch() + 1));
        cluster.mapVersion++;
        expected.putAll(40, 100, "x");
        expected.checkAll();
    }
}
