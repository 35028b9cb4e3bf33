package io.sdds.core.query;

import io.sdds.core.row.ValueType;
import io.sdds.core.row.Values;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The order of values as rows store them, which comparisons, aggregates and orders of results follow. */
public final class ValueOrder {
    private ValueOrder() {}

    /**
     * Compares two values of types that are alike: numbers and times by their size, NaN last; FALSE before TRUE; text,
     * bytes and UUIDs as unsigned bytes, which for text is the order of its code points.
     */
    public static int compare(ValueType type, byte[] one, byte[] other) {
        return switch (type.kind()) {
            case INTEGER, BIGINT, DATE, TIME, TIMESTAMP -> Long.compare(Stored.number(one), Stored.number(other));
            case DOUBLE -> Double.compare(Stored.floating(one), Stored.floating(other));
            case DECIMAL -> Values.int128(one, 0).compareTo(Values.int128(other, 0));
            case BOOLEAN, UUID, VARCHAR, VARBINARY, UNKNOWN -> Arrays.compareUnsigned(one, other);
        };
    }

    /**
     * The order of tuples whose first columns are the values of the order.
     *
     * @param types of these first columns at least
     */
    public static Comparator<List<byte @Nullable []>> of(List<Output.SortKey> order, List<ValueType> types) {
        return (one, other) -> {
            int result = 0;
            for (int k = 0; result == 0 && k < order.size(); k++) {
                result = compare(order.get(k), types.get(k), one.get(k), other.get(k));
            }
            return result;
        };
    }

    private static int compare(Output.SortKey key, ValueType type, byte @Nullable [] one, byte @Nullable [] other) {
        if (one == null || other == null) {
            int isNull = Boolean.compare(one == null, other == null);
            return key.nullsFirst() ? -isNull : isNull;
        }
        int result = compare(type, one, other);
        return key.descending() ? -result : result;
    }
}
