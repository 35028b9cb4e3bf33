package io.sdds.core.query;

import java.util.List;

/** What a program answers of the rows that pass its filter, or does to them. Numbers are those of instructions. */
public sealed interface Output {
    /** The values of instructions, one tuple for each row, at most {@code limit} for one step. */
    record Project(List<Integer> columns, int limit) implements Output {}

    /**
     * One tuple for each group of rows with equal keys: the keys, then the states of the aggregates. NULL equals NULL
     * here. Without keys all rows are one group, which is answered also if there are no rows.
     */
    record Aggregate(List<Integer> keys, List<Aggregation> aggregations) implements Output {}

    /**
     * The first rows in an order, at most {@code limit}: the values of the order, then the columns. The tuples of one
     * answer come in this order.
     */
    record Top(List<SortKey> order, List<Integer> columns, int limit) implements Output {}

    /**
     * Of an update, not of a query: writes values of instructions into the row. Columns without an assignment stay as
     * they are, also those that the shape does not have.
     */
    record Write(List<Assignment> assignments) implements Output {}

    /** The program is an update that removes the record. Queries have no such output. */
    record Remove() implements Output {}

    /**
     * A value for a column.
     *
     * @param column number of a column of the value in the shape; {@link #WHOLE_VALUE}: the bytes of the value
     * @param value number of an instruction
     * @param notNull whether the column takes no NULL; the value as a whole never does
     */
    record Assignment(int column, int value, boolean notNull) {
        /** In place of a column: the value of the record, of a table without a schema. */
        public static final int WHOLE_VALUE = -1;
    }

    /** Whether the program is for an update; else it is for a query. */
    default boolean isUpdate() {
        return this instanceof Write || this instanceof Remove;
    }

    /**
     * An aggregate over the rows of a group.
     *
     * @param operand number of an instruction; -1 for {@link AggregateFunction#COUNT_ROWS}
     */
    record Aggregation(AggregateFunction function, int operand) {}

    /** A part of an order. */
    record SortKey(int value, boolean descending, boolean nullsFirst) {}

    /** The aggregates. The state of an aggregate is one value; states of parts of a table are merged by the client. */
    enum AggregateFunction {
        /** Rows. State: BIGINT. */
        COUNT_ROWS,
        /** Rows whose operand is not NULL. State: BIGINT. */
        COUNT,
        /**
         * The sum of what is not NULL; NULL if there is none. State: DOUBLE of DOUBLE, else DECIMAL(38,s) with the
         * scale of the operand, so that BIGINT cannot overflow. A sum of more than 38 digits is an error of the query;
         * the state of a part of the rows may have up to 127 bits.
         */
        SUM,
        /** The smallest value that is not NULL; NULL if there is none. State: the type of the operand. */
        MIN,
        /** The largest value that is not NULL; NULL if there is none. State: the type of the operand. */
        MAX,
        /** A function of a later version. */
        UNKNOWN
    }
}
