package io.sdds.sql.statement;

import io.sdds.client.SddsClient;
import io.sdds.core.row.Column;
import io.sdds.core.row.SchemaText;
import io.sdds.sql.error.SqlErrors;
import io.sdds.sql.error.StatementEnd;
import io.sdds.sql.schema.SddsSchema;
import io.sdds.sql.schema.SddsTable;
import java.util.List;
import java.util.Locale;
import java.util.function.BiFunction;
import org.apache.calcite.jdbc.CalcitePrepare;
import org.apache.calcite.linq4j.Enumerable;
import org.apache.calcite.linq4j.Linq4j;
import org.jspecify.annotations.Nullable;

/**
 * Statements that change tables and no rows. Their text is checked when they are prepared; then they can be executed.
 */
public final class DdlStatement {
    private DdlStatement() {}

    /** The statement of a text, as the engine executes it: it counts no rows. Null: the text is another statement. */
    public static <T> CalcitePrepare.@Nullable CalciteSignature<T> prepared(
            String sql, SddsSchema schema, CalcitePrepare.Context context) {
        DdlText text = new DdlText(sql);
        BiFunction<DdlText, SddsSchema, Runnable> kind = switch (text.peek().toUpperCase(Locale.ROOT)) {
            case "CREATE" -> CreateTable::parse;
            case "ALTER" -> DdlStatement::alter;
            case "DROP" -> DdlStatement::drop;
            case "ANALYZE" -> DdlStatement::analyze;
            default -> null;
        };
        if (kind == null) {
            return null;
        }
        schema.shared().refresh();
        Runnable change = kind.apply(text, schema);
        return Signatures.count(sql, List.of(), context, data -> executed(change, schema));
    }

    private static Runnable alter(DdlText text, SddsSchema schema) {
        text.expectOfTable("ALTER");
        String table = text.table(schema);
        SddsClient client = schema.shared().client();
        if (text.accept("ADD")) {
            text.accept("COLUMN");
            int at = text.at();
            Column added = ColumnText.parse(text);
            text.expectEnd();
            if (added.key()) {
                throw text.wrong(at, "the key of a table is declared when the table is created");
            }
            String column = SchemaText.print(added);
            SddsTable known = schema.table(table);
            CreateTable.checkColumns(known == null ? 1 : known.columns().size() + 1);
            return () -> client.addColumn(table, column);
        }
        if (text.accept("DROP")) {
            text.accept("COLUMN");
            String column = text.name();
            text.expectEnd();
            return () -> client.dropColumn(table, column);
        }
        throw text.wrong("expected ADD or DROP");
    }

    private static Runnable drop(DdlText text, SddsSchema schema) {
        text.expectOfTable("DROP");
        boolean maybe = text.accept("IF");
        if (maybe) {
            text.expect("EXISTS");
        }
        String name = text.qualifiedName();
        text.expectEnd();
        String table = schema.find(name);
        if (table == null && !maybe) {
            throw text.noTable(name, schema);
        }
        return () -> {
            if (table != null) {
                schema.shared().client().dropTable(table);
            }
        };
    }

    private static Runnable analyze(DdlText text, SddsSchema schema) {
        text.expect("ANALYZE");
        text.accept("TABLE");
        String table = text.table(schema);
        text.expectEnd();
        return () -> schema.shared().client().analyze(table);
    }

    private static Enumerable<Object> executed(Runnable change, SddsSchema schema) {
        try {
            change.run();
        } catch (IllegalArgumentException e) {
            throw new StatementEnd(SqlErrors.line(e), SqlErrors.SYNTAX, e);
        } finally {
            schema.shared().refresh();
        }
        return Linq4j.singletonEnumerable(0L);
    }
}
