package io.sdds.bench.paper;

import static io.sdds.bench.load.Report.format;
import static io.sdds.bench.paper.Panel.Axis.linear;
import static io.sdds.bench.paper.Panel.Axis.logarithmic;

import io.sdds.bench.joins.JdbcJoin;
import io.sdds.bench.joins.JdbcJoin.Local;
import io.sdds.bench.joins.Person;
import io.sdds.bench.joins.PersonTable;
import io.sdds.bench.paper.Panel.Curve;
import io.sdds.bench.paper.Panel.Source;
import io.sdds.core.model.Routing;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;

/**
 * The join of AMOS-SDDS for far more persons, ten of each city, as each database plans it, with the indexes that it has
 * or makes. The paper has no such figure.
 */
final class LargeJoins extends Experiment {
    private static final int PERSONS_OF_A_CITY = 10;
    private static final int BRICKS = 2;
    private static final double OVER_H2_MOST = 0.5;
    private static final double OVER_SQLITE_MOST = 1;

    /** Seconds of a join. */
    private record Times(double sdds, double h2, double sqlite) {}

    LargeJoins() {
        super("amos-3", "AMOS-SDDS, not in the paper: larger joins as the planner chooses");
    }

    @Override
    int steps(Scale scale) {
        return scale.manyPersons().size() * 3;
    }

    @Override
    Findings run(Testbed testbed) throws InterruptedException {
        List<String> addresses = testbed.cluster(BRICKS);
        Map<Integer, Times> times = new TreeMap<>();
        for (int persons : testbed.scale().manyPersons()) {
            times.put(persons, times(testbed, addresses, Person.some(persons, persons / PERSONS_OF_A_CITY)));
        }
        return findings(
                testbed,
                "ten persons of a city, COUNT(*) and SUM(b.ssn) of all couples; medians of "
                        + testbed.scale().repeats(),
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
        Rows rows = new Rows();
        all.forEach((persons, times) -> {
            rows.add(text(persons, "SDDS"), "s", times.sdds());
            rows.add(text(persons, "H2, index on the city"), "s", times.h2());
            rows.add(text(persons, "SQLite, automatic index"), "s", times.sqlite());
            rows.add(text(persons, "SDDS over H2"), "×", times.sdds() / times.h2())
                    .atMost(OVER_H2_MOST);
            rows.add(text(persons, "SDDS over SQLite"), "×", times.sdds() / times.sqlite())
                    .atMost(OVER_SQLITE_MOST);
        });
        return rows;
    }

    private static String text(int persons, String what) {
        return format("%,d persons, %s", persons, what);
    }

    private static List<Panel> panels(Map<Integer, Times> all) {
        return List.of(
                Panel.of(
                        "Time of the join",
                        logarithmic("persons"),
                        logarithmic("s"),
                        curve("SDDS", Source.OURS, all, Times::sdds),
                        curve("H2, index", Source.REFERENCE, all, Times::h2),
                        curve("SQLite, automatic index", Source.REFERENCE, all, Times::sqlite)),
                Panel.of(
                        "SDDS",
                        logarithmic("persons"),
                        linear("times the other"),
                        curve("over H2", Source.OURS, all, times -> times.sdds() / times.h2()),
                        curve("over SQLite", Source.OURS, all, times -> times.sdds() / times.sqlite())));
    }

    private static Curve curve(String name, Source source, Map<Integer, Times> all, ToDoubleFunction<Times> figure) {
        return new Curve(name, source, Panel.points(all, figure));
    }
}
