package io.sdds.bench.jdbc;

/** A database that the driver of SDDS is measured beside. */
public enum Peer {
    POSTGRESQL("PostgreSQL", "org.postgresql.Driver"),
    /** A server in a process of its own, over TCP. */
    H2("H2 over TCP", "org.h2.Driver"),
    /** Embedded: its rows are in this process. */
    DUCKDB("DuckDB embedded", "org.duckdb.DuckDBDriver");

    private final String text;
    private final String driver;

    Peer(String text, String driver) {
        this.text = text;
        this.driver = driver;
    }

    String text() {
        return text;
    }

    String driver() {
        return driver;
    }
}
