package io.sdds.sql.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.sdds.sql.JudgedQueries;
import io.sdds.sql.SqlCluster;
import io.sdds.testkit.PostgresServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * The join order benchmark (Leis et al. 2015, "How Good Are Query Optimizers, Really?"): joins of 4 to 17 tables, with
 * PostgreSQL as the judge, with and without pushdown. The rows are made up, so that queries find some. The texts of the
 * queries have no licence, so a directory with them is named.
 */
@EnabledIfSystemProperty(
        named = "sdds.sql.job",
        matches = ".+",
        disabledReason = "needs -Dsdds.sql.job=DIR, with the queries in DIR/1a.sql to DIR/33c.sql")
class JoinBenchmarkTest {
    private static final int RANDOM_ROWS = 300;

    @Test
    void queriesGiveWhatPostgreSqlGives() throws Exception {
        Optional<PostgresServer> server = PostgresServer.start();
        assumeTrue(server.isPresent(), "no PostgreSQL server is installed");
        Map<String, String> texts = texts(Path.of(System.getProperty("sdds.sql.job")));
        AtomicInteger numbers = new AtomicInteger();
        IntSupplier next = numbers::incrementAndGet;
        ImdbTables tables = new ImdbTables();
        for (String text : texts.values()) {
            new QueryRows(text, next).addTo(tables);
        }
        tables.addAtRandom(RANDOM_ROWS, new Random(1), next);
        try (PostgresServer postgres = server.get();
                Connection judge = DriverManager.getConnection(postgres.url());
                SqlCluster sql = new SqlCluster();
                Connection withoutPushdown = sql.connect(";pushdown=false")) {
            tables.load(judge);
            tables.load(sql.connection);
            JudgedQueries queries =
                    new JudgedQueries(judge, Map.of("SDDS", sql.connection, "without pushdown", withoutPushdown));
            texts.forEach(queries::compare);
            System.out.println("join order benchmark: " + texts.size() + " queries, " + queries);
            assertThat(queries.verdicts()).containsOnlyKeys("SDDS equal", "without pushdown equal");
            assertThat(queries.full()).as("queries with rows").isGreaterThanOrEqualTo(texts.size() * 9 / 10);
        }
    }

    /** The texts of the queries without a semicolon, by name. */
    private static Map<String, String> texts(Path directory) throws Exception {
        Map<String, String> texts = new TreeMap<>();
        try (Stream<Path> files = Files.list(directory)) {
            for (Path file : files.filter(each -> each.getFileName().toString().matches("\\d+[a-f]\\.sql"))
                    .toList()) {
                String name = file.getFileName().toString();
                texts.put(
                        name.substring(0, name.indexOf('.')),
                        Files.readString(file).strip().replaceFirst(";$", ""));
            }
        }
        assertThat(texts).as("queries in %s", directory).isNotEmpty();
        return texts;
    }
}
