package io.sdds.cli.command.cluster;

import io.sdds.cli.command.table.TableText;
import io.sdds.cli.terminal.Numbers;
import io.sdds.cli.terminal.Style;
import io.sdds.cli.terminal.TextTable;
import io.sdds.client.ClusterStatus;
import io.sdds.client.ClusterStatus.BrickStatus;
import io.sdds.client.ClusterStatus.CoordinatorStatus;
import io.sdds.client.ClusterStatus.JoinStatus;
import io.sdds.client.ClusterStatus.MigrationTotals;
import io.sdds.client.ClusterStatus.RepairStatus;
import io.sdds.client.ClusterStatus.SplitStatus;
import io.sdds.client.TableInfo;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The state of the cluster, as text of at most 80 columns and as a JSON document. */
final class ClusterText {
    private static final int NAME_WIDTH_MAX = 24;
    private static final int BAR_WIDTH = 10;
    private static final int SPLITS_SHOWN_MAX = 8;
    private static final int WIDTH_MAX = 80;

    /** Room for {@code and 1234 more}. */
    private static final int MORE_WIDTH = 14;

    private final ClusterStatus status;
    private final boolean colour;

    ClusterText(ClusterStatus status, boolean colour) {
        this.status = status;
        this.colour = colour;
    }

    List<String> lines() {
        List<String> lines = new ArrayList<>();
        long up = status.bricks().stream().filter(BrickStatus::up).count();
        lines.add("coordinator " + status.coordinator() + " leads; " + up + " of "
                + Numbers.plural(status.bricks().size(), "brick") + " up; "
                + Numbers.plural(status.tables().size(), "table") + "; "
                + Numbers.plural(status.sessions(), "session") + "; map version " + status.mapVersion());
        if (status.coordinators().size() > 1) {
            section(lines, coordinators().lines());
        }
        section(lines, bricks().lines());
        lines.addAll(damages());
        lines.addAll(kernels());
        if (!status.tables().isEmpty()) {
            section(lines, tables().lines());
            lines.addAll(changes());
        }
        if (!status.splits().isEmpty()) {
            section(lines, splits());
        }
        if (!status.joins().isEmpty()) {
            section(lines, joins());
        }
        if (!status.repairs().isEmpty()) {
            section(lines, repairs());
        }
        return lines;
    }

    private void section(List<String> lines, List<String> section) {
        lines.add("");
        lines.add(Style.BOLD.on(section.get(0), colour));
        lines.addAll(section.subList(1, section.size()));
    }

    /** Names the bricks that received damaged bytes, a sign of a bad network card, cable or memory. */
    private List<String> damages() {
        List<String> lines = new ArrayList<>();
        addDamages(lines, "coordinator " + shortened(status.coordinator()), status.checksumFailures());
        for (BrickStatus brick : sorted(status.bricks())) {
            addDamages(lines, "brick " + shortened(brick.id()), brick.checksumFailures());
        }
        return lines;
    }

    private static void addDamages(List<String> lines, String who, long failures) {
        if (failures > 0) {
            lines.add(who + " closed " + Numbers.plural(failures, "connection")
                    + " because a checksum of received frames was wrong");
        }
    }

    /**
     * Names what computes parity, if a table has parity: a line for all bricks that are up, or a line for each kernel
     * if they differ.
     */
    private List<String> kernels() {
        if (status.tables().stream().allMatch(table -> table.options().parity().isNone())) {
            return List.of();
        }
        Map<String, List<String>> bricks = sorted(status.bricks()).stream()
                .filter(brick -> brick.up() && !brick.erasureKernel().isEmpty())
                .collect(Collectors.groupingBy(
                        BrickStatus::erasureKernel,
                        TreeMap::new,
                        Collectors.mapping(brick -> shortened(brick.id()), Collectors.toList())));
        List<String> lines = new ArrayList<>();
        bricks.forEach((kernel, ids) -> lines.add(
                bricks.size() == 1 ? "erasure kernel " + kernel : listed("erasure kernel " + kernel + " on", ids)));
        return lines;
    }

    /** A line with as many names as there is room for, and how many follow. */
    private static String listed(String line, List<String> names) {
        for (int k = 0; k < names.size(); k++) {
            String longer = line + " " + names.get(k);
            boolean isLast = k == names.size() - 1;
            if (longer.length() > WIDTH_MAX - (isLast ? 0 : MORE_WIDTH)) {
                return line + " and " + (names.size() - k) + " more";
            }
            line = longer;
        }
        return line;
    }

    private TextTable coordinators() {
        TextTable table = new TextTable(3, "COORDINATOR", "STATE", "ADDRESS");
        for (CoordinatorStatus each : status.coordinators()) {
            table.row(shortened(each.id()), state(each), shortened(each.address()));
        }
        return table;
    }

    private static String state(CoordinatorStatus coordinator) {
        if (coordinator.leads()) {
            return "leads";
        }
        return coordinator.up() ? "follows" : down(coordinator.silent());
    }

    private TextTable bricks() {
        boolean hasWeights = hasWeights(status);
        List<String> headings =
                new ArrayList<>(List.of("BRICK", "STATE", "ADDRESS", "PARTITIONS", "RECORDS", "MEMORY", "REFUSED"));
        if (hasWeights) {
            headings.add("WEIGHT");
        }
        TextTable table = new TextTable(3, headings.toArray(new String[0]));
        for (BrickStatus brick : sorted(status.bricks())) {
            List<String> cells = new ArrayList<>(List.of(
                    shortened(brick.id()),
                    state(brick),
                    shortened(brick.address()),
                    Numbers.count(brick.partitions()),
                    Numbers.count(brick.records()),
                    Numbers.bytes(brick.memoryUsedBytes()) + "/" + Numbers.bytes(brick.memoryLimitBytes()),
                    Numbers.count(brick.refused())));
            if (hasWeights) {
                cells.add(weight(brick));
            }
            table.row(cells.toArray(new String[0]));
        }
        return table;
    }

    /** Whether the weights of bricks are worth a column. Most clusters have none. */
    static boolean hasWeights(ClusterStatus status) {
        return status.bricks().stream().anyMatch(brick -> brick.weight() != 1);
    }

    /** The weight without needless digits. */
    static String weight(BrickStatus brick) {
        return BigDecimal.valueOf(brick.weight()).stripTrailingZeros().toPlainString();
    }

    /** Sorts by name. Numbers in names are compared as numbers: b2 comes before b10. */
    static List<BrickStatus> sorted(List<BrickStatus> bricks) {
        return bricks.stream()
                .sorted(Comparator.comparing((BrickStatus brick) -> brick.id().replaceAll("\\d+$", ""))
                        .thenComparingInt(brick -> brick.id().length())
                        .thenComparing(brick -> brick.id()))
                .toList();
    }

    static String state(BrickStatus brick) {
        if (!brick.up()) {
            return down(brick.silent());
        }
        return brick.draining() ? "draining" : "up";
    }

    private static String down(Duration silent) {
        return "down " + Numbers.duration(silent.toNanos());
    }

    private TextTable tables() {
        TextTable table = new TextTable(2, "TABLE", "COPIES", "PARTITIONS", "RECORDS", "BYTES", "LOST", "CAN LOSE");
        for (TableInfo each : status.tables()) {
            table.row(
                    shortened(each.name()),
                    TableText.protection(each),
                    Numbers.count(each.partitions()),
                    Numbers.count(each.records()),
                    Numbers.bytes(each.bytes()),
                    each.lostPartitions() == 0 ? "-" : Numbers.count(each.lostPartitions()),
                    TableText.canLose(each.health()));
        }
        return table;
    }

    /**
     * The tables that are being converted, whose parity waits for bricks, whose partitions are to move apart, or whose
     * partitions rest.
     */
    private List<String> changes() {
        Stream<TableInfo> converting =
                status.tables().stream().filter(table -> table.health().isConverting());
        Stream<TableInfo> waiting =
                status.tables().stream().filter(table -> table.health().bricksToRaise() > 0);
        Stream<TableInfo> crowded =
                status.tables().stream().filter(table -> table.health().columnsToSeparate() > 0);
        Stream<TableInfo> resting =
                status.tables().stream().filter(table -> table.health().restingPartitions() > 0);
        return Stream.of(
                        converting.map(table -> line(table, TableText.conversion(table))),
                        waiting.map(table -> line(table, TableText.waiting(table))),
                        crowded.map(table -> line(table, TableText.crowded(table))),
                        resting.map(table -> line(table, TableText.resting(table))))
                .flatMap(lines -> lines)
                .toList();
    }

    private static String line(TableInfo table, String text) {
        return "table " + shortened(table.name()) + ": " + text;
    }

    private List<String> splits() {
        TextTable table = new TextTable(4, "SPLIT", "PARTITIONS", "BRICKS", "PROGRESS", "SHIPPED");
        status.splits().stream()
                .limit(SPLITS_SHOWN_MAX)
                .forEach(split -> table.row(
                        shortened(tableName(split.table())),
                        split.sender() + " → " + split.receiver() + (split.merge() ? " (merge)" : ""),
                        split.source() + " → " + split.target(),
                        bar(split.shippedBytes(), split.totalBytes()),
                        Numbers.bytes(split.shippedBytes())));
        return shown(table, status.splits().size());
    }

    private List<String> joins() {
        TextTable table = new TextTable(4, "COPY", "PARTITION", "BRICKS", "PROGRESS", "SHIPPED", "RATE", "LEFT");
        status.joins().stream()
                .limit(SPLITS_SHOWN_MAX)
                .forEach(join -> table.row(
                        shortened(tableName(join.table())),
                        Numbers.count(join.partition()),
                        join.source() + " → " + join.target(),
                        bar(join.shippedBytes(), join.totalBytes()),
                        Numbers.bytes(join.shippedBytes()),
                        join.bytesPerSecond() == 0 ? "" : Numbers.bytes(join.bytesPerSecond()) + "/s",
                        left(join)));
        return shown(table, status.joins().size());
    }

    private List<String> repairs() {
        TextTable table = new TextTable(4, "REPAIR", "MEMBER", "BRICK", "PROGRESS", "LEFT");
        status.repairs().stream()
                .limit(SPLITS_SHOWN_MAX)
                .forEach(repair -> table.row(
                        shortened(tableName(repair.table())),
                        member(repair),
                        shortened(repair.target()),
                        bar(repair.done(), repair.total()),
                        repair.isOfParity() ? Numbers.bytes(repair.left()) : Numbers.plural(repair.left(), "record")));
        return shown(table, status.repairs().size());
    }

    /** {@code partition 5}, or {@code parity 1 of group 0}. */
    private String member(RepairStatus repair) {
        return repair.isOfParity()
                ? "parity " + repair.parity() + " of group " + group(repair)
                : "partition " + repair.partition();
    }

    /** The number of the parity group of a repair. */
    private int group(RepairStatus repair) {
        return status.tables().stream()
                .filter(table -> table.id() == repair.table())
                .findFirst()
                .map(table -> table.options().parity().group(repair.partition()))
                .orElse(0);
    }

    /** The lines of a table, and how many rows it leaves out. */
    private static List<String> shown(TextTable table, int rows) {
        List<String> lines = new ArrayList<>(table.lines());
        if (rows > SPLITS_SHOWN_MAX) {
            lines.add("and " + (rows - SPLITS_SHOWN_MAX) + " more");
        }
        return lines;
    }

    private static String left(JoinStatus join) {
        Duration left = join.timeLeft();
        return left == null ? "" : left.toSeconds() + " s";
    }

    private static String bar(long shipped, long total) {
        double done = total == 0 ? 0 : Math.min(1.0, (double) shipped / total);
        int filled = (int) Math.round(done * BAR_WIDTH);
        return "█".repeat(filled) + "░".repeat(BAR_WIDTH - filled) + String.format(" %3.0f %%", 100 * done);
    }

    private String tableName(int id) {
        return status.tables().stream()
                .filter(table -> table.id() == id)
                .map(TableInfo::name)
                .findFirst()
                .orElse("?");
    }

    private static String shortened(String name) {
        return name.length() <= NAME_WIDTH_MAX ? name : name.substring(0, NAME_WIDTH_MAX - 1) + "…";
    }

    // ---- the document

    Map<String, Object> document() {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("coordinator", status.coordinator());
        document.put("map_version", status.mapVersion());
        document.put("sessions", status.sessions());
        document.put("checksum_failures", status.checksumFailures());
        document.put(
                "coordinators",
                status.coordinators().stream().map(ClusterText::coordinator).toList());
        document.put(
                "bricks",
                sorted(status.bricks()).stream().map(ClusterText::brick).toList());
        document.put("tables", status.tables().stream().map(TableText::document).toList());
        document.put("splits", status.splits().stream().map(this::split).toList());
        document.put("joins", status.joins().stream().map(this::join).toList());
        document.put("repairs", status.repairs().stream().map(this::repair).toList());
        return document;
    }

    private static Map<String, Object> coordinator(CoordinatorStatus coordinator) {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("id", coordinator.id());
        document.put("address", coordinator.address());
        document.put("leads", coordinator.leads());
        document.put("up", coordinator.up());
        document.put("silent_ms", coordinator.silent().toMillis());
        return document;
    }

    static Map<String, @Nullable Object> brick(BrickStatus brick) {
        Map<String, @Nullable Object> document = new LinkedHashMap<>();
        document.put("id", brick.id());
        document.put("number", brick.number());
        document.put("incarnation", brick.incarnation());
        document.put("address", brick.address());
        document.put("up", brick.up());
        document.put("silent_ms", brick.silent().toMillis());
        document.put("memory_used_bytes", brick.memoryUsedBytes());
        document.put("memory_limit_bytes", brick.memoryLimitBytes());
        document.put("partitions", brick.partitions());
        document.put("records", brick.records());
        document.put("bytes", brick.bytes());
        document.put("operations", brick.operations());
        document.put("addressing_forwards", brick.addressingForwards());
        document.put("adjustments", brick.adjustments());
        document.put("refused", brick.refused());
        document.put("draining", brick.draining());
        document.put("checksum_failures", brick.checksumFailures());
        document.put("migrations", migrations(brick.migrations()));
        document.put("erasure_kernel", brick.erasureKernel().isEmpty() ? null : brick.erasureKernel());
        document.put("weight", brick.weight());
        return document;
    }

    private static Map<String, Object> migrations(MigrationTotals totals) {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("committed", totals.committed());
        document.put("abandoned", totals.abandoned());
        document.put("records", totals.records());
        document.put("bytes", totals.bytes());
        document.put("rounds", totals.rounds());
        document.put("writes_waited_us", micros(totals.writesWaited()));
        document.put("longest_wait_us", micros(totals.longestWait()));
        document.put("requests_parked", totals.requestsParked());
        document.put("requests_refused", totals.requestsRefused());
        document.put("switch_timeouts", totals.switchTimeouts());
        return document;
    }

    private static long micros(Duration time) {
        return TimeUnit.NANOSECONDS.toMicros(time.toNanos());
    }

    private Map<String, @Nullable Object> join(JoinStatus join) {
        Map<String, @Nullable Object> document = new LinkedHashMap<>();
        document.put("table", tableName(join.table()));
        document.put("partition", join.partition());
        document.put("source", join.source());
        document.put("target", join.target());
        document.put("shipped_bytes", join.shippedBytes());
        document.put("total_bytes", join.totalBytes());
        document.put("bytes_per_second", join.bytesPerSecond());
        Duration left = join.timeLeft();
        document.put("seconds_left", left == null ? null : left.toSeconds());
        return document;
    }

    private Map<String, @Nullable Object> repair(RepairStatus repair) {
        Map<String, @Nullable Object> document = new LinkedHashMap<>();
        document.put("table", tableName(repair.table()));
        document.put("group", group(repair));
        document.put("partition", repair.isOfParity() ? null : repair.partition());
        document.put("parity", repair.isOfParity() ? repair.parity() : null);
        document.put("target", repair.target());
        String unit = repair.isOfParity() ? "bytes" : "records";
        document.put("done_" + unit, repair.done());
        document.put("total_" + unit, repair.total());
        document.put(unit + "_per_second", repair.donePerSecond());
        return document;
    }

    private Map<String, Object> split(SplitStatus split) {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("table", tableName(split.table()));
        document.put("parent", split.parent());
        document.put("child", split.child());
        document.put("merge", split.merge());
        document.put("source", split.source());
        document.put("target", split.target());
        document.put("shipped_bytes", split.shippedBytes());
        document.put("total_bytes", split.totalBytes());
        return document;
    }
}
