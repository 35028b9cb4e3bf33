package io.sdds.sql.jdbc;

import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.util.Properties;
import java.util.TimeZone;
import org.apache.calcite.adapter.java.JavaTypeFactory;
import org.apache.calcite.avatica.AvaticaConnection;
import org.apache.calcite.avatica.AvaticaFactory;
import org.apache.calcite.avatica.AvaticaPreparedStatement;
import org.apache.calcite.avatica.AvaticaResultSet;
import org.apache.calcite.avatica.AvaticaSpecificDatabaseMetaData;
import org.apache.calcite.avatica.AvaticaStatement;
import org.apache.calcite.avatica.Meta;
import org.apache.calcite.avatica.QueryState;
import org.apache.calcite.avatica.UnregisteredDriver;
import org.apache.calcite.jdbc.CalciteFactory;
import org.apache.calcite.jdbc.CalciteJdbc41Factory;
import org.apache.calcite.jdbc.CalciteSchema;
import org.jspecify.annotations.Nullable;

/** Makes the objects of the engine. All are the engine's own, whose classes have no public names. */
public final class SddsFactory extends CalciteFactory {
    private static final int MAJOR = 4;
    private static final int MINOR = 1;

    static final CalciteFactory ENGINE = new CalciteJdbc41Factory();

    public SddsFactory() {
        super(MAJOR, MINOR);
    }

    @Override
    public AvaticaConnection newConnection(
            UnregisteredDriver driver,
            AvaticaFactory factory,
            String url,
            Properties info,
            @Nullable CalciteSchema rootSchema,
            @Nullable JavaTypeFactory typeFactory) {
        return ENGINE.newConnection(driver, factory, url, info, rootSchema, typeFactory);
    }

    @Override
    public AvaticaStatement newStatement(
            AvaticaConnection connection, Meta.@Nullable StatementHandle handle, int type, int concurrency, int hold)
            throws SQLException {
        return ENGINE.newStatement(connection, handle, type, concurrency, hold);
    }

    @Override
    public AvaticaPreparedStatement newPreparedStatement(
            AvaticaConnection connection,
            Meta.@Nullable StatementHandle handle,
            Meta.Signature signature,
            int type,
            int concurrency,
            int hold)
            throws SQLException {
        return ENGINE.newPreparedStatement(connection, handle, signature, type, concurrency, hold);
    }

    @Override
    public AvaticaResultSet newResultSet(
            AvaticaStatement statement, QueryState state, Meta.Signature signature, TimeZone zone, Meta.Frame frame)
            throws SQLException {
        return ENGINE.newResultSet(statement, state, signature, zone, frame);
    }

    @Override
    public AvaticaSpecificDatabaseMetaData newDatabaseMetaData(AvaticaConnection connection) {
        return ENGINE.newDatabaseMetaData(connection);
    }

    @Override
    public ResultSetMetaData newResultSetMetaData(AvaticaStatement statement, Meta.Signature signature)
            throws SQLException {
        return ENGINE.newResultSetMetaData(statement, signature);
    }
}
