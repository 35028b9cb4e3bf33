package io.sdds.brick.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.sdds.core.control.ControlMessage.MigrationState;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Splits of a table with parity groups, as its bricks do them. */
class ColumnSplitTest {
    private static final int RECORDS = 300;

    private final GrowthFixture cluster = new GrowthFixture();
    private final Map<String, String> expected = new TreeMap<>();

    @AfterEach
    void close() {
        cluster.close();
    }

    private void putAll(int from, int to, String value) {
        for (int k = from; k < to; k++) {
            expected.put("key" + k, value + k);
            cluster.put("key" + k, value + k);
        }
    }

    private void checkAll() {
        expected.forEach((key, value) -> assertThat(cluster.get(key)).as(key).isEqualTo(value));
    }

    private void splitTo(int partitions) {
        cluster.orderSplit();
        cluster.runUntil("the split is committed", () -> cluster.partitions == partitions);
    }

    @Test
    void theChildHasItsHalfAndTheParentDropsIt() {
        putAll(0, RECORDS, "v");
        cluster.addColumn(2);
        assertThat(cluster.column(2).isIdle()).isTrue();
        cluster.checkParities();
        splitTo(3);
        checkAll();
        putAll(RECORDS / 2, RECORDS + 100, "w");
        cluster.runUntil("the parent is clean", () -> cluster.isClean(0));
        checkAll();
        cluster.checkParities();
        long records = cluster.column(0).records()
                + cluster.column(1).records()
                + cluster.column(2).records();
        assertThat(records).isEqualTo(expected.size());
        assertThat(cluster.column(0).bucket().records())
                .isEqualTo(cluster.column(0).records());
    }

    @Test
    void writesGoOnWhileTheHalfIsCopied() {
        putAll(0, RECORDS, "v");
        cluster.addColumn(2);
        cluster.orderSplit();
        for (int k = 0; k < RECORDS; k += 3) {
            cluster.remove("key" + k);
            expected.remove("key" + k);
            putAll(k + 1, k + 2, "a longer value ");
        }
        cluster.runUntil("the split is committed", () -> cluster.partitions == 3);
        checkAll();
        assertThat(cluster.get("key0")).isNull();
        cluster.runUntil("the parent is clean", () -> cluster.isClean(0));
        cluster.checkParities();
    }

    @Test
    void recordsExpireAtTheChildAsLateAsTheirWriterAsked() {
        putAll(0, 50, "v");
        for (int k = 0; k < 50; k++) {
            cluster.put("short" + k, "v", Duration.ofSeconds(60));
        }
        cluster.addColumn(2);
        splitTo(3);
        for (int k = 0; k < 50; k++) {
            assertThat(cluster.get("short" + k)).isEqualTo("v");
        }
        cluster.run(61_000);
        for (int k = 0; k < 50; k++) {
            assertThat(cluster.get("short" + k)).isNull();
        }
        checkAll();
        cluster.checkParities();
    }

    @Test
    void anAbandonedSplitLeavesAnIdleColumnThatIsCleanedAndUsedAgain() {
        putAll(0, RECORDS, "v");
        cluster.addColumn(2);
        cluster.ends = false;
        cluster.unheard.add(0); // the parent does not hand over, because it does not know its turn
        long first = cluster.orderSplit();
        cluster.unheard.clear();
        cluster.run(250);
        cluster.drop(first);
        cluster.run(1_000);
        if (cluster.reports.get(first) == MigrationState.HANDED_OVER) {
            return;
        }
        cluster.runUntil("the column is clean", () -> cluster.isClean(2));
        cluster.checkParities();
        cluster.ends = true;
        splitTo(3);
        checkAll();
    }

    /** No order waits for ever behind one partition. */
    @Test
    void aSplitWithoutProgressIsGivenUpAndWritesGoOn() {
        putAll(0, RECORDS, "v");
        cluster.addColumn(2);
        cluster.ends = false;
        cluster.bricks.get(4).crash(); // without a parity the child commits nothing, and acknowledges nothing
        long split = cluster.orderSplit();
        cluster.run(29_000);
        assertThat(cluster.reports).containsEntry(split, MigrationState.SHIPPING);
        cluster.run(2_000);
        assertThat(cluster.reports).containsEntry(split, MigrationState.ABANDONED);
        cluster.put("key0", "later");
        assertThat(cluster.get("key0")).isEqualTo("later");
    }

    @Test
    void theParityThatLeadsTheParentReportsTheHandOver() {
        putAll(0, RECORDS, "v");
        cluster.addColumn(2);
        cluster.ends = false;
        cluster.unheard.add(0);
        long split = cluster.orderSplit();
        cluster.unheard.clear();
        cluster.runUntil("handed over", () -> cluster.column(0).level() == 2);
        cluster.unheard.add(0);
        cluster.reports.clear();
        cluster.lose(0);
        cluster.ends = true;
        cluster.runUntil("the split is committed", () -> cluster.partitions == 3);
        assertThat(cluster.reports).containsEntry(split, MigrationState.HANDED_OVER);
        checkAll();
        cluster.orderRecovery(0, GrowthFixture.SPARE);
        cluster.runUntil("the column is recovered", () -> cluster.orders.isEmpty());
        cluster.runUntil("the column is clean", () -> cluster.isClean(0));
        checkAll();
        cluster.checkParities();
    }

    @Test
    void aLostChildIsRecovered() {
        putAll(0, RECORDS, "v");
        cluster.addColumn(2);
        splitTo(3);
        cluster.lose(2);
        checkAll();
        cluster.orderRecovery(2, GrowthFixture.SPARE);
        cluster.runUntil("the column is recovered", () -> cluster.orders.isEmpty());
        checkAll();
        putAll(0, RECORDS, "w");
        checkAll();
        cluster.checkParities();
    }
}
