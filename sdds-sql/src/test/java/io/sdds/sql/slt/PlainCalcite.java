package io.sdds.sql.slt;

import io.sdds.sql.slt.SltScript.Question;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import org.apache.calcite.DataContext;
import org.apache.calcite.jdbc.CalciteConnection;
import org.apache.calcite.linq4j.Enumerable;
import org.apache.calcite.linq4j.Linq4j;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.schema.ScannableTable;
import org.apache.calcite.schema.impl.AbstractTable;
import org.apache.calcite.sql.type.SqlTypeName;
import org.jspecify.annotations.Nullable;

/** Calcite as it comes, with the rows of our tables: tells which failures are not ours. */
final class PlainCalcite implements AutoCloseable {
    private final CalciteConnection connection;

    /** @param tables the names of the tables, whose rows are read through the connection */
    PlainCalcite(Connection ours, Iterable<String> tables) throws SQLException {
        Properties properties = new Properties();
        properties.setProperty("caseSensitive", "false");
        properties.setProperty("unquotedCasing", "UNCHANGED");
        properties.setProperty("quotedCasing", "UNCHANGED");
        properties.setProperty("conformance", "BABEL");
        connection = DriverManager.getConnection("jdbc:calcite:", properties).unwrap(CalciteConnection.class);
        for (String table : tables) {
            connection.getRootSchema().add(table, Rows.of(ours, table));
        }
    }

    /** Why Calcite does not answer what is expected, in one line; null: it does. */
    @Nullable
    String problem(Question query) {
        try (Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery(query.sql())) {
            return SltValues.areExpected(SltValues.of(result, query), query) ? null : "another result";
        } catch (SQLException | RuntimeException | StackOverflowError | AssertionError e) {
            return SltRun.line(e);
        }
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }

    /** The rows of a table. */
    private static final class Rows extends AbstractTable implements ScannableTable {
        private final List<String> names = new ArrayList<>();
        private final List<SqlTypeName> types = new ArrayList<>();
        private final List<@Nullable Object[]> rows = new ArrayList<>();

        static Rows of(Connection connection, String table) throws SQLException {
            Rows rows = new Rows();
            try (Statement statement = connection.createStatement();
                    ResultSet result = statement.executeQuery("SELECT * FROM " + table)) {
                rows.read(result);
            }
            return rows;
        }

        private void read(ResultSet result) throws SQLException {
            ResultSetMetaData columns = result.getMetaData();
            for (int k = 1; k <= columns.getColumnCount(); k++) {
                names.add(columns.getColumnLabel(k));
                types.add(
                        switch (columns.getColumnType(k)) {
                            case Types.INTEGER -> SqlTypeName.INTEGER;
                            case Types.BIGINT -> SqlTypeName.BIGINT;
                            case Types.DOUBLE -> SqlTypeName.DOUBLE;
                            default -> SqlTypeName.VARCHAR;
                        });
            }
            while (result.next()) {
                @Nullable Object[] row = new @Nullable Object[names.size()];
                for (int k = 0; k < row.length; k++) {
                    row[k] = result.getObject(k + 1);
                }
                rows.add(row);
            }
        }

        @Override
        public RelDataType getRowType(RelDataTypeFactory factory) {
            RelDataTypeFactory.Builder builder = factory.builder();
            for (int k = 0; k < names.size(); k++) {
                builder.add(names.get(k), types.get(k)).nullable(true);
            }
            return builder.build();
        }

        @Override
        public Enumerable<@Nullable Object[]> scan(DataContext root) {
            return Linq4j.asEnumerable(rows);
        }
    }
}
