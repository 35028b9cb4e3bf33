package io.sdds.sql;

import com.google.common.base.Throwables;
import io.sdds.sql.error.SqlErrors;
import io.sdds.sql.error.StatementEnd;
import io.sdds.sql.jdbc.ConnectionUrl;
import io.sdds.sql.local.JoinHint;
import io.sdds.sql.run.KeyRead;
import io.sdds.sql.schema.PlanCache;
import io.sdds.sql.schema.RowId;
import io.sdds.sql.schema.SddsSchema;
import io.sdds.sql.statement.BalancedTree;
import io.sdds.sql.statement.DdlStatement;
import io.sdds.sql.statement.KeyReadText;
import io.sdds.sql.statement.Signatures;
import io.sdds.sql.statement.StatementKind;
import io.sdds.sql.statement.StatementLimits;
import io.sdds.sql.statement.StatementText;
import io.sdds.sql.statement.SyntaxErrors;
import io.sdds.sql.statement.ValuesInsert;
import io.sdds.sql.statement.ValuesText;
import java.lang.reflect.Type;
import java.util.List;
import java.util.Objects;
import java.util.Properties;
import org.apache.calcite.DataContext;
import org.apache.calcite.adapter.java.JavaTypeFactory;
import org.apache.calcite.avatica.util.Casing;
import org.apache.calcite.avatica.util.Quoting;
import org.apache.calcite.config.CalciteConnectionConfig;
import org.apache.calcite.config.CalciteConnectionConfigImpl;
import org.apache.calcite.jdbc.CalcitePrepare;
import org.apache.calcite.jdbc.CalciteSchema;
import org.apache.calcite.plan.RelOptCluster;
import org.apache.calcite.plan.RelOptPlanner;
import org.apache.calcite.prepare.CalciteCatalogReader;
import org.apache.calcite.prepare.CalcitePrepareImpl;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.runtime.CalciteContextException;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.parser.SqlParseException;
import org.apache.calcite.sql.parser.SqlParser;
import org.apache.calcite.sql.validate.SqlConformance;
import org.apache.calcite.sql.validate.SqlConformanceEnum;
import org.apache.calcite.sql.validate.SqlDelegatingConformance;
import org.apache.calcite.tools.RelRunner;
import org.jspecify.annotations.Nullable;

/** Prepares one statement: parses it, and decides who runs it. */
final class SddsPrepare extends CalcitePrepareImpl {
    /** What the grammar allows, with arithmetic that reports overflows as bricks do. */
    private static final SqlConformance CONFORMANCE = new SqlDelegatingConformance(SqlConformanceEnum.BABEL) {
        @Override
        public boolean checkedArithmetic() {
            return true;
        }

        /** A column that is not grouped has no value of a group. */
        @Override
        public boolean isNonStrictGroupBy() {
            return false;
        }

        @Override
        public SelectAliasLookup isSelectAlias() {
            return SelectAliasLookup.UNSUPPORTED;
        }
    };

    private StatementKind kind = StatementKind.of("");
    private String text = "";
    private SqlParser.Config parser = SqlParser.config();

    @Override
    public <T> CalciteSignature<T> prepareSql(
            CalcitePrepare.Context context, Query<T> query, Type elementType, long maxRowCount) {
        SddsSchema schema = schema(context);
        schema.planned(SddsSchema.Planned.NOTHING);
        if (query.sql == null) {
            return planned(context, query, elementType, maxRowCount);
        }
        PlanCache.Key key = new PlanCache.Key(query.sql, elementType, maxRowCount);
        PlanCache.Plan known = schema.plans().find(key);
        if (known == null) {
            CalciteSignature<T> signature = read(context, query, elementType, maxRowCount);
            schema.plans().keep(key, new PlanCache.Plan(signature, schema.planned()));
            return signature;
        }
        schema.planned(known.about());
        @SuppressWarnings("unchecked") // the class of its rows is in the key
        CalciteSignature<T> signature = (CalciteSignature<T>) known.signature();
        return signature;
    }

    /** A statement that is read anew. */
    private <T> CalciteSignature<T> read(
            CalcitePrepare.Context context, Query<T> query, Type elementType, long maxRowCount) {
        String sql = Objects.requireNonNull(query.sql);
        DdlStatement ddl = DdlStatement.parse(sql);
        if (ddl != null) {
            return ddl.prepared(schema(context), context);
        }
        kind = StatementKind.of(sql);
        schema(context).showRowIds(RowId.isSeenBy(sql, kind.isChange()));
        StatementLimits.check(sql);
        CalciteSignature<T> unplanned = unplanned(context, sql);
        if (unplanned != null) {
            return unplanned;
        }
        CalciteSignature<T> signature = planned(context, query, elementType, maxRowCount);
        addKeyRead(schema(context), sql, signature);
        return signature;
    }

    /** Notes that a prepared statement can do without the engine. */
    private void addKeyRead(SddsSchema schema, String sql, CalciteSignature<?> signature) {
        SddsSchema.Planned planned = schema.planned();
        boolean mayBe = schema.pushdown()
                && !signature.parameters.isEmpty()
                && planned.tables().size() == 1
                && planned.write() == null;
        KeyRead read =
                mayBe ? KeyReadText.read(StatementText.withoutEnd(sql), statementConfig(), schema, signature) : null;
        if (read != null) {
            schema.planned(new SddsSchema.Planned(planned.tables(), null, read));
        }
    }

    private SqlParser.Config statementConfig() {
        return parserConfig()
                .withQuotedCasing(Casing.UNCHANGED)
                .withUnquotedCasing(Casing.UNCHANGED)
                .withQuoting(Quoting.DOUBLE_QUOTE)
                .withConformance(CONFORMANCE)
                .withCaseSensitive(false);
    }

    /** A statement that needs no plan; null: the engine plans it. */
    private <T> @Nullable CalciteSignature<T> unplanned(CalcitePrepare.Context context, String sql) {
        if (!kind.isInsert()) {
            return null;
        }
        SddsSchema schema = schema(context);
        ValuesInsert insert = ValuesText.read(StatementText.withoutEnd(sql), statementConfig(), schema);
        if (insert == null) {
            return null;
        }
        List<RelDataType> parameters = insert.parameterTypes(context.getTypeFactory());
        if (kind.isExplained()) {
            return Signatures.plan(sql, parameters, context, insert.explained());
        }
        schema.planned(new SddsSchema.Planned(List.of(insert.table()), insert));
        return Signatures.count(sql, parameters, context, insert::write);
    }

    /** The statement without a semicolon behind it. */
    @SuppressWarnings("unchecked") // a query of a text has rows of any type
    private static <T> Query<T> checked(Query<T> query) {
        if (query.sql == null) {
            return query;
        }
        String sql = StatementText.withoutEnd(query.sql);
        StatementText.checkBeginning(sql);
        return sql.equals(query.sql) ? query : (Query<T>) Query.of(sql);
    }

    private <T> CalciteSignature<T> planned(
            CalcitePrepare.Context context, Query<T> query, Type elementType, long maxRowCount) {
        Query<T> readable = query.sql == null ? query : Query.of(JoinHint.readable(query.sql));
        try {
            return plannedWithKnownNames(context, checked(readable), elementType, maxRowCount);
        } catch (StackOverflowError e) {
            throw tooDeep(e);
        } catch (RuntimeException e) {
            if (Throwables.getRootCause(e) instanceof StackOverflowError) {
                throw tooDeep(e);
            }
            throw SyntaxErrors.explained(e, query.sql, schema(context));
        }
    }

    private static StatementEnd tooDeep(Throwable cause) {
        return new StatementEnd(
                "the statement is too large: its expressions are nested too deeply", SqlErrors.TOO_LARGE, cause);
    }

    /** Another client may have made or changed a table since this one has listed them. */
    private <T> CalciteSignature<T> plannedWithKnownNames(
            CalcitePrepare.Context context, Query<T> query, Type elementType, long maxRowCount) {
        try {
            return super.prepareSql(new SddsContext(context), query, elementType, maxRowCount);
        } catch (CalciteContextException e) {
            if (!SyntaxErrors.isUnknownName(e)) {
                throw e;
            }
            schema(context).forgetTables();
            return super.prepareSql(new SddsContext(context), query, elementType, maxRowCount);
        }
    }

    @Override
    protected SqlParser createParser(String sql, SqlParser.Config config) {
        text = sql;
        parser = config;
        return super.createParser(sql, config);
    }

    /** The text that was parsed last. */
    String text() {
        return text;
    }

    /** Another parse tree of the text that was parsed last. */
    SqlNode parsedAgain() {
        try {
            SqlNode parsed = super.createParser(text, parser).parseStmt();
            BalancedTree.balance(parsed);
            return parsed;
        } catch (SqlParseException e) {
            throw new IllegalStateException("the text was parsed before", e);
        }
    }

    boolean isUpsert() {
        return kind.isUpsert();
    }

    @Override
    protected CalcitePreparingStmt getPreparingStmt(
            CalcitePrepare.Context context, Type elementType, CalciteCatalogReader catalog, RelOptPlanner planner) {
        RelOptCluster cluster = createCluster(planner, new RexBuilder(context.getTypeFactory()));
        return new PreparingStatement(this, context, elementType, catalog, cluster, createConvertletTable());
    }

    /** The tables of the connection. */
    static SddsSchema schema(CalcitePrepare.Context context) {
        CalciteSchema schema = context.getRootSchema().getSubSchema(SddsSchema.NAME, true);
        if (schema == null || !(schema.schema instanceof SddsSchema tables)) {
            throw new IllegalStateException("the connection has no schema " + SddsSchema.NAME);
        }
        return tables;
    }

    /** The context of a connection with this driver's rules of the language. */
    private record SddsContext(CalcitePrepare.Context of) implements CalcitePrepare.Context {
        @Override
        public CalciteConnectionConfig config() {
            Properties properties = new Properties();
            ConnectionUrl.engineProperties(properties);
            return new CalciteConnectionConfigImpl(properties) {
                @Override
                public SqlConformance conformance() {
                    return CONFORMANCE;
                }
            };
        }

        @Override
        public JavaTypeFactory getTypeFactory() {
            return of.getTypeFactory();
        }

        @Override
        public CalciteSchema getRootSchema() {
            return of.getRootSchema();
        }

        @Override
        public CalciteSchema getMutableRootSchema() {
            return of.getMutableRootSchema();
        }

        @Override
        public List<String> getDefaultSchemaPath() {
            return of.getDefaultSchemaPath();
        }

        @Override
        public CalcitePrepare.SparkHandler spark() {
            return of.spark();
        }

        @Override
        public DataContext getDataContext() {
            return of.getDataContext();
        }

        @Override
        public @Nullable List<String> getObjectPath() {
            return of.getObjectPath();
        }

        @Override
        public RelRunner getRelRunner() {
            return of.getRelRunner();
        }
    }
}
