package io.sdds.sql.local;

import io.sdds.sql.error.SqlErrors;
import io.sdds.sql.error.StatementEnd;
import io.sdds.sql.statement.Nodes;
import io.sdds.sql.statement.OwnNames;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.type.SqlTypeUtil;
import org.apache.calcite.sql.validate.SqlValidator;

/** Refuses validated statements of which DuckDB is known to answer other rows than PostgreSQL. */
final class Refusals {
    private final SqlValidator validator;

    private Refusals(SqlValidator validator) {
        this.validator = validator;
    }

    /** @throws StatementEnd if a part of a statement is refused */
    static void check(SqlNode statement, SqlValidator validator) {
        Nodes.each(statement, SqlCall.class, new Refusals(validator)::check);
    }

    private void check(SqlCall call) {
        if (call instanceof SqlSelect block && hasGroupingSets(block) && isCorrelated(block)) {
            throw refused("ROLLUP, CUBE or GROUPING SETS in a subquery that names columns of an outer query");
        }
        if (Quantifiers.isCorrelated(call) && Quantifiers.isOfAggregate(call)) {
            throw refused("IN, ANY or ALL of an aggregate and a subquery that names columns of an outer query");
        }
        boolean shifts = call.getKind() == SqlKind.LAG || call.getKind() == SqlKind.LEAD;
        if (shifts && call.operandCount() == 3 && digits(call.operand(2)) > leastDigits(call.operand(0))) {
            throw refused(call.getOperator().getName()
                    + " with a default that has more digits behind the point than its first argument");
        }
    }

    private static StatementEnd refused(String what) {
        return new StatementEnd(what + " is not supported", SqlErrors.UNSUPPORTED);
    }

    /** Digits behind the point that DuckDB's number surely has: a rounded number has fewer than its type. */
    private int leastDigits(SqlNode node) {
        return Nodes.has(node, part -> part instanceof SqlCall call && TypedCasts.isRounding(call)) ? 0 : digits(node);
    }

    /** Digits behind the point of an exact number; 0 of others. */
    private int digits(SqlNode node) {
        RelDataType type = validator.getValidatedNodeTypeIfKnown(node);
        return type != null && SqlTypeUtil.isDecimal(type) ? type.getScale() : 0;
    }

    private static boolean hasGroupingSets(SqlSelect block) {
        return block.getGroup() != null
                && block.getGroup().stream().anyMatch(group -> switch (group.getKind()) {
                    case ROLLUP, CUBE, GROUPING_SETS -> true;
                    default -> false;
                });
    }

    /** Whether a block itself, without those within, names a table that is none of its FROM. */
    private static boolean isCorrelated(SqlSelect block) {
        OwnNames own = OwnNames.of(block);
        return block.getOperandList().stream()
                .filter(part -> part != null && part != block.getFrom())
                .anyMatch(part -> Nodes.hasOutsideQueries(
                        part, node -> node instanceof SqlIdentifier column && own.isOuter(column)));
    }
}
