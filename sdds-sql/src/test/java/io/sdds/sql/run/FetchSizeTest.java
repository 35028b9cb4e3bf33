package io.sdds.sql.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.sdds.client.Row;
import io.sdds.client.RowQuery;
import io.sdds.sql.SqlCluster;
import io.sdds.sql.schema.ClusterTables;
import io.sdds.sql.schema.SddsTable;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** How many rows are fetched before they are taken. */
class FetchSizeTest {
    private static final int ROWS = 5_000;

    private static SqlCluster sql;

    @BeforeAll
    static void start() throws SQLException {
        sql = new SqlCluster();
        sql.update("CREATE TABLE ahead (id INTEGER PRIMARY KEY)");
        StringBuilder rows = new StringBuilder("INSERT INTO ahead VALUES (0)");
        for (int k = 1; k < ROWS; k++) {
            rows.append(", (").append(k).append(')');
        }
        sql.update(rows.toString());
    }

    @AfterAll
    static void stop() throws SQLException {
        sql.close();
    }

    @Test
    void noMoreRowsAreHeldThanWereAskedFor() {
        SddsTable table =
                java.util.Objects.requireNonNull(sql.session().schema().table("ahead"));
        for (int rowsAhead : List.of(1, 2, 3, 100)) {
            RowQuery<Row> query = table.open().scan().rows();
            RowFeed feed =
                    new RowFeed(query.publisher(), List.of(), Deadline.ofBatch(new AtomicBoolean(), 0), rowsAhead);
            int count = 0;
            int heldMost = 0;
            while (feed.moveNext()) {
                heldMost = Math.max(heldMost, feed.rowsHeld());
                count++;
            }
            assertThat(count).isEqualTo(ROWS);
            // And the end, which is held as a row is.
            assertThat(heldMost).isLessThanOrEqualTo(rowsAhead + 1);
        }
    }

    @Test
    void eachStatementHasItsOwnFetchSize() throws SQLException {
        ClusterTables schema = sql.session().schema().shared();
        schema.fetchSize(new AtomicBoolean(), 5);
        assertThat(schema.fetchSize(new AtomicBoolean())).isZero();
        try (PreparedStatement query = sql.connection.prepareStatement("SELECT id FROM ahead WHERE id * 2 >= 0")) {
            for (int fetchSize : List.of(0, 1, 3, 100_000)) {
                query.setFetchSize(fetchSize);
                try (ResultSet rows = query.executeQuery()) {
                    assertThat(SqlCluster.rows(rows)).hasSize(ROWS);
                }
            }
        }
    }
}
