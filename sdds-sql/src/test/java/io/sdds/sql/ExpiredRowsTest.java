package io.sdds.sql;

import static org.assertj.core.api.Assertions.assertThat;

import io.sdds.client.Codec;
import io.sdds.client.HashTable;
import io.sdds.client.RangeTable;
import io.sdds.client.SddsClient;
import io.sdds.client.Table;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** Rows that have expired, and whose memory is not free yet. */
class ExpiredRowsTest {
    private static final int ROWS = 500;

    @Test
    void aCountHasNoRowThatASelectDoesNotFind() throws SQLException {
        try (SqlCluster sql = new SqlCluster()) {
            SddsClient client = sql.cluster.client();
            for (String kind : List.of("hash", "range")) {
                sql.update("CREATE TABLE " + kind + "_rows (id BIGINT PRIMARY KEY) WITH (kind = '" + kind + "')");
                for (int id = 0; id < ROWS; id++) {
                    sql.update("INSERT INTO " + kind + "_rows VALUES (" + id + ")");
                }
                expire(sql, client, kind);
                String query = " FROM " + kind + "_rows";
                Awaitility.await()
                        .pollInterval(Duration.ofMillis(5))
                        .until(() ->
                                sql.rows("SELECT id" + query + " WHERE id = 0").isEmpty());
                assertThat(sql.rows("SELECT COUNT(*)" + query)).containsExactly("0");
                assertThat(sql.rows("SELECT COUNT(id)" + query)).containsExactly("0");
                assertThat(sql.rows("SELECT id" + query)).isEmpty();
            }
        }
    }

    /** Lets all rows of a table of one partition expire, that of id 0 last. */
    private static void expire(SqlCluster sql, SddsClient client, String kind) throws SQLException {
        List<byte[]> keys = new ArrayList<>();
        Table<byte[], byte[]> table = open(client, kind, keys);
        byte[] first = keys.stream().min(Arrays::compareUnsigned).orElseThrow();
        byte[] row = table.get(first);
        keys.forEach(key -> table.expire(key, Duration.ofMillis(1)));
        table.put(first, row, Duration.ofMillis(1));
        assertThat(keys).hasSize(ROWS);
    }

    private static Table<byte[], byte[]> open(SddsClient client, String kind, List<byte[]> keys) {
        if (kind.equals("hash")) {
            HashTable<byte[], byte[]> table = client.hashTable("hash_rows", Codec.bytes(), Codec.bytes());
            keys.addAll(table.asMap().keySet());
            return table;
        }
        RangeTable<byte[], byte[]> table = client.rangeTable("range_rows", Codec.bytes(), Codec.bytes());
        keys.addAll(table.asMap().keySet());
        return table;
    }
}
