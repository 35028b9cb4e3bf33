package io.sdds.core.query;

import io.sdds.core.row.ValueType;
import io.sdds.core.row.ValueType.Kind;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Adds states of sums and counts that stand in arrays, as {@link AggregateStates#merge} does. */
public final class StateSums {
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private StateSums() {}

    /**
     * Adds a state to another one.
     *
     * @param type BIGINT of counts; DECIMAL or DOUBLE of sums
     * @throws EvaluationFailure when a sum has more than 127 bits, or is infinite of finite numbers
     */
    public static void add(ValueType type, byte[] to, int at, byte[] from, int fromAt) {
        if (type.kind() == Kind.DECIMAL) {
            addDecimal(to, at, from, fromAt);
        } else if (type.kind() == Kind.DOUBLE) {
            double one = Double.longBitsToDouble((long) LONG.get(to, at));
            double other = Double.longBitsToDouble((long) LONG.get(from, fromAt));
            LONG.set(to, at, Stored.number(Arithmetic.finite(one, other, Double::sum)));
        } else {
            LONG.set(to, at, (long) LONG.get(to, at) + (long) LONG.get(from, fromAt));
        }
    }

    private static void addDecimal(byte[] to, int at, byte[] from, int fromAt) {
        long low = (long) LONG.get(to, at);
        long high = (long) LONG.get(to, at + Long.BYTES);
        long otherHigh = (long) LONG.get(from, fromAt + Long.BYTES);
        long sum = low + (long) LONG.get(from, fromAt);
        long carry = Long.compareUnsigned(sum, low) < 0 ? 1 : 0;
        long highSum = high + otherHigh + carry;
        if (((high ^ highSum) & (otherHigh ^ highSum)) < 0) {
            throw new EvaluationFailure(EvaluationError.OVERFLOW);
        }
        LONG.set(to, at, sum);
        LONG.set(to, at + Long.BYTES, highSum);
    }
}
