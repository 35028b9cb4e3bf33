package io.sdds.client.internal.query;

import io.sdds.client.Row;
import java.util.function.Function;

/** Makes objects of the rows of a result. */
@FunctionalInterface
public interface RowMapping<T> {
    /** Rows as they are. */
    RowMapping<Row> ROWS = columns -> row -> row;

    /**
     * The function for rows with some columns.
     *
     * @throws IllegalArgumentException when the columns do not fit
     */
    Function<? super Row, ? extends T> of(RowColumns columns);
}
