package io.sdds.brick.node;

import io.sdds.brick.map.BrickMap;
import io.sdds.brick.map.TableView;
import io.sdds.brick.partition.RangePartition;
import io.sdds.brick.partition.Tables;
import io.sdds.core.control.ControlMessage.SplitWanted;
import io.sdds.core.model.KeySpan;
import io.sdds.core.model.TableDefinition.Load;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/** The full partitions of range tables on this stage. Each of them wants to split, independently of the others. */
final class FullRanges {
    /** Most partitions that are checked by one call. The calls check all partitions in turn. */
    static final int CHECKED_MAX = 1024;

    private final BrickMap map;
    private final Tables tables;
    private final IntPredicate rested;
    private final Set<RangePartition> full = new LinkedHashSet<>();
    private int next;

    /** @param rested whether splits of a table may be requested now */
    FullRanges(BrickMap map, Tables tables, IntPredicate rested) {
        this.map = map;
        this.tables = tables;
        this.rested = rested;
    }

    /** Adds the splits that these partitions want. */
    void addWanted(List<SplitWanted> wanted) {
        int ranges = tables.rangeCount();
        for (int k = Math.min(CHECKED_MAX, ranges); k > 0; k--) {
            next = next + 1 < ranges ? next + 1 : 0;
            RangePartition range = tables.range(next);
            if (fillPercent(range) >= 100) {
                full.add(range);
            }
        }
        full.removeIf(range -> tables.find(range.table(), range.number()) != range || fillPercent(range) < 100);
        for (RangePartition range : full) {
            KeySpan span = toMove(range);
            if (span != null) {
                wanted.add(new SplitWanted(range.table(), range.number(), span));
            }
        }
    }

    private long fillPercent(RangePartition range) {
        TableView table = map.table(range.table());
        return table == null ? 0 : table.definition().fillPercent(new Load(range.records(), range.bytes()));
    }

    private @Nullable KeySpan toMove(RangePartition range) {
        TableView table = map.table(range.table());
        return table != null && mayWant(range) && rested.test(range.table())
                ? range.toMove(fillPercent(range), table.partitions())
                : null;
    }

    private static boolean mayWant(RangePartition range) {
        return range.mover() == null && !range.isWide() && !range.isClosed() && SplitDemand.mayMigrate(range);
    }
}
