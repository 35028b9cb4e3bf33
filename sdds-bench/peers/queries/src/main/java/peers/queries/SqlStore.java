package peers.queries;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/** A store with JDBC. */
final class SqlStore implements Store {
    private static final int BATCH = 10_000;

    private final String name;
    private final Connection connection;
    private final String options;
    private final PreparedStatement[] queries = new PreparedStatement[2];

    /** @param options what follows the columns in CREATE TABLE */
    SqlStore(String name, String url, String options) throws SQLException {
        this.name = name;
        this.connection = DriverManager.getConnection(url);
        this.options = options;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public void load(int rows) throws Exception {
        boolean streams = !options.isEmpty(); // Ignite's driver has a streaming mode
        try (Statement statement = connection.createStatement()) {
            statement.execute(
                    "CREATE TABLE sample (id BIGINT PRIMARY KEY, n INT, amount BIGINT, part INT, note VARCHAR(100)) "
                            + options);
            if (streams) {
                statement.execute("SET STREAMING ON");
            }
        }
        try (PreparedStatement insert =
                connection.prepareStatement("INSERT INTO sample (id, n, amount, part, note) VALUES (?, ?, ?, ?, ?)")) {
            int[] pending = {0};
            Rows.each(rows, row -> {
                insert.setLong(1, row.id());
                insert.setInt(2, row.n());
                insert.setLong(3, row.amount());
                insert.setInt(4, row.part());
                insert.setString(5, row.note());
                insert.addBatch();
                if (++pending[0] % BATCH == 0) {
                    insert.executeBatch();
                }
            });
            insert.executeBatch();
        }
        if (streams) {
            try (Statement statement = connection.createStatement()) {
                statement.execute("SET STREAMING OFF");
            }
        }
    }

    @Override
    public List<List<Long>> filter() throws Exception {
        return query(0, "SELECT id, amount FROM sample WHERE n < 100");
    }

    @Override
    public List<List<Long>> groups() throws Exception {
        return query(1, "SELECT part, COUNT(*), SUM(amount) FROM sample GROUP BY part");
    }

    private List<List<Long>> query(int number, String sql) throws SQLException {
        if (queries[number] == null) {
            queries[number] = connection.prepareStatement(sql);
        }
        List<List<Long>> rows = new ArrayList<>();
        try (ResultSet result = queries[number].executeQuery()) {
            int columns = result.getMetaData().getColumnCount();
            while (result.next()) {
                List<Long> row = new ArrayList<>(columns);
                for (int k = 1; k <= columns; k++) {
                    row.add(result.getLong(k));
                }
                rows.add(row);
            }
        }
        return rows;
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }
}
