package io.sdds.cli.command;

import io.sdds.cli.quick.QuickClient;
import io.sdds.cli.terminal.Json;
import io.sdds.cli.terminal.Numbers;
import io.sdds.cli.terminal.TextTable;
import io.sdds.core.control.ControlMessage.ClusterStatus;
import io.sdds.core.control.ControlMessage.PartitionStatus;
import io.sdds.core.control.ControlMessage.TableStatus;
import io.sdds.core.model.KeySpan;
import io.sdds.core.model.TableDefinition;
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

@Command(name = "describe", description = "Tell what a table is, and where its partitions are.")
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
        TableStatus table = Tables.named(name, status);
        int id = table.table().definition().id();
        List<PartitionStatus> partitions = status.partitions().stream()
                .filter(partition -> partition.table() == id)
                .sorted(Comparator.comparing(partition -> partition.span().low(), Arrays::compareUnsigned))
                .toList();
        boolean isRange = table.table().definition().kind() == TableKind.RANGE;
        if (sdds.json()) {
            Map<String, Object> document = Tables.document(table);
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

    /** The primary's first. */
    private static String bricks(PartitionStatus partition) {
        return partition.backups().isEmpty()
                ? partition.brick()
                : partition.brick() + ", " + String.join(", ", partition.backups());
    }

    private void print(TableStatus table, List<PartitionStatus> partitions) {
        TableDefinition definition = table.table().definition();
        PrintStream out = sdds.screen().out();
        out.println("table       " + definition.name() + " (" + definition.id() + ")");
        out.println("kind        " + definition.kind().name().toLowerCase(Locale.ROOT));
        out.println("split       " + Tables.split(definition.split()));
        out.println("capacity    " + Tables.capacity(definition.capacityRecords(), definition.capacityBytes())
                + " a partition");
        out.println("replicas    " + definition.replicas()
                + (definition.minCopies() == 1 ? "" : ", writes with at least " + definition.minCopies()));
        out.println("ttl         " + (definition.ttlMillis() == 0 ? "none" : Tables.time(definition.ttlMillis())));
        out.println("partitions  " + Numbers.count(table.table().partitions())
                + (table.lostPartitions() == 0 ? "" : ", " + Numbers.count(table.lostPartitions()) + " of them lost"));
        out.println("records     " + Numbers.count(table.records()));
        out.println("bytes       " + Numbers.bytes(table.bytes()));
        out.println();
        boolean isRange = definition.kind() == TableKind.RANGE;
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
