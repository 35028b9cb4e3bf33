package io.sdds.sql.random;

import io.sdds.sql.SqlCluster;
import io.sdds.sql.error.SqlErrors;
import io.sdds.sql.random.Generator.Drawn;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/** SDDS in four forms, with the tables of a seed: hash and range tables, with and without pushdown. */
final class Comparison implements AutoCloseable {
    private static final List<String> JOINS = List.of("lookup", "semi", "packets, 3, unsorted", "packets");

    private final SqlCluster cluster;
    private final List<Database> forms = new ArrayList<>();

    Comparison(Tables tables) throws SQLException {
        cluster = new SqlCluster();
        String url = "jdbc:sdds://" + cluster.cluster.address();
        forms.add(new Database(url, Dialect.SDDS_HASH, tables).create());
        forms.add(new Database(url, Dialect.SDDS_RANGE, tables).create());
        forms.add(new Database(url + ";pushdown=false", Dialect.SDDS_HASH, tables));
        forms.add(new Database(url + ";pushdown=false", Dialect.SDDS_RANGE, tables));
    }

    /** Makes other tables in place of those that are there. */
    void use(Tables tables) throws SQLException {
        for (Database form : forms) {
            form.use(tables);
        }
        forms.get(0).create();
        forms.get(1).create();
    }

    /** The form that the number of a statement is for. */
    Database form(long number) {
        return forms.get(Math.floorMod(number, forms.size()));
    }

    List<Database> forms() {
        return forms;
    }

    /**
     * Compares the answers of one form with the judge's, and adds what is found. A join of equal columns is read in
     * another way, too, which a hint names.
     */
    void compare(Drawn drawn, long seed, Database judge, Findings findings) throws SQLException {
        Statement statement = drawn.statement();
        Answer expected = judge.answer(statement);
        compare(drawn, seed, judge, expected, UnaryOperator.identity(), findings);
        if (statement.hasJoin()) {
            String form = JOINS.get(Math.floorMod(seed / forms.size(), JOINS.size()));
            compare(drawn, seed, judge, expected, of -> of.withJoins(form), findings);
        }
    }

    private void compare(
            Drawn drawn, long seed, Database judge, Answer expected, UnaryOperator<Statement> asked, Findings findings)
            throws SQLException {
        Statement statement = asked.apply(drawn.statement());
        Answer actual = form(seed).answer(statement);
        if (isNoJoinOfThisForm(actual)) {
            return;
        }
        Verdict verdict = Verdict.of(expected, actual, statement.isOrdered());
        boolean isKnown = KnownFault.of(seed, statement, expected, actual) != null;
        if (verdict == Verdict.EQUAL || verdict == Verdict.NOT_JUDGED || isKnown) {
            findings.add(verdict, seed, statement, expected, actual);
            return;
        }
        Statement shortest = Shrinker.shrink(drawn, candidate -> {
            Answer of = form(seed).answer(asked.apply(candidate));
            return isAlike(actual, of) && Verdict.of(judge.answer(candidate), of, candidate.isOrdered()) == verdict;
        });
        findings.add(
                verdict,
                seed,
                asked.apply(shortest),
                judge.answer(shortest),
                form(seed).answer(asked.apply(shortest)));
    }

    /** Whether a hint cannot be followed. */
    private static boolean isNoJoinOfThisForm(Answer answer) {
        return answer instanceof Answer.Failure failure
                && failure.state().equals(SqlErrors.SYNTAX)
                && failure.message().contains("SDDS_JOIN");
    }

    /** Whether two answers are rows, or errors of one state. */
    private static boolean isAlike(Answer one, Answer other) {
        return one instanceof Answer.Failure failure
                ? other instanceof Answer.Failure same && failure.state().equals(same.state())
                : other instanceof Answer.Rows;
    }

    @Override
    public void close() throws SQLException {
        for (Database form : forms) {
            form.close();
        }
        cluster.close();
    }
}
