package io.sdds.coordinator.control.request;

import static org.assertj.core.api.Assertions.assertThat;

import io.sdds.coordinator.control.ParityCluster;
import io.sdds.coordinator.control.base.InMemoryLog;
import io.sdds.core.control.ControlMessage;
import io.sdds.core.control.ControlMessage.CreateTable;
import io.sdds.core.control.ControlMessage.Done;
import io.sdds.core.control.ControlMessage.DropTable;
import io.sdds.core.control.ControlMessage.FetchStatistics;
import io.sdds.core.control.ControlMessage.Refusal;
import io.sdds.core.control.ControlMessage.Refused;
import io.sdds.core.control.ControlMessage.StatisticsFound;
import io.sdds.core.control.ControlMessage.StoreStatistics;
import io.sdds.core.control.ControlMessage.TableFound;
import io.sdds.core.model.TableKind;
import io.sdds.core.model.TableSpec;
import io.sdds.core.node.FakeWorld;
import io.sdds.core.row.ColumnStatistics;
import io.sdds.core.row.Statistics;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How a coordinator stores and tells statistics of tables (docs/design/coordinator.md, rule 39). */
class StatisticsRequestsTest {
    private static final int BRICKS = 2;
    private static final Statistics SOME =
            new Statistics(7, 0, 3, 3, List.of(new ColumnStatistics(0, 3, 0, 9, true, new byte[] {1}, new byte[] {9})));

    private final ParityCluster cluster = new ParityCluster(new FakeWorld(1), new InMemoryLog(), BRICKS);

    private static ControlMessage ask(ParityCluster asked, ControlMessage message) {
        int id = asked.client().send(message);
        asked.beat(3);
        return asked.client().answer(id);
    }

    private ControlMessage ask(ControlMessage message) {
        return ask(cluster, message);
    }

    private static int create(ParityCluster made) {
        CreateTable table =
                new CreateTable("t", TableSpec.of(TableKind.HASH).capacity(1000).build());
        return ((TableFound) ask(made, table)).table().definition().id();
    }

    private Statistics found() {
        return ((StatisticsFound) ask(new FetchStatistics("t"))).statistics();
    }

    @Test
    void clientsFindWhatWasStoredAlsoAtTheNextLeader() {
        int id = create(cluster);
        assertThat(found()).isEqualTo(Statistics.NONE);
        assertThat(ask(new StoreStatistics("t", id, SOME))).isInstanceOf(Done.class);
        assertThat(found()).isEqualTo(SOME);
        cluster.leaderChanges();
        assertThat(found()).isEqualTo(SOME);
        assertThat(((StatisticsFound) ask(new FetchStatistics("t")))
                        .table()
                        .definition()
                        .id())
                .isEqualTo(id);
    }

    @Test
    void statisticsOfATableThatIsGoneAreNotStored() {
        int id = create(cluster);
        assertThat(ask(new FetchStatistics("none")))
                .isEqualTo(new Refused(Refusal.NO_SUCH_TABLE, "table 'none' does not exist"));
        ask(new DropTable("t"));
        assertThat(ask(new StoreStatistics("t", id, SOME)))
                .isEqualTo(new Refused(Refusal.NO_SUCH_TABLE, "table 't' does not exist"));
        create(cluster);
        assertThat(ask(new StoreStatistics("t", id, SOME)))
                .isEqualTo(new Refused(
                        Refusal.NO_SUCH_TABLE,
                        "table 't' is another one by now, created after the one that was analyzed"));
        assertThat(found()).isEqualTo(Statistics.NONE);
    }

    @Test
    void badStatisticsAreRefused() {
        int id = create(cluster);
        assertThat(ask(new StoreStatistics("t", id, Statistics.NONE)))
                .isEqualTo(new Refused(Refusal.BAD_REQUEST, "table 't': statistics without a time"));
    }
}
