package io.sdds.bench.joins;

import io.sdds.bench.load.LoadException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * A table of persons in a database that speaks JDBC: H2 or SQLite in this process, or SDDS. Statements are prepared
 * once, so that times are without planning from the second run on. For one thread.
 */
public final class JdbcJoin implements AutoCloseable {
    private static final int INSERTED_AT_ONCE = 1_000;

    /** A database in this process, in memory. */
    public enum Local {
        /** H2 has no automatic indexes. Rows are delivered while it joins. */
        H2("H2", "jdbc:h2:mem:;LAZY_QUERY_EXECUTION=1;OPTIMIZE_REUSE_RESULTS=0", "EXPLAIN "),
        SQLITE("SQLite", "jdbc:sqlite::memory:", "EXPLAIN QUERY PLAN ");

        private final String text;
        private final String url;
        private final String explain;

        Local(String text, String url, String explain) {
            this.text = text;
            this.url = url;
            this.explain = explain;
        }

        @Override
        public String toString() {
            return text;
        }
    }

    private final String name;
    private final Connection connection;
    private final String table;
    private final Map<String, PreparedStatement> statements = new HashMap<>();

    private JdbcJoin(String name, Connection connection, String table) {
        this.name = name;
        this.connection = connection;
        this.table = table;
    }

    /**
     * A database without an index on the city, which joins by a nested loop.
     *
     * @throws LoadException if the database plans another join
     */
    public static JdbcJoin nestedLoop(Local database, List<Person> persons) {
        JdbcJoin join = open(database, persons);
        try {
            if (database == Local.SQLITE) {
                join.execute("PRAGMA automatic_index = OFF");
            }
            join.requireNestedLoop(database);
            return join;
        } catch (RuntimeException e) {
            join.close();
            throw e;
        }
    }

    /** A database as a user would have it: H2 with an index on the city, SQLite with the index that it makes itself. */
    public static JdbcJoin indexed(Local database, List<Person> persons) {
        JdbcJoin join = open(database, persons);
        if (database == Local.H2) {
            join.execute("CREATE INDEX person_city ON person (city)");
        }
        join.execute("ANALYZE");
        return join;
    }

    private static JdbcJoin open(Local database, List<Person> persons) {
        JdbcJoin join = new JdbcJoin(database.toString(), connect(database.url), "person");
        try {
            join.execute("CREATE TABLE person (ssn BIGINT PRIMARY KEY, name VARCHAR(20) NOT NULL,"
                    + " city VARCHAR(20) NOT NULL)");
            join.insert(persons);
            return join;
        } catch (RuntimeException e) {
            join.close();
            throw e;
        }
    }

    /** A table of SDDS. */
    public static JdbcJoin sdds(List<String> addresses, String table) {
        return new JdbcJoin("SDDS", connect("jdbc:sdds://" + String.join(",", addresses)), '"' + table + '"');
    }

    private static Connection connect(String url) {
        try {
            return DriverManager.getConnection(url);
        } catch (SQLException e) {
            throw failed(
                    "cannot connect to " + url + ", whose driver bin/sdds puts on the class path of this experiment",
                    e);
        }
    }

    private void insert(List<Person> persons) {
        try (PreparedStatement insert = connection.prepareStatement("INSERT INTO person VALUES (?, ?, ?)")) {
            connection.setAutoCommit(false);
            for (int k = 0; k < persons.size(); k++) {
                Person person = persons.get(k);
                insert.setLong(1, person.ssn());
                insert.setString(2, person.name());
                insert.setString(3, person.city());
                insert.addBatch();
                if ((k + 1) % INSERTED_AT_ONCE == 0 || k + 1 == persons.size()) {
                    insert.executeBatch();
                }
            }
            connection.commit();
            connection.setAutoCommit(true);
        } catch (SQLException e) {
            throw failed(name + " cannot insert persons", e);
        }
    }

    /** The couples of persons who live in one city, all delivered. */
    public Couples couples() {
        return couples("");
    }

    /** @param hint text of a hint behind SELECT */
    public Couples couples(String hint) {
        try (ResultSet rows = prepared(sql(hint, "a.ssn, b.ssn")).executeQuery()) {
            long count = 0;
            long sum = 0;
            while (rows.next()) {
                count++;
                sum += Couples.mixed(rows.getLong(1), rows.getLong(2));
            }
            return new Couples(count, sum);
        } catch (SQLException e) {
            throw failed(name + " cannot join", e);
        }
    }

    /** The number of couples, and the sum of the keys of one side, computed by the database. */
    public Couples counted() {
        try (ResultSet rows = prepared(sql("", "COUNT(*), SUM(b.ssn)")).executeQuery()) {
            rows.next();
            return new Couples(rows.getLong(1), rows.getLong(2));
        } catch (SQLException e) {
            throw failed(name + " cannot join", e);
        }
    }

    /** Plans a statement when it is needed for the first time. */
    private PreparedStatement prepared(String sql) throws SQLException {
        PreparedStatement known = statements.get(sql);
        if (known == null) {
            known = connection.prepareStatement(sql);
            statements.put(sql, known);
        }
        return known;
    }

    private String sql(String hint, String columns) {
        return String.format(
                Locale.ROOT, "SELECT %1$s %2$s FROM %3$s a JOIN %3$s b ON a.city = b.city", hint, columns, table);
    }

    private void requireNestedLoop(Local database) {
        if (!isNestedLoop(database)) {
            throw new LoadException(name + " does not join by a nested loop: " + plan(database));
        }
    }

    /** Whether the plan scans both tables: "tableScan" of H2 or "SCAN" of SQLite twice, and no "SEARCH". */
    boolean isNestedLoop(Local database) {
        String plan = plan(database);
        String scan = database == Local.H2 ? "tableScan" : "SCAN";
        return plan.split(scan, -1).length == 3 && !plan.contains("SEARCH");
    }

    private String plan(Local database) {
        return rows(database.explain + sql("", "a.ssn, b.ssn"));
    }

    private String rows(String sql) {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            List<String> all = new ArrayList<>();
            int last = rows.getMetaData().getColumnCount();
            while (rows.next()) {
                all.add(rows.getString(last));
            }
            return String.join("; ", all);
        } catch (SQLException e) {
            throw failed(name + " cannot explain a join", e);
        }
    }

    /** Runs a statement without a result. */
    public void execute(String sql) {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw failed(name + ": " + sql, e);
        }
    }

    private static LoadException failed(String what, SQLException cause) {
        return new LoadException(what + ": " + cause.getMessage(), cause);
    }

    @Override
    public void close() {
        try {
            for (PreparedStatement statement : statements.values()) {
                statement.close();
            }
            connection.close();
        } catch (SQLException e) {
            throw failed("cannot close " + name, e);
        }
    }
}
