package io.sdds.bench.jdbc;

import java.sql.SQLException;

/** The operations of one thread on one store. */
interface Operations extends AutoCloseable {
    /**
     * Does one piece of work, and waits for its end.
     *
     * @param key of a row that exists, or of a new one for {@link Work#INSERT}
     * @throws SQLException if the store fails or answers a wrong row
     */
    void run(Work work, long key) throws SQLException;

    /** Inserts so many new accounts in one batch. */
    void insertBatch(long firstKey, int count) throws SQLException;

    @Override
    void close() throws SQLException;
}
