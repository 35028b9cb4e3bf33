package io.sdds.sql.shipped;

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
            assignments
                    .add(k == 0 ? "" : ", ")
                    .add(RexShipper.name(table.columns().get(changed.get(k))) + " = ")
                    .add(spec.outputs().get(columns + k));
        }
        return new BrickChange(spec.whereText(), assignments);
    }
}
