package io.sdds.cli.sql;

import java.sql.Connection;
import java.sql.SQLException;

/** Opens connections to a database. */
public interface SqlConnector {
    Connection connect() throws SQLException;
}
