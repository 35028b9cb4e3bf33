package io.sdds.sql;

import static org.assertj.core.api.Assertions.assertThat;

import io.sdds.sql.schema.SddsTable;
import io.sdds.sql.schema.TableRecords;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Bricks keep microseconds, and SQL sees milliseconds: what becomes of the other digits. */
class FineTimesTest {
    private static final LocalDateTime FINE = LocalDateTime.of(2026, 1, 31, 12, 0, 0, 123_456_000);
    private static final LocalTime FINE_CLOCK = LocalTime.of(23, 59, 59, 999_999_000);

    private static SqlCluster sql;

    @BeforeAll
    static void start() throws SQLException {
        sql = new SqlCluster();
        sql.update("CREATE TABLE fine (id INTEGER PRIMARY KEY, happened TIMESTAMP, clock TIME, n INTEGER)");
        sql.update("CREATE TABLE finekeys (happened TIMESTAMP PRIMARY KEY, n INTEGER)");
    }

    @AfterAll
    static void stop() throws SQLException {
        sql.close();
    }

    private static SddsTable table(String name) {
        return Objects.requireNonNull(sql.session().schema().table(name));
    }

    /** Writes a row as clients do that do not use SQL. */
    private static void put(String name, @Nullable Object... row) {
        SddsTable table = table(name);
        TableRecords records = table.format();
        table.open().put(records.key(row), records.value(row));
    }

    /** The row of the key 1 as clients see it that do not use SQL. */
    private static @Nullable Object[] stored(int id) {
        SddsTable table = table("fine");
        TableRecords records = table.format();
        byte[] key = records.key(new Object[] {id, FINE, FINE_CLOCK, 0});
        return records.row(key, Objects.requireNonNull(table.open().get(key)));
    }

    @Test
    void finerDigitsAreCutWhenTheyAreWritten() throws SQLException {
        sql.update("UPSERT INTO fine VALUES (1, TIMESTAMP '2026-01-31 12:00:00.123456', TIME '23:59:59.999999', 0)");
        try (PreparedStatement upsert = sql.connection.prepareStatement("UPSERT INTO fine VALUES (2, ?, ?, 0)")) {
            upsert.setObject(1, FINE);
            upsert.setObject(2, FINE_CLOCK);
            upsert.executeUpdate();
            upsert.addBatch();
            upsert.executeBatch();
        }
        for (int id = 1; id <= 2; id++) {
            assertThat(stored(id)).contains(FINE.withNano(123_000_000), FINE_CLOCK.withNano(999_000_000));
        }
    }

    @Test
    void finerDigitsOfOthersAreCutWhenTheyAreRead() throws SQLException {
        put("fine", 3, FINE, FINE_CLOCK, 0);
        String query =
                "SELECT happened, clock FROM fine WHERE id = 3 AND happened = TIMESTAMP '2026-01-31 12:00:00.123' AND"
                    + " happened < TIMESTAMP '2026-01-31 12:00:00.124' AND clock >= TIME '23:59:59.999' AND n + 1 > 0";
        try (Connection whole = sql.connect(";pushdown=false")) {
            for (Connection connection : List.of(sql.connection, whole)) {
                try (PreparedStatement run = connection.prepareStatement(query);
                        java.sql.ResultSet row = run.executeQuery()) {
                    assertThat(row.next()).isTrue();
                    assertThat(row.getObject(1, LocalDateTime.class)).isEqualTo(FINE.withNano(123_000_000));
                    assertThat(row.getObject(2, LocalTime.class)).isEqualTo(FINE_CLOCK.withNano(999_000_000));
                }
            }
        }
    }

    @Test
    void anUpdateOfOtherColumnsKeepsThem() throws SQLException {
        put("fine", 4, FINE, FINE_CLOCK, 0);
        assertThat(sql.update("UPDATE fine SET n = n + 1 WHERE id = 4")).isEqualTo(1);
        assertThat(sql.update("UPDATE fine SET n = CHAR_LENGTH(TRIM('xy')) * n + 1 WHERE happened > TIMESTAMP"
                        + " '2026-01-01 00:00:00' AND id + 0 = 4"))
                .isEqualTo(1);
        assertThat(stored(4)).contains(FINE, FINE_CLOCK, 3);
    }

    @Test
    void rowsWithFinerDigitsInTheirKeyAreReadAndNotChanged() throws SQLException {
        put("finekeys", FINE, 1);
        assertThat(sql.rows("SELECT n FROM finekeys")).containsExactly("1");
        assertThat(sql.update("UPDATE finekeys SET n = n + 1")).isZero();
        assertThat(sql.update("DELETE FROM finekeys")).isZero();
        assertThat(sql.rows("SELECT n FROM finekeys")).containsExactly("1");
    }
}
