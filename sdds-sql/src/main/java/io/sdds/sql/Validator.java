package io.sdds.sql;

import java.util.Map;
import java.util.TreeMap;
import org.apache.calcite.jdbc.CalcitePrepare;
import org.apache.calcite.prepare.CalciteCatalogReader;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlDynamicParam;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlOperatorTable;
import org.apache.calcite.sql.fun.SqlCase;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.util.SqlBasicVisitor;
import org.apache.calcite.sql.util.SqlOperatorTables;
import org.apache.calcite.sql.validate.SqlValidatorImpl;
import org.apache.calcite.sql.validate.SqlValidatorScope;
import org.jspecify.annotations.Nullable;

/** Checks names and types of a statement. */
final class Validator extends SqlValidatorImpl {
    private Validator(
            SqlOperatorTable operators, CalciteCatalogReader catalog, CalcitePrepare.Context context, Config config) {
        super(operators, catalog, context.getTypeFactory(), config);
    }

    static Validator of(CalcitePrepare.Context context, CalciteCatalogReader catalog) {
        SqlOperatorTable known = context.config().fun(SqlOperatorTable.class, SqlStdOperatorTable.instance());
        Config config = Config.DEFAULT
                .withLenientOperatorLookup(context.config().lenientOperatorLookup())
                .withConformance(context.config().conformance())
                .withDefaultNullCollation(context.config().defaultNullCollation())
                .withIdentifierExpansion(true);
        return new Validator(SqlOperatorTables.chain(known, catalog), catalog, context, config);
    }

    /** The types of parameters in the order of the text. Calcite has them in the order of its tree. */
    @Override
    public RelDataType getParameterRowType(SqlNode statement) {
        Map<Integer, RelDataType> types = new TreeMap<>();
        statement.accept(new SqlBasicVisitor<@Nullable Void>() {
            @Override
            public @Nullable Void visit(SqlDynamicParam parameter) {
                types.put(parameter.getIndex(), getValidatedNodeType(parameter));
                return null;
            }
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
        inferOfCalls(scope, cases);
        RelDataType type = deriveType(scope, cases);
        for (SqlNode then : cases.getThenOperands()) {
            if (!(then instanceof SqlCall)) {
                inferUnknownTypes(type, scope, then);
            }
        }
        SqlNode last = cases.getElseOperand();
        if (last != null && !(last instanceof SqlCall)) {
            inferUnknownTypes(type, scope, last);
        }
    }

    private void inferOfCalls(SqlValidatorScope scope, SqlCase cases) {
        for (SqlNode then : cases.getThenOperands()) {
            if (then instanceof SqlCall) {
                inferUnknownTypes(getUnknownType(), scope, then);
            }
        }
        if (cases.getElseOperand() instanceof SqlCall last) {
            inferUnknownTypes(getUnknownType(), scope, last);
        }
    }
}
