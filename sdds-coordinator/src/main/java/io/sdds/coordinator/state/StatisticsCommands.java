package io.sdds.coordinator.state;

import io.sdds.coordinator.state.Result.Applied;
import io.sdds.coordinator.state.Result.Rejected;
import io.sdds.core.control.ControlMessage.Refusal;
import io.sdds.core.row.Statistics;

/** The command that stores the statistics of a table (docs/design/coordinator.md, rule 39). */
final class StatisticsCommands {
    private final Cluster cluster;

    StatisticsCommands(Cluster cluster) {
        this.cluster = cluster;
    }

    /** Stores statistics in the place of earlier ones. */
    Result store(Table table, Command.StoreStatistics command) {
        Statistics statistics = command.statistics();
        String fault = statistics.fault();
        if (fault != null) {
            return new Rejected(
                    Refusal.BAD_REQUEST, "table '" + table.definition().name() + "': " + fault);
        }
        int id = table.definition().id();
        long bytes = statistics.bytes()
                - cluster.statistics.getOrDefault(id, Statistics.NONE).bytes();
        for (Statistics each : cluster.statistics.values()) {
            bytes += each.bytes();
        }
        if (bytes > StateLimits.STATISTICS_BYTES_MAX) {
            return new Rejected(
                    Refusal.BAD_REQUEST,
                    "the statistics of all tables would take " + bytes + " bytes, and at most "
                            + StateLimits.STATISTICS_BYTES_MAX + " are allowed");
        }
        cluster.statistics.put(id, statistics);
        return new Applied(cluster.version);
    }
}
