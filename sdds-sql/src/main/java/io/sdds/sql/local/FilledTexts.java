package io.sdds.sql.local;

import io.sdds.sql.error.SqlErrors;
import io.sdds.sql.error.StatementEnd;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlCharStringLiteral;
import org.apache.calcite.sql.SqlDataTypeSpec;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlOrderBy;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.SqlWith;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.util.SqlBasicVisitor;
import org.jspecify.annotations.Nullable;

/**
 * Casts to {@code CHAR(n)}, which fill texts up with blanks. As in PostgreSQL, the result of a query shows the blanks,
 * and operators and functions of texts do not see them. Elsewhere such a cast is refused, because DuckDB has no type
 * for texts whose blanks do not count.
 */
final class FilledTexts extends SqlBasicVisitor<@Nullable Void> {
    /** Functions of texts that do not see the blanks. */
    private static final Set<String> FUNCTIONS = Set.of(
            ("UPPER LOWER TRIM LTRIM RTRIM CHAR_LENGTH CHARACTER_LENGTH LENGTH SUBSTRING SUBSTR REPLACE LEFT RIGHT"
                            + " STRPOS POSITION OVERLAY REVERSE INITCAP ASCII SPLIT_PART")
                    .split(" "));

    private final Set<SqlParserPos> unfilled = new HashSet<>();

    private FilledTexts() {}

    /**
     * The places of the casts whose blanks are not seen.
     *
     * @param query as it was parsed
     * @throws StatementEnd if a cast stands where it is refused
     */
    static Set<SqlParserPos> unfilled(SqlNode query) {
        FilledTexts texts = new FilledTexts();
        texts.result(query);
        return texts.unfilled;
    }

    // ---- where the blanks are shown

    private void result(SqlNode query) {
        if (query instanceof SqlOrderBy ordered) {
            result(ordered.query);
            ordered.orderList.forEach(this::shown);
        } else if (query instanceof SqlWith with) {
            with.withList.accept(this);
            result(with.body);
        } else if (query instanceof SqlSelect select) {
            block(select);
        } else if (query.getKind() == SqlKind.VALUES) {
            ((SqlCall) query)
                    .getOperandList()
                    .forEach(row -> ((SqlCall) row).getOperandList().forEach(this::shown));
        } else {
            query.accept(this);
        }
    }

    private void block(SqlSelect select) {
        for (SqlNode part : select.getOperandList()) {
            if (part != null && (part == select.getSelectList() || part == select.getGroup())) {
                ((SqlNodeList) part).forEach(this::shown);
            } else if (part != null) {
                part.accept(this);
            }
        }
    }

    private void shown(SqlNode item) {
        SqlNode value = value(item);
        if (isFilled(value)) {
            operand((SqlCall) value, ((SqlCall) value).operand(0));
        } else {
            item.accept(this);
        }
    }

    private static SqlNode value(SqlNode item) {
        return switch (item.getKind()) {
            case AS, DESCENDING, NULLS_FIRST, NULLS_LAST -> value(((SqlCall) item).operand(0));
            default -> item;
        };
    }

    // ---- where they are not

    @Override
    public @Nullable Void visit(SqlCall call) {
        if (isFilled(call)) {
            throw refused();
        }
        boolean isText = takesText(call);
        for (SqlNode operand : call.getOperandList()) {
            if (isText && operand instanceof SqlNodeList list) {
                list.forEach(each -> operand(call, each));
            } else if (operand != null) {
                if (isText) {
                    operand(call, operand);
                } else {
                    operand.accept(this);
                }
            }
        }
        return null;
    }

    private void operand(SqlCall call, SqlNode operand) {
        if (!isFilled(operand)) {
            operand.accept(this);
            return;
        }
        if (isComparison(call) && call.getOperandList().stream().anyMatch(FilledTexts::endsWithBlank)) {
            throw refused();
        }
        unfilled.add(operand.getParserPosition());
        operand((SqlCall) operand, ((SqlCall) operand).operand(0));
    }

    private static boolean takesText(SqlCall call) {
        return switch (call.getKind()) {
            case IS_NULL, IS_NOT_NULL, CAST -> true;
            default -> {
                String name = call.getOperator().getName().toUpperCase(Locale.ROOT);
                yield isComparison(call) || name.equals("||") || FUNCTIONS.contains(name);
            }
        };
    }

    private static boolean isComparison(SqlCall call) {
        return SqlKind.COMPARISON.contains(call.getKind())
                || call.getKind() == SqlKind.NOT_IN
                || call.getKind() == SqlKind.BETWEEN;
    }

    /** The blanks of a constant do not count beside a filled text, and those of other texts do. */
    private static boolean endsWithBlank(@Nullable SqlNode operand) {
        if (operand instanceof SqlNodeList list) {
            return list.stream().anyMatch(FilledTexts::endsWithBlank);
        }
        return operand instanceof SqlCharStringLiteral text
                && text.getValueAs(String.class).endsWith(" ");
    }

    private static boolean isFilled(@Nullable SqlNode node) {
        return node instanceof SqlCall call
                && call.getKind() == SqlKind.CAST
                && call.operand(1) instanceof SqlDataTypeSpec type
                && LocalTypes.isFilled(type);
    }

    private static StatementEnd refused() {
        return new StatementEnd(
                "CAST to CHAR(n) is supported as a column of the result, in comparisons, in || and in functions of"
                        + " texts: cast to VARCHAR(n) here",
                SqlErrors.UNSUPPORTED);
    }
}
