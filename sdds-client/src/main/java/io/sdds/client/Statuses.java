package io.sdds.client;

import io.sdds.core.control.ControlMessage;
import io.sdds.core.model.BrickWeight;
import io.sdds.core.model.MigrationCounters;
import io.sdds.core.model.Place;
import io.sdds.core.model.TableDefinition;
import io.sdds.core.row.Column;
import io.sdds.core.row.ColumnStatistics;
import io.sdds.core.row.Schema;
import io.sdds.core.row.Statistics;
import io.sdds.core.row.ValueType;
import io.sdds.core.row.Values;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Converts the status records and statistics of coordinators to the records that applications see. */
final class Statuses {
    private Statuses() {}

    static ClusterStatus of(ControlMessage.ClusterStatus status) {
        return new ClusterStatus(
                status.mapVersion(),
                status.coordinator(),
                status.coordinators().stream().map(Statuses::of).toList(),
                status.bricks().stream().map(Statuses::of).toList(),
                status.tables().stream().map(Statuses::of).toList(),
                status.splits().stream().map(Statuses::of).toList(),
                status.partitions().stream().map(Statuses::of).toList(),
                status.sessions(),
                status.joins().stream()
                        .filter(join -> !join.order().isRepair())
                        .map(Statuses::of)
                        .toList(),
                status.checksumFailures(),
                status.joins().stream()
                        .filter(join -> join.order().isRepair())
                        .map(Statuses::repair)
                        .toList(),
                status.idleColumns().stream().map(Statuses::of).toList());
    }

    private static ClusterStatus.CoordinatorStatus of(ControlMessage.CoordinatorStatus status) {
        return new ClusterStatus.CoordinatorStatus(
                status.id(), status.address(), status.leads(), status.up(), Duration.ofMillis(status.silentMillis()));
    }

    private static ClusterStatus.BrickStatus of(ControlMessage.BrickStatus status) {
        ControlMessage.BrickCounters counters = status.counters();
        return new ClusterStatus.BrickStatus(
                status.brick().id(),
                status.brick().number(),
                status.brick().incarnation(),
                status.brick().address(),
                status.up(),
                Duration.ofMillis(status.silentMillis()),
                status.memoryUsedBytes(),
                status.memoryLimitBytes(),
                status.partitions(),
                status.records(),
                status.bytes(),
                counters.operations(),
                counters.addressingForwards(),
                counters.adjustments(),
                counters.refused(),
                status.draining(),
                counters.checksumFailures(),
                of(counters.migrations()),
                status.erasureKernel(),
                BrickWeight.orDefault(status.weight()) / 100.0);
    }

    private static ClusterStatus.MigrationTotals of(MigrationCounters counters) {
        return new ClusterStatus.MigrationTotals(
                counters.committed(),
                counters.abandoned(),
                counters.records(),
                counters.bytes(),
                counters.rounds(),
                Duration.of(counters.writesWaitedMicros(), ChronoUnit.MICROS),
                Duration.of(counters.longestWaitMicros(), ChronoUnit.MICROS),
                counters.requestsParked(),
                counters.requestsRefused(),
                counters.switchTimeouts());
    }

    static TableInfo of(ControlMessage.TableStatus status) {
        TableDefinition definition = status.table().definition();
        return new TableInfo(
                definition.id(),
                definition.name(),
                definition.kind(),
                TableOptions.of(definition),
                status.table().partitions(),
                status.records(),
                status.bytes(),
                status.lostPartitions(),
                of(status.health(), definition));
    }

    private static TableInfo.Health of(ControlMessage.TableHealth health, TableDefinition table) {
        return new TableInfo.Health(
                health.canLose(),
                health.degraded(),
                health.filling(),
                health.missingParities(),
                health.lacksSpare(),
                health.bricksToRaise(),
                health.groupsConverted(),
                health.groupsToConvert(),
                health.obstacle(),
                health.missingCopies(),
                health.extraCopies(),
                table.isConvertingToReplicas(),
                health.columnsToSeparate(),
                health.restingPartitions());
    }

    private static ClusterStatus.PartitionStatus of(ControlMessage.PartitionStatus status) {
        return new ClusterStatus.PartitionStatus(
                status.table(),
                status.partition(),
                status.level(),
                status.brick(),
                status.lost(),
                status.records(),
                status.bytes(),
                status.span(),
                status.backups(),
                members(status.members()),
                status.parities());
    }

    private static List<ClusterStatus.Member> members(List<Place.Member> members) {
        return members.stream()
                .map(member -> new ClusterStatus.Member(member.brick(), member.incarnation()))
                .toList();
    }

    private static ClusterStatus.SplitStatus of(ControlMessage.SplitStatus status) {
        return new ClusterStatus.SplitStatus(
                status.order().table(),
                status.order().parent(),
                status.order().child(),
                status.order().isMerge(),
                status.source(),
                status.target(),
                members(status.order().target().members()),
                status.shippedBytes(),
                status.totalBytes());
    }

    private static ClusterStatus.JoinStatus of(ControlMessage.JoinStatus status) {
        return new ClusterStatus.JoinStatus(
                status.order().table(),
                status.order().receiver(),
                status.source(),
                status.target(),
                status.shippedBytes(),
                status.totalBytes(),
                status.bytesPerSecond());
    }

    private static ClusterStatus.RepairStatus repair(ControlMessage.JoinStatus status) {
        return new ClusterStatus.RepairStatus(
                status.order().table(),
                status.order().receiver(),
                status.order().isParity() ? status.order().parityIndex() : -1,
                status.target(),
                status.shippedBytes(),
                status.totalBytes(),
                status.bytesPerSecond());
    }

    static DrainStatus of(ControlMessage.DrainStatus status) {
        return new DrainStatus(
                status.brick(), status.draining(), status.partitionsLeft(), status.bytesLeft(), status.obstacle());
    }

    /** @param schema the columns that the table has now */
    static TableStatistics of(Schema schema, Statistics stored) {
        List<TableStatistics.Column> columns = new ArrayList<>();
        for (ColumnStatistics each : stored.columns()) {
            Column column = column(schema, each.column());
            if (column != null && !column.dropped()) {
                columns.add(of(column, each, stored.sampled()));
            }
        }
        return new TableStatistics(Instant.ofEpochMilli(stored.timeMillis()), stored.rows(), stored.sampled(), columns);
    }

    private static @Nullable Column column(Schema schema, int index) {
        if (schema.exists()) {
            return index >= 0 && index < schema.columns().size()
                    ? schema.columns().get(index)
                    : null;
        }
        String name = index == 0 ? "key" : "value";
        return new Column(name, ValueType.VARBINARY, index == 0, true, false, new byte[0], false);
    }

    private static TableStatistics.Column of(Column column, ColumnStatistics each, long sampled) {
        long values = sampled - each.nulls();
        return new TableStatistics.Column(
                column.name(),
                column.type().toString(),
                each.distinct(),
                sampled == 0 ? 0 : (double) each.nulls() / sampled,
                values == 0 ? 0 : (double) each.bytes() / values,
                bound(column.type(), each, each.min()),
                bound(column.type(), each, each.max()));
    }

    private static @Nullable Object bound(ValueType type, ColumnStatistics each, byte[] stored) {
        boolean isValue = each.bounded() && (type.bytes() == 0 || type.bytes() == stored.length);
        return isValue ? Values.decode(type, stored) : null;
    }
}
