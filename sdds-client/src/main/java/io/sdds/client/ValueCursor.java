package io.sdds.client;

import io.sdds.core.row.MalformedRowException;
import java.math.BigDecimal;

/**
 * The rows of a query, for programs that pass many rows on: the cursor stands at one row at a time, and gives its
 * values without an object for the row or for a number. One thread uses it. The client fetches a few blocks of rows
 * ahead; bricks hold nothing for a cursor.
 *
 * <p>Columns count from 0. A method for values may be called when {@link #next} has returned true. It throws
 * {@link IllegalArgumentException} if the type of the column is none of those that the method names,
 * {@link IndexOutOfBoundsException} if there is no such column, and {@link MalformedRowException} if no value of the
 * type has the bytes that are stored. NULL is no value: ask {@link #isNull} before, because what the others do then is
 * not defined.
 */
public interface ValueCursor extends AutoCloseable {
    /**
     * Goes to the next row, to the first one at first. Waits until the client has it.
     *
     * @return false if there are no more rows
     * @throws IllegalStateException when the call would wait on the client's event loop
     * @throws SddsException as {@link RowQuery} tells
     */
    boolean next();

    /** Whether the value of a column is NULL. */
    boolean isNull(int column);

    /** The value of a BOOLEAN. */
    boolean getBoolean(int column);

    /** The value of an INTEGER, or the days from 1970-01-01 to a DATE. */
    int getInt(int column);

    /** The value of a BIGINT, or the microseconds of a TIME since midnight, of a TIMESTAMP since 1970-01-01. */
    long getLong(int column);

    /** The value of a DOUBLE. */
    double getDouble(int column);

    /** The number of a DECIMAL without its point, which up to 18 digits always fit; more must fit 64 bits. */
    long getUnscaled(int column);

    /** The value of a DECIMAL. */
    BigDecimal getDecimal(int column);

    /** The bytes of a VARBINARY, of a VARCHAR as UTF-8, or of a UUID in the order of its text. */
    byte[] getBytes(int column);

    /**
     * Asks for nothing more. Does not wait. Closing again does nothing. Any thread may close a cursor: one that waits
     * for rows then finds that there are no more.
     */
    @Override
    void close();
}
