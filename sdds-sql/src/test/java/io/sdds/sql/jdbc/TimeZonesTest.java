package io.sdds.sql.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.sdds.sql.SqlCluster;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Timestamp;
import java.util.Calendar;
import java.util.TimeZone;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** Times of {@code java.sql} are moments, which become those of a zone. */
@Isolated("it changes the time zone of the JVM")
class TimeZonesTest {
    /** Trap 13: a TIMESTAMP has no zone, and the classes of java.sql are moments. */
    @Test
    void timesAreThoseOfTheZoneOfTheProcessOrOfTheCalendar() throws SQLException {
        TimeZone before = TimeZone.getDefault();
        TimeZone.setDefault(TimeZone.getTimeZone("America/New_York"));
        try (SqlCluster sql = new SqlCluster();
                PreparedStatement insert = table(sql).prepareStatement("UPSERT INTO kinds VALUES (?, ?, ?, ?)")) {
            Timestamp noon = Timestamp.valueOf("2020-07-01 12:00:00.125");
            insert.setInt(1, 5);
            insert.setTimestamp(2, noon);
            insert.setDate(3, java.sql.Date.valueOf("2020-07-01"));
            insert.setTime(4, java.sql.Time.valueOf("23:00:00"));
            insert.executeUpdate();
            Calendar tokyo = Calendar.getInstance(TimeZone.getTimeZone("Asia/Tokyo"));
            insert.setInt(1, 6);
            insert.setTimestamp(2, noon, tokyo);
            insert.executeUpdate();
            assertThat(sql.rows("SELECT CAST(happened AS VARCHAR), CAST(born AS VARCHAR), CAST(clock AS VARCHAR)"
                            + " FROM kinds WHERE id IN (5, 6) ORDER BY id"))
                    .containsExactly(
                            "2020-07-01 12:00:00.125, 2020-07-01, 23:00:00",
                            "2020-07-02 01:00:00.125, 2020-07-01, 23:00:00");
            try (Statement statement = sql.connection.createStatement();
                    ResultSet row = statement.executeQuery("SELECT * FROM kinds WHERE id = 6")) {
                row.next();
                assertThat(row.getTimestamp("happened", tokyo)).isEqualTo(noon);
                assertThat(row.getTimestamp("happened")).isEqualTo(Timestamp.valueOf("2020-07-02 01:00:00.125"));
                assertThat(row.getObject("happened")).isEqualTo(row.getTimestamp("happened"));
                assertThat(row.getDate("born")).isEqualTo(java.sql.Date.valueOf("2020-07-01"));
                assertThat(row.getTime("clock")).isEqualTo(java.sql.Time.valueOf("23:00:00"));
            }
        } finally {
            TimeZone.setDefault(before);
        }
    }

    private static Connection table(SqlCluster sql) throws SQLException {
        sql.update("CREATE TABLE kinds (id INTEGER PRIMARY KEY, happened TIMESTAMP, born DATE, clock TIME)");
        return sql.connection;
    }
}
