package io.sdds.cli.demo;

import io.sdds.cli.terminal.Numbers;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Joins the characters with their blocks by a statement of SQL, where the JDBC driver is on the class path. */
final class BlockJoin {
    private static final String QUERY = "SELECT b.plane, COUNT(*) AS characters FROM characters c"
            + " JOIN blocks b ON c.block = b.block GROUP BY b.plane ORDER BY characters DESC, b.plane";
    private static final int CODES_OF_A_PLANE = 0x10000;

    private final Narrator narrator;
    private final Map<String, Object> summary;

    /** The plane of each block. */
    private final TreeMap<String, Integer> planes = new TreeMap<>();

    private final List<Count> expected;

    /** A row of the answer. */
    private record Count(int plane, long characters) {}

    /** @param blocks the block of each character */
    BlockJoin(Narrator narrator, Map<Integer, String> blocks, Map<String, Object> summary) {
        this.narrator = narrator;
        this.summary = summary;
        new TreeMap<>(blocks).forEach((code, block) -> planes.putIfAbsent(block, code / CODES_OF_A_PLANE));
        Map<Integer, Long> counts =
                blocks.values().stream().collect(Collectors.groupingBy(planes::get, Collectors.counting()));
        expected = counts.entrySet().stream()
                .map(count -> new Count(count.getKey(), count.getValue()))
                .sorted(Comparator.comparing(Count::characters).reversed().thenComparing(Count::plane))
                .toList();
    }

    /** Stores the blocks and runs the join. Returns whether the answer is right. */
    boolean show(String address) {
        String url = "jdbc:sdds://" + address;
        narrator.step("SQL over JDBC: characters joined with a table of blocks, by plane");
        try {
            DriverManager.getDriver(url);
        } catch (SQLException e) {
            narrator.tell("without the JDBC driver on the class path this step is left out");
            return true;
        }
        try (Connection connection = DriverManager.getConnection(url)) {
            store(connection);
            return ask(connection);
        } catch (SQLException e) {
            narrator.complain(String.valueOf(e.getMessage()));
            return false;
        }
    }

    private void store(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.executeUpdate("CREATE TABLE blocks (block VARCHAR PRIMARY KEY, plane INTEGER NOT NULL)");
        }
        try (PreparedStatement insert = connection.prepareStatement("INSERT INTO blocks VALUES (?, ?)")) {
            for (Map.Entry<String, Integer> block : planes.entrySet()) {
                insert.setString(1, block.getKey());
                insert.setInt(2, block.getValue());
                insert.addBatch();
            }
            insert.executeBatch();
        }
    }

    private boolean ask(Connection connection) throws SQLException {
        narrator.tell(QUERY);
        long beganNanos = System.nanoTime();
        List<Count> counts = new ArrayList<>();
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(QUERY)) {
            while (rows.next()) {
                counts.add(new Count(rows.getInt("plane"), rows.getLong("characters")));
            }
        }
        long nanos = System.nanoTime() - beganNanos;
        for (Count count : counts) {
            narrator.tell("plane " + count.plane() + "  " + Numbers.count(count.characters()));
        }
        narrator.tell(
                Numbers.plural(planes.size(), "block") + " joined, planned and answered in " + Numbers.duration(nanos));
        summary.put("sql_join_micros", nanos / 1000);
        boolean holds = counts.equals(expected);
        if (!holds) {
            narrator.complain("wrong counts");
        }
        return holds;
    }
}
