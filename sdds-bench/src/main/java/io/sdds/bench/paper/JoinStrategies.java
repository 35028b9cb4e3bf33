package io.sdds.bench.paper;

import static io.sdds.bench.load.Report.format;
import static io.sdds.bench.paper.ExampleBuilds.known;
import static io.sdds.bench.paper.Panel.Axis.linear;
import static io.sdds.bench.paper.Panel.Axis.logarithmic;

import io.sdds.bench.joins.JdbcJoin;
import io.sdds.bench.joins.MachineModel;
import io.sdds.bench.joins.Person;
import io.sdds.bench.joins.PersonTable;
import io.sdds.bench.joins.ServiceTimes;
import io.sdds.bench.paper.Panel.Curve;
import io.sdds.bench.paper.Panel.Point;
import io.sdds.core.model.Routing;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Section 5.3 of AMOS-SDDS: what makes the distributed nested loop fast. Packets by size and order, both terminations,
 * one to six bricks, larger buckets on faster machines. Machines of their own are modelled.
 */
final class JoinStrategies extends Experiment {
    /** Query 2 over Query 1 of the paper for 6,000 persons on six servers, with all that proved best. */
    private static final double PAPER_RATIO = 228.0 / 337;

    private static final int PACKET = 50;
    private static final int BRICKS = 2;
    /** The paper's servers by their clocks: three of 90 MHz, as the client, two of 266, one of 350. */
    private static final List<Double> SPEEDS = List.of(1.0, 1.0, 1.0, 266.0 / 90, 266.0 / 90, 350.0 / 90);

    private static final List<Duration> TIME_OUTS = List.of(Duration.ofMillis(2), Duration.ofMillis(20));
    private static final int GETS = 2_000;
    private static final int PARTITIONS_OF_A_BRICK = 4;

    /** The rows of the table and the curves, as they come. */
    private static final class Results {
        private final Rows rows = new Rows();
        private final List<Curve> packets = new ArrayList<>();
        private final List<Point> clusters = new ArrayList<>();
        private final List<Curve> model = new ArrayList<>();
        private double messageNanos = Double.MAX_VALUE;
    }

    JoinStrategies() {
        super("amos-2", "AMOS-SDDS, section 5.3: packets, terminations, bricks and weights of a distributed join");
    }

    @Override
    int steps(Scale scale) {
        return 2 * scale.packets().size()
                + 1
                + TIME_OUTS.size()
                + scale.joiningBricks().size()
                + 2
                + 1;
    }

    @Override
    Findings run(Testbed testbed) throws InterruptedException {
        testbed.site().requireOwnBricks();
        List<Person> persons = Person.some(testbed.scale().personsMost(), Person.CITIES);
        JoinRounds rounds = new JoinRounds(testbed.scale());
        Results results = new Results();
        packetsAndTerminations(testbed, persons, rounds, results);
        clusters(testbed, persons, rounds, results);
        weights(testbed, persons, rounds, results);
        model(testbed, persons, results);
        testbed.stepDone();
        return findings(
                testbed,
                format(
                        "%,d persons of %d cities, %,d couples delivered; medians of %d",
                        persons.size(),
                        Person.CITIES,
                        rounds.couples(),
                        testbed.scale().repeats()),
                results.rows,
                panels(results),
                notes(testbed));
    }

    // ---- packets by size and order, and terminations

    private static void packetsAndTerminations(
            Testbed testbed, List<Person> persons, JoinRounds rounds, Results results) throws InterruptedException {
        List<String> addresses = testbed.cluster(BRICKS);
        try (PersonTable table =
                        PersonTable.create(addresses, testbed.tableName(), persons, BRICKS, Routing.MULTICAST);
                JdbcJoin sdds = JdbcJoin.sdds(addresses, table.name())) {
            rounds.seconds("warm-up", () -> sdds.couples(hint(PACKET, "sorted")));
            Map<String, List<Point>> points = Map.of("sorted", new ArrayList<>(), "unsorted", new ArrayList<>());
            for (int packet : testbed.scale().packets()) {
                for (String order : List.of("sorted", "unsorted")) {
                    double seconds = rounds.seconds(order, () -> sdds.couples(hint(packet, order)));
                    results.rows.add("packets of " + packet + ", " + order, "s", seconds);
                    known(points, order).add(new Point(packet, seconds));
                    testbed.stepDone();
                }
            }
            new TreeMap<>(points).forEach((order, curve) -> results.packets.add(Curve.ours(order, curve)));
            terminations(testbed, table, rounds, results);
        }
    }

    private static String hint(int packet, String order) {
        return "/*+ SDDS_JOIN(packets, " + packet + ", " + order + ") */";
    }

    private static void terminations(Testbed testbed, PersonTable table, JoinRounds rounds, Results results) {
        double deterministic = rounds.seconds("deterministic", () -> table.couples(PACKET, true, null));
        results.rows.add("deterministic termination, without SQL", "s", deterministic);
        testbed.stepDone();
        for (Duration within : TIME_OUTS) {
            LongSummaryStatistics found = new LongSummaryStatistics();
            double seconds =
                    rounds.seconds(() -> table.couples(PACKET, true, within), couples -> found.accept(couples.count()));
            String what = "probabilistic termination, " + within.toMillis() + " ms, without SQL";
            results.rows.add(what, "s", seconds);
            results.rows.add(
                    "couples missed at most by a " + what, "couples", (double) (rounds.couples() - found.getMin()));
            testbed.stepDone();
        }
    }

    // ---- bricks and weights

    private static void clusters(Testbed testbed, List<Person> persons, JoinRounds rounds, Results results)
            throws InterruptedException {
        for (int bricks : testbed.scale().joiningBricks()) {
            List<String> addresses = testbed.cluster(bricks);
            try (PersonTable table =
                            PersonTable.create(addresses, testbed.tableName(), persons, bricks, Routing.IMAGE);
                    JdbcJoin sdds = JdbcJoin.sdds(addresses, table.name())) {
                double seconds = rounds.seconds(bricks + " bricks", () -> sdds.couples(hint(PACKET, "sorted")));
                String what = bricks + (bricks == 1 ? " brick" : " bricks") + " on these cores";
                results.rows.add(what, "s", seconds);
                results.clusters.add(new Point(bricks, seconds));
                // The client and one brick get a message and send one.
                results.messageNanos = Math.min(results.messageNanos, table.getNanos(GETS) / 4.0);
            }
            testbed.stepDone();
        }
    }

    private static void weights(Testbed testbed, List<Person> persons, JoinRounds rounds, Results results)
            throws InterruptedException {
        double equal = weighted(testbed, Collections.nCopies(SPEEDS.size(), 1.0), "equal", persons, rounds, results);
        double weighted = weighted(testbed, SPEEDS, "the paper's", persons, rounds, results);
        results.rows.add("the paper's weights over equal weights", "×", weighted / equal);
    }

    private static double weighted(
            Testbed testbed,
            List<Double> weights,
            String name,
            List<Person> persons,
            JoinRounds rounds,
            Results results)
            throws InterruptedException {
        List<String> addresses = testbed.cluster(weights);
        int partitions = PARTITIONS_OF_A_BRICK * weights.size();
        try (PersonTable table =
                        PersonTable.create(addresses, testbed.tableName(), persons, partitions, Routing.IMAGE);
                JdbcJoin sdds = JdbcJoin.sdds(addresses, table.name())) {
            double seconds = rounds.seconds(name, () -> sdds.couples(hint(PACKET, "sorted")));
            results.rows.add(
                    "6 bricks, " + name + " weights: records of the fullest over the mean", "×", table.mostRecords());
            testbed.stepDone();
            return seconds;
        }
    }

    // ---- machines of their own

    private static void model(Testbed testbed, List<Person> persons, Results results) {
        Map<Integer, ServiceTimes> times = new TreeMap<>();
        for (int packet : testbed.scale().packets()) {
            int repeats = testbed.scale().repeats();
            times.put(packet, ServiceTimes.measured(persons, packet, results.messageNanos, repeats));
        }
        ServiceTimes best = known(times, PACKET);
        List<Point> machines = new ArrayList<>();
        for (int bricks = 1; bricks <= SPEEDS.size(); bricks++) {
            double ratio =
                    MachineModel.equal(best, Collections.nCopies(bricks, 1.0)).overOneSite();
            machines.add(new Point(bricks, ratio));
            results.rows.add(ofModel(bricks + " equal machines over one site", null, ratio));
        }
        results.model.add(Curve.reference("equal machines, over one site", machines));
        results.rows.add(ofModel(
                "the paper's six machines over one, equal buckets",
                null,
                MachineModel.equal(best, SPEEDS).overOneSite()));
        results.rows.add(ofModel(
                "the paper's six machines over one, larger buckets on faster ones",
                PAPER_RATIO,
                MachineModel.weighted(best, SPEEDS).overOneSite()));
        List<Point> packets = new ArrayList<>();
        times.forEach((packet, each) -> packets.add(
                new Point(packet, MachineModel.weighted(each, SPEEDS).seconds())));
        results.packets.add(Curve.reference("model, the paper's six machines", packets));
        double scan = best.scanOfAllNanos();
        results.rows.add(ofService("scan of all persons for a packet", scan));
        results.rows.add(ofService("scan and join of a packet", scan + best.joinNanos()));
        results.rows.add(ofService("a message at each end, a quarter of a get", results.messageNanos));
    }

    private static Comparison ofModel(String what, @Nullable Double paper, double ours) {
        return Comparison.of("model: " + what, "×", paper, ours);
    }

    private static Comparison ofService(String what, double nanos) {
        return Comparison.of("service time: " + what, "µs", nanos / 1e3);
    }

    // ---- the picture

    private static List<Panel> panels(Results results) {
        return List.of(
                new Panel("Packets", logarithmic("persons of a packet"), logarithmic("s"), results.packets),
                Panel.of(
                        "Bricks on these cores",
                        linear("bricks"),
                        linear("s"),
                        Curve.ours("packets of 50, sorted", results.clusters)),
                new Panel("Model: machines of their own", linear("bricks"), linear("times one site"), results.model));
    }

    private static List<String> notes(Testbed testbed) {
        return List.of(
                "All bricks and the client share " + testbed.machine().cores()
                        + " cores. So more bricks here are more messages and no more processors, and weights show only"
                        + " where records are. The paper had seven machines.",
                "Bricks look a city up in the set of a packet, so the order of a packet matters little, and larger"
                        + " packets are better: with all cities in a packet, each scan returns all persons once. The"
                        + " paper's bricks compared each person with each city of a packet: 50 was its best packet,"
                        + " and sorted packets were better.",
                "SQL always ends a scan when all bricks have answered. Both terminations are compared by range queries"
                        + " with a filter, which tests the cities one after the other and is sent to all bricks at"
                        + " once. The probabilistic one ends after its time, or as soon as the answers cover all keys:"
                        + " it is faster only where it misses couples.",
                "What begins with \"model\" was not measured: a simulation of a client and bricks on machines of their"
                        + " own, each with a queue, with the service times below, 50 µs between machines and 1 Gbit/s"
                        + " at the client. It has no SQL in it. Its base is one machine that does all work itself.",
                "The paper's machines are taken by their clocks: a client and three servers of 90 MHz, two of 266, one"
                        + " of 350. Its figure is Query 2 over Query 1 for 6,000 persons.");
    }
}
