package io.sdds.sql;

import io.sdds.sql.error.SqlErrors;
import io.sdds.sql.error.StatementEnd;
import io.sdds.sql.local.LocalChange;
import io.sdds.sql.local.LocalPlanner;
import io.sdds.sql.local.LocalQuery;
import io.sdds.sql.local.LocalResult;
import io.sdds.sql.local.OneTable;
import io.sdds.sql.local.Shipment;
import io.sdds.sql.plan.DirectScan;
import io.sdds.sql.plan.SddsScan;
import io.sdds.sql.plan.ShippedChange;
import io.sdds.sql.plan.ShippedPlans;
import io.sdds.sql.run.BatchWrite;
import io.sdds.sql.schema.SddsSchema;
import io.sdds.sql.schema.SddsTable;
import io.sdds.sql.schema.SqlTypes;
import io.sdds.sql.shipped.Explanation;
import io.sdds.sql.statement.BalancedTree;
import java.lang.reflect.Type;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.apache.calcite.adapter.enumerable.EnumerableConvention;
import org.apache.calcite.adapter.enumerable.EnumerableRel;
import org.apache.calcite.jdbc.CalcitePrepare;
import org.apache.calcite.linq4j.Linq4j;
import org.apache.calcite.plan.RelOptCluster;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.prepare.CalciteCatalogReader;
import org.apache.calcite.prepare.CalcitePrepareImpl;
import org.apache.calcite.prepare.Prepare;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.RelRoot;
import org.apache.calcite.rel.core.TableModify;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.sql.SqlDelete;
import org.apache.calcite.sql.SqlExplain;
import org.apache.calcite.sql.SqlExplainFormat;
import org.apache.calcite.sql.SqlExplainLevel;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlInsert;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlUpdate;
import org.apache.calcite.sql.validate.SqlValidator;
import org.apache.calcite.sql2rel.SqlRexConvertletTable;
import org.apache.calcite.sql2rel.SqlToRelConverter;
import org.apache.calcite.tools.Program;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides where a statement runs: bricks run a statement of one table that their programs can express; the database at
 * the client runs every other one over the rows that bricks ship.
 */
final class PreparingStatement extends CalcitePrepareImpl.CalcitePreparingStmt {
    private static final Logger log = LoggerFactory.getLogger(PreparingStatement.class);

    private final SddsPrepare prepare;
    private final SddsSchema tables;

    PreparingStatement(
            SddsPrepare prepare,
            CalcitePrepare.Context context,
            Type elementType,
            CalciteCatalogReader catalog,
            RelOptCluster cluster,
            SqlRexConvertletTable convertlets) {
        super(
                prepare,
                context,
                catalog,
                context.getTypeFactory(),
                context.getRootSchema(),
                elementType == Object[].class ? EnumerableRel.Prefer.ARRAY : EnumerableRel.Prefer.CUSTOM,
                cluster,
                EnumerableConvention.INSTANCE,
                convertlets);
        this.prepare = prepare;
        this.tables = SddsPrepare.schema(context);
    }

    @Override
    public Prepare.PreparedResult prepareSql(
            SqlNode sql, Class contextClass, SqlValidator validator, boolean needsValidation) {
        BalancedTree.balance(sql);
        SqlNode statement = stated(sql);
        boolean isOfOneTable = tables.pushdown() && statement.getKind() != SqlKind.INSERT && OneTable.isAll(statement);
        if (!isOfOneTable) {
            return local(statement, validator, sql);
        }
        Prepare.PreparedResult onBricks = onBricks(sql, contextClass, validator, needsValidation);
        return onBricks == null ? local(stated(prepare.parsedAgain()), validator(), sql) : onBricks;
    }

    /** The statement as bricks run all of it; null: they do not. */
    private Prepare.@Nullable PreparedResult onBricks(
            SqlNode sql, Class<?> contextClass, SqlValidator validator, boolean needsValidation) {
        try {
            return super.prepareSql(sql, contextClass, validator, needsValidation);
        } catch (RuntimeException | AssertionError e) {
            // A wrong statement fails again. Of others Calcite has no plan, and the client needs none.
            log.debug("a statement of one table has no plan: {}", e.toString());
            return null;
        }
    }

    @Override
    protected SqlValidator createSqlValidator(
            Prepare.CatalogReader catalog, UnaryOperator<SqlValidator.Config> config) {
        return Validator.of(context, (CalciteCatalogReader) catalog);
    }

    private SqlValidator validator() {
        return createSqlValidator(catalogReader, config -> config);
    }

    private static SqlNode stated(SqlNode sql) {
        return sql instanceof SqlExplain explain ? explain.getExplicandum() : sql;
    }

    // ---- at the client

    private Prepare.PreparedResult local(SqlNode statement, SqlValidator validator, SqlNode sql) {
        return statement.isA(SqlKind.QUERY)
                ? localQuery(statement, validator, sql)
                : localChange(statement, validator, sql);
    }

    private Prepare.PreparedResult localQuery(SqlNode statement, SqlValidator validator, SqlNode sql) {
        SqlNode validated = validator.validate(statement);
        List<RelDataType> columns = SqlTypes.ofFields(validator.getValidatedNodeType(validated));
        RelDataType parameters = validator.getParameterRowType(validated);
        LocalQuery query = planner()
                .query(
                        stated(prepare.parsedAgain()),
                        validated,
                        validator,
                        prepare.text(),
                        columns,
                        SqlTypes.ofFields(parameters));
        if (!(sql instanceof SqlExplain)) {
            planned(query.shipments(), null);
        }
        if (sql instanceof SqlExplain explain && explain.withType()) {
            return explanation(RelOptUtil.dumpType(validator.getValidatedNodeType(validated)), parameters);
        }
        return sql instanceof SqlExplain explain
                ? explanation(query.explained(), explain.getFormat(), parameters)
                : LocalResult.of(query, parameters, validator.getFieldOrigins(validated));
    }

    private Prepare.PreparedResult localChange(SqlNode statement, SqlValidator validator, SqlNode sql) {
        SqlNode validated = validator.validate(statement);
        RelDataType parameters = validator.getParameterRowType(validated);
        SqlNode parsed = stated(prepare.parsedAgain());
        LocalChange change = LocalChange.of(parsed, target(parsed), prepare.isUpsert());
        SqlValidator ofRows = validator();
        SqlNode rows = ofRows.validate(change.rows(stated(prepare.parsedAgain())));
        LocalQuery query = planner()
                .query(
                        change.rows(parsed),
                        rows,
                        ofRows,
                        prepare.text(),
                        change.types(typeFactory),
                        SqlTypes.ofFields(parameters));
        if (sql instanceof SqlExplain explain) {
            return explanation(change.explained(query), explain.getFormat(), parameters);
        }
        planned(query.shipments(), change.table());
        return new LocalResult(
                context -> change.write(query, context, typeFactory),
                1,
                parameters,
                LocalResult.NO_ORIGIN,
                mapTableModOp(true, statement.getKind()));
    }

    private SddsTable target(SqlNode statement) {
        SqlNode name = switch (statement.getKind()) {
            case INSERT -> ((SqlInsert) statement).getTargetTable();
            case UPDATE -> ((SqlUpdate) statement).getTargetTable();
            case DELETE -> ((SqlDelete) statement).getTargetTable();
            default ->
                throw new StatementEnd(
                        statement.getKind() + " is not supported"
                                + (statement.getKind() == SqlKind.MERGE ? "; UPSERT is" : ""),
                        SqlErrors.UNSUPPORTED);
        };
        Prepare.PreparingTable table = catalogReader.getTable(((SqlIdentifier) name).names);
        SddsTable known = table == null ? null : table.unwrap(SddsTable.class);
        if (known == null) {
            throw new StatementEnd("'" + name + "' is no table", SqlErrors.NO_TABLE);
        }
        return known;
    }

    private void planned(List<Shipment> shipments, @Nullable SddsTable written) {
        Set<SddsTable> read = new LinkedHashSet<>();
        shipments.forEach(shipment -> read.add(shipment.table()));
        if (written != null) {
            read.add(written);
        }
        tables.planned(new SddsSchema.Planned(List.copyOf(read), null));
    }

    private static LocalResult explanation(Explanation explained, SqlExplainFormat format, RelDataType parameters) {
        return explanation(format == SqlExplainFormat.JSON ? explained.json() : explained.text(), parameters);
    }

    private static LocalResult explanation(String text, RelDataType parameters) {
        return new LocalResult(context -> Linq4j.singletonEnumerable(text), 1, parameters, LocalResult.NO_ORIGIN, null);
    }

    private LocalPlanner planner() {
        return new LocalPlanner(tables.database(), tables.pushdown() ? this::converted : null);
    }

    private RelRoot converted(SqlNode query) {
        SqlToRelConverter.Config config = SqlToRelConverter.config().withInSubQueryThreshold(Integer.MAX_VALUE);
        return getSqlToRelConverter(validator(), catalogReader, config).convertQuery(query, true, true);
    }

    // ---- on bricks

    @Override
    protected Program getProgram() {
        return (planner, plan, traits, materializations, lattices) ->
                ShippedPlans.folded(plan, plan instanceof TableModify);
    }

    /** The result of a plan that bricks run; null: they do not run all of it. */
    @Override
    protected Prepare.@Nullable PreparedResult implement(RelRoot root) {
        DirectScan scan = DirectScan.of(root);
        if (scan != null) {
            planned(root.rel, null);
            return new LocalResult(scan, scan.columns().length, parameterRowType, fieldOrigins, null);
        }
        ShippedChange change = ShippedChange.of(root.rel);
        if (change == null) {
            return null;
        }
        planned(root.rel, change.batch());
        return new LocalResult(change.run(), 1, parameterRowType, LocalResult.NO_ORIGIN, change.operation());
    }

    @Override
    protected Prepare.@Nullable PreparedResult createPreparedExplanation(
            RelDataType resultType,
            RelDataType parameters,
            @Nullable RelRoot root,
            SqlExplainFormat format,
            SqlExplainLevel level) {
        if (root == null) {
            return super.createPreparedExplanation(resultType, parameters, root, format, level);
        }
        DirectScan scan = DirectScan.of(root);
        if (scan != null) {
            return explanation(scan.explained(), format, parameters);
        }
        ShippedChange change = ShippedChange.of(root.rel);
        return change == null ? null : explanation(change.explained(), format, parameters);
    }

    private static SddsScan scan(RelNode plan) {
        return plan instanceof SddsScan scan ? scan : scan(plan.getInput(0));
    }

    private void planned(RelNode plan, @Nullable BatchWrite write) {
        tables.planned(new SddsSchema.Planned(List.of(scan(plan).table()), write));
    }
}
