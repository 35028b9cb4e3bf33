package io.sdds.sql.random;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.sdds.core.Seeds;
import io.sdds.testkit.PostgresServer;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The generator itself: PostgreSQL is the judge and what is judged. */
class GeneratorTest {
    private static final int STATEMENTS = Integer.getInteger("sdds.sql.statements", 200);

    @Test
    void postgreSqlTakesTheStatementsAnswersThemTwiceTheSameAndAChangedValueIsFound() throws Exception {
        Optional<PostgresServer> server = PostgresServer.start();
        assumeTrue(server.isPresent(), "no PostgreSQL server is installed");
        long first = Seeds.next("GeneratorTest");
        Generator generator = new Generator(Tables.of(first));
        try (PostgresServer postgres = server.get();
                Database judge = new Database(postgres.url(), Dialect.POSTGRESQL, generator.tables()).create();
                Database same = new Database(postgres.url(), Dialect.POSTGRESQL, generator.tables())) {
            Findings findings = compare(generator, first, judge, same);
            assertThat(findings.faults()).as("faults of the generator").isZero();
            assertThat(findings.count(Verdict.NOT_JUDGED)).isLessThanOrEqualTo(STATEMENTS / 50);
            try (Database changed =
                    new Database(otherDatabase(postgres), Dialect.POSTGRESQL, planted(generator.tables())).create()) {
                Findings planted = compare(generator, first, judge, changed);
                assertThat(planted.count(Verdict.WRONG_ROWS))
                        .as("statements that see a planted value")
                        .isPositive();
            }
        }
    }

    private static Findings compare(Generator generator, long first, Database judge, Database judged)
            throws SQLException {
        Findings findings = new Findings();
        for (long seed = first; seed < first + STATEMENTS; seed++) {
            Statement statement = generator.draw(seed).statement();
            Answer answer = judge.answer(statement);
            Answer other = judged.answer(statement);
            findings.add(Verdict.of(answer, other, statement.isOrdered()), seed, statement, answer, other);
        }
        System.out.println(findings);
        return findings;
    }

    private static String otherDatabase(PostgresServer postgres) throws SQLException {
        try (Connection connection = DriverManager.getConnection(postgres.url());
                java.sql.Statement run = connection.createStatement()) {
            run.execute("CREATE DATABASE other");
        }
        return postgres.url().replace("/postgres?", "/other?");
    }

    /** The same tables, but that one row of each has another key. */
    private static Tables planted(Tables tables) {
        List<Tables.Table> all = new ArrayList<>();
        for (Tables.Table table : tables.all()) {
            List<List<@Nullable Object>> rows = new ArrayList<>(table.rows());
            if (!rows.isEmpty()) {
                List<@Nullable Object> row = new ArrayList<>(rows.removeLast());
                row.set(0, 99);
                rows.add(row);
            }
            all.add(new Tables.Table(table.name(), table.columns(), rows));
        }
        return new Tables(all);
    }
}
