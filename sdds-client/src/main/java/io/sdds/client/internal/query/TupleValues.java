package io.sdds.client.internal.query;

import io.sdds.client.ProtocolException;
import io.sdds.client.ValueCursor;
import io.sdds.core.row.MalformedRowException;
import io.sdds.core.row.ValueType;
import io.sdds.core.row.ValueType.Kind;
import io.sdds.core.row.Values;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/** The values of the tuple that a cursor stands at. */
abstract class TupleValues implements ValueCursor {
    private final ValueType[] types;
    private final TupleBytes tuple;
    private byte[] block = new byte[0];

    TupleValues(List<ValueType> types) {
        this.types = types.toArray(ValueType[]::new);
        this.tuple = new TupleBytes(types);
    }

    /**
     * Goes to a tuple of a block. Returns where the tuple ends.
     *
     * @throws ProtocolException when the bytes end early or are no tuple
     */
    final int goTo(byte[] of, int at) {
        tuple.read(of, at);
        block = of;
        return tuple.end();
    }

    @Override
    public final boolean isNull(int column) {
        return tuple.isNull(Objects.checkIndex(column, types.length));
    }

    @Override
    public final boolean getBoolean(int column) {
        check(column, Kind.BOOLEAN, Kind.BOOLEAN);
        return Values.bool(block[tuple.valueAt(column)]);
    }

    @Override
    public final int getInt(int column) {
        check(column, Kind.INTEGER, Kind.DATE);
        return Values.int32(block, tuple.valueAt(column));
    }

    @Override
    public final long getLong(int column) {
        int at = tuple.valueAt(column);
        if (types[column].kind() == Kind.TIME) {
            return Values.microsOfDay(block, at);
        }
        check(column, Kind.BIGINT, Kind.TIMESTAMP);
        return Values.int64(block, at);
    }

    @Override
    public final double getDouble(int column) {
        check(column, Kind.DOUBLE, Kind.DOUBLE);
        return Double.longBitsToDouble(Values.int64(block, tuple.valueAt(column)));
    }

    @Override
    public final long getUnscaled(int column) {
        check(column, Kind.DECIMAL, Kind.DECIMAL);
        int at = tuple.valueAt(column);
        long low = Values.int64(block, at);
        if (Values.int64(block, at + Long.BYTES) != low >> Long.SIZE - 1) {
            throw new MalformedRowException("a number of more than 64 bits: " + Values.int128(block, at));
        }
        return low;
    }

    @Override
    public final BigDecimal getDecimal(int column) {
        check(column, Kind.DECIMAL, Kind.DECIMAL);
        return new BigDecimal(Values.int128(block, tuple.valueAt(column)), types[column].scale());
    }

    @Override
    public final byte[] getBytes(int column) {
        int at = tuple.valueAt(column);
        int length = tuple.valueEnd(column) - at;
        switch (types[column].kind()) {
            case VARCHAR -> Values.checkText(block, at, length);
            case VARBINARY, UUID -> {}
            default -> throw misfit(column);
        }
        return Arrays.copyOfRange(block, at, at + length);
    }

    private void check(int column, Kind one, Kind other) {
        Kind kind = types[column].kind();
        if (kind != one && kind != other) {
            throw misfit(column);
        }
    }

    private IllegalArgumentException misfit(int column) {
        return new IllegalArgumentException(
                "column " + column + " has values of " + types[column] + ", which another method gives");
    }
}
