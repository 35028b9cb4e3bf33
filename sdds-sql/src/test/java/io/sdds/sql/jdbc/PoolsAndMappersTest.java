package io.sdds.sql.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.sdds.core.row.SchemaText;
import io.sdds.sql.SqlCluster;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.ByteBuffer;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.DriverManager;
import java.sql.DriverPropertyInfo;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.SQLWarning;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Properties;
import java.util.UUID;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** What pools, mappers and frameworks for transactions ask of a driver. */
class PoolsAndMappersTest {
    private static SqlCluster sql;
    private static String url;

    @BeforeAll
    static void start() throws SQLException {
        sql = new SqlCluster();
        url = "jdbc:sdds://" + sql.cluster.address();
        sql.update("CREATE TABLE numbers (id INTEGER PRIMARY KEY, n INTEGER, big BIGINT)");
        sql.update("INSERT INTO numbers VALUES (1, 0, 9223372036854775807)");
    }

    @AfterAll
    static void stop() throws SQLException {
        sql.close();
    }

    private static HikariDataSource pool(String options) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(url + options);
        config.setMaximumPoolSize(1);
        return new HikariDataSource(config);
    }

    // ---- transactions

    @Test
    void aRollbackWarnsAndDoesNotTakeThePlaceOfAnException() {
        try (HikariDataSource pool = pool(";transactions=ignore")) {
            TransactionTemplate template = new TransactionTemplate(new DataSourceTransactionManager(pool));
            assertThatThrownBy(() -> template.executeWithoutResult(status -> {
                        throw new IllegalStateException("of the application");
                    }))
                    .isExactlyInstanceOf(IllegalStateException.class)
                    .hasMessage("of the application")
                    .hasNoSuppressedExceptions();
        }
    }

    @Test
    void aRollbackLeavesAWarningUntilItIsCleared() throws SQLException {
        try (Connection connection = sql.connect("")) {
            assertThat((Object) connection.getWarnings()).isNull();
            connection.rollback();
            SQLWarning warning = connection.getWarnings();
            assertThat(warning.getSQLState()).isEqualTo("01000");
            assertThat(warning.getMessage()).contains("nothing was undone");
            connection.clearWarnings();
            assertThat((Object) connection.getWarnings()).isNull();
        }
    }

    @Test
    void aCommitUnderAutoCommitDoesNothing() throws SQLException {
        try (Connection connection = sql.connect("")) {
            connection.commit();
            assertThat(connection.getAutoCommit()).isTrue();
            assertThat((Object) connection.getWarnings()).isNull();
        }
    }

    @Test
    void aClosedConnectionNeitherCommitsNorRollsBack() throws SQLException {
        Connection connection = sql.connect("");
        connection.close();
        assertThatThrownBy(connection::commit).isInstanceOf(SQLException.class);
        assertThatThrownBy(connection::rollback).isInstanceOf(SQLException.class);
    }

    // ---- errors

    @Test
    void aPoolKeepsAConnectionThatHasRefusedAFeature() throws SQLException {
        try (HikariDataSource pool = pool("")) {
            Connection first = physical(pool);
            try (Connection connection = pool.getConnection();
                    Statement statement = connection.createStatement()) {
                for (String refused : List.of("TRUNCATE TABLE numbers", "CREATE VIEW v AS SELECT 1", "CALL x()")) {
                    SQLException refusal = failureOf(() -> statement.execute(refused));
                    assertThat((Object) refusal).as(refused).isInstanceOf(SQLFeatureNotSupportedException.class);
                    assertThat(refusal.getSQLState()).as(refused).isEqualTo("0A500");
                }
                assertThatThrownBy(() -> connection.setAutoCommit(false))
                        .isInstanceOf(SQLFeatureNotSupportedException.class);
            }
            assertThat(physical(pool)).isSameAs(first);
        }
    }

    private static Connection physical(HikariDataSource pool) throws SQLException {
        try (Connection connection = pool.getConnection()) {
            return connection.unwrap(Connection.class);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "SELECT 1 / n FROM numbers | 22012",
                "SELECT MOD(1, n) FROM numbers | 22012",
                "SELECT id FROM numbers WHERE 1 / n = 1 | 22012",
                "SELECT 1 / 0 | 22012",
                "SELECT big + 1 FROM numbers | 22003",
                "SELECT 2147483647 + 1 | 22003",
                "UPDATE numbers SET big = big + 1 | 22003",
                "UPDATE numbers SET n = 1 / n | 22012",
            })
    void anErrorOfANumberHasItsOwnState(String statement, String state) throws SQLException {
        for (String options : List.of("", ";pushdown=false")) {
            try (Connection connection = sql.connect(options);
                    Statement run = connection.createStatement()) {
                SQLException failure = failureOf(() -> {
                    if (run.execute(statement)) {
                        SqlCluster.rows(run.getResultSet());
                    }
                });
                assertThat(failure.getSQLState())
                        .as(options + failure.getMessage())
                        .isEqualTo(state);
            }
        }
    }

    @Test
    void aParameterThatIsTooLargeIsOutOfRange() throws SQLException {
        try (PreparedStatement insert = sql.connection.prepareStatement("INSERT INTO numbers VALUES (?, ?, ?)")) {
            SQLException failure = failureOf(() -> insert.setLong(2, 3_000_000_000L));
            assertThat(failure.getMessage()).isEqualTo("parameter 2: '3000000000' is no INTEGER");
            assertThat(failure.getSQLState()).isEqualTo("22003");
        }
    }

    // ---- what the driver says of itself

    @Test
    void everyMethodOfTheMetaDataAnswers() throws SQLException, IllegalAccessException {
        DatabaseMetaData metaData = sql.connection.getMetaData();
        List<String> failed = new ArrayList<>();
        for (Method method : DatabaseMetaData.class.getMethods()) {
            try {
                method.invoke(metaData, arguments(method));
            } catch (InvocationTargetException e) {
                failed.add(method.getName() + ": " + e.getCause());
            }
        }
        assertThat(failed).isEmpty();
    }

    private static Object[] arguments(Method method) {
        if (method.getName().equals("unwrap") || method.getName().equals("isWrapperFor")) {
            return new Object[] {DatabaseMetaData.class};
        }
        return Arrays.stream(method.getParameterTypes())
                .map(type -> type == int.class
                        ? Integer.valueOf(1)
                        : type == boolean.class ? Boolean.TRUE : type == String.class ? "numbers" : null)
                .toArray();
    }

    @Test
    void thePropertiesAreTheOptionsOfTheUrl() throws SQLException {
        Properties given = new Properties();
        given.setProperty("transactions", "ignore");
        DriverPropertyInfo[] properties = DriverManager.getDriver(url).getPropertyInfo(url + ";pushdown=false", given);
        assertThat(Arrays.stream(properties)
                        .map(each -> each.name + "=" + each.value + " of " + Arrays.toString(each.choices)))
                .containsExactly(
                        "pushdown=false of [true, false]",
                        "transactions=ignore of [ignore, refuse]",
                        "maxMemory=" + Math.max(64, Runtime.getRuntime().maxMemory() / 4 >> 20) + "m of null");
        assertThat(properties).allSatisfy(each -> assertThat(each.description).isNotBlank());
    }

    // ---- values and types

    @Test
    void sixteenBytesAreAUuid() throws SQLException {
        sql.update("CREATE TABLE ids (id UUID PRIMARY KEY, other UUID)");
        UUID id = UUID.fromString("00112233-4455-6677-8899-aabbccddeeff");
        byte[] bytes = ByteBuffer.allocate(16)
                .putLong(id.getMostSignificantBits())
                .putLong(id.getLeastSignificantBits())
                .array();
        try (PreparedStatement insert = sql.connection.prepareStatement("INSERT INTO ids VALUES (?, ?)")) {
            insert.setBytes(1, bytes);
            insert.setObject(2, bytes);
            insert.executeUpdate();
            assertThatThrownBy(() -> insert.setBytes(1, new byte[15])).hasMessage("parameter 1: 15 bytes is no UUID");
        }
        assertThat(sql.rows("SELECT id, other FROM ids")).containsExactly(id + ", " + id);
    }

    @Test
    void aTableOfAnotherSchemaIsRefused() throws SQLException {
        for (String name : List.of("public.x", "\"public\".x", "public . x")) {
            assertThat(message("CREATE TABLE " + name + " (id INT PRIMARY KEY)"))
                    .as(name)
                    .isEqualTo("line 1, column 14: there is no schema 'public': the tables are in sdds; a name with a"
                            + " point stands in double quotes");
        }
        assertThat(message("DROP TABLE public.numbers")).contains("there is no schema 'public'");
        sql.update("CREATE TABLE sdds.own (id INT PRIMARY KEY)");
        sql.update("CREATE TABLE \"with.point\" (id INT PRIMARY KEY)");
        assertThat(sql.rows("SELECT COUNT(*) FROM own")).containsExactly("0");
        assertThat(sql.rows("SELECT COUNT(*) FROM \"with.point\"")).containsExactly("0");
        sql.update("DROP TABLE \"sdds\".\"own\"");
    }

    @Test
    void typesOfOtherDatabasesAreTakenWhereOneOfOursIsTheSame() throws SQLException {
        sql.update("CREATE TABLE taken (id INT8 PRIMARY KEY, a DATETIME, b BOOL NULL, c INT4 NOT NULL, d BLOB,"
                + " e TIMESTAMP(6), f TIMESTAMP WITHOUT TIME ZONE, g CHARACTER VARYING(7), h NUMERIC(8, 2),"
                + " i TIMESTAMP(3) WITHOUT TIME ZONE NULL, j CLOB DEFAULT NULL, k FLOAT8, l INT2 DEFAULT 3,"
                + " m TIME(3), n BYTEA, p VARCHAR(3) NULL DEFAULT 'a')");
        sql.update("ALTER TABLE taken ADD COLUMN o BOOL NULL");
        assertThat(sql.rows("SELECT COUNT(*) FROM taken")).containsExactly("0");
        assertThat(sql.cluster.client().tables().stream()
                        .filter(table -> table.name().equals("taken"))
                        .map(table -> SchemaText.print(table.options().schema())))
                .containsExactly("id bigint key, a timestamp, b boolean, c integer not null, d varbinary, e timestamp,"
                        + " f timestamp, g varchar(7), h decimal(8,2), i timestamp, j varchar, k double,"
                        + " l integer default 3, m time, n varbinary, p varchar(3) default 'a', o boolean");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "CREATE TABLE x (id INT PRIMARY KEY,  a DECIMAL) | line 1, column 38: expected '(' and the digits",
                "CREATE TABLE x (id INT PRIMARY KEY,  a BINARY(4)) | line 1, column 38: unknown type 'BINARY'",
                "CREATE TABLE x (id INT PRIMARY KEY,  a TIMESTAMP(9)) | line 1, column 38: ",
                "CREATE TABLE x (id INT PRIMARY KEY,  a CHAR(4)) | line 1, column 38: unknown type 'CHAR'",
                "ALTER TABLE numbers ADD a TIMESTAMP WITH TIME ZONE | line 1, column 25: ",
            })
    void otherTypesAreRefusedWithTheirPlace(String statement, String beginning) {
        assertThat(message(statement)).startsWith(beginning.stripTrailing());
    }

    private static String message(String statement) {
        return failureOf(() -> sql.update(statement)).getMessage();
    }

    private static SQLException failureOf(ThrowingCallable call) {
        Throwable thrown = catchThrowable(call);
        assertThat(thrown).isInstanceOf(SQLException.class);
        return (SQLException) thrown;
    }
}
