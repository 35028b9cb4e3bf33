package io.sdds.sql.random;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sdds.sql.SqlCluster;
import java.io.IOException;
import java.io.InputStream;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * Statements that answered wrong rows once, one or more of each kind of fault, with the rows that PostgreSQL 15 gives.
 * {@code cases/postgresql-rows.json} has the tables, the statements and the rows.
 */
class SqlCasesTest {
    private static final JsonNode CASES = read();

    private static SqlCluster sql;
    private static Connection withoutPushdown;

    @BeforeAll
    static void start() throws SQLException {
        sql = new SqlCluster();
        withoutPushdown = sql.connect(";pushdown=false");
        for (JsonNode statement : CASES.get("setup")) {
            sql.update(statement.asText());
        }
    }

    @AfterAll
    static void stop() throws SQLException {
        withoutPushdown.close();
        sql.close();
    }

    @TestFactory
    Stream<DynamicTest> answersTheRowsOfPostgreSql() {
        return tests(sql.connection);
    }

    @TestFactory
    Stream<DynamicTest> answersTheRowsOfPostgreSqlWithoutPushdown() {
        return tests(withoutPushdown);
    }

    private static Stream<DynamicTest> tests(Connection connection) {
        JsonNode queries = CASES.get("queries");
        return IntStream.range(0, queries.size())
                .mapToObj(k -> DynamicTest.dynamicTest(
                        (k + 1) + ": " + queries.get(k).get("title").asText(),
                        () -> check(connection, queries.get(k))));
    }

    private static void check(Connection connection, JsonNode query) throws SQLException {
        assertThat(rows(connection, query))
                .as(query.get("sql").asText())
                .isEqualTo(inComparableOrder(query, expected(query)));
    }

    private static List<List<String>> rows(Connection connection, JsonNode query) throws SQLException {
        try (PreparedStatement statement =
                connection.prepareStatement(query.get("sql").asText())) {
            JsonNode parameters = query.get("params");
            for (int k = 0; k < parameters.size(); k++) {
                bind(statement, k + 1, parameters.get(k).asText());
            }
            try (ResultSet result = statement.executeQuery()) {
                return inComparableOrder(query, texts(result));
            }
        }
    }

    /** Binds a value that is written as {@code kind:value}. */
    private static void bind(PreparedStatement statement, int index, String parameter) throws SQLException {
        int colon = parameter.indexOf(':');
        String value = parameter.substring(colon + 1);
        String kind = parameter.substring(0, colon);
        switch (kind) {
            case "int" -> statement.setInt(index, Integer.parseInt(value));
            case "str" -> statement.setString(index, value);
            case "ts" -> statement.setTimestamp(index, Timestamp.valueOf(LocalDateTime.parse(value)));
            default -> throw new IllegalArgumentException("no kind of parameter: " + kind);
        }
    }

    private static List<List<String>> texts(ResultSet result) throws SQLException {
        List<List<String>> rows = new ArrayList<>();
        while (result.next()) {
            List<String> row = new ArrayList<>();
            for (int k = 1; k <= result.getMetaData().getColumnCount(); k++) {
                row.add(String.valueOf(result.getObject(k)));
            }
            rows.add(row);
        }
        return rows;
    }

    private static List<List<String>> expected(JsonNode query) {
        List<List<String>> rows = new ArrayList<>();
        for (JsonNode row : query.get("rows")) {
            List<String> texts = new ArrayList<>();
            row.forEach(value -> texts.add(value.asText()));
            rows.add(texts);
        }
        return rows;
    }

    /** The rows as they are if the statement orders them, else sorted. */
    private static List<List<String>> inComparableOrder(JsonNode query, List<List<String>> rows) {
        boolean isOrdered = withoutParentheses(query.get("sql").asText()).contains("ORDER BY");
        return isOrdered
                ? rows
                : rows.stream()
                        .sorted((a, b) -> a.toString().compareTo(b.toString()))
                        .toList();
    }

    /** The text without its subqueries and windows, whose ORDER BY does not order the result. */
    private static String withoutParentheses(String text) {
        String outside = text.replaceAll("\\([^()]*\\)", "");
        return outside.equals(text) ? text : withoutParentheses(outside);
    }

    private static JsonNode read() {
        try (InputStream file = SqlCasesTest.class.getResourceAsStream("/cases/postgresql-rows.json")) {
            return new ObjectMapper().readTree(file);
        } catch (IOException e) {
            throw new IllegalStateException("cases/postgresql-rows.json cannot be read", e);
        }
    }
}
