package io.sdds.sql.statement;

import io.sdds.sql.error.SqlErrors;
import io.sdds.sql.error.StatementEnd;
import java.util.Locale;
import java.util.Map;
import org.apache.calcite.sql.SqlBasicTypeNameSpec;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlDataTypeSpec;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlOrderBy;
import org.apache.calcite.sql.fun.SqlLibraryOperators;
import org.apache.calcite.sql.fun.SqlPosixRegexOperator;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.util.SqlBasicVisitor;
import org.jspecify.annotations.Nullable;

/** Writes what PostgreSQL spells otherwise as the standard does: names of types, and {@code NOW()}. */
final class Spellings extends SqlBasicVisitor<@Nullable Void> {
    private static final Map<String, SqlTypeName> TYPES = Map.of(
            "TEXT", SqlTypeName.VARCHAR,
            "BOOL", SqlTypeName.BOOLEAN,
            "INT4", SqlTypeName.INTEGER,
            "INT8", SqlTypeName.BIGINT,
            "FLOAT8", SqlTypeName.DOUBLE,
            "BYTEA", SqlTypeName.VARBINARY);

    private Spellings() {}

    /** Changes a statement that was parsed. */
    static void replace(SqlNode statement) {
        statement.accept(new Spellings());
    }

    @Override
    public @Nullable Void visit(SqlCall call) {
        if (call.getOperator() == SqlLibraryOperators.INFIX_CAST) {
            // The grammar ends all expressions before the cast, so that a = 1 AND b::INT = 2 is (a = 1 AND b::INT) = 2.
            throw refused("'::'", "CAST(value AS type)");
        }
        if (call.getOperator() instanceof SqlPosixRegexOperator) {
            throw refused("a match of a regular expression", "LIKE");
        }
        for (int k = 0; k < call.operandCount(); k++) {
            SqlNode operand = call.operand(k);
            SqlNode standard = standard(operand);
            // What may stand behind ORDER BY has no other spelling but in lists.
            if (standard != operand && !(call instanceof SqlOrderBy)) {
                call.setOperand(k, standard);
            }
        }
        return super.visit(call);
    }

    @Override
    public @Nullable Void visit(SqlNodeList list) {
        for (int k = 0; k < list.size(); k++) {
            list.set(k, standard(list.get(k)));
        }
        return super.visit(list);
    }

    private static StatementEnd refused(String what, String instead) {
        return new StatementEnd(what + " is not supported: write " + instead, SqlErrors.UNSUPPORTED);
    }

    private static @Nullable SqlNode standard(@Nullable SqlNode node) {
        if (node instanceof SqlDataTypeSpec type) {
            return standard(type);
        }
        if (!(node instanceof SqlCall call)) {
            return node;
        }
        boolean isNow = call.getKind() == SqlKind.OTHER_FUNCTION
                && call.operandCount() == 0
                && call.getOperator().getName().equalsIgnoreCase("NOW");
        return isNow ? SqlStdOperatorTable.CURRENT_TIMESTAMP.createCall(call.getParserPosition()) : node;
    }

    private static SqlDataTypeSpec standard(SqlDataTypeSpec type) {
        SqlIdentifier name = type.getTypeName();
        SqlTypeName known = name.isSimple() ? TYPES.get(name.getSimple().toUpperCase(Locale.ROOT)) : null;
        return known == null
                ? type
                : new SqlDataTypeSpec(
                        new SqlBasicTypeNameSpec(known, name.getParserPosition()), type.getParserPosition());
    }
}
