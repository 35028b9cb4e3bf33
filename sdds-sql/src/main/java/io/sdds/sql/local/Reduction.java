package io.sdds.sql.local;

import java.util.List;

/**
 * Of a table only the rows are read that are equal, in some columns, to a row of another table. The other table is read
 * first, and its rows are kept.
 *
 * @param table the number of the shipment that is reduced
 * @param by the number of the other shipment
 * @param columns of the reduced table
 * @param otherColumns of the other table, whose values these columns have
 * @param form how the rows are read
 * @param isHinted whether a hint wants it, however many rows it keeps
 */
record Reduction(
        int table, int by, List<Integer> columns, List<Integer> otherColumns, JoinHint form, boolean isHinted) {
    /** The same reduction of shipments in another order. */
    Reduction ordered(List<Integer> order) {
        return new Reduction(order.indexOf(table), order.indexOf(by), columns, otherColumns, form, isHinted);
    }
}
