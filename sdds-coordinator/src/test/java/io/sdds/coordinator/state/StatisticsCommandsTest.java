package io.sdds.coordinator.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.sdds.core.control.ControlMessage.Refusal;
import io.sdds.core.row.ColumnStatistics;
import io.sdds.core.row.Schema;
import io.sdds.core.row.Statistics;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Statistics of tables in the replicated state (docs/design/coordinator.md, rule 39). */
class StatisticsCommandsTest {
    static final Statistics SOME = new Statistics(
            1_700_000_000_000L, 1, 10, 4, List.of(new ColumnStatistics(1, 3, 2, 9, true, new byte[] {1}, new byte[] {
                7, 8
            })));

    private final ClusterState state = new ClusterState();
    private final List<Command> log = new ArrayList<>();

    @BeforeEach
    void createsATable() {
        apply(new Command.RegisterBrick("b1", 1, "b1:7500", 1 << 30, 0));
        apply(SchemaCommandsTest.create("t", SchemaCommandsTest.SCHEMA));
    }

    private Result apply(Command command) {
        log.add(command);
        return state.apply(command);
    }

    private static Statistics of(int columns, int boundBytes) {
        List<ColumnStatistics> list = new ArrayList<>();
        for (int k = 0; k < columns; k++) {
            list.add(new ColumnStatistics(k, 1, 0, 1, true, new byte[boundBytes], new byte[boundBytes]));
        }
        return new Statistics(5, 1, 1, 1, list);
    }

    @Test
    void aTableHasTheStatisticsThatWereStoredLast() {
        assertThat(state.statistics(1)).isEqualTo(Statistics.NONE);
        long version = state.version();
        assertThat(apply(new Command.StoreStatistics(1, SOME))).isEqualTo(new Result.Applied(version));
        assertThat(state.statistics(1)).isEqualTo(SOME);
        Statistics later = new Statistics(SOME.timeMillis() + 1, 2, 11, 11, List.of());
        apply(new Command.StoreStatistics(1, later));
        assertThat(state.statistics(1)).isEqualTo(later);
        assertThat(state.version()).as("the map has no statistics").isEqualTo(version);
    }

    @Test
    void statisticsGoWithTheirTable() {
        apply(new Command.StoreStatistics(1, SOME));
        apply(new Command.DropTable(1));
        assertThat(state.statistics(1)).isEqualTo(Statistics.NONE);
        apply(SchemaCommandsTest.create("t", Schema.NONE));
        assertThat(state.statistics(2)).isEqualTo(Statistics.NONE);
        assertThat(apply(new Command.StoreStatistics(1, SOME)))
                .isEqualTo(new Result.Rejected(Refusal.NO_SUCH_TABLE, "table 1 does not exist"));
    }

    @Test
    void statisticsOutliveSnapshotsAndTheLog() {
        apply(new Command.StoreStatistics(1, SOME));
        ClusterState restored = new ClusterState();
        restored.restore(StateCodec.decodeSnapshot(StateCodec.encode(state.snapshot())));
        assertThat(restored.statistics(1)).isEqualTo(SOME);
        assertThat(restored.snapshot()).isEqualTo(state.snapshot());
        ClusterState replayed = new ClusterState();
        log.forEach(command -> replayed.apply(StateCodec.decodeCommand(StateCodec.encode(command))));
        assertThat(replayed.snapshot()).isEqualTo(state.snapshot());
        restored.restore(new ClusterState().snapshot());
        assertThat(restored.statistics(1)).isEqualTo(Statistics.NONE);
    }

    @Test
    void statisticsThatAreTooLargeAreRejected() {
        refused(Statistics.NONE, "table 't': statistics without a time");
        refused(
                of(1, Statistics.BOUND_BYTES_MAX + 1),
                "table 't': column 0 has a smallest or largest value of more than 64 bytes");
        refused(of(400, 0), "table 't': the statistics take 16436 bytes, and at most 15360 are allowed");
        assertThat(state.statistics(1)).isEqualTo(Statistics.NONE);
    }

    private void refused(Statistics statistics, String text) {
        assertThat(apply(new Command.StoreStatistics(1, statistics)))
                .isEqualTo(new Result.Rejected(Refusal.BAD_REQUEST, text));
    }

    @Test
    void theStatisticsOfAllTablesTogetherAreBounded() {
        Statistics large = of(90, Statistics.BOUND_BYTES_MAX);
        int room = StateLimits.STATISTICS_BYTES_MAX / large.bytes();
        for (int id = 2; id <= room + 1; id++) {
            apply(SchemaCommandsTest.create("t" + id, Schema.NONE));
            assertThat(apply(new Command.StoreStatistics(id, large))).isInstanceOf(Result.Applied.class);
        }
        assertThat(apply(new Command.StoreStatistics(2, large))).isInstanceOf(Result.Applied.class);
        Result refused = apply(new Command.StoreStatistics(1, large));
        assertThat(((Result.Rejected) refused).text()).contains("at most " + StateLimits.STATISTICS_BYTES_MAX);
        apply(new Command.DropTable(2));
        assertThat(apply(new Command.StoreStatistics(1, large))).isInstanceOf(Result.Applied.class);
    }
}
