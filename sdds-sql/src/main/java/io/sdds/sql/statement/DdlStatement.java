package io.sdds.sql.statement;

import io.sdds.client.SddsClient;
import io.sdds.core.row.SchemaText;
import io.sdds.sql.error.SqlErrors;
import io.sdds.sql.error.StatementEnd;
import io.sdds.sql.schema.SddsSchema;
import io.sdds.sql.schema.SddsTable;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import org.apache.calcite.jdbc.CalcitePrepare;
import org.apache.calcite.linq4j.Enumerable;
import org.apache.calcite.linq4j.Linq4j;
import org.jspecify.annotations.Nullable;

/** A statement that changes tables and no rows. Its text is checked when it is prepared; then it can be executed. */
public final class DdlStatement {
    private final String sql;
    private final Function<SddsSchema, Runnable> checked;

    private DdlStatement(String sql, Function<SddsSchema, Runnable> checked) {
        this.sql = sql;
        this.checked = checked;
    }

    /** The statement of a text; null: the text is another statement. */
    public static @Nullable DdlStatement parse(String sql) {
        DdlText text = new DdlText(sql);
        return switch (text.peek().toUpperCase(Locale.ROOT)) {
            case "CREATE" -> new DdlStatement(sql, schema -> CreateTable.parse(text, schema));
            case "ALTER" -> new DdlStatement(sql, schema -> alter(text, schema));
            case "DROP" -> new DdlStatement(sql, schema -> drop(text, schema));
            case "ANALYZE" -> new DdlStatement(sql, schema -> analyze(text, schema));
            case "TRUNCATE", "GRANT", "REVOKE", "MERGE" ->
                throw text.unsupported(text.peek().toUpperCase(Locale.ROOT));
            default -> null;
        };
    }

    private static Runnable alter(DdlText text, SddsSchema schema) {
        text.expect("ALTER");
        text.expectKind("TABLE");
        String table = text.table(schema);
        SddsClient client = schema.client();
        if (text.accept("ADD")) {
            text.accept("COLUMN");
            String column = SchemaText.print(ColumnText.parse(text));
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
        text.expect("DROP");
        text.expectKind("TABLE");
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
                schema.client().dropTable(table);
            }
        };
    }

    private static Runnable analyze(DdlText text, SddsSchema schema) {
        text.expect("ANALYZE");
        text.accept("TABLE");
        String table = text.table(schema);
        text.expectEnd();
        return () -> schema.client().analyze(table);
    }

    /** The statement as the engine executes it: it counts no rows. */
    public <T> CalcitePrepare.CalciteSignature<T> prepared(SddsSchema schema, CalcitePrepare.Context context) {
        schema.refresh();
        Runnable change = checked.apply(schema);
        return Signatures.count(sql, List.of(), context, data -> executed(change, schema));
    }

    private static Enumerable<Object> executed(Runnable change, SddsSchema schema) {
        try {
            change.run();
        } catch (IllegalArgumentException e) {
            throw new StatementEnd(SqlErrors.line(e), SqlErrors.SYNTAX, e);
        } finally {
            schema.refresh();
        }
        return Linq4j.singletonEnumerable(0L);
    }
}
