package io.sdds.sql.jdbc;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TimeZone;
import org.apache.calcite.avatica.AvaticaResultSet;
import org.apache.calcite.avatica.AvaticaStatement;
import org.apache.calcite.avatica.ColumnMetaData;
import org.apache.calcite.avatica.Meta;
import org.apache.calcite.avatica.MetaImpl;
import org.apache.calcite.avatica.QueryState;
import org.apache.calcite.jdbc.CalcitePrepare;
import org.jspecify.annotations.Nullable;

/** Rows about the database as a result of {@link java.sql.DatabaseMetaData}. */
final class MetaRows {
    private final List<ColumnMetaData> columns = new ArrayList<>();
    private final List<Object> rows = new ArrayList<>();

    /** Adds columns of text. */
    MetaRows texts(String names) {
        return columns(names, String.class);
    }

    /** Adds columns of whole numbers. */
    MetaRows numbers(String names) {
        return columns(names, Integer.class);
    }

    /** Adds columns of truth values. */
    MetaRows flags(String names) {
        return columns(names, Boolean.class);
    }

    private MetaRows columns(String names, Class<?> type) {
        for (String name : names.split(" ")) {
            columns.add(MetaImpl.columnMetaData(name, columns.size(), type, true));
        }
        return this;
    }

    void add(@Nullable Object... values) {
        if (values.length != columns.size()) {
            throw new IllegalArgumentException(values.length + " values for " + columns.size() + " columns");
        }
        rows.add(values);
    }

    ResultSet result(JdbcSession session) throws SQLException {
        AvaticaStatement statement = session.connection().createStatement();
        statement.closeOnCompletion();
        CalcitePrepare.CalciteSignature<Object> signature = new CalcitePrepare.CalciteSignature<>(
                "",
                List.of(),
                Map.of(),
                null,
                columns,
                Meta.CursorFactory.ARRAY,
                null,
                List.of(),
                -1,
                null,
                Meta.StatementType.SELECT);
        AvaticaResultSet result = JdbcProxy.ENGINE.newResultSet(
                statement, new QueryState(""), signature, TimeZone.getTimeZone("UTC"), Meta.Frame.EMPTY);
        return result.execute2(MetaImpl.createCursor(Meta.CursorFactory.ARRAY, rows), columns);
    }
}
