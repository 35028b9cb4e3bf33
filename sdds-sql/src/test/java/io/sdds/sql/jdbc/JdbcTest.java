package io.sdds.sql.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.sdds.sql.SqlCluster;
import java.io.StringReader;
import java.math.BigDecimal;
import java.sql.BatchUpdateException;
import java.sql.Connection;
import java.sql.ParameterMetaData;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.Statement;
import java.sql.Types;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What {@code java.sql} promises: parameters, results, batches, and statements that are prepared once. */
class JdbcTest {
    private static final List<Object> VALUES = List.of(
            true,
            17,
            1L << 40,
            0.5,
            new BigDecimal("12.50"),
            "Åbo 😀",
            LocalDate.of(1286, 1, 1),
            LocalTime.of(23, 59, 59, 999_000_000),
            LocalDateTime.of(2026, 3, 29, 2, 30, 0, 125_000_000),
            UUID.fromString("00112233-4455-6677-8899-aabbccddeeff"));

    private static SqlCluster sql;

    @BeforeAll
    static void start() throws SQLException {
        sql = new SqlCluster();
        sql.update("CREATE TABLE kinds (id INTEGER PRIMARY KEY, b BOOLEAN, i INTEGER, l BIGINT, d DOUBLE,"
                + " c DECIMAL(8,2), v VARCHAR(9), born DATE, clock TIME, happened TIMESTAMP, u UUID, x VARBINARY)");
    }

    @AfterAll
    static void stop() throws SQLException {
        sql.close();
    }

    private static PreparedStatement prepared(String statement) throws SQLException {
        return sql.connection.prepareStatement(statement);
    }

    private static String failure(String statement, Object... values) {
        return catchThrowableOfType(SQLException.class, () -> {
                    try (PreparedStatement run = prepared(statement)) {
                        for (int k = 0; k < values.length; k++) {
                            run.setObject(k + 1, values[k]);
                        }
                        run.execute();
                    }
                })
                .getMessage();
    }

    // ---- values

    @Test
    void onlyTheOneSchemaCanBeChosen() throws SQLException {
        sql.connection.setSchema("sdds");
        assertThat(sql.connection.getSchema()).isEqualTo("sdds");
        assertThatThrownBy(() -> sql.connection.setSchema("other"))
                .isInstanceOf(SQLFeatureNotSupportedException.class)
                .hasMessage("another schema than sdds is not supported");
    }

    @Test
    void valuesOfAllTypesGoInAndComeOut() throws SQLException {
        try (PreparedStatement insert = prepared("INSERT INTO kinds VALUES (1, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")) {
            for (int k = 0; k < VALUES.size(); k++) {
                insert.setObject(k + 1, VALUES.get(k));
            }
            insert.setBytes(VALUES.size() + 1, new byte[] {0, -1});
            assertThat(insert.executeUpdate()).isEqualTo(1);
        }
        try (PreparedStatement query = prepared("SELECT * FROM kinds WHERE id = ?")) {
            query.setLong(1, 1);
            ResultSet row = query.executeQuery();
            assertThat(row.next()).isTrue();
            for (int k = 0; k < VALUES.size(); k++) {
                Object value = VALUES.get(k);
                Object found = row.getObject(k + 2, value.getClass());
                assertThat(found).isEqualTo(value);
            }
            assertThat(row.getBytes("x")).containsExactly(0, -1);
            assertThat(row.getObject("i", Long.class)).isEqualTo(17);
            assertThat(row.getObject("c", String.class)).isEqualTo("12.50");
            assertThat(row.getString("happened")).isEqualTo("2026-03-29 02:30:00.125");
            assertThatThrownBy(() -> row.getObject("v", Integer.class)).hasMessageContaining("is no java.lang.Integer");
        }
    }

    @Test
    void eachValueIsFoundByItself() throws SQLException {
        try (PreparedStatement insert = prepared("UPSERT INTO kinds VALUES (2, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, X'')")) {
            for (int k = 0; k < VALUES.size(); k++) {
                insert.setObject(k + 1, VALUES.get(k));
            }
            insert.executeUpdate();
        }
        List<String> columns = List.of("b", "i", "l", "d", "c", "v", "born", "clock", "happened", "u");
        for (int k = 0; k < columns.size(); k++) {
            try (PreparedStatement query =
                    prepared("SELECT id FROM kinds WHERE id = 2 AND " + columns.get(k) + " = ?")) {
                query.setObject(1, VALUES.get(k));
                assertThat(SqlCluster.rows(query.executeQuery()))
                        .as(columns.get(k))
                        .containsExactly("2");
            }
        }
    }

    @Test
    void nullsGoInAndComeOut() throws SQLException {
        try (PreparedStatement insert =
                prepared("INSERT INTO kinds (id, i, v, born, happened, u, x) VALUES (3, ?, ?, ?, ?, ?, ?)")) {
            insert.setNull(1, Types.INTEGER);
            insert.setString(2, null);
            insert.setDate(3, null);
            insert.setTimestamp(4, null);
            insert.setObject(5, null);
            insert.setNull(6, Types.VARBINARY);
            insert.executeUpdate();
        }
        try (Statement statement = sql.connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT * FROM kinds WHERE id = 3")) {
            assertThat(row.next()).isTrue();
            assertThat(row.getInt("i")).isZero();
            assertThat(row.wasNull()).isTrue();
            assertThat(row.getTimestamp("happened")).isNull();
            assertThat(row.getObject("born")).isNull();
            assertThat(row.getObject("u", UUID.class)).isNull();
            assertThat(row.wasNull()).isTrue();
        }
        try (PreparedStatement query = prepared("SELECT id FROM kinds WHERE id = ?")) {
            query.setNull(1, Types.INTEGER);
            assertThat(SqlCluster.rows(query.executeQuery())).isEmpty();
        }
    }

    @Test
    void valuesBecomeTheTypeOfTheirParameter() throws SQLException {
        try (PreparedStatement insert =
                prepared("INSERT INTO kinds (id, i, l, c, v, born, happened) VALUES (4, ?, ?, ?, ?, ?, ?)")) {
            insert.setString(1, "17");
            insert.setShort(2, (short) 3);
            insert.setDouble(3, 1.25);
            insert.setCharacterStream(4, new StringReader("stream"));
            insert.setObject(5, "2020-02-29");
            insert.setObject(6, LocalDate.of(2020, 2, 29), Types.TIMESTAMP);
            insert.executeUpdate();
        }
        assertThat(sql.rows("SELECT i, l, c, v, CAST(born AS VARCHAR) FROM kinds WHERE id = 4"))
                .containsExactly("17, 3, 1.25, stream, 2020-02-29");
        assertThat(failure("SELECT * FROM kinds WHERE i = ?", "x")).isEqualTo("parameter 1: 'x' is no INTEGER");
        assertThat(failure("SELECT * FROM kinds WHERE i = ?", 1L << 40))
                .isEqualTo("parameter 1: '1099511627776' is no INTEGER");
        assertThat(failure("SELECT * FROM kinds WHERE happened = ?", Instant.EPOCH))
                .endsWith(" is no TIMESTAMP");
        assertThat(failure("SELECT * FROM kinds WHERE i = ? AND id = ?", 1)).isEqualTo("parameter 2 has no value");
        assertThat(failure("SELECT * FROM kinds WHERE i = ?", 1, 2)).isEqualTo("there is no parameter 2, only 1");
    }

    // ---- statements

    @Test
    void parametersTellTheirTypes() throws SQLException {
        try (PreparedStatement query = prepared("SELECT id FROM kinds WHERE v = ? AND c > ? AND happened < ?")) {
            ParameterMetaData data = query.getParameterMetaData();
            assertThat(data.getParameterCount()).isEqualTo(3);
            assertThat(data.getParameterType(1)).isEqualTo(Types.VARCHAR);
            assertThat(data.getParameterType(2)).isEqualTo(Types.DECIMAL);
            assertThat(data.getParameterTypeName(3)).startsWith("TIMESTAMP");
            assertThat(query.getMetaData().getColumnName(1)).isEqualTo("id");
        }
    }

    @Test
    void aBatchGoesOnBehindAStatementThatFails() throws SQLException {
        sql.update("CREATE TABLE batched (id INTEGER PRIMARY KEY, n INTEGER)");
        try (PreparedStatement insert = prepared("INSERT INTO batched VALUES (?, 1)")) {
            for (int id : List.of(1, 2, 1, 3)) {
                insert.setInt(1, id);
                insert.addBatch();
            }
            BatchUpdateException failure = catchThrowableOfType(BatchUpdateException.class, insert::executeBatch);
            assertThat(failure.getUpdateCounts()).containsExactly(1, 1, Statement.EXECUTE_FAILED, 1);
            assertThat(failure.getSQLState()).isEqualTo("23505");
            assertThat(failure.getMessage())
                    .isEqualTo("statement 3 of the batch of 4: duplicate key (1) in table batched;"
                            + " 0 rows were written");
            assertThat(insert.executeBatch()).isEmpty();
        }
        try (Statement statement = sql.connection.createStatement()) {
            statement.addBatch("UPDATE batched SET n = 2");
            statement.addBatch("DELETE FROM batched WHERE id = 1");
            assertThat(statement.executeBatch()).containsExactly(3, 1);
            statement.addBatch("INSERT INTO batched VALUES (4, 4)");
            statement.addBatch("INSERT INTO batched VALUES (3, 4)");
            statement.addBatch("INSERT INTO batched VALUES (2, 4)");
            statement.addBatch("UPDATE batched SET n = n + 1");
            BatchUpdateException failure = catchThrowableOfType(BatchUpdateException.class, statement::executeBatch);
            assertThat(failure.getUpdateCounts())
                    .containsExactly(1, Statement.EXECUTE_FAILED, Statement.EXECUTE_FAILED, 3);
            assertThat(failure.getMessage())
                    .isEqualTo("statement 2 of the batch of 4: duplicate key (3) in table batched;"
                            + " 0 rows were written; 2 statements failed");
            assertThat(failure.getNextException().getMessage()).startsWith("duplicate key (2) ");
        }
    }

    /** Trap 19: plans die with schema versions. */
    @Test
    void aPreparedStatementFollowsTheSchema() throws SQLException {
        sql.update("CREATE TABLE changing (id INTEGER PRIMARY KEY, a INTEGER)");
        sql.update("INSERT INTO changing VALUES (1, 10)");
        try (Connection other = sql.connect("");
                Statement change = other.createStatement();
                PreparedStatement query = prepared("SELECT * FROM changing WHERE id = ?")) {
            query.setInt(1, 1);
            assertThat(SqlCluster.rows(query.executeQuery())).containsExactly("1, 10");
            sql.update("ALTER TABLE changing ADD b INTEGER DEFAULT 7");
            assertThat(SqlCluster.rows(query.executeQuery())).containsExactly("1, 10, 7");
            sql.update("ALTER TABLE changing DROP a");
            assertThat(SqlCluster.rows(query.executeQuery())).containsExactly("1, 7");
            change.execute("DROP TABLE changing");
            change.execute("CREATE TABLE changing (id BIGINT PRIMARY KEY, c VARCHAR)");
            change.execute("INSERT INTO changing VALUES (1, 'new')");
            assertThat(SqlCluster.rows(query.executeQuery())).containsExactly("1, new");
        }
    }

    @Test
    void aResultHasNoMoreRowsThanWereWanted() throws SQLException {
        sql.update("CREATE TABLE many (id INTEGER PRIMARY KEY)");
        try (PreparedStatement insert = prepared("INSERT INTO many VALUES (?), (?), (?)")) {
            for (int k = 0; k < 3; k++) {
                insert.setInt(k + 1, k);
            }
            assertThat(insert.executeUpdate()).isEqualTo(3);
        }
        try (PreparedStatement query = prepared("SELECT id FROM many ORDER BY id")) {
            query.setMaxRows(2);
            assertThat(SqlCluster.rows(query.executeQuery())).containsExactly("0", "1");
            query.setMaxRows(0);
            assertThat(SqlCluster.rows(query.executeQuery())).hasSize(3);
        }
        try (Statement statement = sql.connection.createStatement()) {
            statement.setMaxRows(1);
            assertThat(SqlCluster.rows(statement.executeQuery("SELECT id FROM many ORDER BY id")))
                    .containsExactly("0");
        }
    }

    @Test
    void aFetchSizeIsKeptAndNotNegative() throws SQLException {
        try (PreparedStatement query = prepared("SELECT id FROM kinds WHERE id * 2 >= 0")) {
            assertThat(query.getFetchSize()).isZero();
            query.setFetchSize(7);
            assertThat(query.getFetchSize()).isEqualTo(7);
            assertThatThrownBy(() -> query.setFetchSize(-1)).hasMessage("a fetch size of -1 rows is negative");
            assertThat(query.getFetchSize()).isEqualTo(7);
        }
    }

    @Test
    void rowsAndCountsAreNotMixedUp() throws SQLException {
        try (Statement statement = sql.connection.createStatement()) {
            assertThatThrownBy(() -> statement.executeUpdate("SELECT 1")).hasMessageContaining("use executeQuery");
            assertThat(statement.execute("SELECT 1")).isTrue();
            assertThat(statement.getUpdateCount()).isEqualTo(-1);
            assertThat(statement.execute("DELETE FROM kinds WHERE id = 99")).isFalse();
            assertThat(statement.getUpdateCount()).isZero();
            assertThat(statement.getConnection()).isSameAs(sql.connection);
            assertThatThrownBy(() -> statement.executeUpdate("DELETE FROM kinds", Statement.RETURN_GENERATED_KEYS))
                    .isInstanceOf(SQLFeatureNotSupportedException.class);
        }
    }

    /** Such statements do not go through the engine. */
    @Test
    void aPreparedWriteByKeyTellsItsCountInAllWays() throws SQLException {
        sql.update("CREATE TABLE counted (id INTEGER PRIMARY KEY, n INTEGER)");
        try (PreparedStatement insert = prepared("INSERT INTO counted VALUES (?, ?), (?, 0)");
                PreparedStatement update = prepared("UPDATE counted SET n = n + ? WHERE id = ?")) {
            insert.setInt(1, 1);
            insert.setInt(2, 10);
            assertThatThrownBy(insert::executeUpdate).hasMessage("parameter 3 has no value");
            insert.setInt(3, 2);
            assertThat(insert.execute()).isFalse();
            assertThat(insert.getUpdateCount()).isEqualTo(2);
            assertThatThrownBy(insert::execute).as("the keys are there").isInstanceOf(SQLException.class);
            assertThat(insert.getUpdateCount()).isEqualTo(-1);
            assertThat((Object) insert.getResultSet()).isNull();
            assertThat(insert.getMoreResults()).isFalse();
            assertThat(insert.getLargeUpdateCount()).isEqualTo(-1);
            insert.close();
            assertThatThrownBy(insert::getUpdateCount).hasMessage("the statement is closed");
            update.setInt(1, 5);
            update.setInt(2, 1);
            assertThat(update.executeUpdate()).isOne();
            assertThat(update.executeLargeUpdate()).isOne();
            assertThat(update.getUpdateCount()).isOne();
            update.setInt(2, 77);
            assertThat(update.executeUpdate()).isZero();
            update.addBatch();
            assertThat(update.executeBatch()).containsExactly(0);
            assertThat(update.getUpdateCount())
                    .as("a batch has counts of its own")
                    .isEqualTo(-1);
            assertThatThrownBy(update::executeQuery).isInstanceOf(SQLException.class);
        }
        assertThat(sql.rows("SELECT n FROM counted ORDER BY id")).containsExactly("20", "0");
    }

    @Test
    void aConnectionIsValidUntilItIsClosed() throws SQLException {
        Connection connection = sql.connect("");
        assertThat(connection.isValid(5)).isTrue();
        assertThat(connection.unwrap(Connection.class)).isSameAs(connection);
        connection.close();
        connection.close();
        assertThat(connection.isValid(5)).isFalse();
        assertThat(connection.isClosed()).isTrue();
        assertThatThrownBy(connection::createStatement).isInstanceOf(SQLException.class);
    }
}
