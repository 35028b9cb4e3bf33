package io.sdds.sql.shipped;

import io.sdds.core.row.ValueType;
import io.sdds.sql.schema.Literals;
import io.sdds.sql.schema.SddsTable;
import io.sdds.sql.schema.SqlTypes;
import io.sdds.sql.schema.TableRecords;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import org.apache.calcite.avatica.util.ByteString;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexDynamicParam;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.sql.SqlKind;
import org.jspecify.annotations.Nullable;

/**
 * The keys that a condition leaves: {@code =} or {@code IN} for each key column. The records are read by key, and the
 * client tests the condition, of which this is only a part.
 *
 * @param values for each key its values, which are constants and parameters, in the order of the key
 */
public record KeyLookup(List<List<RexNode>> values) {
    /** More keys are found by a scan. */
    private static final int KEYS_MAX = 20_000;

    /** The keys of a condition over the columns of a table; null: it leaves others. */
    public static @Nullable KeyLookup of(SddsTable table, List<RexNode> conditions, RexBuilder rex) {
        if (table.keys().isEmpty()) {
            return null;
        }
        List<List<RexNode>> keys = List.of(List.of());
        for (int column : table.keys()) {
            List<RexNode> values = values(column, conditions, rex);
            if (values == null || (long) keys.size() * values.size() > KEYS_MAX) {
                return null;
            }
            List<List<RexNode>> longer = new ArrayList<>();
            for (List<RexNode> key : keys) {
                for (RexNode value : values) {
                    List<RexNode> extended = new ArrayList<>(key);
                    extended.add(value);
                    longer.add(extended);
                }
            }
            keys = longer;
        }
        return new KeyLookup(keys);
    }

    /** Positions of the conditions that hold for every record with one of the keys, so that nobody has to test them. */
    public static Set<Integer> implied(SddsTable table, List<RexNode> conditions, RexBuilder rex) {
        Set<Integer> implied = new HashSet<>();
        for (int column : table.keys()) {
            int k = 0;
            while (k < conditions.size() && values(column, conditions.subList(k, k + 1), rex) == null) {
                k++;
            }
            implied.add(k);
        }
        return implied;
    }

    /** The values that a column may have, by the first condition that tells them; null: any. */
    private static @Nullable List<RexNode> values(int column, List<RexNode> conditions, RexBuilder rex) {
        for (RexNode condition : conditions) {
            List<RexNode> values = new ArrayList<>();
            if (collect(column, RexUtil.expandSearch(rex, null, condition), values)) {
                return values;
            }
        }
        return null;
    }

    private static boolean collect(int column, RexNode condition, List<RexNode> values) {
        if (!(condition instanceof RexCall call)) {
            return false;
        }
        if (call.getKind() == SqlKind.OR) {
            return call.getOperands().stream().allMatch(part -> collect(column, part, values));
        }
        if (call.getKind() != SqlKind.EQUALS) {
            return false;
        }
        RexNode left = call.getOperands().get(0);
        RexNode right = call.getOperands().get(1);
        boolean isTurned = right instanceof RexInputRef;
        RexNode name = isTurned ? right : left;
        RexNode value = isTurned ? left : right;
        if (!(name instanceof RexInputRef ref) || ref.getIndex() != column || !isValue(value, name)) {
            return false;
        }
        values.add(value);
        return true;
    }

    /** Whether a node is a constant or a parameter that a column can be compared with as bytes. */
    private static boolean isValue(RexNode node, RexNode column) {
        boolean isAlike =
                node.getType().getFamily() == column.getType().getFamily() && !RexShipper.isTime(column.getType());
        return isAlike && (node instanceof RexLiteral || node instanceof RexDynamicParam);
    }

    /** The bytes of each key that a record can have. */
    public List<byte[]> bytes(SddsTable table, IntFunction<@Nullable Object> parameters) {
        TableRecords records = table.format();
        Map<ByteString, byte[]> keys = new LinkedHashMap<>();
        for (List<RexNode> key : values) {
            byte[] bytes = encoded(key, table, records, parameters);
            if (bytes != null) {
                keys.put(new ByteString(bytes), bytes);
            }
        }
        return List.copyOf(keys.values());
    }

    /** The bytes of a key; null if no record can have it. */
    private static byte @Nullable [] encoded(
            List<RexNode> key, SddsTable table, TableRecords records, IntFunction<@Nullable Object> parameters) {
        List<@Nullable Object> values = new ArrayList<>();
        key.forEach(node -> values.add(value(node, parameters)));
        return encoded(values, table, records);
    }

    /** The bytes of the key of values of the engine; null if no record can have it. */
    public static byte @Nullable [] encoded(List<@Nullable Object> key, SddsTable table, TableRecords records) {
        return encoded(key, table, records, KeyLookup::exact);
    }

    /** The bytes of the key of values of the client; null if no record can have it. */
    public static byte @Nullable [] encodedOfClient(List<@Nullable Object> key, SddsTable table, TableRecords records) {
        return encoded(key, table, records, (value, type) -> value instanceof Number ? exact(value, type) : value);
    }

    /** Makes a value one of its column; null: the column has no such value. */
    private interface Conversion {
        @Nullable
        Object of(@Nullable Object value, ValueType type);
    }

    private static byte @Nullable [] encoded(
            List<@Nullable Object> key, SddsTable table, TableRecords records, Conversion conversion) {
        @Nullable Object[] row = new @Nullable Object[table.columns().size()];
        try {
            for (int k = 0; k < key.size(); k++) {
                int at = table.keys().get(k);
                row[at] = conversion.of(key.get(k), table.columns().get(at).type());
                if (row[at] == null) {
                    return null;
                }
            }
            return records.key(row);
        } catch (IllegalArgumentException | ArithmeticException e) {
            return null;
        }
    }

    /** The value of the client that a column has where it is equal to a value; null: it is equal to none. */
    public static @Nullable Object valueOf(@Nullable Object value, ValueType type) {
        try {
            return exact(value, type);
        } catch (IllegalArgumentException | ArithmeticException e) {
            return null;
        }
    }

    /** The value of a constant or parameter. */
    private static @Nullable Object value(RexNode node, IntFunction<@Nullable Object> parameters) {
        return node instanceof RexLiteral literal
                ? Literals.value(literal)
                : parameters.apply(((RexDynamicParam) node).getIndex());
    }

    /** The value as one of the column. An exception if the column cannot have the value, as 1.5 in one of integers. */
    private static @Nullable Object exact(@Nullable Object value, ValueType type) {
        boolean isOfType = value instanceof Long && type.kind() == ValueType.Kind.BIGINT
                || value instanceof Integer && type.kind() == ValueType.Kind.INTEGER;
        if (isOfType) {
            return value;
        }
        if (value instanceof Long && type.kind() == ValueType.Kind.DATE) {
            return null; // a time of a day, which no date is equal to
        }
        if (value instanceof Double number && !Double.isFinite(number)) {
            return type.kind() == ValueType.Kind.DOUBLE ? number : null;
        }
        if (value instanceof Number number) {
            BigDecimal exact = new BigDecimal(number.toString());
            return switch (type.kind()) {
                case INTEGER -> exact.intValueExact();
                case BIGINT -> exact.longValueExact();
                case DECIMAL -> exact.setScale(type.scale());
                default -> SqlTypes.toClient(value, type);
            };
        }
        return SqlTypes.toClient(value, type);
    }

    @Override
    public String toString() {
        return values.stream()
                .map(key -> key.stream().map(KeyLookup::shown).collect(Collectors.joining(", ", "(", ")")))
                .collect(Collectors.joining(", "));
    }

    private static String shown(RexNode value) {
        ValueType type = Literals.type(value.getType());
        if (value instanceof RexDynamicParam || type == null) {
            return value.toString();
        }
        return Literals.constant(Literals.value((RexLiteral) value), type).text(true);
    }
}
