package io.sdds.core.query;

import io.sdds.core.row.ValueType;
import java.util.ArrayList;
import java.util.List;

/**
 * A program that is shipped to bricks: typed instructions in a straight line, without loops and without code, evaluated
 * for each record of an interval. {@link Op} tells the meaning of each operation.
 *
 * @param shape of the rows
 * @param filter number of the instruction whose TRUE lets a row pass; -1: all rows pass
 */
public record Program(RowShape shape, List<Instruction> instructions, int filter, Output output) {
    /** The version of the layout, and of the meaning of operations, that this code knows. */
    public static final byte VERSION = 1;

    /** Most instructions. Filters have the longest programs: three instructions for each test. */
    public static final int INSTRUCTIONS_MAX = 1024;

    /** Most constants of all instructions together. */
    public static final int CONSTANTS_MAX = 1 << 21;

    /** Most columns of a tuple, keys of groups or of the order and aggregates included. */
    public static final int TUPLE_MAX = 256;

    /** Most rows of an {@link Output.Top}. */
    public static final int TOP_ROWS_MAX = 10_000;

    /** Longest text or bytes that {@link Op#CONCAT}, {@link Op#LOWER} and {@link Op#UPPER} compute. */
    public static final int TEXT_BYTES_MAX = 64 << 10;

    /** The types of the columns of a tuple, none of an update: the program must be valid. */
    public List<ValueType> tuple() {
        List<ValueType> types = new ArrayList<>();
        if (output instanceof Output.Project project) {
            project.columns().forEach(column -> types.add(type(column)));
        } else if (output instanceof Output.Aggregate aggregate) {
            aggregate.keys().forEach(key -> types.add(type(key)));
            aggregate.aggregations().forEach(aggregation -> types.add(state(aggregation)));
        } else if (output instanceof Output.Top top) {
            top.order().forEach(key -> types.add(type(key.value())));
            top.columns().forEach(column -> types.add(type(column)));
        }
        return types;
    }

    private ValueType state(Output.Aggregation aggregation) {
        return switch (aggregation.function()) {
            case COUNT_ROWS, COUNT, UNKNOWN -> ValueType.BIGINT;
            case SUM -> sum(type(aggregation.operand()));
            case MIN, MAX -> type(aggregation.operand());
        };
    }

    /** The type of the state of a sum. */
    public static ValueType sum(ValueType operand) {
        return operand.kind() == ValueType.Kind.DOUBLE
                ? operand
                : ValueType.decimal(ValueType.DECIMAL_DIGITS_MAX, operand.scale());
    }

    private ValueType type(int instruction) {
        return instructions.get(instruction).type();
    }
}
