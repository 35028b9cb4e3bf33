package io.sdds.cli.command.table;

import io.sdds.cli.command.base.CommandFailure;
import io.sdds.cli.config.EnumNames;
import io.sdds.cli.terminal.Hint;
import io.sdds.cli.terminal.Numbers;
import io.sdds.client.ClusterStatus;
import io.sdds.client.TableInfo;
import io.sdds.client.TableOptions;
import io.sdds.core.model.Parity;
import io.sdds.core.model.Shipping;
import io.sdds.core.model.SplitPolicy;
import io.sdds.core.model.TableKind;
import io.sdds.core.protocol.Limits;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Formats tables as text and as JSON documents. */
public final class TableText {
    /** Units of time. The number of each unit is its length in the previous unit; the first in milliseconds. */
    private static final Map<String, Integer> UNITS = units();

    private TableText() {}

    private static Map<String, Integer> units() {
        Map<String, Integer> units = new LinkedHashMap<>();
        units.put("s", 1000);
        units.put("m", 60);
        units.put("h", 60);
        units.put("d", 24);
        return units;
    }

    /** Checks the name of a new table before the cluster is asked. */
    public static void checkName(String name) {
        if (!name.matches("[A-Za-z0-9._-]{1," + Limits.TABLE_NAME_MAX + "}")) {
            throw CommandFailure.usage(
                    "'" + name + "' is not a table name: 1 to " + Limits.TABLE_NAME_MAX + " of A-Z a-z 0-9 . _ -");
        }
    }

    /** {@code 10,000 records or 64 MiB} */
    static String capacity(long records, long bytes) {
        if (records > 0 && bytes > 0) {
            return Numbers.plural(records, "record") + " or " + Numbers.bytes(bytes);
        }
        return records > 0 ? Numbers.plural(records, "record") : Numbers.bytes(bytes);
    }

    /**
     * {@code , 3 replicas, writes with at least 2}, or {@code , parity 4,2, writes with at least 1}; empty for a table
     * of one copy.
     */
    static String copies(TableOptions options) {
        return (options.replicas() == 1 ? "" : ", " + options.replicas() + " replicas")
                + (options.minCopies() == 1 ? "" : ", writes with at least " + options.minCopies())
                + (options.parity().isNone()
                        ? ""
                        : ", parity " + options.parity().asked() + writes(options.parity()));
    }

    /** {@code , writes with at least 1 parity}; empty if a table takes writes without any parity. */
    static String writes(Parity parity) {
        int min = parity.minParities();
        return min == 0 ? "" : ", writes with at least " + parities(min);
    }

    /** {@code 2 parities} */
    static String parities(int count) {
        return counted(count, "parity", "parities");
    }

    /**
     * The number of copies, {@code parity 4,2}, or of a table that is being converted {@code 2 to parity 4,2} or
     * {@code parity 4,2 to 2}.
     */
    public static String protection(TableInfo table) {
        TableOptions options = table.options();
        if (!table.health().isConverting()) {
            return protection(options);
        }
        return table.health().convertsToReplicas()
                ? protection(options) + " to " + options.replicas()
                : options.replicas() + " to " + protection(options);
    }

    private static String protection(TableOptions options) {
        return options.parity().isNone()
                ? Integer.toString(options.replicas())
                : "parity " + options.parity().text() + (options.parity().auto() ? " auto" : "");
    }

    private static void putCopies(Map<String, Object> document, TableOptions options) {
        document.put("replicas", options.replicas());
        document.put("min_copies", options.minCopies());
        Parity parity = options.parity();
        if (!parity.isNone()) {
            Map<String, Object> numbers = new LinkedHashMap<>();
            numbers.put("columns", parity.columns());
            numbers.put("parities", parity.parities());
            if (parity.auto()) {
                numbers.put("auto", true);
            }
            document.put("parity", numbers);
            document.put("min_parities", parity.minParities());
        }
    }

    /** @throws CommandFailure if there are fewer bricks than a parity group needs */
    static void requireBricks(Parity parity, long bricks) {
        requireBricks("parity " + parity.text(), parity.bricks(), bricks);
    }

    /** @throws CommandFailure if there are fewer bricks than the conversion of a table to parity needs */
    static void requireBricksToConvert(Parity parity, int replicas, long bricks) {
        requireBricks("the conversion to parity " + parity.text(), parity.bricksToConvert(replicas), bricks);
    }

    private static void requireBricks(String what, int needed, long bricks) {
        requireBricks(what + " needs ", needed, bricks, "choose another --parity");
    }

    /** @throws CommandFailure if there are fewer bricks than a table needs to have so many copies */
    static void requireBricksForReplicas(TableOptions options, int replicas, long bricks) {
        boolean isConversion = !options.parity().isNone();
        requireBricks(
                isConversion
                        ? "the conversion to " + Numbers.plural(replicas, "replica") + " needs "
                        : Numbers.plural(replicas, "replica") + " need ",
                replicas + options.parity().parities(),
                bricks,
                "choose fewer --replicas");
    }

    private static void requireBricks(String need, int needed, long bricks, String choice) {
        if (bricks < needed) {
            throw CommandFailure.failed("not enough bricks: there " + (bricks == 1 ? "is " : "are ") + bricks + ", and "
                    + need + needed + "; start " + (needed - bricks) + " more, or " + choice);
        }
    }

    /** {@code dynamic, concurrent, bulk in slices of 48 KiB, up to 4 at once} */
    static String split(SplitPolicy split) {
        return EnumNames.name(split.control()) + ", " + EnumNames.name(split.splitting()) + ", "
                + EnumNames.name(split.shipping())
                + (split.shipping() == Shipping.BULK ? " in slices of " + Numbers.bytes(split.sliceBytes()) : "")
                + (split.atOnceMost() > 1 ? ", up to " + split.atOnce() + " at once" : "");
    }

    /** Formats a time as on the command line: {@code 10m} */
    static String time(long millis) {
        String unit = "ms";
        long amount = millis;
        for (Map.Entry<String, Integer> next : UNITS.entrySet()) {
            if (amount % next.getValue() != 0) {
                break;
            }
            amount /= next.getValue();
            unit = next.getKey();
        }
        return amount + unit;
    }

    /** The name, the kind and all options of a table. */
    static Map<String, Object> definition(String name, TableKind kind, TableOptions options) {
        SplitPolicy split = options.split();
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("name", name);
        document.put("kind", kind.name().toLowerCase(Locale.ROOT));
        document.put("split", EnumNames.name(split.control()));
        document.put("splitting", EnumNames.name(split.splitting()));
        document.put("shipping", EnumNames.name(split.shipping()));
        document.put("slice_bytes", split.sliceBytes());
        document.put("splits_at_once", split.atOnce());
        document.put("capacity_records", options.capacityRecords());
        document.put("capacity_bytes", options.capacityBytes());
        document.put("ttl_ms", options.timeToLive().toMillis());
        putCopies(document, options);
        document.put("routing", RoutingName.of(options.routing()));
        SchemaOutput.put(document, options.schema());
        return document;
    }

    /** @throws CommandFailure if no table has this name */
    static TableInfo named(String name, ClusterStatus status) {
        return status.tables().stream()
                .filter(each -> each.name().equals(name))
                .findFirst()
                .orElseThrow(() -> CommandFailure.failed(
                        "no table '" + name + "'; to list the tables, run " + Hint.sdds("table list")));
    }

    /** A table with its number of partitions and its load. */
    public static Map<String, Object> document(TableInfo table) {
        Map<String, Object> document = definition(table.name(), table.kind(), table.options());
        document.put("id", table.id());
        document.put("partitions", table.partitions());
        document.put("records", table.records());
        document.put("bytes", table.bytes());
        document.put("lost_partitions", table.lostPartitions());
        TableInfo.Health health = table.health();
        document.put("can_lose_bricks", health.canLose());
        document.put("degraded_partitions", health.degraded());
        document.put("filling_partitions", health.filling());
        document.put("missing_parities", health.missingParities());
        document.put("partitions_to_separate", health.columnsToSeparate());
        document.put("partitions_resting", health.restingPartitions());
        document.put("missing_copies", health.missingCopies());
        document.put("extra_copies", health.extraCopies());
        document.put("lacks_spare", health.lacksSpare());
        document.put("bricks_missing_to_raise", health.bricksToRaise());
        if (health.isConverting()) {
            Map<String, Object> conversion = new LinkedHashMap<>();
            conversion.put("to", health.convertsToReplicas() ? "replicas" : "parity");
            conversion.put("groups_converted", health.groupsConverted());
            conversion.put("groups_to_convert", health.groupsToConvert());
            conversion.put("obstacle", health.conversionObstacle());
            document.put("conversion", conversion);
        }
        return document;
    }

    /** The number of bricks that a table can lose now, such as {@code 1 brick}. */
    public static String canLose(TableInfo.Health health) {
        return switch (health.canLose()) {
            case -1 -> "?";
            case 1 -> "1 brick";
            default -> health.canLose() + " bricks";
        };
    }

    /** What a table lacks, such as {@code 1 partition degraded, 2 parities missing}; empty if it lacks nothing. */
    static String lacks(TableInfo.Health health) {
        List<String> parts = new ArrayList<>();
        if (health.degraded() > 0) {
            parts.add(counted(health.degraded(), "partition", "partitions") + " degraded");
        }
        if (health.filling() > 0) {
            parts.add(counted(health.filling(), "partition", "partitions") + " filling");
        }
        if (health.missingParities() > 0) {
            parts.add(counted(health.missingParities(), "parity", "parities") + " missing");
        }
        if (health.columnsToSeparate() > 0) {
            parts.add(counted(health.columnsToSeparate(), "partition", "partitions") + " to move apart");
        }
        if (health.restingPartitions() > 0) {
            parts.add(counted(health.restingPartitions(), "partition rests", "partitions rest")
                    + " after a change without progress");
        }
        if (health.missingCopies() > 0) {
            parts.add(counted(health.missingCopies(), "copy", "copies") + " missing");
        }
        if (health.extraCopies() > 0) {
            parts.add(counted(health.extraCopies(), "copy", "copies") + " to give up");
        }
        if (!health.isConverting() && !health.conversionObstacle().isEmpty()) {
            parts.add(health.conversionObstacle());
        }
        if (health.lacksSpare()) {
            parts.add("no brick is up that can take what is lost: start another brick");
        }
        return String.join(", ", parts);
    }

    /**
     * Tells how far a conversion is and what it waits for, such as {@code converting to parity 4,2: 3 of 8 groups} or
     * {@code converting to 2 replicas: 3 of 8 groups}; empty if the table is not being converted.
     */
    public static String conversion(TableInfo table) {
        TableInfo.Health health = table.health();
        int groups = health.groupsConverted() + health.groupsToConvert();
        return health.isConverting()
                ? "converting to " + goal(table) + ": "
                        + Numbers.count(health.groupsConverted()) + " of " + Numbers.plural(groups, "group")
                        + (health.conversionObstacle().isEmpty() ? "" : "; " + health.conversionObstacle())
                : "";
    }

    private static String goal(TableInfo table) {
        return table.health().convertsToReplicas()
                ? Numbers.plural(table.options().replicas(), "replica")
                : "parity " + table.options().parity().text();
    }

    /**
     * The raise for which a table waits, such as {@code parity 4,2 waits for 1 more brick}; empty if it waits for none.
     */
    public static String waiting(TableInfo table) {
        Parity parity = table.options().parity();
        int bricks = table.health().bricksToRaise();
        return bricks == 0
                ? ""
                : "parity " + parity.withParities(parity.parities() + 1).text() + " waits for "
                        + counted(bricks, "more brick", "more bricks");
    }

    /**
     * Tells that partitions share a brick with another one of their parity group, and when they move apart; empty if
     * none do.
     */
    public static String crowded(TableInfo table) {
        int count = table.health().columnsToSeparate();
        return count == 0
                ? ""
                : counted(count, "partition shares", "partitions share")
                        + " a brick with another one of the group, to move apart while "
                        + table.options().parity().bricks() + " bricks are up";
    }

    /** Tells that changes of partitions were given up without progress; empty if none were. */
    public static String resting(TableInfo table) {
        int count = table.health().restingPartitions();
        return count == 0
                ? ""
                : counted(count, "partition rests", "partitions rest")
                        + ": a split, merge, move or copy was given up after 30 s without progress, and begins again"
                        + " within 30 s";
    }

    private static String counted(int count, String one, String more) {
        return Numbers.count(count) + " " + (count == 1 ? one : more);
    }
}
