import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * A user's program: sorts and joins more rows than its heap holds. The join needs more memory than a quarter of such a
 * heap. Arguments: address, rows.
 */
public class LargeQueries {
    private static final int BATCH = 10_000;

    public static void main(String[] args) throws SQLException {
        int rows = Integer.parseInt(args[1]);
        String url = "jdbc:sdds://" + args[0];
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            statement.executeUpdate("CREATE TABLE large (id INTEGER PRIMARY KEY, s VARCHAR(8) NOT NULL)");
            insert(connection, rows);
            System.out.println("sorted " + sorted(statement));
        }
        try (Connection connection = DriverManager.getConnection(url + ";maxMemory=256m");
                Statement statement = connection.createStatement()) {
            System.out.println("joined " + joined(statement));
        }
    }

    private static void insert(Connection connection, int rows) throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement("INSERT INTO large VALUES (?, ?)")) {
            for (int id = 0; id < rows; id++) {
                insert.setInt(1, id);
                insert.setString(2, scrambled(id));
                insert.addBatch();
                if (id % BATCH == BATCH - 1 || id == rows - 1) {
                    insert.executeBatch();
                }
            }
        }
    }

    /** Another text for each number, in no order. */
    private static String scrambled(int id) {
        return Long.toHexString(1L << 32 | (id * 0x9E3779B1L & 0xFFFFFFFFL)).substring(1);
    }

    /** The number of rows that came in order, each with its own text, or -1. */
    private static long sorted(Statement statement) throws SQLException {
        long count = 0;
        String before = "";
        try (ResultSet rows = statement.executeQuery("SELECT id, s FROM large ORDER BY s")) {
            while (rows.next()) {
                String s = rows.getString(2);
                if (before.compareTo(s) >= 0 || !s.equals(scrambled(rows.getInt(1)))) {
                    return -1;
                }
                before = s;
                count++;
            }
        }
        return count;
    }

    private static String joined(Statement statement) throws SQLException {
        String query = "SELECT COUNT(*), SUM(a.id) FROM large a JOIN large b ON a.s = b.s";
        try (ResultSet result = statement.executeQuery(query)) {
            result.next();
            return result.getLong(1) + " sum " + result.getLong(2);
        }
    }
}
