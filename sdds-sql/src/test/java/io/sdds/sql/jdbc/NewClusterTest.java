package io.sdds.sql.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sdds.sql.SqlCluster;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Connections that stay open, as those of a pool do, while their cluster or a table is made anew. */
class NewClusterTest {
    private static final String PEOPLE = "CREATE TABLE people (id BIGINT PRIMARY KEY, name VARCHAR)";

    private SqlCluster sql;
    private final List<Connection> pool = new ArrayList<>();

    @BeforeEach
    void start() throws SQLException {
        sql = new SqlCluster();
        sql.update(PEOPLE);
        for (int k = 0; k < 3; k++) {
            pool.add(sql.connect(""));
        }
        for (Connection connection : pool) {
            assertThat(SqlCluster.rows(connection, "SELECT COUNT(*) FROM people"))
                    .containsExactly("0");
        }
    }

    @AfterEach
    void stop() throws SQLException {
        for (Connection connection : pool) {
            connection.close();
        }
        sql.close();
    }

    private static int insert(PreparedStatement statement, long id) throws SQLException {
        statement.setLong(1, id);
        statement.setString(2, "name " + id);
        return statement.executeUpdate();
    }

    @Test
    void connectionsOfAPoolGoOnInTheNewCluster() throws SQLException {
        try (PreparedStatement old = pool.get(0).prepareStatement("INSERT INTO people VALUES (?, ?)")) {
            assertThat(insert(old, 1)).isEqualTo(1);
            sql.cluster.makeAnew();
            for (Connection connection : pool) {
                assertThat(connection.isValid(5)).isTrue();
                assertThat(connection.isClosed()).isFalse();
            }
            assertThatThrownBy(() -> SqlCluster.rows(pool.get(1), "SELECT * FROM people"))
                    .isInstanceOf(SQLException.class)
                    .hasMessageContaining("people");
            sql.update(PEOPLE);
            assertThat(insert(old, 2)).isEqualTo(1);
            for (Connection connection : pool) {
                assertThat(SqlCluster.rows(connection, "SELECT id, name FROM people ORDER BY id"))
                        .containsExactly("2, name 2");
            }
            assertThat(SqlCluster.rows(pool.get(2), "SELECT name FROM people WHERE id = 2"))
                    .containsExactly("name 2");
        }
    }

    @Test
    void connectionsOfAPoolGoOnWithATableThatWasMadeAgain() throws SQLException {
        try (PreparedStatement old = pool.get(0).prepareStatement("INSERT INTO people VALUES (?, ?)");
                PreparedStatement query = pool.get(1).prepareStatement("SELECT name FROM people WHERE id = ?")) {
            assertThat(insert(old, 1)).isEqualTo(1);
            sql.update("DROP TABLE people");
            sql.update(PEOPLE);
            assertThat(SqlCluster.rows(pool.get(2), "SELECT COUNT(*) FROM people"))
                    .containsExactly("0");
            assertThat(insert(old, 2)).isEqualTo(1);
            query.setLong(1, 2);
            assertThat(SqlCluster.rows(query.executeQuery())).containsExactly("name 2");
            assertThat(SqlCluster.rows(pool.get(2), "SELECT id FROM people")).containsExactly("2");
        }
    }
}
