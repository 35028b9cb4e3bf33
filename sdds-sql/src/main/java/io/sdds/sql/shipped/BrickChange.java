package io.sdds.sql.shipped;

import io.sdds.core.row.Column;
import io.sdds.core.row.ValueType;
import io.sdds.sql.schema.SddsTable;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An UPDATE or DELETE whose condition and values bricks evaluate in one step with the write.
 *
 * @param condition of the record at the time of the write; null: none
 * @param assignments of an UPDATE; empty of a DELETE
 */
public record BrickChange(@Nullable ShippedText condition, ShippedText assignments) {
    /**
     * The change of the records of a table that a scan finds; null if the scan is not all that the statement evaluates.
     *
     * @param scanned the table of the scan
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
        ShippedText assignments = new ShippedText();
        for (int k = 0; k < changed.size(); k++) {
            Column column = table.columns().get(changed.get(k));
            ShippedText value = spec.outputs().get(columns + k);
            assignments
                    .add(k == 0 ? "" : ", ")
                    .add(RexShipper.name(column) + " = ")
                    .add(column.type().equals(ValueType.DATE) ? day(value) : value);
        }
        return new BrickChange(spec.whereText(), assignments);
    }

    /** The day of a value for a date, which may be a parameter with a time of a day. */
    private static ShippedText day(ShippedText value) {
        return ShippedText.of("cast(").add(value).add(" as date)");
    }
}
