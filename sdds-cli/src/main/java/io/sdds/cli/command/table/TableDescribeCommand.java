package io.sdds.cli.command.table;

import io.sdds.cli.command.base.CommandContext;
import io.sdds.cli.command.base.CommandFailure;
import io.sdds.cli.connection.CommandClient;
import io.sdds.cli.terminal.Json;
import io.sdds.cli.terminal.Numbers;
import io.sdds.cli.terminal.TextTable;
import io.sdds.client.ClusterStatus;
import io.sdds.client.ClusterStatus.PartitionStatus;
import io.sdds.client.ClusterStatus.RepairStatus;
import io.sdds.client.TableInfo;
import io.sdds.client.TableOptions;
import io.sdds.client.TableStatistics;
import io.sdds.client.UnavailableException;
import io.sdds.core.model.KeySpan;
import io.sdds.core.model.TableKind;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

@Command(
        name = "describe",
        description = "Print the options, columns and statistics of a table and the bricks of its partitions.")
final class TableDescribeCommand implements Callable<Integer> {
    private final CommandContext context;

    @Parameters(index = "0", paramLabel = "NAME")
    private String name = "";

    TableDescribeCommand(CommandContext context) {
        this.context = context;
    }

    @Override
    public Integer call() {
        ClusterStatus status;
        TableInfo table;
        @Nullable TableStatistics statistics;
        try (CommandClient client = new CommandClient(context.addresses(), context.timeout())) {
            status = client.await(connected -> connected.statusAsync(true));
            table = TableText.named(name, status);
            statistics = statistics(client);
        }
        int id = table.id();
        List<PartitionStatus> partitions = status.partitions().stream()
                .filter(partition -> partition.table() == id)
                .sorted(Comparator.comparing(partition -> partition.span().low(), Arrays::compareUnsigned))
                .toList();
        List<PartitionStatus> idle = status.idleColumns().stream()
                .filter(column -> column.table() == id)
                .toList();
        boolean isRange = table.kind() == TableKind.RANGE;
        if (context.json()) {
            Map<String, Object> document = TableText.document(table);
            document.put(
                    "partitions",
                    partitions.stream()
                            .map(partition -> document(partition, isRange, PartitionState.of(partition, status)))
                            .toList());
            if (!table.options().parity().isNone()) {
                document.put(
                        "idle_columns",
                        idle.stream()
                                .map(column -> idleDocument(column, PartitionState.of(column, status)))
                                .toList());
            }
            document.put(
                    "statistics", statistics == null ? null : new StatisticsOutput(context, statistics).document());
            Json.print(context.screen().out(), document);
        } else {
            print(table, partitions, idle, status);
            print(statistics);
        }
        return CommandFailure.OK;
    }

    /** The statistics of the table; null if it was never analyzed, or no coordinator answers. */
    private @Nullable TableStatistics statistics(CommandClient client) {
        try {
            return client.await(connected -> connected.tableStatisticsAsync(name));
        } catch (UnavailableException e) {
            return null; // the rest of the table is known, and is shown
        }
    }

    private void print(@Nullable TableStatistics statistics) {
        if (statistics != null) {
            StatisticsOutput output = new StatisticsOutput(context, statistics);
            PrintStream out = context.screen().out();
            out.println();
            out.println("analyzed " + output.age() + ": " + output.summary());
            output.lines().forEach(out::println);
        }
    }

    private static Map<String, Object> idleDocument(PartitionStatus column, PartitionState state) {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("column", column.partition());
        document.put("brick", column.lost() ? null : column.brick());
        document.put("parities", column.parities());
        document.put("state", state.name().toLowerCase(Locale.ROOT));
        document.put("lost", column.lost());
        return document;
    }

    private Map<String, Object> document(PartitionStatus partition, boolean isRange, PartitionState state) {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("partition", partition.partition());
        if (isRange) {
            KeySpan span = partition.span();
            document.put("above", span.isFirst() ? null : context.shown(span.low()));
            document.put("up_to", span.isLast() ? null : context.shown(span.high()));
        } else {
            document.put("level", partition.level());
        }
        document.put("brick", partition.lost() ? null : partition.brick());
        document.put("backups", partition.backups());
        if (!partition.parities().isEmpty()) {
            document.put("parities", partition.parities());
            document.put("state", state.name().toLowerCase(Locale.ROOT));
        }
        document.put("lost", partition.lost());
        document.put("records", partition.records());
        document.put("bytes", partition.bytes());
        return document;
    }

    /** The state of a partition. Only a table with parity has partitions that are degraded or filling. */
    private enum PartitionState {
        WHOLE,
        DEGRADED,
        FILLING,
        LOST;

        static PartitionState of(PartitionStatus partition, ClusterStatus status) {
            if (partition.lost()) {
                return LOST;
            }
            if (partition.parities().contains(partition.brick())) {
                return DEGRADED;
            }
            return status.repairs().stream().anyMatch(repair -> fills(repair, partition)) ? FILLING : WHOLE;
        }

        private static boolean fills(RepairStatus repair, PartitionStatus partition) {
            return !repair.isOfParity()
                    && repair.table() == partition.table()
                    && repair.partition() == partition.partition()
                    && repair.target().equals(partition.brick());
        }
    }

    /** The bricks of a partition, the primary first, such as {@code b1, b2}, {@code decoded by b7} or {@code lost}. */
    private static String bricks(PartitionStatus partition, PartitionState state) {
        return switch (state) {
            case WHOLE ->
                partition.backups().isEmpty()
                        ? partition.brick()
                        : partition.brick() + ", " + String.join(", ", partition.backups());
            case DEGRADED -> "decoded by " + partition.brick();
            case FILLING -> partition.brick() + " (filling)";
            case LOST -> "lost";
        };
    }

    private void print(
            TableInfo table, List<PartitionStatus> partitions, List<PartitionStatus> idle, ClusterStatus status) {
        TableOptions options = table.options();
        PrintStream out = context.screen().out();
        out.println("table       " + table.name() + " (" + table.id() + ")");
        out.println("kind        " + table.kind().name().toLowerCase(Locale.ROOT));
        out.println("split       " + TableText.split(options.split()));
        out.println("capacity    " + TableText.capacity(options.capacityRecords(), options.capacityBytes())
                + " a partition");
        boolean hasParity = !options.parity().isNone();
        out.println(
                hasParity
                        ? (table.health().isConverting() ? "replicas    " + options.replicas() + "\n" : "")
                                + "parity      " + parity(table)
                        : "replicas    " + options.replicas()
                                + (options.minCopies() == 1 ? "" : ", writes with at least " + options.minCopies()));
        out.println("ttl         "
                + (options.timeToLive().isZero()
                        ? "none"
                        : TableText.time(options.timeToLive().toMillis())));
        out.println("partitions  " + Numbers.count(table.partitions())
                + (table.lostPartitions() == 0 ? "" : ", " + Numbers.count(table.lostPartitions()) + " of them lost"));
        String lacks = TableText.lacks(table.health());
        out.println("can lose    " + TableText.canLose(table.health()) + (lacks.isEmpty() ? "" : "; " + lacks));
        out.println("records     " + Numbers.count(table.records()));
        out.println("bytes       " + Numbers.bytes(table.bytes()));
        if (table.schema().exists()) {
            out.println("schema      version " + table.schema().version());
            out.println();
            SchemaOutput.lines(table.schema()).forEach(out::println);
        }
        out.println();
        TextTable rows = rows(partitions, status, table.kind() == TableKind.RANGE, hasParity);
        idle.forEach(column -> rows.row(
                Integer.toString(column.partition()),
                "idle",
                bricks(column, PartitionState.of(column, status)),
                parities(column),
                "",
                ""));
        rows.lines().forEach(out::println);
    }

    private static TextTable rows(
            List<PartitionStatus> partitions, ClusterStatus status, boolean isRange, boolean hasParity) {
        List<String> titles = new ArrayList<>(List.of("PARTITION", isRange ? "KEYS" : "LEVEL", "BRICK"));
        if (hasParity) {
            titles.add("PARITIES");
        }
        titles.addAll(List.of("RECORDS", "BYTES"));
        TextTable text = new TextTable(0, titles.toArray(String[]::new));
        for (PartitionStatus partition : partitions) {
            List<String> row = new ArrayList<>();
            row.add(Integer.toString(partition.partition()));
            row.add(isRange ? partition.span().toString() : Integer.toString(partition.level()));
            row.add(bricks(partition, PartitionState.of(partition, status)));
            if (hasParity) {
                row.add(parities(partition));
            }
            row.add(Numbers.count(partition.records()));
            row.add(Numbers.bytes(partition.bytes()));
            text.row(row.toArray(String[]::new));
        }
        return text;
    }

    /** {@code 4,2}, or {@code 4,2 (auto)}, and the raise that waits for bricks or the conversion under way. */
    private static String parity(TableInfo table) {
        String waiting = TableText.waiting(table);
        String conversion = TableText.conversion(table);
        return table.options().parity().text()
                + (table.options().parity().auto() ? " (auto)" : "")
                + TableText.writes(table.options().parity())
                + (waiting.isEmpty() ? "" : "; " + waiting)
                + (conversion.isEmpty() ? "" : "; " + conversion);
    }

    /** The bricks of the parities of a partition's group, in the order of their indexes. */
    private static String parities(PartitionStatus partition) {
        return partition.parities().stream()
                .map(brick -> brick.isEmpty() ? "missing" : brick)
                .collect(Collectors.joining(", "));
    }
}
