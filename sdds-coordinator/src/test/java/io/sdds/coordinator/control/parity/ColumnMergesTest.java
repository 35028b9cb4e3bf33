package io.sdds.coordinator.control.parity;

import static org.assertj.core.api.Assertions.assertThat;

import io.sdds.coordinator.control.FakeBrick;
import io.sdds.coordinator.control.ParityCluster;
import io.sdds.coordinator.control.base.InMemoryLog;
import io.sdds.core.control.ControlMessage.MigrationState;
import io.sdds.core.control.ControlMessage.PartitionLoad;
import io.sdds.core.control.ControlMessage.SplitWanted;
import io.sdds.core.model.KeySpan;
import io.sdds.core.model.MigrationKind;
import io.sdds.core.model.MigrationOrder;
import io.sdds.core.model.Parity;
import io.sdds.core.model.Place;
import io.sdds.core.model.TableKind;
import io.sdds.core.node.FakeWorld;
import org.junit.jupiter.api.Test;

/** How a coordinator merges the partitions of tables with parity (docs/design/parity.md, rule 31). */
class ColumnMergesTest {
    private static final int TABLE = ParityCluster.TABLE;

    /** Heartbeats until a silent brick counts as gone, and some more. */
    private static final int SILENCE = 9;

    /** Heartbeats for which the load is low before a merge, and some more. */
    private static final int LOW = 55;

    private static final byte[] MIDDLE = {'m'};

    /** A table whose first partition has split once. */
    private static ParityCluster cluster(TableKind kind) {
        ParityCluster cluster = new ParityCluster(new FakeWorld(1), new InMemoryLog(), 6);
        boolean isRange = kind == TableKind.RANGE;
        cluster.create(kind, new Parity(2, 1), isRange ? 1 : 2);
        KeySpan upper = isRange ? KeySpan.ALL.above(MIDDLE) : KeySpan.ALL;
        FakeBrick first = cluster.brick(cluster.column(0).brick());
        first.wanted.add(new SplitWanted(TABLE, 0, upper));
        cluster.answersSplits(order -> MigrationState.HANDED_OVER);
        cluster.beat(2);
        first.wanted.clear();
        cluster.beat(1);
        cluster.answersSplits(order -> MigrationState.SHIPPING);
        loadLow(cluster);
        return cluster;
    }

    /** All partitions report that they hold next to nothing. */
    private static void loadLow(ParityCluster cluster) {
        for (int a = 0; a < cluster.state().columns(TABLE); a++) {
            if (cluster.state().exists(TABLE, a)) {
                cluster.brick(cluster.column(a).brick()).loads.add(new PartitionLoad(TABLE, a, 2, 1, 100));
            }
        }
    }

    private static MigrationOrder merge(ParityCluster cluster) {
        cluster.beat(LOW);
        return cluster.state().splitOf(TABLE);
    }

    @Test
    void theLastPartitionOfAHashTableMergesAndItsColumnBecomesIdle() {
        ParityCluster cluster = cluster(TableKind.HASH);
        Place child = cluster.column(2);
        MigrationOrder order = merge(cluster);
        assertThat(order.kind()).isEqualTo(MigrationKind.MERGE);
        assertThat(order.target()).isEqualTo(cluster.column(0));
        cluster.answersSplits(merge -> MigrationState.HANDED_OVER);
        cluster.beat(1);
        assertThat(cluster.state().table(TABLE).partitions()).isEqualTo(2);
        assertThat(cluster.state().isIdle(TABLE, 2)).isTrue();
        assertThat(cluster.column(2)).isEqualTo(child);
    }

    @Test
    void aPartitionOfARangeTableMergesAndItsColumnBecomesIdle() {
        ParityCluster cluster = cluster(TableKind.RANGE);
        assertThat(cluster.state().span(TABLE, 1)).isEqualTo(KeySpan.ALL.above(MIDDLE));
        assertThat(merge(cluster).isMerge()).isTrue();
        cluster.answersSplits(merge -> MigrationState.HANDED_OVER);
        cluster.beat(1);
        assertThat(cluster.state().span(TABLE, 0)).isEqualTo(KeySpan.ALL);
        assertThat(cluster.state().isIdle(TABLE, 1)).isTrue();
        assertThat(cluster.state().columns(TABLE)).isEqualTo(2);
    }

    @Test
    void waitsForTheGroupsToBeWhole() {
        ParityCluster cluster = cluster(TableKind.HASH);
        cluster.kill(cluster.group(1).parities().members().getFirst().brick());
        cluster.beat(SILENCE);
        assertThat(merge(cluster)).as("the parity is built again first").isNull();
        cluster.answerAtOnce();
        assertThat(merge(cluster)).isNotNull();
    }

    @Test
    void theLeadOfAChildDecidesBeforeASpareRecoversIt() {
        ParityCluster cluster = cluster(TableKind.HASH);
        cluster.answerAtOnce();
        merge(cluster);
        cluster.kill(cluster.column(2).brick());
        cluster.beat(SILENCE + 5);
        assertThat(cluster.column(2).epoch()).isEqualTo(2);
        assertThat(cluster.state().repairs()).isEmpty();
        cluster.answersSplits(merge -> MigrationState.ABANDONED);
        cluster.beat(5);
        assertThat(cluster.column(2).epoch()).as("the spare is primary").isEqualTo(3);
        assertThat(cluster.state().table(TABLE).partitions()).isEqualTo(3);
    }

    @Test
    void theParentIsRecoveredWhileItsChildMerges() {
        ParityCluster cluster = cluster(TableKind.HASH);
        cluster.answerAtOnce();
        MigrationOrder order = merge(cluster);
        cluster.kill(cluster.column(0).brick());
        cluster.beat(SILENCE + 5);
        assertThat(cluster.column(0).epoch()).as("the spare is primary").isEqualTo(3);
        assertThat(cluster.state().migrations()).containsExactly(order);
        cluster.answersSplits(merge -> MigrationState.HANDED_OVER);
        cluster.beat(1);
        assertThat(cluster.state().table(TABLE).partitions()).isEqualTo(2);
    }
}
