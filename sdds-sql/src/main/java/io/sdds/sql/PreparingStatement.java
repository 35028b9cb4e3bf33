package io.sdds.sql;

import io.sdds.sql.error.SqlErrors;
import io.sdds.sql.error.StatementEnd;
import io.sdds.sql.local.JoinHint;
import io.sdds.sql.local.LocalChange;
import io.sdds.sql.local.LocalPlanner;
import io.sdds.sql.local.LocalQuery;
import io.sdds.sql.local.OneTable;
import io.sdds.sql.local.Shipment;
import io.sdds.sql.plan.DirectScan;
import io.sdds.sql.plan.SddsScan;
import io.sdds.sql.plan.ShippedChange;
import io.sdds.sql.plan.ShippedPlans;
import io.sdds.sql.run.BatchWrite;
import io.sdds.sql.run.KeyChain;
import io.sdds.sql.run.KeyRead;
import io.sdds.sql.schema.RowId;
import io.sdds.sql.schema.SddsSchema;
import io.sdds.sql.schema.SddsTable;
import io.sdds.sql.schema.SqlTypes;
import io.sdds.sql.shipped.Explanation;
import io.sdds.sql.shipped.ScanSpec;
import io.sdds.sql.statement.DefaultValues;
import io.sdds.sql.statement.Grammar;
import io.sdds.sql.statement.KeyChainText;
import io.sdds.sql.statement.Nodes;
import io.sdds.sql.statement.Signatures;
import io.sdds.sql.statement.ValuesInsert;
import io.sdds.sql.statement.ValuesText;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.apache.calcite.adapter.java.JavaTypeFactory;
import org.apache.calcite.jdbc.CalcitePrepare;
import org.apache.calcite.jdbc.CalcitePrepare.CalciteSignature;
import org.apache.calcite.plan.RelOptCluster;
import org.apache.calcite.plan.RelOptTable;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.plan.hep.HepPlanner;
import org.apache.calcite.plan.hep.HepProgram;
import org.apache.calcite.prepare.CalciteCatalogReader;
import org.apache.calcite.prepare.Prepare;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.RelRoot;
import org.apache.calcite.rel.core.TableModify;
import org.apache.calcite.rel.metadata.DefaultRelMetadataProvider;
import org.apache.calcite.rel.metadata.MetadataHandlerProvider;
import org.apache.calcite.rel.metadata.ProxyingMetadataHandlerProvider;
import org.apache.calcite.rel.metadata.RelMetadataQuery;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.runtime.Bindable;
import org.apache.calcite.runtime.Hook;
import org.apache.calcite.sql.SqlDelete;
import org.apache.calcite.sql.SqlExplain;
import org.apache.calcite.sql.SqlExplainFormat;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlInsert;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlUpdate;
import org.apache.calcite.sql.parser.SqlParseException;
import org.apache.calcite.sql2rel.SqlToRelConverter;
import org.apache.calcite.sql2rel.StandardConvertletTable;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides where a statement runs: bricks run a statement of one table that their programs can express; the database at
 * the client runs every other one over the rows that bricks ship.
 */
final class PreparingStatement {
    private static final Set<SqlKind> CHANGES = Set.of(SqlKind.INSERT, SqlKind.UPDATE, SqlKind.DELETE);

    /** Tells Calcite the properties of its operators without generating code. */
    private static final MetadataHandlerProvider METADATA =
            new ProxyingMetadataHandlerProvider(DefaultRelMetadataProvider.INSTANCE);

    private static final RelOptTable.ViewExpander NO_VIEWS = (rowType, query, schemaPath, viewPath) -> {
        throw new UnsupportedOperationException(query);
    };

    /** Rows, by their estimate, that a scan sorts. */
    private static final long SORTED_MAX = 20_000;

    private static final Logger log = LoggerFactory.getLogger(PreparingStatement.class);

    private final CalcitePrepare.Context context;
    private final String text;
    private final SddsSchema tables;
    private final CalciteCatalogReader catalog;

    /** @param text of one statement, without a semicolon */
    PreparingStatement(CalcitePrepare.Context context, String text) {
        this.context = context;
        this.text = text;
        this.tables = SddsPrepare.schema(context);
        this.catalog = new CalciteCatalogReader(
                context.getRootSchema(), context.getDefaultSchemaPath(), context.getTypeFactory(), context.config());
    }

    /** @param maxRowCount of the result; negative: all */
    <T> CalciteSignature<T> prepared(long maxRowCount) {
        SqlNode sql = parsed();
        SqlNode statement = Grammar.stated(sql);
        SddsTable filled = statement instanceof SqlInsert insert ? table(insert.getTargetTable()) : null;
        ValuesInsert values = filled == null ? null : ValuesText.read((SqlInsert) statement, filled);
        if (values != null) {
            return inserted(values, sql);
        }
        Hook.PARSE_TREE.run(new Object[] {text, sql});
        if (!statement.isA(SqlKind.QUERY) && !CHANGES.contains(statement.getKind())) {
            throw new StatementEnd(
                    statement.getKind() + " is not supported"
                            + (statement.getKind() == SqlKind.MERGE ? "; UPSERT is" : ""),
                    SqlErrors.UNSUPPORTED);
        }
        boolean isOfOneTable =
                tables.shared().pushdown() && statement.getKind() != SqlKind.INSERT && OneTable.isAll(statement);
        CalciteSignature<T> onBricks = isOfOneTable ? onBricks(sql, maxRowCount) : null;
        if (onBricks != null) {
            return onBricks;
        }
        // The validator may have changed the tree.
        SqlNode unchanged = isOfOneTable ? Grammar.stated(parsed()) : statement;
        return statement.isA(SqlKind.QUERY) ? localQuery(unchanged, sql, maxRowCount) : localChange(unchanged, sql);
    }

    private SqlNode parsed() {
        try {
            SqlNode parsed = Grammar.parse(text);
            SqlNode statement = Grammar.stated(parsed);
            tables.showRowIds(seesRowIds(statement));
            if (statement instanceof SqlUpdate update) {
                SddsTable table = table(update.getTargetTable());
                if (table != null) {
                    DefaultValues.fill(update, table);
                }
            }
            return parsed;
        } catch (SqlParseException e) {
            throw new IllegalArgumentException("the statement cannot be parsed", e);
        }
    }

    private Validator validator() {
        return Validator.of(context, catalog);
    }

    /** UPDATE and DELETE write rows by their keys; other statements see hidden keys if they name them. */
    private static boolean seesRowIds(SqlNode statement) {
        return statement.getKind() == SqlKind.UPDATE
                || statement.getKind() == SqlKind.DELETE
                || Nodes.has(
                        statement,
                        node -> node instanceof SqlIdentifier name
                                && name.names.stream().anyMatch(RowId.NAME::equalsIgnoreCase));
    }

    /** An INSERT or UPSERT of rows of constants and parameters, which needs no plan. */
    private <T> CalciteSignature<T> inserted(ValuesInsert insert, SqlNode sql) {
        List<RelDataType> parameters = insert.parameterTypes(context.getTypeFactory());
        if (sql instanceof SqlExplain explain) {
            return explanation(insert.explained(), explain, parameters);
        }
        tables.planned(new SddsSchema.Planned(List.of(insert.table()), insert));
        return Signatures.count(text, parameters, context, insert::write);
    }

    // ---- at the client

    private <T> CalciteSignature<T> localQuery(SqlNode statement, SqlNode sql, long maxRowCount) {
        Validator validator = validator();
        SqlNode validated = validator.validate(statement);
        RelDataType rowType = validator.getValidatedNodeType(validated);
        List<RelDataType> parameters = parameters(validated, validator);
        boolean showsTypes = sql instanceof SqlExplain explain && explain.withType();
        KeyChain chain = tables.shared().pushdown() && !showsTypes ? KeyChainText.of(validated, validator) : null;
        if (chain != null) {
            return sql instanceof SqlExplain explain
                    ? explanation(chain.explained(), explain, parameters)
                    : lookedUp(chain, query(chain, validated, validator, maxRowCount));
        }
        openDatabase(sql);
        LocalQuery query = planner()
                .query(Grammar.stated(parsed()), validated, validator, text, SqlTypes.ofFields(rowType), parameters);
        if (sql instanceof SqlExplain explain) {
            return explain.withType()
                    ? Signatures.plan(text, parameters, context, RelOptUtil.dumpType(rowType))
                    : explanation(query.explained(), explain, parameters);
        }
        planned(query.shipments(), null);
        return query(query, validated, validator, maxRowCount);
    }

    private <T> CalciteSignature<T> query(
            Bindable<@Nullable Object> run, SqlNode validated, Validator validator, long maxRowCount) {
        return Signatures.query(
                text,
                parameters(validated, validator),
                context,
                run,
                validator.getValidatedNodeType(validated),
                validator.getFieldOrigins(validated),
                maxRowCount);
    }

    private static List<RelDataType> parameters(SqlNode validated, Validator validator) {
        return SqlTypes.ofFields(validator.getParameterRowType(validated));
    }

    /** A query whose prepared statements do without the engine. */
    private <T> CalciteSignature<T> lookedUp(KeyChain chain, CalciteSignature<T> signature) {
        tables.planned(new SddsSchema.Planned(chain.tables(), null, new KeyRead(chain, signature)));
        return signature;
    }

    private <T> CalciteSignature<T> localChange(SqlNode statement, SqlNode sql) {
        Validator validator = validator();
        SqlNode validated = validator.validate(statement);
        List<RelDataType> parameters = parameters(validated, validator);
        SqlNode parsed = Grammar.stated(parsed());
        LocalChange change = LocalChange.of(parsed, target(parsed));
        Validator ofRows = validator();
        SqlNode rows = ofRows.validate(change.rows(Grammar.stated(parsed())));
        JavaTypeFactory types = context.getTypeFactory();
        openDatabase(sql);
        LocalQuery query = planner().query(change.rows(parsed), rows, ofRows, text, change.types(types), parameters);
        if (sql instanceof SqlExplain explain) {
            return explanation(change.explained(query), explain, parameters);
        }
        planned(query.shipments(), change.table());
        return Signatures.count(text, parameters, context, data -> change.write(query, data, types));
    }

    private SddsTable target(SqlNode statement) {
        SqlNode name = switch (statement.getKind()) {
            case INSERT -> ((SqlInsert) statement).getTargetTable();
            case UPDATE -> ((SqlUpdate) statement).getTargetTable();
            case DELETE -> ((SqlDelete) statement).getTargetTable();
            default -> throw new IllegalArgumentException(statement.getKind() + " writes no table");
        };
        SddsTable known = table(name);
        if (known == null) {
            throw new StatementEnd("'" + name + "' is no table", SqlErrors.NO_TABLE);
        }
        return known;
    }

    private @Nullable SddsTable table(SqlNode name) {
        Prepare.PreparingTable table = name instanceof SqlIdentifier id ? catalog.getTable(id.names) : null;
        return table == null ? null : table.unwrap(SddsTable.class);
    }

    private void planned(List<Shipment> shipments, @Nullable SddsTable written) {
        Set<SddsTable> read = new LinkedHashSet<>();
        shipments.forEach(shipment -> read.add(shipment.table()));
        if (written != null) {
            read.add(written);
        }
        tables.planned(new SddsSchema.Planned(List.copyOf(read), null));
    }

    private <T> CalciteSignature<T> explanation(
            Explanation explained, SqlExplain explain, List<RelDataType> parameters) {
        boolean isJson = explain.getFormat() == SqlExplainFormat.JSON;
        return Signatures.plan(text, parameters, context, isJson ? explained.json() : explained.text());
    }

    /** The database at the client opens while the statement that needs it is planned. */
    private void openDatabase(SqlNode sql) {
        if (!(sql instanceof SqlExplain)) {
            tables.shared().database().openAhead();
        }
    }

    private LocalPlanner planner() {
        return new LocalPlanner(tables.shared().database(), tables.shared().pushdown() ? this::converted : null);
    }

    private RelRoot converted(SqlNode query) {
        SqlToRelConverter.Config config = SqlToRelConverter.config().withInSubQueryThreshold(Integer.MAX_VALUE);
        return converter(validator(), config).convertQuery(query, true, true);
    }

    private SqlToRelConverter converter(Validator validator, SqlToRelConverter.Config config) {
        HepPlanner planner = new HepPlanner(HepProgram.builder().build());
        RelOptCluster cluster = RelOptCluster.create(planner, new RexBuilder(context.getTypeFactory()));
        cluster.setMetadataQuerySupplier(() -> new RelMetadataQuery(METADATA));
        return new SqlToRelConverter(
                NO_VIEWS,
                validator,
                catalog,
                cluster,
                StandardConvertletTable.INSTANCE,
                config.withHintStrategyTable(JoinHint.STRATEGIES));
    }

    // ---- on bricks

    /** The statement as bricks run all of it; null: they do not. */
    private <T> @Nullable CalciteSignature<T> onBricks(SqlNode sql, long maxRowCount) {
        try {
            return folded(sql, maxRowCount);
        } catch (RuntimeException | AssertionError e) {
            // A wrong statement fails again. Of others Calcite has no plan, and the client needs none.
            log.debug("a statement of one table has no plan: {}", e.toString());
            return null;
        }
    }

    private <T> @Nullable CalciteSignature<T> folded(SqlNode sql, long maxRowCount) {
        SqlNode statement = Grammar.stated(sql);
        Validator validator = validator();
        SqlToRelConverter.Config config = SqlToRelConverter.config()
                .withExpand(false)
                .withInSubQueryThreshold(Integer.MAX_VALUE)
                .withExplain(sql instanceof SqlExplain);
        SqlToRelConverter converter = converter(validator, config);
        if (sql instanceof SqlExplain explain) {
            converter.setDynamicParamCountInExplain(explain.getDynamicParamCount());
        }
        RelRoot root = converter.convertQuery(statement, true, true);
        RelDataType rowType = validator.getValidatedNodeType(statement);
        List<RelDataType> parameters = parameters(statement, validator);
        if (sql instanceof SqlExplain explain && explain.withType()) {
            return Signatures.plan(text, parameters, context, RelOptUtil.dumpType(rowType));
        }
        boolean keepsOrder = root.rel instanceof TableModify
                || !root.collation.getFieldCollations().isEmpty();
        RelNode trimmed = converter.trimUnusedFields(keepsOrder, root.rel);
        RelNode plan = ShippedPlans.folded(trimmed, trimmed instanceof TableModify);
        DirectScan scan = DirectScan.of(root.withRel(plan));
        if (scan != null && isLargeSort(scan(plan))) {
            return null;
        }
        if (scan != null) {
            if (sql instanceof SqlExplain explain) {
                return explanation(scan.explained(), explain, parameters);
            }
            KeyChain chain = KeyChainText.of(statement, validator);
            if (chain != null) {
                return lookedUp(chain, query(scan, statement, validator, maxRowCount));
            }
            planned(plan, null);
            return query(scan, statement, validator, maxRowCount);
        }
        ShippedChange change = ShippedChange.of(plan);
        if (change == null) {
            return null;
        }
        if (sql instanceof SqlExplain explain) {
            return explanation(change.explained(), explain, parameters);
        }
        planned(plan, change.batch());
        return Signatures.count(text, parameters, context, change.run());
    }

    /** A scan holds the rows that it sorts in the heap; the database at the client spills them. */
    private static boolean isLargeSort(SddsScan scan) {
        ScanSpec spec = scan.spec();
        boolean sortsAll = !spec.order().isEmpty() && spec.limit() == null && !spec.isGrouped();
        RexBuilder rex = scan.getCluster().getRexBuilder();
        return sortsAll && scan.table().estimates().rows(spec.conditions(), rex) > SORTED_MAX;
    }

    private static SddsScan scan(RelNode plan) {
        return plan instanceof SddsScan scan ? scan : scan(plan.getInput(0));
    }

    private void planned(RelNode plan, @Nullable BatchWrite write) {
        tables.planned(new SddsSchema.Planned(List.of(scan(plan).table()), write));
    }
}
