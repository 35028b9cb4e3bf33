package io.sdds.sql;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Forms of joins by hint. */
class JoinTest {
    private static SqlCluster sql;

    @BeforeAll
    static void start() throws SQLException {
        sql = new SqlCluster();
        sql.update("CREATE TABLE people (id BIGINT PRIMARY KEY, name VARCHAR(20), city INTEGER)");
        sql.update("INSERT INTO people VALUES (1, 'Ann', 1), (2, 'Bob', 2), (3, 'Cid', 1), (4, 'Dan', NULL)");
    }

    @AfterAll
    static void stop() throws SQLException {
        sql.close();
    }

    private static List<String> sorted(String query) throws SQLException {
        List<String> rows = sql.rows(query);
        rows.sort(null);
        return rows;
    }

    private static String pairs(String hint) {
        return "SELECT " + hint + " a.name, b.name FROM people a JOIN people b ON a.city = b.city";
    }

    @Test
    void packetsOfKeysFindThePairs() throws SQLException {
        for (String packet :
                List.of("packets", "packets, 1", "packets, 2, unsorted", "packets,3,sorted,deterministic")) {
            String query = pairs("/*+ SDDS_JOIN(" + packet + ") */");
            assertThat(sorted(query)).containsExactly("Ann, Ann", "Ann, Cid", "Bob, Bob", "Cid, Ann", "Cid, Cid");
            assertThat(sql.rows("EXPLAIN PLAN FOR " + query).get(0)).contains("form=[packets]");
        }
    }
}
