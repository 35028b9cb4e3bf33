package io.sdds.sql.tpcds;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.sdds.sql.JudgedQueries;
import io.sdds.sql.SqlCluster;
import io.sdds.testkit.PostgresServer;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * The queries of TPC-DS on small data, with PostgreSQL as the judge, with and without pushdown. The test prints rows
 * that differ and what is refused, and fails at both.
 */
@EnabledIfSystemProperty(named = "sdds.soak", matches = ".*", disabledReason = "the long form: mvn verify -Psoak")
class TpcdsTest {
    private static final int QUERIES = 99;

    private static final int DRAWS = 8;
    private static final double SCALE = 0.01;

    @Test
    void queriesGiveWhatPostgreSqlGives() throws Exception {
        Optional<PostgresServer> server = PostgresServer.start();
        assumeTrue(server.isPresent(), "no PostgreSQL server is installed");
        try (PostgresServer postgres = server.get();
                Connection judge = DriverManager.getConnection(postgres.url());
                SqlCluster sql = new SqlCluster();
                Connection withoutPushdown = sql.connect(";pushdown=false")) {
            TpcdsData data = new TpcdsData(SCALE);
            data.load(judge, "");
            data.load(sql.connection, System.getProperty("sdds.tpcds.options", ""));
            JudgedQueries queries =
                    new JudgedQueries(judge, Map.of("SDDS", sql.connection, "without pushdown", withoutPushdown));
            for (int number = 1; number <= QUERIES; number++) {
                for (String statement : statements(number, judge, queries)) {
                    queries.compare(Integer.toString(number), statement);
                }
            }
            System.out.println("TPC-DS: " + queries);
            assertThat(queries.verdicts()).containsOnlyKeys("SDDS equal", "without pushdown equal");
            assertThat(queries.full()).as("statements with rows").isGreaterThanOrEqualTo(QUERIES / 2);
        }
    }

    /** The statements of a query with values for which PostgreSQL has rows, if some draws find such values. */
    private static List<String> statements(int number, Connection judge, JudgedQueries queries) {
        List<String> answered = List.of();
        for (int draw = 0; draw < DRAWS; draw++) {
            List<String> statements = TpcdsTemplate.statements(number, number + 1_000L * draw);
            try {
                boolean haveRows = true;
                for (String statement : statements) {
                    haveRows &= !queries.answer("PostgreSQL, draws", judge, statement)
                            .isEmpty();
                }
                answered = statements;
                if (haveRows) {
                    return statements;
                }
            } catch (SQLException e) {
                // Other values may be those of columns that are there.
            }
        }
        assertThat(answered).as("Q%d as PostgreSQL takes it", number).isNotEmpty();
        return answered;
    }
}
