package io.sdds.client.internal.query;

import io.sdds.client.internal.query.lang.Expression;
import io.sdds.client.internal.query.lang.Expression.Call;
import io.sdds.client.internal.query.lang.ProgramBuilder;
import io.sdds.client.internal.query.lang.Scope;
import io.sdds.core.protocol.Limits;
import io.sdds.core.query.Output;
import io.sdds.core.query.Program;
import io.sdds.core.query.ProgramCodec;
import io.sdds.core.row.Schema;
import java.util.List;

/** Filters as scans carry them: the program that counts the records that pass. */
public final class FilterProgram {
    private static final Output COUNT =
            new Output.Aggregate(List.of(), List.of(new Output.Aggregation(Output.AggregateFunction.COUNT_ROWS, -1)));

    private static final List<String> CONNECTING = List.of("and", "or", "not");

    private FilterProgram() {}

    /**
     * Encodes a condition that is made of tests of bytes, AND, OR and NOT.
     *
     * @throws IllegalArgumentException when the condition has more parts or bytes than the protocol allows
     */
    public static byte[] encode(Expression condition) {
        checkParts(condition, 0);
        ProgramBuilder builder = new ProgramBuilder(Scope.of(Schema.NONE), Program.INSTRUCTIONS_MAX);
        byte[] encoded = ProgramCodec.encode(builder.build(builder.addCondition("filter", condition), COUNT));
        if (encoded.length > Limits.FILTER_BYTES_MAX) {
            throw new IllegalArgumentException("filter of more than " + Limits.FILTER_BYTES_MAX + " bytes");
        }
        return encoded;
    }

    /** Counts the parts of a condition behind other parts, and goes no deeper than there may be parts. */
    private static int checkParts(Expression condition, int before) {
        int parts = before + 1;
        if (parts > Limits.FILTER_PARTS_MAX) {
            throw new IllegalArgumentException("filter of more than " + Limits.FILTER_PARTS_MAX + " parts");
        }
        if (condition instanceof Call call && CONNECTING.contains(call.function())) {
            for (Expression operand : call.operands()) {
                parts = checkParts(operand, parts);
            }
        }
        return parts;
    }
}
