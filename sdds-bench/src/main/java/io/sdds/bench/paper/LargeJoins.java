package io.sdds.bench.paper;

import io.sdds.bench.joins.JdbcJoin;
import io.sdds.bench.joins.JdbcJoin.Local;
import io.sdds.bench.joins.Person;
import io.sdds.bench.joins.PersonTable;
import io.sdds.bench.paper.Panel.Axis;
import io.sdds.bench.paper.Panel.Curve;
import io.sdds.bench.paper.Panel.Point;
import io.sdds.bench.paper.Panel.Source;
import io.sdds.core.model.Routing;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;

/**
 * The join of AMOS-SDDS for far more persons, ten of each city, as each database plans it, with the indexes that it has
 * or makes. The paper has no such figure.
 */
final class LargeJoins implements Experiment {
    private static final int PERSONS_OF_A_CITY = 10;
    private static final int BRICKS = 2;
    private static final double OVER_H2_MOST = 0.5;
    private static final double OVER_SQLITE_MOST = 1;

    /** Seconds of a join. */
    private record Times(double sdds, double h2, double sqlite) {}

    @Override
    public String name() {
        return "amos-3";
    }

    @Override
    public String title() {
        return "AMOS-SDDS, not in the paper: larger joins as the planner chooses";
    }

    @Override
    public int steps(Scale scale) {
        return scale.manyPersons().size() * 3;
    }

    @Override
    public Findings run(Testbed testbed) throws InterruptedException {
        List<String> addresses = testbed.cluster(BRICKS);
        Map<Integer, Times> times = new TreeMap<>();
        for (int persons : testbed.scale().manyPersons()) {
            times.put(persons, times(testbed, addresses, Person.some(persons, persons / PERSONS_OF_A_CITY)));
        }
        return new Findings(
                name(),
                title(),
                testbed.setting("ten persons of a city, COUNT(*) and SUM(b.ssn) of all couples; medians of "
                        + testbed.scale().repeats()),
                testbed.machine(),
                comparisons(times),
                panels(times),
                List.of("H2 has an index on the city, SQLite makes one for each statement (automatic index). Both are"
                        + " in this process, in memory, analysed. SDDS gets the statement by JDBC after"
                        + " ANALYZE."));
    }

    private static Times times(Testbed testbed, List<String> addresses, List<Person> persons)
            throws InterruptedException {
        JoinRounds rounds = new JoinRounds(testbed.scale());
        double sdds;
        try (PersonTable table =
                        PersonTable.create(addresses, testbed.tableName(), persons, 2 * BRICKS, Routing.IMAGE);
                JdbcJoin join = JdbcJoin.sdds(addresses, table.name())) {
            join.execute("ANALYZE TABLE \"" + table.name() + '"');
            sdds = rounds.seconds("SDDS", join::counted);
        }
        testbed.stepDone();
        return new Times(
                sdds, local(testbed, rounds, Local.H2, persons), local(testbed, rounds, Local.SQLITE, persons));
    }

    private static double local(Testbed testbed, JoinRounds rounds, Local database, List<Person> persons) {
        try (JdbcJoin join = JdbcJoin.indexed(database, persons)) {
            double seconds = rounds.seconds(database.toString(), join::counted);
            testbed.stepDone();
            return seconds;
        }
    }

    private static List<Comparison> comparisons(Map<Integer, Times> all) {
        List<Comparison> rows = new ArrayList<>();
        all.forEach((persons, times) -> {
            rows.add(Comparison.of(text(persons, "SDDS"), "s", null, times.sdds()));
            rows.add(Comparison.of(text(persons, "H2, index on the city"), "s", null, times.h2()));
            rows.add(Comparison.of(text(persons, "SQLite, automatic index"), "s", null, times.sqlite()));
            rows.add(Comparison.of(text(persons, "SDDS over H2"), "×", null, times.sdds() / times.h2())
                    .atMost(OVER_H2_MOST));
            rows.add(Comparison.of(text(persons, "SDDS over SQLite"), "×", null, times.sdds() / times.sqlite())
                    .atMost(OVER_SQLITE_MOST));
        });
        return rows;
    }

    private static String text(int persons, String what) {
        return String.format(Locale.ROOT, "%,d persons, %s", persons, what);
    }

    private static List<Panel> panels(Map<Integer, Times> all) {
        return List.of(
                new Panel(
                        "Time of the join",
                        Axis.logarithmic("persons"),
                        Axis.logarithmic("s"),
                        List.of(
                                curve("SDDS", Source.OURS, all, Times::sdds),
                                curve("H2, index", Source.REFERENCE, all, Times::h2),
                                curve("SQLite, automatic index", Source.REFERENCE, all, Times::sqlite))),
                new Panel(
                        "SDDS",
                        Axis.logarithmic("persons"),
                        Axis.linear("times the other"),
                        List.of(
                                curve("over H2", Source.OURS, all, times -> times.sdds() / times.h2()),
                                curve("over SQLite", Source.OURS, all, times -> times.sdds() / times.sqlite()))));
    }

    private static Curve curve(String name, Source source, Map<Integer, Times> all, ToDoubleFunction<Times> figure) {
        List<Point> points = new ArrayList<>();
        all.forEach((persons, times) -> points.add(new Point(persons, figure.applyAsDouble(times))));
        return new Curve(name, source, points);
    }
}
