package io.sdds.sql.shipped;

import java.util.function.IntFunction;
import org.apache.calcite.rex.RexDynamicParam;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.jspecify.annotations.Nullable;

/**
 * The most rows of a result.
 *
 * @param constant the number, unless a parameter gives it
 * @param parameter the number of the parameter; -1: none
 */
public record ScanLimit(long constant, int parameter) {
    /** The limit of FETCH, with the rows before it that OFFSET skips; null: the client counts. */
    public static @Nullable ScanLimit of(RexNode fetch, @Nullable RexNode offset) {
        if (fetch instanceof RexDynamicParam parameter && offset == null) {
            return new ScanLimit(0, parameter.getIndex());
        }
        if (fetch instanceof RexLiteral rows && (offset == null || offset instanceof RexLiteral)) {
            long sum = number(rows) + (offset == null ? 0 : number((RexLiteral) offset));
            return new ScanLimit(sum < 0 ? Long.MAX_VALUE : sum, -1);
        }
        return null;
    }

    private static long number(RexLiteral literal) {
        Number number = literal.getValueAs(Number.class);
        return number == null ? 0 : number.longValue();
    }

    public long rows(IntFunction<@Nullable Object> parameters) {
        if (parameter < 0) {
            return constant;
        }
        return parameters.apply(parameter) instanceof Number number ? Math.max(0, number.longValue()) : 0;
    }

    @Override
    public String toString() {
        return parameter < 0 ? Long.toString(constant) : "?" + parameter;
    }
}
