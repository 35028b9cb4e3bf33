package io.sdds.sql.random;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.sdds.core.Seeds;
import io.sdds.sql.random.Recording.Entry;
import io.sdds.testkit.PostgresServer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * Random statements: SDDS answers the rows of PostgreSQL, of hash and of range tables, with and without pushdown.
 * docs/sql.md, How to check, tells the commands.
 */
@Order(1)
class RandomSqlTest {
    private static final int SOAK_STATEMENTS = 100_000;
    private static final int RECORDED_STATEMENTS = 2_000;
    private static final int RECORDED_ROWS_MAX = 40;

    /** So many statements have the same tables. */
    private static final int STATEMENTS_OF_TABLES = 5_000;

    @Test
    void recordedStatementsAnswerTheRowsOfPostgreSql() throws Exception {
        Findings findings = new Findings();
        List<Entry> entries = Recording.read();
        try (Comparison comparison = new Comparison(tables(0))) {
            for (Entry entry : entries) {
                Statement statement = entry.statement();
                Answer actual = comparison.form(entry.seed()).answer(statement);
                findings.add(
                        Verdict.of(entry.answer(), actual, entry.ordered()),
                        entry.seed(),
                        statement,
                        entry.answer(),
                        actual);
            }
        }
        assertThat(entries).hasSize(RECORDED_STATEMENTS);
        check(findings);
    }

    @Test
    @EnabledIfSystemProperty(named = "sdds.soak", matches = ".*", disabledReason = "the long form: mvn verify -Psoak")
    void freshStatementsAnswerTheRowsOfPostgreSql() throws Exception {
        Optional<PostgresServer> server = PostgresServer.start();
        assumeTrue(server.isPresent(), "no PostgreSQL server is installed");
        long first = Seeds.next("RandomSqlTest");
        int count = Integer.getInteger("sdds.sql.statements", SOAK_STATEMENTS);
        Findings findings = new Findings();
        Tables tables = tables(first);
        try (PostgresServer postgres = server.get();
                Database judge = new Database(postgres.url(), Dialect.POSTGRESQL, tables).create();
                Comparison comparison = new Comparison(tables)) {
            for (long seed = first; seed < first + count; seed++) {
                if (seed > first && Math.floorMod(seed, STATEMENTS_OF_TABLES) == 0) {
                    tables = tables(seed);
                    judge.use(tables);
                    judge.create();
                    comparison.use(tables);
                }
                comparison.compare(new Generator(tables).draw(seed), seed, judge, findings);
            }
        }
        check(findings);
    }

    @Test
    @EnabledIfSystemProperty(named = "sdds.sql.record", matches = ".*", disabledReason = "records the rows anew")
    void recordsTheRowsOfPostgreSql() throws Exception {
        Optional<PostgresServer> server = PostgresServer.start();
        assumeTrue(server.isPresent(), "no PostgreSQL server is installed");
        Generator generator = new Generator(tables(0));
        List<Entry> entries = new ArrayList<>();
        try (PostgresServer postgres = server.get();
                Database judge = new Database(postgres.url(), Dialect.POSTGRESQL, generator.tables()).create()) {
            for (long seed = 0; entries.size() < RECORDED_STATEMENTS; seed++) {
                Statement statement = generator.draw(seed).statement();
                Answer answer = judge.answer(statement);
                boolean isShort =
                        !(answer instanceof Answer.Rows rows) || rows.values().size() <= RECORDED_ROWS_MAX;
                if (isShort && Verdict.of(answer, answer, true) == Verdict.EQUAL) {
                    entries.add(Entry.of(seed, statement, answer));
                }
            }
        }
        Recording.write(entries);
    }

    private static Tables tables(long seed) {
        return Tables.of(Math.floorDiv(seed, STATEMENTS_OF_TABLES));
    }

    private static void check(Findings findings) {
        System.out.println(findings);
        assertThat(findings.faults())
                .as("faults; the output has an example of each kind")
                .isZero();
        assertThat(findings.count(Verdict.REFUSED) * 100)
                .as("refused statements, a hundred times")
                .isLessThanOrEqualTo(findings.judged());
    }
}
