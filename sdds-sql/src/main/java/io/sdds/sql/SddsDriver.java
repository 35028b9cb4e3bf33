package io.sdds.sql;

import io.sdds.sql.error.SqlErrors;
import io.sdds.sql.jdbc.ConnectionProxy;
import io.sdds.sql.jdbc.ConnectionUrl;
import io.sdds.sql.jdbc.JdbcSession;
import io.sdds.sql.jdbc.SharedClients;
import io.sdds.sql.schema.SddsSchema;
import io.sdds.sql.schema.SddsTypeFactory;
import java.sql.Connection;
import java.sql.DriverPropertyInfo;
import java.sql.SQLException;
import java.util.Properties;
import org.apache.calcite.avatica.AvaticaConnection;
import org.apache.calcite.avatica.AvaticaFactory;
import org.apache.calcite.avatica.DriverVersion;
import org.apache.calcite.jdbc.CalciteFactory;
import org.apache.calcite.jdbc.CalciteJdbc41Factory;
import org.apache.calcite.jdbc.CalcitePrepare;
import org.apache.calcite.jdbc.CalciteSchema;
import org.apache.calcite.jdbc.Driver;
import org.jspecify.annotations.Nullable;

/**
 * The JDBC driver: {@code jdbc:sdds://host:port[,host:port][;key=value]}. docs/sql.md lists what it supports.
 *
 * <pre>{@code
 * try (Connection connection = DriverManager.getConnection("jdbc:sdds://127.0.0.1:7400");
 *         PreparedStatement query = connection.prepareStatement("SELECT name FROM people WHERE id = ?")) {
 *     query.setLong(1, 17);
 *     ResultSet rows = query.executeQuery();
 * }
 * }</pre>
 *
 * <p>Connections of one driver that name the same addresses and options share one client, which is closed soon after
 * the last of them. So connections are cheap, with a pool and without one. A connection serves one thread at a time.
 * There are no transactions: {@link Connection#setAutoCommit} refuses {@code false}, unless the URL has the option
 * {@code transactions=ignore}.
 */
public final class SddsDriver extends Driver {
    static {
        new SddsDriver().register();
    }

    private final SharedClients clients = new SharedClients();

    /** Makes a driver. {@link java.sql.DriverManager} has one already. */
    public SddsDriver() {}

    @Override
    protected String getConnectStringPrefix() {
        return ConnectionUrl.PREFIX;
    }

    @Override
    protected DriverVersion createDriverVersion() {
        return new DriverVersion("SDDS JDBC driver", "0.1", "SDDS", "0.1", false, 0, 1, 0, 1);
    }

    @Override
    protected AvaticaFactory createFactory() {
        return new CalciteJdbc41Factory();
    }

    @Override
    public CalcitePrepare createPrepare() {
        return new SddsPrepare();
    }

    /** Connects. Returns null if the URL is one of another driver. */
    @Override
    public @Nullable Connection connect(String url, @Nullable Properties info) throws SQLException {
        if (!acceptsURL(url)) {
            return null;
        }
        ConnectionUrl parsed = ConnectionUrl.parse(url, info == null ? new Properties() : info);
        SharedClients.Lease client = clients.enter(parsed);
        try {
            SddsSchema schema = new SddsSchema(client::tables);
            AvaticaConnection connection = open(schema); // loads classes while the client connects
            client.await();
            return ConnectionProxy.of(new JdbcSession(url, connection, schema, client, parsed.ignoresTransactions()));
        } catch (SQLException e) {
            client.close();
            throw e;
        } catch (RuntimeException e) {
            client.close();
            throw SqlErrors.translated(e);
        }
    }

    /** The options of the URL, which may also be given as properties. */
    @Override
    public DriverPropertyInfo[] getPropertyInfo(String url, @Nullable Properties info) throws SQLException {
        return ConnectionUrl.describe(url, info == null ? new Properties() : info);
    }

    private AvaticaConnection open(SddsSchema tables) throws SQLException {
        CalciteSchema root = CalciteSchema.createRootSchema(false, false);
        root.add(SddsSchema.NAME, tables);
        Properties properties = new Properties();
        ConnectionUrl.engineProperties(properties);
        AvaticaConnection connection = ((CalciteFactory) factory)
                .newConnection(this, factory, ConnectionUrl.PREFIX, properties, root, new SddsTypeFactory());
        handler.onConnectionInit(connection);
        connection.setSchema(SddsSchema.NAME);
        return connection;
    }
}
