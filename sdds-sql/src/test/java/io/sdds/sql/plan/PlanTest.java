package io.sdds.sql.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.sdds.sql.SqlCluster;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Plans of statements, as plans.txt has them: what is shipped and what stays at the client. */
class PlanTest {
    @Test
    void plansAreAsInTheFile() throws SQLException, IOException {
        String expected;
        try (InputStream file = Objects.requireNonNull(PlanTest.class.getResourceAsStream("/plans.txt"))) {
            expected = new String(file.readAllBytes(), StandardCharsets.UTF_8);
        }
        StringBuilder actual = new StringBuilder();
        try (SqlCluster sql = new SqlCluster()) {
            for (String block : expected.split("\n\n")) {
                String statement = block.lines().findFirst().orElseThrow();
                actual.append(statement).append('\n');
                if (statement.startsWith("CREATE")) {
                    sql.update(statement);
                } else {
                    assertThat(sql.rows("EXPLAIN PLAN AS JSON FOR " + statement))
                            .as("as JSON: %s", statement)
                            .isNotEmpty();
                    String plan = String.join("\n", sql.rows("EXPLAIN PLAN FOR " + statement));
                    actual.append(plan.strip().replaceAll("(?m) +$", "")).append('\n');
                }
                actual.append('\n');
            }
        }
        assertThat(actual.toString().strip()).isEqualTo(expected.strip());
    }
}
