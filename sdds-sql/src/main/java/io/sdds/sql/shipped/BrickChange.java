package io.sdds.sql.shipped;

import io.sdds.client.internal.query.UpdateTree;
import io.sdds.client.internal.query.lang.Assignment;
import io.sdds.client.internal.query.lang.Expression;
import io.sdds.core.row.Column;
import io.sdds.core.row.ValueType;
import io.sdds.sql.schema.SddsTable;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * An UPDATE or DELETE whose condition and values bricks evaluate in one step with the write.
 *
 * @param update tests the record at the time of the write
 */
public record BrickChange(UpdateTree update) {
    /**
     * The change of the records of a table that a scan finds; null if the scan is not all that the statement evaluates.
     *
     * @param scanned the table of the scan
     * @param changed positions of the columns of an UPDATE; empty: a DELETE
     */
    public static @Nullable BrickChange of(SddsTable scanned, ScanSpec spec, SddsTable table, List<Integer> changed) {
        int columns = table.columns().size();
        boolean isPlain = scanned.name().equals(table.name())
                && spec.values() != null
                && !spec.isComplete()
                && spec.outputs().size() == columns + changed.size();
        if (!isPlain) {
            return null;
        }
        List<Assignment> assignments = new ArrayList<>();
        for (int k = 0; k < changed.size(); k++) {
            Column column = table.columns().get(changed.get(k));
            Expression value = spec.outputs().get(columns + k);
            assignments.add(
                    new Assignment(RexShipper.name(column), column.type().equals(ValueType.DATE) ? day(value) : value));
        }
        return new BrickChange(new UpdateTree(spec.where(), assignments));
    }

    /** The day of a value for a date, which may be a parameter with a time of a day. */
    private static Expression day(Expression value) {
        return new Expression.Cast(value, ValueType.DATE, Expression.NOWHERE);
    }

    /** The conditions as EXPLAIN shows them; null: none. */
    public @Nullable String where() {
        return ScanSpec.shown(update.conditions(), " and ");
    }

    /** The assignments as EXPLAIN shows them; null: the records are removed. */
    public @Nullable String set() {
        List<Assignment> all = update.assignments();
        return all.isEmpty()
                ? null
                : all.stream()
                        .map(each ->
                                each.column().text(true) + " = " + each.value().text(true))
                        .collect(Collectors.joining(", "));
    }
}
