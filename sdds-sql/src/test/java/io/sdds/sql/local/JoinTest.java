package io.sdds.sql.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import io.sdds.core.LogLines;
import io.sdds.sql.SqlCluster;
import java.sql.SQLException;
import java.util.List;
import java.util.StringJoiner;
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
        return SqlCluster.sorted(sql.connection, query);
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

    @Test
    void hintsThatAreWrongOrCannotBeFollowedAreErrors() {
        assertThatThrownBy(() -> sql.rows(pairs("/*+ SDDS_JOIN(lookup) */")))
                .hasMessageContaining("its condition does not give the whole key of people");
        assertThatThrownBy(() -> sql.rows(pairs("/*+ SDDS_JOIN(packets, 0) */")))
                .hasMessageContaining("a packet has 1 to 100000 rows, found 0");
        assertThatThrownBy(() -> sql.rows(pairs("/*+ SDDS_JOIN(nested) */")))
                .isInstanceOf(SQLException.class)
                .hasMessageContaining("expected lookup, semi, hash or packets");
        assertThatThrownBy(() -> sql.rows(pairs("/*+ SDDS_JOIN(packets, 5, sorted, probabilistic) */")))
                .hasMessageContaining("the termination is deterministic");
    }

    @Test
    void bytesThatAreEqualAreInOnePacket() throws SQLException {
        sql.update("CREATE TABLE marks (id BIGINT PRIMARY KEY, mark VARBINARY, price DECIMAL(9, 2))");
        sql.update("INSERT INTO marks VALUES (1, X'01', 1.0), (2, X'02', 2.00), (3, X'01', 1), (4, X'01', 3)");
        for (String packets : List.of("packets, 1", "packets, 1, unsorted")) {
            String from = "SELECT /*+ SDDS_JOIN(" + packets + ") */ COUNT(*) FROM marks a JOIN marks b ON ";
            assertThat(sql.rows(from + "a.mark = b.mark")).containsExactly("10");
            assertThat(sql.rows(from + "a.price = b.price")).containsExactly("6");
        }
    }

    @Test
    void aHintOfASelectWithoutAJoinLogsNothing() throws SQLException {
        try (LogLines lines = LogLines.of("org.apache.calcite", Level.WARN)) {
            assertThat(sql.rows("SELECT /*+ SDDS_JOIN(semi) */ name FROM people WHERE id = 1"))
                    .containsExactly("Ann");
            assertThat(lines.texts(Level.WARN)).isEmpty();
        }
    }

    @Test
    void aTextThatReadsLikeAHintStaysAsItIs() throws SQLException {
        String text = "/*+ SDDS_JOIN(packets, 20, merge) */";
        assertThat(sql.rows("SELECT '" + text + "' FROM people WHERE name = 'Ann'"))
                .containsExactly(text);
    }

    @Test
    void fewRowsLookTheirPartnersUp() throws SQLException {
        sql.update("CREATE TABLE visits (person BIGINT, place INTEGER, PRIMARY KEY (person, place)) WITH (kind ="
                + " 'range')");
        sql.update("INSERT INTO visits VALUES (1, 1), (1, 2), (7, 1)");
        sql.update("CREATE TABLE many (id BIGINT PRIMARY KEY, name VARCHAR(20))");
        for (int block = 0; block < 4; block++) {
            StringJoiner rows = new StringJoiner(", ", "INSERT INTO many VALUES ", "");
            for (int k = 0; k < 1_000; k++) {
                rows.add("(" + (1_000 * block + k) + ", 'n" + (1_000 * block + k) + "')");
            }
            sql.update(rows.toString());
        }
        sql.update("ANALYZE many");
        String query = "SELECT m.name, v.place FROM many m JOIN visits v ON m.id = v.person";
        await().until(() -> sql.rows("EXPLAIN PLAN FOR " + query).get(0).contains("form=[lookup]"));
        assertThat(sorted(query)).containsExactly("n1, 1", "n1, 2", "n7, 1");
    }

    @Test
    void aRowThatIsFoundByItsKeyLooksItsPartnerUpInASmallTable() throws SQLException {
        sql.update("CREATE TABLE branches (id INTEGER PRIMARY KEY, name VARCHAR(20))");
        for (int k = 0; k < 40; k++) {
            sql.update("INSERT INTO branches VALUES (" + k + ", 'b" + k + "')");
        }
        sql.update("ANALYZE branches");
        String query = "SELECT p.name || b.name FROM people p JOIN branches b ON b.id = p.city WHERE p.id = 1";
        await().until(() -> sql.rows("EXPLAIN PLAN FOR " + query).get(0).contains("form=[lookup]"));
    }
}
