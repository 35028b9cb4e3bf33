package io.sdds.sql;

import io.sdds.client.Query;
import io.sdds.client.RangeTable;
import io.sdds.core.row.Column;
import io.sdds.core.row.KeyEncoding;
import io.sdds.core.row.ValueType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntFunction;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexDynamicParam;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.SqlKind;
import org.jspecify.annotations.Nullable;

/**
 * The part of a range table that conditions on its first key column leave. The bounds may be too wide and are never too
 * narrow, because bricks test the conditions besides.
 */
final class KeyBounds {
    private record Bound(SqlKind kind, RexNode value) {}

    private final List<Bound> bounds = new ArrayList<>();

    private KeyBounds() {}

    static KeyBounds of(SddsTable table, List<RexNode> conditions) {
        KeyBounds made = new KeyBounds();
        if (table.isRange()) {
            int first = table.keys().get(0);
            conditions.forEach(condition -> made.add(condition, first));
        }
        return made;
    }

    private void add(RexNode condition, int column) {
        if (condition.getKind() == SqlKind.AND) {
            ((RexCall) condition).getOperands().forEach(part -> add(part, column));
            return;
        }
        if (!(condition instanceof RexCall call) || call.getOperands().size() != 2) {
            return;
        }
        RexNode left = call.getOperands().get(0);
        RexNode right = call.getOperands().get(1);
        if (isColumn(left, column) && isValue(right, left)) {
            bounds.add(new Bound(call.getKind(), right));
        } else if (isColumn(right, column) && isValue(left, right)) {
            bounds.add(new Bound(call.getKind().reverse(), left));
        }
    }

    private static boolean isColumn(RexNode node, int column) {
        return node instanceof RexInputRef ref && ref.getIndex() == column;
    }

    /** Whether a node is a constant or a parameter that a column can be compared with as bytes. */
    static boolean isValue(RexNode node, RexNode column) {
        boolean isAlike =
                node.getType().getFamily() == column.getType().getFamily() && !RexShipper.isTime(column.getType());
        return isAlike && (node instanceof RexLiteral || node instanceof RexDynamicParam);
    }

    /** The records between the bounds. */
    Query<byte[], byte[]> records(SddsTable table, IntFunction<@Nullable Object> parameters) {
        if (bounds.isEmpty()) {
            return table.open().scan();
        }
        byte[] from = null;
        byte[] to = null;
        for (Bound bound : bounds) {
            byte[] key = encoded(table, bound.value(), parameters);
            if (key == null) {
                continue;
            }
            switch (bound.kind()) {
                case GREATER_THAN, GREATER_THAN_OR_EQUAL -> from = higher(from, key);
                case LESS_THAN, LESS_THAN_OR_EQUAL -> to = lower(to, behind(table, key));
                case EQUALS -> {
                    from = higher(from, key);
                    to = lower(to, behind(table, key));
                }
                default -> {}
            }
        }
        return between(table.openRange(), from, to);
    }

    private static Query<byte[], byte[]> between(
            RangeTable<byte[], byte[]> table, byte @Nullable [] from, byte @Nullable [] to) {
        if (from != null && to != null) {
            return Arrays.compareUnsigned(from, to) < 0 ? table.range(from, true, to, false) : table.range();
        }
        if (from != null) {
            return table.from(from, true);
        }
        return to == null ? table.range() : table.to(to, false);
    }

    private static byte[] higher(byte @Nullable [] one, byte[] other) {
        return one == null || Arrays.compareUnsigned(one, other) < 0 ? other : one;
    }

    private static byte @Nullable [] lower(byte @Nullable [] one, byte @Nullable [] other) {
        if (one == null || other == null) {
            return one == null ? other : one;
        }
        return Arrays.compareUnsigned(one, other) > 0 ? other : one;
    }

    /** The bytes that keys with the value in their first column begin with; null: the value is no bound. */
    private static byte @Nullable [] encoded(SddsTable table, RexNode node, IntFunction<@Nullable Object> parameters) {
        Object value = value(node, parameters);
        List<Integer> keys = table.keys();
        Column column = table.columns().get(keys.get(0));
        try {
            Object first = exact(value, column.type());
            if (first == null) {
                return null;
            }
            byte[] key = keys.size() == 1
                    ? new KeyEncoding(List.of(column.type())).encode(first)
                    : new KeyEncoding(List.of(column.type(), ValueType.VARBINARY)).encode(first, new byte[0]);
            return key.length == 0 ? null : key;
        } catch (IllegalArgumentException | ArithmeticException e) {
            // A value that no key can have, such as a number that is too large, bounds nothing.
            return null;
        }
    }

    /** The value of a constant or parameter. */
    static @Nullable Object value(RexNode node, IntFunction<@Nullable Object> parameters) {
        return node instanceof RexLiteral literal
                ? Literals.value(literal)
                : parameters.apply(((RexDynamicParam) node).getIndex());
    }

    /** The value as one of the column; null if the column cannot have it, as 1.5 in a column of integers. */
    static @Nullable Object exact(@Nullable Object value, ValueType type) {
        if (value instanceof Number number) {
            java.math.BigDecimal exact = new java.math.BigDecimal(number.toString());
            return switch (type.kind()) {
                case INTEGER -> exact.intValueExact();
                case BIGINT -> exact.longValueExact();
                case DECIMAL -> exact.setScale(type.scale());
                default -> SqlTypes.toClient(value, type);
            };
        }
        return SqlTypes.toClient(value, type);
    }

    /** A key behind all keys that begin with these bytes; null: there is none. */
    private static byte @Nullable [] behind(SddsTable table, byte[] key) {
        if (table.keys().size() == 1) {
            return Arrays.copyOf(key, key.length + 1);
        }
        int last = key.length - 1;
        while (last >= 0 && key[last] == (byte) 0xff) {
            last--;
        }
        if (last < 0) {
            return null;
        }
        byte[] next = Arrays.copyOf(key, last + 1);
        next[last]++;
        return next;
    }
}
