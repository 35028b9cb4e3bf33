package io.sdds.sql.shipped;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.calcite.rel.RelFieldCollation;
import org.apache.calcite.rex.RexNode;
import org.jspecify.annotations.Nullable;

/**
 * What a scan asks of the bricks.
 *
 * @param conditions all must be true; over the columns of the table
 * @param where the same conditions in the language of bricks
 * @param values expressions over the columns of the table that are the result; null: the result is groups
 * @param outputs the columns of the result in the language of bricks
 * @param groups the expressions of groups, which are the first columns of the result; null: the result is no groups
 * @param order of the result
 * @param limit rows of the result at most; null: all
 * @param lookup the keys of records that are read whole, without a program; null: bricks evaluate all that is above
 */
public record ScanSpec(
        List<RexNode> conditions,
        List<ShippedText> where,
        @Nullable List<RexNode> values,
        List<ShippedText> outputs,
        @Nullable List<ShippedText> groups,
        List<RelFieldCollation> order,
        @Nullable ScanLimit limit,
        @Nullable KeyLookup lookup) {

    /** The number of rows. */
    public static final String COUNT = "count(*)";

    /** The whole records of keys. */
    public static ScanSpec of(KeyLookup keys) {
        return new ScanSpec(List.of(), List.of(), null, List.of(), null, List.of(), null, keys);
    }

    /** The rows that a condition leaves, without columns. */
    public static ScanSpec where(RexNode condition, ShippedText text) {
        List<ShippedText> nothing = List.of(ShippedText.of("1"));
        return new ScanSpec(List.of(condition), List.of(text), List.of(), nothing, null, List.of(), null, null);
    }

    public boolean isGrouped() {
        return groups != null;
    }

    /** Whether the result is the number of all records, which partitions know. */
    public boolean isSize() {
        boolean isOneGroup = groups != null && groups.isEmpty() && where.isEmpty() && limit == null;
        return isOneGroup && outputs.size() == 1 && outputs.get(0).toString().equals(COUNT);
    }

    /** Whether nothing more can be folded into it. */
    public boolean isComplete() {
        return limit != null || !order.isEmpty() || lookup != null;
    }

    public ScanSpec withConditions(List<RexNode> further, List<ShippedText> texts) {
        return new ScanSpec(
                joined(conditions, further), joined(where, texts), values, outputs, groups, order, limit, null);
    }

    /** Without some conditions. */
    public ScanSpec without(Set<Integer> positions) {
        List<RexNode> others = new ArrayList<>();
        List<ShippedText> texts = new ArrayList<>();
        for (int k = 0; k < conditions.size(); k++) {
            if (!positions.contains(k)) {
                others.add(conditions.get(k));
                texts.add(where.get(k));
            }
        }
        return new ScanSpec(others, texts, values, outputs, groups, order, limit, lookup);
    }

    public ScanSpec withOutputs(List<RexNode> nodes, List<ShippedText> texts) {
        return new ScanSpec(conditions, where, nodes, texts, null, order, limit, null);
    }

    public ScanSpec withGroups(List<ShippedText> keys, List<ShippedText> columns) {
        return new ScanSpec(conditions, where, null, columns, keys, order, limit, null);
    }

    public ScanSpec withOrder(List<RelFieldCollation> by, @Nullable ScanLimit rows) {
        return new ScanSpec(conditions, where, values, outputs, groups, by, rows, null);
    }

    private static <T> List<T> joined(List<T> some, List<T> others) {
        List<T> all = new ArrayList<>(some);
        all.addAll(others);
        return all;
    }

    // ---- the texts of a query

    /** The name of a column of the result. */
    static String output(int index) {
        return "c" + index;
    }

    /** The names of groups are not those of the result, because an order names the result. */
    public static String group(int index) {
        return "g" + index;
    }

    @Nullable
    public ShippedText whereText() {
        if (where.isEmpty()) {
            return null;
        }
        ShippedText text = new ShippedText();
        for (int k = 0; k < where.size(); k++) {
            text.add(k == 0 ? "" : " and ").add(where.get(k));
        }
        return text;
    }

    public ShippedText selectText() {
        return named(outputs, "c");
    }

    /** Empty if all records are one group. */
    public ShippedText groupText() {
        return named(groups == null ? List.of() : groups, "g");
    }

    private static ShippedText named(List<ShippedText> texts, String prefix) {
        ShippedText text = new ShippedText();
        for (int k = 0; k < texts.size(); k++) {
            text.add(k == 0 ? "" : ", ").add(texts.get(k)).add(" as " + prefix + k);
        }
        return text;
    }

    public String orderText() {
        return order.stream().map(ScanSpec::item).collect(Collectors.joining(", "));
    }

    private static String item(RelFieldCollation by) {
        String nulls = switch (by.nullDirection) {
            case FIRST -> " nulls first";
            case LAST -> " nulls last";
            case UNSPECIFIED -> by.direction.isDescending() ? " nulls first" : " nulls last";
        };
        return output(by.getFieldIndex()) + (by.direction.isDescending() ? " desc" : "") + nulls;
    }
}
