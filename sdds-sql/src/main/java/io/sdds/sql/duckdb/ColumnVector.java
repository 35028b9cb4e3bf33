package io.sdds.sql.duckdb;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.sdds.client.ValueCursor;
import io.sdds.core.row.ValueType;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.util.Arrays;
import org.duckdb.DuckDBWritableVector;

/**
 * Writes the values of a column into a vector of DuckDB, as {@link CarriedType} carries them. Times have milliseconds.
 */
final class ColumnVector {
    private static final int MICROS_OF_MILLI = 1_000;
    private static final int NANOS_OF_MICRO = 1_000;

    private final ValueType type;
    private final DuckDBWritableVector vector;

    /** The texts of a vector of texts, which takes all at once; for NULL null. */
    private final byte[][] texts;

    ColumnVector(ValueType type, DuckDBWritableVector vector, int capacity) {
        this.type = type;
        this.vector = vector;
        this.texts = new byte[CarriedType.isText(type) ? capacity : 0][];
    }

    void setNull(int row) {
        if (texts.length == 0) {
            vector.setNull(row);
        }
    }

    /** Writes the value of a column of the row that a cursor stands at. */
    void set(int row, ValueCursor values, int column) {
        switch (type.kind()) {
            case BOOLEAN -> vector.setBoolean(row, values.getBoolean(column));
            case INTEGER, DATE -> vector.setInt(row, values.getInt(column));
            case BIGINT -> vector.setLong(row, values.getLong(column));
            case TIME, TIMESTAMP -> vector.setLong(row, wholeMillis(values.getLong(column)));
            case DOUBLE -> vector.setDouble(row, values.getDouble(column));
            case DECIMAL -> {
                if (CarriedType.isLong(type)) {
                    vector.setLong(row, values.getUnscaled(column));
                } else {
                    vector.setBigDecimal(row, values.getDecimal(column));
                }
            }
            case VARCHAR -> texts[row] = values.getBytes(column);
            case UUID -> texts[row] = HexText.uuid(values.getBytes(column));
            case VARBINARY -> texts[row] = HexText.of(values.getBytes(column));
            case UNKNOWN -> throw new IllegalArgumentException("a value of an unknown type");
        }
    }

    /** Writes a value as the client has it. */
    void set(int row, Object value) {
        switch (type.kind()) {
            case BOOLEAN -> vector.setBoolean(row, (Boolean) value);
            case INTEGER -> vector.setInt(row, (Integer) value);
            case BIGINT -> vector.setLong(row, (Long) value);
            case DATE -> vector.setInt(row, Math.toIntExact(((LocalDate) value).toEpochDay()));
            case TIME -> vector.setLong(row, wholeMillis(((LocalTime) value).toNanoOfDay() / NANOS_OF_MICRO));
            case TIMESTAMP -> vector.setLong(row, micros((LocalDateTime) value));
            case DOUBLE -> vector.setDouble(row, (Double) value);
            case DECIMAL -> {
                if (CarriedType.isLong(type)) {
                    vector.setLong(row, unscaled((BigDecimal) value));
                } else {
                    vector.setBigDecimal(row, (BigDecimal) value);
                }
            }
            case UUID, VARCHAR -> texts[row] = value.toString().getBytes(UTF_8);
            case VARBINARY -> texts[row] = HexText.of((byte[]) value);
            case UNKNOWN -> throw new IllegalArgumentException("a value of an unknown type");
        }
    }

    private long unscaled(BigDecimal number) {
        return number.setScale(type.scale()).unscaledValue().longValueExact();
    }

    private static long micros(LocalDateTime time) {
        return Math.multiplyExact(time.toInstant(ZoneOffset.UTC).toEpochMilli(), MICROS_OF_MILLI);
    }

    private static long wholeMillis(long micros) {
        return micros - Math.floorMod(micros, MICROS_OF_MILLI);
    }

    /** Ends the values, of so many rows. */
    void end(int rows) {
        if (texts.length != 0 && rows != 0) {
            vector.setStringUtf8Batch(0, rows == texts.length ? texts : Arrays.copyOf(texts, rows));
        }
    }
}
