package io.sdds.cli.command;

import io.sdds.cli.quick.QuickClient;
import io.sdds.cli.terminal.Json;
import io.sdds.cli.terminal.Numbers;
import io.sdds.cli.terminal.TextTable;
import io.sdds.client.ClusterStatus;
import io.sdds.client.ClusterStatus.PartitionStatus;
import io.sdds.client.TableInfo;
import io.sdds.client.TableOptions;
import io.sdds.core.model.KeySpan;
import io.sdds.core.model.TableKind;
import java.io.PrintStream;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

@Command(name = "describe", description = "Print the options of a table and the bricks of its partitions.")
final class TableDescribeCommand implements Callable<Integer> {
    private final SddsCommand sdds;

    @Parameters(index = "0", paramLabel = "NAME")
    private String name = "";

    TableDescribeCommand(SddsCommand sdds) {
        this.sdds = sdds;
    }

    @Override
    public Integer call() {
        ClusterStatus status;
        try (QuickClient client = new QuickClient(sdds.addresses(), sdds.timeout())) {
            status = client.await(connected -> connected.statusAsync(true));
        }
        TableInfo table = TableText.named(name, status);
        int id = table.id();
        List<PartitionStatus> partitions = status.partitions().stream()
                .filter(partition -> partition.table() == id)
                .sorted(Comparator.comparing(partition -> partition.span().low(), Arrays::compareUnsigned))
                .toList();
        boolean isRange = table.kind() == TableKind.RANGE;
        if (sdds.json()) {
            Map<String, Object> document = TableText.document(table);
            document.put(
                    "partitions",
                    partitions.stream()
                            .map(partition -> document(partition, isRange))
                            .toList());
            Json.print(sdds.screen().out(), document);
        } else {
            print(table, partitions);
        }
        return CommandFailure.OK;
    }

    private Map<String, Object> document(PartitionStatus partition, boolean isRange) {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("partition", partition.partition());
        if (isRange) {
            KeySpan span = partition.span();
            document.put("above", span.isFirst() ? null : sdds.shown(span.low()));
            document.put("up_to", span.isLast() ? null : sdds.shown(span.high()));
        } else {
            document.put("level", partition.level());
        }
        document.put("brick", partition.lost() ? null : partition.brick());
        document.put("backups", partition.backups());
        document.put("lost", partition.lost());
        document.put("records", partition.records());
        document.put("bytes", partition.bytes());
        return document;
    }

    /** The bricks of a partition, the primary first. */
    private static String bricks(PartitionStatus partition) {
        return partition.backups().isEmpty()
                ? partition.brick()
                : partition.brick() + ", " + String.join(", ", partition.backups());
    }

    private void print(TableInfo table, List<PartitionStatus> partitions) {
        TableOptions options = table.options();
        PrintStream out = sdds.screen().out();
        out.println("table       " + table.name() + " (" + table.id() + ")");
        out.println("kind        " + table.kind().name().toLowerCase(Locale.ROOT));
        out.println("split       " + TableText.split(options.split()));
        out.println("capacity    " + TableText.capacity(options.capacityRecords(), options.capacityBytes())
                + " a partition");
        out.println("replicas    " + options.replicas()
                + (options.minCopies() == 1 ? "" : ", writes with at least " + options.minCopies()));
        out.println("ttl         "
                + (options.timeToLive().isZero()
                        ? "none"
                        : TableText.time(options.timeToLive().toMillis())));
        out.println("partitions  " + Numbers.count(table.partitions())
                + (table.lostPartitions() == 0 ? "" : ", " + Numbers.count(table.lostPartitions()) + " of them lost"));
        out.println("records     " + Numbers.count(table.records()));
        out.println("bytes       " + Numbers.bytes(table.bytes()));
        out.println();
        boolean isRange = table.kind() == TableKind.RANGE;
        TextTable text = new TextTable(0, "PARTITION", isRange ? "KEYS" : "LEVEL", "BRICK", "RECORDS", "BYTES");
        for (PartitionStatus partition : partitions) {
            text.row(
                    Integer.toString(partition.partition()),
                    isRange ? partition.span().toString() : Integer.toString(partition.level()),
                    partition.lost() ? "lost" : bricks(partition),
                    Numbers.count(partition.records()),
                    Numbers.bytes(partition.bytes()));
        }
        text.lines().forEach(out::println);
    }
}
