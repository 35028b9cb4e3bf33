package io.sdds.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sdds.client.TableInfo;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;

/** Options of CREATE TABLE about parity groups. */
class ParityOptionsTest {
    @Test
    void aTableWithParitySaysHowManyParitiesAWriteAsksFor() throws SQLException {
        try (SqlCluster sql = new SqlCluster(3)) {
            sql.update("CREATE TABLE usual (id INT PRIMARY KEY) WITH (parity = '2,1')");
            sql.update("CREATE TABLE safe (id INT PRIMARY KEY) WITH (parity = '2,1', min_parities = 1)");
            assertThat(minParities(sql, "usual")).isZero();
            assertThat(minParities(sql, "safe")).isOne();
            assertThatThrownBy(() -> sql.update(
                            "CREATE TABLE wrong (id INT PRIMARY KEY) WITH (parity = '2,1', min_parities = 2)"))
                    .isInstanceOf(SQLException.class)
                    .hasMessage("writes with at least 2 parities of 1: 0 to 1 are allowed");
            assertThatThrownBy(() -> sql.update(
                            "CREATE TABLE wrong (id INT PRIMARY KEY) WITH (parity = '2,1', min_parities = 'x')"))
                    .isInstanceOf(SQLException.class)
                    .hasMessageContaining("option min_parities takes a whole number, found 'x'");
            assertThat(sql.cluster.client().tables())
                    .extracting(TableInfo::name)
                    .containsExactly("safe", "usual");
        }
    }

    private static int minParities(SqlCluster sql, String table) {
        return sql.cluster.client().tables().stream()
                .filter(each -> each.name().equals(table))
                .map(TableInfo::options)
                .findFirst()
                .orElseThrow()
                .minParities();
    }
}
