package io.sdds.sql.local;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.sql.SqlBasicTypeNameSpec;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.fun.SqlCase;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.type.SqlTypeUtil;
import org.apache.calcite.sql.validate.SqlValidator;

/**
 * Numbers that become one column or value, or are compared. DuckDB's common type of a number with all its digits before
 * the point, as a sum of sums has, and of 3.50 has none behind it. So the former is cast to a type that leaves room: a
 * value that does not fit is an error then, and no wrong one.
 */
final class CommonDigits {
    private static final Set<String> CHOOSING = Set.of("GREATEST", "LEAST");

    private final SqlValidator validator;
    private final Map<SqlParserPos, SqlBasicTypeNameSpec> casts;

    /** @param casts the types that expressions are cast to, by their places; some are changed */
    CommonDigits(SqlValidator validator, Map<SqlParserPos, SqlBasicTypeNameSpec> casts) {
        this.validator = validator;
        this.casts = casts;
    }

    /** Changes the casts of the operands of a call whose own parts are known. */
    void leaveTo(SqlCall call) {
        if (SqlKind.SET_QUERY.contains(call.getKind())) {
            List<SqlSelect> blocks = new ArrayList<>();
            addBlocks(call, blocks);
            int columns = blocks.stream()
                    .mapToInt(block -> block.getSelectList().size())
                    .min()
                    .orElse(0);
            for (int k = 0; k < columns; k++) {
                int column = k;
                leaveTo(blocks.stream()
                        .map(block -> unnamed(block.getSelectList().get(column)))
                        .toList());
            }
        } else if (call instanceof SqlCase choice) {
            leaveTo(Stream.concat(choice.getThenOperands().stream(), Stream.ofNullable(choice.getElseOperand()))
                    .toList());
        } else if (SqlKind.COMPARISON.contains(call.getKind())
                || CHOOSING.contains(call.getOperator().getName().toUpperCase(Locale.ROOT))) {
            leaveTo(call.getOperandList());
        }
    }

    private static void addBlocks(SqlNode query, List<SqlSelect> blocks) {
        if (query instanceof SqlSelect block) {
            blocks.add(block);
        } else if (query instanceof SqlCall call && SqlKind.SET_QUERY.contains(call.getKind())) {
            call.getOperandList().forEach(part -> addBlocks(part, blocks));
        }
    }

    private static SqlNode unnamed(SqlNode item) {
        return item.getKind() == SqlKind.AS ? ((SqlCall) item).operand(0) : item;
    }

    private void leaveTo(List<SqlNode> numbers) {
        int behind = numbers.stream().mapToInt(this::digitsBehind).max().orElse(0);
        for (SqlNode number : numbers) {
            SqlBasicTypeNameSpec cast = number instanceof SqlCall ? casts.get(number.getParserPosition()) : null;
            if (cast != null
                    && TypedCasts.isPlainDecimal(cast)
                    && cast.getPrecision() - cast.getScale() + behind > TypedCasts.DIGITS_MAX) {
                casts.put(number.getParserPosition(), TypedCasts.decimal(TypedCasts.DIGITS_MAX, behind));
            }
        }
    }

    private int digitsBehind(SqlNode number) {
        RelDataType type = validator.getValidatedNodeTypeIfKnown(number);
        return type != null && SqlTypeUtil.isDecimal(type) && type.getSqlTypeName() == SqlTypeName.DECIMAL
                ? Math.max(0, type.getScale())
                : 0;
    }
}
