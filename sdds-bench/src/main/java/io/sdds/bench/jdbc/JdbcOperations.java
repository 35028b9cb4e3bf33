package io.sdds.bench.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** Prepared statements on a connection of their own, each its own transaction. */
final class JdbcOperations implements Operations {
    private final Connection connection;
    private final PreparedStatement[] statements = new PreparedStatement[Work.values().length];

    JdbcOperations(Connection connection) throws SQLException {
        this.connection = connection;
        for (Work work : Work.values()) {
            statements[work.ordinal()] = connection.prepareStatement(work.sql());
        }
    }

    /** Makes the tables anew, and fills the small one. */
    static void createTables(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            for (String sql : Accounts.DROP) {
                statement.execute(sql);
            }
            for (String sql : Accounts.CREATE) {
                statement.execute(sql);
            }
            for (int k = 0; k < Accounts.BRANCHES; k++) {
                statement.execute("INSERT INTO " + Accounts.BRANCHES_TABLE + " VALUES (" + k + ", 'branch " + k + "')");
            }
        }
    }

    @Override
    public void run(Work work, long key) throws SQLException {
        PreparedStatement statement = statements[work.ordinal()];
        switch (work) {
            case SELECT -> {
                statement.setLong(1, key);
                try (ResultSet row = statement.executeQuery()) {
                    require(
                            row.next() && row.getString(1) != null && row.getLong(2) == Accounts.branch(key),
                            work,
                            key);
                    row.getLong(3);
                }
            }
            case UPDATE -> {
                statement.setLong(1, key);
                require(statement.executeUpdate() == 1, work, key);
            }
            case INSERT -> {
                set(statement, key);
                require(statement.executeUpdate() == 1, work, key);
            }
            case JOIN -> {
                statement.setLong(1, key);
                try (ResultSet row = statement.executeQuery()) {
                    require(row.next() && row.getString(2) != null, work, key);
                    row.getLong(1);
                }
            }
        }
    }

    private static void set(PreparedStatement insert, long key) throws SQLException {
        insert.setLong(1, key);
        insert.setString(2, Accounts.owner(key));
        insert.setLong(3, Accounts.branch(key));
        insert.setLong(4, 0);
    }

    private static void require(boolean isRight, Work work, long key) throws SQLException {
        if (!isRight) {
            throw new SQLException(work.text() + " of account " + key + " has a wrong result");
        }
    }

    @Override
    public void insertBatch(long firstKey, int count) throws SQLException {
        PreparedStatement insert = statements[Work.INSERT.ordinal()];
        for (int k = 0; k < count; k++) {
            set(insert, firstKey + k);
            insert.addBatch();
        }
        insert.executeBatch();
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }
}
