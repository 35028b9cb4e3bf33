package io.sdds.bench.jdbc;

/** An operation that threads repeat, with one key at a time. */
enum Work {
    SELECT("SELECT by key", "SELECT owner, branch, balance FROM bench_accounts WHERE id = ?"),
    UPDATE("UPDATE by key", "UPDATE bench_accounts SET balance = balance + 1 WHERE id = ?"),
    INSERT("INSERT of one", "INSERT INTO bench_accounts (id, owner, branch, balance) VALUES (?, ?, ?, ?)"),
    JOIN(
            "join of two look-ups",
            "SELECT a.balance, b.name FROM bench_accounts a JOIN bench_branches b ON b.id = a.branch WHERE a.id = ?");

    private final String text;
    private final String sql;

    Work(String text, String sql) {
        this.text = text;
        this.sql = sql;
    }

    String text() {
        return text;
    }

    String sql() {
        return sql;
    }
}
