package io.sdds.sql;

import com.google.common.base.Throwables;
import io.sdds.sql.error.SqlErrors;
import io.sdds.sql.error.StatementEnd;
import io.sdds.sql.local.JoinHint;
import io.sdds.sql.run.Planning;
import io.sdds.sql.schema.PlanCache;
import io.sdds.sql.schema.SddsSchema;
import io.sdds.sql.statement.DdlStatement;
import io.sdds.sql.statement.Signatures;
import io.sdds.sql.statement.StatementLimits;
import io.sdds.sql.statement.StatementText;
import io.sdds.sql.statement.SyntaxErrors;
import java.lang.reflect.Type;
import java.util.Objects;
import org.apache.calcite.jdbc.CalcitePrepare;
import org.apache.calcite.jdbc.CalciteSchema;
import org.apache.calcite.linq4j.Queryable;
import org.apache.calcite.runtime.CalciteContextException;
import org.apache.calcite.sql.SqlNode;

/** Prepares one statement: parses it, and decides who runs it. */
final class SddsPrepare implements CalcitePrepare {
    /**
     * With what pools test a connection, as a rule. It does not need the database at the client, nor a parser: the
     * plans that are kept are those of statements with tables.
     */
    private static final String TEST_OF_POOLS = "SELECT 1";

    @Override
    public <T> CalciteSignature<T> prepareSql(
            CalcitePrepare.Context context, Query<T> query, Type elementType, long maxRowCount) {
        SddsSchema schema = schema(context);
        schema.planned(SddsSchema.Planned.NOTHING);
        String sql = Objects.requireNonNull(query.sql, "the driver prepares texts");
        PlanCache.Key key = new PlanCache.Key(sql, elementType, maxRowCount, Planning.hasLongValues());
        PlanCache.Plan known = schema.shared().plans().find(key);
        if (known == null) {
            CalciteSignature<T> signature = read(context, sql, maxRowCount);
            schema.shared().plans().keep(key, new PlanCache.Plan(signature, schema.planned()));
            return signature;
        }
        schema.planned(known.about());
        @SuppressWarnings("unchecked") // the class of its rows is in the key
        CalciteSignature<T> signature = (CalciteSignature<T>) known.signature();
        return signature;
    }

    /** A statement that is read anew. */
    private static <T> CalciteSignature<T> read(CalcitePrepare.Context context, String sql, long maxRowCount) {
        CalciteSignature<T> ddl = DdlStatement.prepared(sql, schema(context), context);
        if (ddl != null) {
            return ddl;
        }
        if (TEST_OF_POOLS.equalsIgnoreCase(StatementText.withoutEnd(sql).strip())) {
            return Signatures.one(sql, context);
        }
        StatementLimits.check(sql);
        try {
            String statement = StatementText.withoutEnd(JoinHint.readable(sql));
            StatementText.checkBeginning(statement);
            return plannedOrPlannedAgain(context, statement, maxRowCount);
        } catch (StackOverflowError e) {
            throw tooDeep(e);
        } catch (RuntimeException e) {
            if (Throwables.getRootCause(e) instanceof StackOverflowError) {
                throw tooDeep(e);
            }
            // Calcite takes an end of the time for an error of the statement.
            Planning.check();
            throw SyntaxErrors.explained(e, sql, schema(context));
        } finally {
            schema(context).showRowIds(false);
        }
    }

    private static StatementEnd tooDeep(Throwable cause) {
        return new StatementEnd(
                "the statement is too large: its expressions are nested too deeply", SqlErrors.TOO_LARGE, cause);
    }

    /**
     * The list of tables may be out of date: another client may have made or altered one. So a statement that is not
     * valid is planned once more, with a new list.
     */
    private static <T> CalciteSignature<T> plannedOrPlannedAgain(
            CalcitePrepare.Context context, String sql, long maxRowCount) {
        try {
            return new PreparingStatement(context, sql).prepared(maxRowCount);
        } catch (CalciteContextException e) {
            Planning.check();
            schema(context).shared().renewTables();
            return new PreparingStatement(context, sql).prepared(maxRowCount);
        }
    }

    /** The tables of the connection. */
    static SddsSchema schema(CalcitePrepare.Context context) {
        CalciteSchema schema = context.getRootSchema().getSubSchema(SddsSchema.NAME, true);
        if (schema == null || !(schema.schema instanceof SddsSchema tables)) {
            throw new IllegalStateException("the connection has no schema " + SddsSchema.NAME);
        }
        return tables;
    }

    // ---- what the driver does not use

    @Override
    public ParseResult parse(CalcitePrepare.Context context, String sql) {
        throw new UnsupportedOperationException(sql);
    }

    @Override
    public ConvertResult convert(CalcitePrepare.Context context, String sql) {
        throw new UnsupportedOperationException(sql);
    }

    @Override
    public void executeDdl(CalcitePrepare.Context context, SqlNode statement) {
        throw new UnsupportedOperationException(statement.toString());
    }

    @Override
    public AnalyzeViewResult analyzeView(CalcitePrepare.Context context, String sql, boolean fail) {
        throw new UnsupportedOperationException(sql);
    }

    @Override
    public <T> CalciteSignature<T> prepareQueryable(CalcitePrepare.Context context, Queryable<T> queryable) {
        throw new UnsupportedOperationException(queryable.toString());
    }
}
