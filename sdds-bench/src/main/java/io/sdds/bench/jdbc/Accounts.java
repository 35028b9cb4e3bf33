package io.sdds.bench.jdbc;

import java.util.List;

/** The rows of the tables that are measured: accounts, and their branches. */
final class Accounts {
    static final String TABLE = "bench_accounts";
    static final String BRANCHES_TABLE = "bench_branches";
    static final int BRANCHES = 100;

    /** The text that creates a table of accounts. */
    static final String COLUMNS =
            " (id BIGINT PRIMARY KEY, owner VARCHAR(40) NOT NULL, branch BIGINT NOT NULL, balance BIGINT NOT NULL)";

    static final List<String> CREATE = List.of(
            "CREATE TABLE " + TABLE + COLUMNS,
            "CREATE TABLE " + BRANCHES_TABLE + " (id BIGINT PRIMARY KEY, name VARCHAR(40) NOT NULL)");

    static final List<String> DROP = List.of("DROP TABLE IF EXISTS " + TABLE, "DROP TABLE IF EXISTS " + BRANCHES_TABLE);

    private Accounts() {}

    static String owner(long key) {
        return "owner of account " + key;
    }

    static long branch(long key) {
        return key % BRANCHES;
    }
}
