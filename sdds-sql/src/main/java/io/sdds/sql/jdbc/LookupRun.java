package io.sdds.sql.jdbc;

import io.sdds.sql.run.Deadline;
import io.sdds.sql.run.KeyChain;
import io.sdds.sql.run.KeyRead;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collections;
import java.util.List;
import java.util.TimeZone;
import java.util.function.IntFunction;
import org.apache.calcite.avatica.AvaticaStatement;
import org.apache.calcite.avatica.Meta;
import org.apache.calcite.avatica.MetaImpl;
import org.apache.calcite.avatica.QueryState;
import org.jspecify.annotations.Nullable;

/** The runs of prepared look-ups by key, and the result of the last one. */
final class LookupRun {
    private static final TimeZone ZONE = TimeZone.getTimeZone("UTC");

    private final KeyRead read;
    private final KeyChain.Reader reader;
    private @Nullable ResultSet result;

    LookupRun(KeyRead read) {
        this.read = read;
        this.reader = read.chain().reader();
    }

    /** The result of the last run; null: it was closed, or there is none. */
    @Nullable
    ResultSet result() {
        return result;
    }

    /** Looks the row up. The result has it at once, so that it needs nothing from the cluster any more. */
    ResultSet run(AvaticaStatement statement, IntFunction<@Nullable Object> parameters, Deadline deadline)
            throws SQLException {
        close();
        Meta.Signature signature = read.signature();
        @Nullable Object[] row = reader.row(parameters, deadline);
        List<Object> rows = row == null ? List.of() : Collections.singletonList((Object) row);
        ResultSet made = JdbcProxy.ENGINE
                .newResultSet(statement, new QueryState(signature.sql), signature, ZONE, Meta.Frame.EMPTY)
                .execute2(MetaImpl.createCursor(Meta.CursorFactory.ARRAY, rows), signature.columns);
        result = made;
        return made;
    }

    void close() throws SQLException {
        ResultSet open = result;
        result = null;
        if (open != null && !open.isClosed()) { // closing again would tell the statement of another end of a result
            open.close();
        }
    }
}
