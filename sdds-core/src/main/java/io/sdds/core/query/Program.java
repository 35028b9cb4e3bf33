package io.sdds.core.query;

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

    /** Most instructions. */
    public static final int INSTRUCTIONS_MAX = 256;

    /** Most columns of a tuple, keys of groups or of the order and aggregates included. */
    public static final int TUPLE_MAX = 256;

    /** Most rows of an {@link Output.Top}. */
    public static final int TOP_ROWS_MAX = 10_000;
}
