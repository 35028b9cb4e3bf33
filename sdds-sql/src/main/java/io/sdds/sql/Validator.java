package io.sdds.sql;

import io.sdds.sql.local.ForValidator;
import io.sdds.sql.run.Planning;
import io.sdds.sql.statement.Grammar;
import io.sdds.sql.statement.Nodes;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.apache.calcite.jdbc.CalcitePrepare;
import org.apache.calcite.prepare.CalciteCatalogReader;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.rel.type.RelDataTypeField;
import org.apache.calcite.sql.SqlBasicCall;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlDynamicParam;
import org.apache.calcite.sql.SqlInsert;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlOperatorTable;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.SqlUpdate;
import org.apache.calcite.sql.fun.SqlCase;
import org.apache.calcite.sql.fun.SqlLibrary;
import org.apache.calcite.sql.fun.SqlLibraryOperatorTableFactory;
import org.apache.calcite.sql.fun.SqlLibraryOperators;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.type.SqlTypeUtil;
import org.apache.calcite.sql.util.SqlOperatorTables;
import org.apache.calcite.sql.validate.AggregatingScope;
import org.apache.calcite.sql.validate.SqlValidatorImpl;
import org.apache.calcite.sql.validate.SqlValidatorScope;
import org.apache.calcite.sql.validate.SqlValidatorTable;
import org.apache.calcite.util.Static;
import org.jspecify.annotations.Nullable;

/** Checks names and types of a statement. */
final class Validator extends SqlValidatorImpl {
    /** The functions of PostgreSQL. Those that the client lacks are refused when a statement is written for it. */
    private static final SqlOperatorTable LIBRARY = SqlOperatorTables.chain(
            SqlLibraryOperatorTableFactory.INSTANCE.getOperatorTable(SqlLibrary.POSTGRESQL),
            SqlOperatorTables.of(SqlLibraryOperators.REVERSE));

    /** Operators all of whose parameters are texts. */
    private static final Set<String> TEXT_OPERATORS = Set.of(
            ("|| CHAR_LENGTH CHARACTER_LENGTH CONCAT INITCAP LOWER LTRIM REPLACE REVERSE RTRIM TRIM UPPER").split(" "));

    /** Operators whose first operands are texts, and how many of them are. The others are numbers. */
    private static final Map<String, Integer> FIRST_TEXTS = Map.of("OVERLAY", 2, "POSITION", 2, "SUBSTRING", 1);

    /** Functions that return one of their operands. */
    private static final Set<String> CHOICES = Set.of("GREATEST", "LEAST");

    /** Types for which Calcite finds no common type with an unknown one. */
    private static final Set<SqlTypeName> ALONE = Set.of(SqlTypeName.BOOLEAN, SqlTypeName.UUID);

    /** A list behind IN may have both types. Calcite finds no common type for such a list with an unknown one. */
    private static final Set<SqlTypeName> DATES = Set.of(SqlTypeName.DATE, SqlTypeName.TIMESTAMP);

    private Validator(
            SqlOperatorTable operators, CalciteCatalogReader catalog, CalcitePrepare.Context context, Config config) {
        super(operators, catalog, context.getTypeFactory(), config);
    }

    static Validator of(CalcitePrepare.Context context, CalciteCatalogReader catalog) {
        SqlOperatorTable known = SqlStdOperatorTable.instance();
        Config config = Config.DEFAULT
                .withConformance(Grammar.CONFORMANCE)
                .withDefaultNullCollation(context.config().defaultNullCollation())
                .withIdentifierExpansion(true);
        return new Validator(SqlOperatorTables.chain(known, LIBRARY, catalog), catalog, context, config);
    }

    @Override
    public SqlNode validate(SqlNode statement) {
        ForValidator.prepare(statement);
        return super.validate(statement);
    }

    /** Calcite has no error of its own for more values than the table has columns. */
    @Override
    protected RelDataType getLogicalTargetRowType(RelDataType target, SqlInsert insert) {
        int columns = target.getFieldCount();
        int values = Objects.requireNonNull(getNamespace(insert.getSource()))
                .getRowType()
                .getFieldCount();
        if (insert.getTargetColumnList() == null && values > columns) {
            throw newValidationError(insert.getSource(), Static.RESOURCE.unmatchInsertColumn(columns, values));
        }
        return super.getLogicalTargetRowType(target, insert);
    }

    @Override
    protected void validateSelect(SqlSelect block, RelDataType targetRowType) {
        CommonColumns.qualify(block, getRawSelectScope(block));
        super.validateSelect(block, targetRowType);
        setLarge(block.getFetch());
        setLarge(block.getOffset());
    }

    /** A number of rows may be any BIGINT. */
    private void setLarge(@Nullable SqlNode rows) {
        if (rows instanceof SqlDynamicParam) {
            setValidatedNodeType(rows, getTypeFactory().createSqlType(SqlTypeName.BIGINT));
        }
    }

    /** HAVING has no window, but its subqueries may. Calcite allows none there either. */
    @Override
    protected void validateHavingClause(SqlSelect block) {
        SqlNode having = block.getHaving();
        if (having == null || Nodes.hasWindow(having)) {
            super.validateHavingClause(block);
            return;
        }
        AggregatingScope scope = (AggregatingScope) getSelectScope(block);
        inferUnknownTypes(getTypeFactory().createSqlType(SqlTypeName.BOOLEAN), scope, having);
        scope.checkAggregateExpr(having, true);
        having.validate(this, scope);
        if (!SqlTypeUtil.inBooleanFamily(deriveType(scope, having))) {
            throw newValidationError(having, Static.RESOURCE.havingMustBeBoolean());
        }
    }

    /** A date some days before or after another one is a date, and two dates are some days apart, as in PostgreSQL. */
    @Override
    public RelDataType deriveType(SqlValidatorScope scope, SqlNode node) {
        Planning.check();
        if (node instanceof SqlNodeList list) {
            return ofList(scope, list);
        }
        setTexts(node);
        if (getValidatedNodeTypeIfKnown(node) == null) {
            typeOperands(scope, node);
        }
        boolean isSum = (node.getKind() == SqlKind.PLUS || node.getKind() == SqlKind.MINUS)
                && node instanceof SqlBasicCall call
                && call.operandCount() == 2
                && getValidatedNodeTypeIfKnown(node) == null;
        RelDataType ofDates = isSum ? ofDates(scope, (SqlBasicCall) node) : null;
        if (ofDates == null) {
            return super.deriveType(scope, node);
        }
        setValidatedNodeType(node, ofDates);
        return ofDates;
    }

    /** Gives operands the types of those beside them, before Calcite looks for the type of their call. */
    private void typeOperands(SqlValidatorScope scope, SqlNode node) {
        if (node.getKind() == SqlKind.BETWEEN) {
            castDates(scope, (SqlCall) node);
        } else if (node instanceof SqlCase cases) {
            setAlike(scope, branches(cases), ALONE);
        } else if (node instanceof SqlCall call
                && CHOICES.contains(call.getOperator().getName())) {
            setAlike(scope, call.getOperandList(), ALONE);
        } else if (node instanceof SqlCall in
                && (node.getKind() == SqlKind.IN || node.getKind() == SqlKind.NOT_IN)
                && in.operand(1) instanceof SqlNodeList list) {
            List<SqlNode> values = new ArrayList<>(List.of(in.operand(0)));
            values.addAll(list);
            setAlike(scope, values, DATES);
        }
    }

    /** Parameters beside a value of one of these types have that type. */
    private void setAlike(SqlValidatorScope scope, List<SqlNode> values, Set<SqlTypeName> types) {
        if (values.stream().noneMatch(SqlDynamicParam.class::isInstance)) {
            return;
        }
        for (SqlNode value : values) {
            SqlTypeName type = value instanceof SqlDynamicParam
                    ? null
                    : deriveType(scope, value).getSqlTypeName();
            if (type != null && types.contains(type)) {
                values.forEach(each -> setUnknown(each, type));
                return;
            }
        }
    }

    /**
     * The type of a list. That of a list behind IN, which Calcite has validated, is the common type of its values;
     * inside of other calls Calcite asks before that, to know the types of parameters.
     */
    private RelDataType ofList(SqlValidatorScope scope, SqlNodeList list) {
        RelDataType known = getValidatedNodeTypeIfKnown(list);
        if (known != null) {
            return known;
        }
        for (SqlNode item : list) {
            if (!(item instanceof SqlDynamicParam)) {
                return deriveType(scope, item);
            }
        }
        return getUnknownType();
    }

    /** In BETWEEN a date beside a timestamp is the beginning of the day. */
    private void castDates(SqlValidatorScope scope, SqlCall between) {
        List<@Nullable SqlTypeName> types = new ArrayList<>();
        for (SqlNode operand : between.getOperandList()) {
            RelDataType type = operand instanceof SqlDynamicParam
                    ? getValidatedNodeTypeIfKnown(operand)
                    : deriveType(scope, operand);
            types.add(type == null ? null : type.getSqlTypeName());
        }
        for (int k = 0; types.contains(SqlTypeName.TIMESTAMP) && k < types.size(); k++) {
            if (types.get(k) == SqlTypeName.DATE) {
                SqlNode type = SqlTypeUtil.convertTypeToSpec(getTypeFactory().createSqlType(SqlTypeName.TIMESTAMP));
                between.setOperand(k, SqlStdOperatorTable.CAST.createCall(SqlParserPos.ZERO, between.operand(k), type));
            }
        }
    }

    /** The type of a sum or difference of dates and whole numbers; null: it is about others. */
    private @Nullable RelDataType ofDates(SqlValidatorScope scope, SqlBasicCall call) {
        if (call.operand(0) instanceof SqlDynamicParam || call.operand(1) instanceof SqlDynamicParam) {
            return null;
        }
        RelDataType left = deriveType(scope, call.operand(0));
        RelDataType right = deriveType(scope, call.operand(1));
        boolean isPlus = call.getKind() == SqlKind.PLUS;
        SqlTypeName type = isDate(left) && isWhole(right) || isPlus && isWhole(left) && isDate(right)
                ? SqlTypeName.DATE
                : !isPlus && isDate(left) && isDate(right) ? SqlTypeName.INTEGER : null;
        if (type == null) {
            return null;
        }
        boolean isNullable = left.isNullable() || right.isNullable();
        return getTypeFactory().createTypeWithNullability(getTypeFactory().createSqlType(type), isNullable);
    }

    private static boolean isDate(RelDataType type) {
        return type.getSqlTypeName() == SqlTypeName.DATE;
    }

    private static boolean isWhole(RelDataType type) {
        return SqlTypeName.INT_TYPES.contains(type.getSqlTypeName());
    }

    /** Calcite looks for the expression of an UPDATE that it complains about in the wrong place. */
    @Override
    protected void checkTypeAssignment(
            @Nullable SqlValidatorScope sourceScope,
            SqlValidatorTable table,
            RelDataType sourceRowType,
            RelDataType targetRowType,
            SqlNode query) {
        try {
            super.checkTypeAssignment(sourceScope, table, sourceRowType, targetRowType, query);
        } catch (IndexOutOfBoundsException e) {
            if (query instanceof SqlUpdate update) {
                checkAssignments(update, sourceRowType, targetRowType);
            }
            throw e;
        }
    }

    private void checkAssignments(SqlUpdate update, RelDataType sources, RelDataType targets) {
        SqlNodeList values = update.getSourceExpressionList();
        for (int k = 0; k < values.size(); k++) {
            RelDataTypeField source = last(sources, values.size() - k);
            RelDataTypeField target = last(targets, values.size() - k);
            if (!SqlTypeUtil.canAssignFrom(target.getType(), source.getType())) {
                throw newValidationError(
                        values.get(k),
                        Static.RESOURCE.typeNotAssignable(
                                target.getName(),
                                target.getType().toString(),
                                source.getName(),
                                source.getType().toString()));
            }
        }
    }

    private static RelDataTypeField last(RelDataType row, int place) {
        return row.getFieldList().get(row.getFieldCount() - place);
    }

    /** Calcite asks this for each expression that is selected. */
    @Override
    public boolean isAggregate(SqlSelect block) {
        Planning.check();
        return super.isAggregate(block);
    }

    /** A parameter of which nothing is known has an unknown type. */
    @Override
    public RelDataType getValidatedNodeType(SqlNode node) {
        Planning.check();
        return node instanceof SqlDynamicParam && getValidatedNodeTypeIfKnown(node) == null
                ? getUnknownType()
                : super.getValidatedNodeType(node);
    }

    /** The types of parameters in the order of the text. Calcite has them in the order of its tree. */
    @Override
    public RelDataType getParameterRowType(SqlNode statement) {
        Map<Integer, RelDataType> types = new TreeMap<>();
        Nodes.each(statement, SqlDynamicParam.class, parameter -> {
            RelDataType known = getValidatedNodeTypeIfKnown(parameter);
            types.put(parameter.getIndex(), known == null ? getTypeFactory().createSqlType(SqlTypeName.ANY) : known);
        });
        RelDataTypeFactory.Builder row = getTypeFactory().builder();
        types.forEach((index, type) -> row.add("?" + index, type));
        return row.build();
    }

    /**
     * The parameters of a CASE. Calcite gives a parameter inside of an expression behind THEN the type of the CASE, or
     * asks for the type of the expression before that of the parameter.
     */
    @Override
    protected void inferUnknownTypes(RelDataType inferred, SqlValidatorScope scope, SqlNode node) {
        if (node instanceof SqlDynamicParam && inferred.equals(getUnknownType())) {
            // It has the type of its value.
            return;
        }
        setTexts(node);
        if (!(node instanceof SqlCase cases)) {
            super.inferUnknownTypes(inferred, scope, node);
            return;
        }
        RelDataType whenType = cases.getValueOperand() == null
                ? getTypeFactory().createSqlType(SqlTypeName.BOOLEAN)
                : getUnknownType();
        for (SqlNode when : cases.getWhenOperands()) {
            inferUnknownTypes(whenType, scope, when);
        }
        inferBranches(getUnknownType(), scope, cases, true);
        inferBranches(deriveType(scope, cases), scope, cases, false);
    }

    private void inferBranches(RelDataType type, SqlValidatorScope scope, SqlCase cases, boolean areCalls) {
        for (SqlNode branch : branches(cases)) {
            if (branch instanceof SqlCall == areCalls) {
                inferUnknownTypes(type, scope, branch);
            }
        }
    }

    /** What stands behind THEN and ELSE. */
    private static List<SqlNode> branches(SqlCase cases) {
        List<SqlNode> branches = new ArrayList<>(cases.getThenOperands());
        if (cases.getElseOperand() != null) {
            branches.add(cases.getElseOperand());
        }
        return branches;
    }

    /** The parameters of an operator of texts are texts. */
    private void setTexts(SqlNode node) {
        if (!(node instanceof SqlCall call)) {
            return;
        }
        String name = call.getOperator().getName();
        int texts = TEXT_OPERATORS.contains(name) ? call.operandCount() : FIRST_TEXTS.getOrDefault(name, 0);
        for (int k = 0; k < call.operandCount(); k++) {
            if (texts > 0) {
                setUnknown(call.operand(k), k < texts ? SqlTypeName.VARCHAR : SqlTypeName.INTEGER);
            }
        }
    }

    private void setUnknown(SqlNode operand, SqlTypeName name) {
        if (operand instanceof SqlDynamicParam && getValidatedNodeTypeIfKnown(operand) == null) {
            RelDataType type = getTypeFactory().createSqlType(name);
            setValidatedNodeType(operand, getTypeFactory().createTypeWithNullability(type, true));
        }
    }
}
