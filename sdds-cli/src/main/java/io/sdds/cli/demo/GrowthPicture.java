package io.sdds.cli.demo;

import io.sdds.cli.terminal.Numbers;
import io.sdds.cli.terminal.Style;
import io.sdds.client.ClientStatistics;
import io.sdds.client.ClusterStatus;
import io.sdds.client.ClusterStatus.BrickStatus;
import io.sdds.client.ClusterStatus.SplitStatus;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/** Draws the growth of a table over the bricks: as a picture of a few lines, or as one line. */
final class GrowthPicture {
    private static final int BAR_WIDTH = 28;

    private final long totalRecords;
    private final boolean colour;

    GrowthPicture(long totalRecords, boolean colour) {
        this.totalRecords = totalRecords;
        this.colour = colour;
    }

    /** One moment of the growth: the cluster as of its last heartbeats, and the counters of the client. */
    record Moment(long nanos, ClusterStatus cluster, ClientStatistics client, long loaded) {
        int partitions() {
            return cluster.tables().stream()
                    .mapToInt(table -> table.partitions())
                    .sum();
        }

        long records() {
            return cluster.bricks().stream().mapToLong(BrickStatus::records).sum();
        }
    }

    List<String> lines(Moment moment) {
        List<String> lines = new ArrayList<>();
        List<BrickStatus> bricks = new ArrayList<>(moment.cluster().bricks());
        bricks.sort(Comparator.comparing(brick -> brick.id()));
        for (BrickStatus brick : bricks) {
            lines.add(String.format(
                    Locale.ROOT,
                    "   %s %s %13s %15s",
                    brick.id(),
                    bar(brick.records(), 1.5 * totalRecords / bricks.size()),
                    Numbers.plural(brick.partitions(), "partition"),
                    Numbers.plural(brick.records(), "record")));
        }
        lines.add(String.format(
                Locale.ROOT,
                "   %s records loaded, %.0f %%, %s; %s",
                Numbers.count(moment.loaded()),
                100.0 * moment.loaded() / Math.max(1, totalRecords),
                Numbers.plural(moment.partitions(), "partition"),
                split(moment)));
        lines.add("   " + client(moment));
        return lines;
    }

    private String bar(long records, double full) {
        int filled = (int) Math.min(BAR_WIDTH, Math.round(BAR_WIDTH * records / Math.max(1, full)));
        return Style.CYAN.on("█".repeat(filled), colour) + "·".repeat(BAR_WIDTH - filled);
    }

    private static String split(Moment moment) {
        if (moment.cluster().splits().isEmpty()) {
            return "no partition splits now";
        }
        SplitStatus split = moment.cluster().splits().get(0);
        return String.format(
                "%d splits into %d and %d: %s ships to %s",
                split.parent(), split.parent(), split.child(), split.source(), split.target());
    }

    private static String client(Moment moment) {
        return "the client: " + Numbers.plural(moment.client().addressingForwards(), "forward") + ", "
                + Numbers.plural(moment.client().imageChanges(), "image change");
    }

    String line(Moment moment) {
        return String.format(
                Locale.ROOT,
                "   %4.1f s: %s on %s, %s loaded, %s, %s",
                moment.nanos() / 1e9,
                Numbers.plural(moment.partitions(), "partition"),
                Numbers.plural(
                        moment.cluster().bricks().stream()
                                .filter(brick -> brick.partitions() > 0)
                                .count(),
                        "brick"),
                Numbers.plural(moment.loaded(), "record"),
                Numbers.plural(moment.client().addressingForwards(), "forward"),
                Numbers.plural(moment.client().imageChanges(), "image change"));
    }
}
