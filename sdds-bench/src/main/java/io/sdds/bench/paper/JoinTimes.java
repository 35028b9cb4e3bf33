package io.sdds.bench.paper;

import static io.sdds.bench.load.Report.format;
import static io.sdds.bench.paper.ExampleBuilds.known;
import static io.sdds.bench.paper.Panel.Axis.linear;
import static io.sdds.bench.paper.Panel.Axis.logarithmic;

import io.sdds.bench.joins.JdbcJoin;
import io.sdds.bench.joins.JdbcJoin.Local;
import io.sdds.bench.joins.NestedLoop;
import io.sdds.bench.joins.OneSite;
import io.sdds.bench.joins.Person;
import io.sdds.bench.joins.PersonTable;
import io.sdds.bench.paper.Panel.Curve;
import io.sdds.bench.paper.Panel.Point;
import io.sdds.core.model.Routing;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Tables 1 and 2 of AMOS-SDDS: couples of persons who live in one city, by a nested loop of a local database (Query 1)
 * and by the distributed nested loop (Query 2).
 */
final class JoinTimes extends Experiment {
    static final String PACKETS_OF_50 = "/*+ SDDS_JOIN(packets, 50, sorted) */";

    /** Seconds of Query 1 of the paper, by persons. */
    private static final Map<Integer, Double> PAPER_LOCAL =
            Map.of(1_000, 8.0, 2_000, 33.0, 3_000, 79.0, 4_000, 145.0, 5_000, 230.0, 6_000, 337.0);

    /** Seconds of Query 2 of the paper, by persons. */
    private static final Map<Integer, Double> PAPER_DISTRIBUTED =
            Map.of(1_000, 8.0, 2_000, 23.0, 3_000, 50.0, 4_000, 91.0, 5_000, 150.0, 6_000, 228.0);

    private static final int PACKET = 50;
    private static final int BRICKS = 2;
    /** A third under the local database. */
    private static final double RATIO_MOST = 0.67;

    /** Who joins. */
    private enum Way {
        H2("H2's nested loop"),
        SQLITE("SQLite's nested loop"),
        DISTRIBUTED("distributed, packets of 50"),
        ONE_SITE("the bricks' kernel at one site"),
        PLAIN("a nested loop of plain Java");

        private final String text;

        Way(String text) {
            this.text = text;
        }
    }

    JoinTimes() {
        super("amos-1", "AMOS-SDDS, Tables 1 and 2: a join by nested loops, local and distributed");
    }

    @Override
    int steps(Scale scale) {
        return scale.persons().size() * Way.values().length;
    }

    @Override
    Findings run(Testbed testbed) throws InterruptedException {
        List<String> addresses = testbed.cluster(BRICKS);
        Map<Integer, Map<Way, Double>> seconds = new TreeMap<>();
        long couples = 0;
        // The largest join comes first: the smallest takes milliseconds, and needs code that is warm.
        for (int persons : testbed.scale().persons().reversed()) {
            JoinRounds rounds = new JoinRounds(testbed.scale());
            seconds.put(persons, times(testbed, addresses, Person.some(persons, Person.CITIES), rounds));
            couples = Math.max(couples, rounds.couples());
        }
        return findings(
                testbed,
                format(
                        "persons of %d cities, all couples delivered to the client, %,d at most; medians of %d",
                        Person.CITIES, couples, testbed.scale().repeats()),
                comparisons(seconds),
                panels(seconds),
                notes());
    }

    private static Map<Way, Double> times(
            Testbed testbed, List<String> addresses, List<Person> persons, JoinRounds rounds)
            throws InterruptedException {
        Map<Way, Double> seconds = new EnumMap<>(Way.class);
        try (JdbcJoin h2 = JdbcJoin.nestedLoop(Local.H2, persons);
                JdbcJoin sqlite = JdbcJoin.nestedLoop(Local.SQLITE, persons);
                OneSite site = new OneSite(persons);
                PersonTable table = PersonTable.create(addresses, testbed.tableName(), persons, BRICKS, Routing.IMAGE);
                JdbcJoin sdds = JdbcJoin.sdds(addresses, table.name())) {
            NestedLoop plain = new NestedLoop(persons);
            for (Way way : Way.values()) {
                seconds.put(way, rounds.seconds(way.text, () -> switch (way) {
                    case H2 -> h2.couples();
                    case SQLITE -> sqlite.couples();
                    case DISTRIBUTED -> sdds.couples(PACKETS_OF_50);
                    case ONE_SITE -> site.couples(PACKET, true);
                    case PLAIN -> plain.couples();
                }));
                testbed.stepDone();
            }
        }
        return seconds;
    }

    // ---- the numbers

    private static List<Comparison> comparisons(Map<Integer, Map<Way, Double>> all) {
        Rows rows = new Rows();
        for (Way way : Way.values()) {
            all.forEach((persons, seconds) -> rows.add(
                    format("%,d persons, %s", persons, way.text),
                    "s",
                    switch (way) {
                        case H2, SQLITE -> PAPER_LOCAL.get(persons);
                        case DISTRIBUTED -> PAPER_DISTRIBUTED.get(persons);
                        case ONE_SITE, PLAIN -> null;
                    },
                    known(seconds, way)));
        }
        for (Way way : Way.values()) {
            if (way != Way.DISTRIBUTED) {
                all.forEach((persons, seconds) -> rows.add(over(way, persons, seconds)));
            }
        }
        return rows;
    }

    private static Comparison over(Way way, int persons, Map<Way, Double> seconds) {
        String what = format("%,d persons, distributed over %s", persons, way.text);
        double ratio = ratio(way, seconds);
        if (way != Way.H2 && way != Way.SQLITE) {
            return Comparison.of(what, "×", ratio);
        }
        Double local = PAPER_LOCAL.get(persons);
        Double distributed = PAPER_DISTRIBUTED.get(persons);
        Double paper = local == null || distributed == null ? null : (Double) (distributed / local);
        return Comparison.of(what, "×", paper, ratio).atMost(RATIO_MOST);
    }

    private static double ratio(Way way, Map<Way, Double> seconds) {
        return known(seconds, Way.DISTRIBUTED) / known(seconds, way);
    }

    // ---- the picture

    private static List<Panel> panels(Map<Integer, Map<Way, Double>> all) {
        List<Curve> times = new ArrayList<>();
        List<Curve> ratios = new ArrayList<>();
        for (Way way : Way.values()) {
            times.add(Curve.ours(way.text, Panel.points(all, seconds -> known(seconds, way))));
            if (way == Way.H2 || way == Way.SQLITE) {
                ratios.add(Curve.ours(
                        way == Way.H2 ? "over H2" : "over SQLite", Panel.points(all, seconds -> ratio(way, seconds))));
            }
        }
        List<Point> paper = new TreeMap<>(PAPER_LOCAL)
                .keySet().stream()
                        .map(persons ->
                                new Point(persons, known(PAPER_DISTRIBUTED, persons) / known(PAPER_LOCAL, persons)))
                        .toList();
        ratios.add(Curve.paper("paper", paper));
        return List.of(
                new Panel("Time of the join", linear("persons"), logarithmic("s"), times),
                new Panel("Distributed nested loop", linear("persons"), linear("times the local one"), ratios));
    }

    private static List<String> notes() {
        return List.of(
                "H2 and SQLite are in this process and have no index on the city (SQLite: automatic_index off); their"
                        + " plans are checked. SDDS gets the statement by JDBC and ships each packet's cities to "
                        + BRICKS + " bricks.",
                "The gain over H2 and SQLite shows the engine, not distribution: bricks look a city up in the set of a"
                        + " packet, 256 records at a time, where these databases compare each person with each.",
                "The two other rows show that. The same kernel over the same packets at one site, without messages and"
                        + " SQL, is faster, and so is a loop of plain Java: all share the cores of one machine, so that"
                        + " shipping can only cost. amos-2 has a model of machines of their own.");
    }
}
