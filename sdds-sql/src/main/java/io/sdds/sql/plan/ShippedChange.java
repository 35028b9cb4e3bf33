package io.sdds.sql.plan;

import io.sdds.sql.run.BatchWrite;
import io.sdds.sql.run.KeyChangeRun;
import io.sdds.sql.run.ModifyRun;
import io.sdds.sql.run.ScanRun;
import io.sdds.sql.schema.SddsTable;
import io.sdds.sql.shipped.BrickChange;
import io.sdds.sql.shipped.Explanation;
import io.sdds.sql.shipped.KeyLookup;
import io.sdds.sql.shipped.ScanSpec;
import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.TableModify;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.runtime.Bindable;
import org.jspecify.annotations.Nullable;

/**
 * An UPDATE or DELETE whose condition and values bricks evaluate. If the condition gives the keys, each record takes
 * one request, and none to find it.
 *
 * @param run writes the rows; the one row of the result is their number
 * @param batch what a batch can run; null: each statement of a batch is run by itself
 * @param explained what EXPLAIN shows
 */
public record ShippedChange(
        Bindable<@Nullable Object> run, @Nullable BatchWrite batch, Explanation explained) {

    /** The change of a plan; null: the client computes a part of it. */
    public static @Nullable ShippedChange of(RelNode plan) {
        boolean isChange = plan instanceof TableModify modify
                && (modify.isUpdate() || modify.isDelete())
                && modify.getInput() instanceof SddsScan;
        return isChange ? of((TableModify) plan, (SddsScan) plan.getInput(0)) : null;
    }

    private static @Nullable ShippedChange of(TableModify modify, SddsScan scan) {
        SddsTable table = modify.getTable().unwrap(SddsTable.class);
        List<Integer> changed = changed(modify);
        if (table == null) {
            return null;
        }
        boolean changesKey =
                changed.stream().anyMatch(column -> table.columns().get(column).key());
        RexBuilder rex = scan.getCluster().getRexBuilder();
        List<RexNode> conditions = scan.spec().conditions();
        KeyLookup keys = changesKey ? null : KeyLookup.of(table, conditions, rex);
        // Without conditions on the key the change may have no parameters, and then it is compiled once.
        ScanSpec spec = keys == null ? scan.spec() : scan.spec().without(KeyLookup.implied(table, conditions, rex));
        BrickChange change = BrickChange.of(scan.table(), spec, table, changed);
        if (change == null) {
            return null;
        }
        return keys != null
                ? byKeys(new KeyChangeRun(table, keys, change, modify.isDelete()), modify)
                : byScan(modify, scan, table, changed, change);
    }

    private static ShippedChange byKeys(KeyChangeRun run, TableModify modify) {
        return new ShippedChange(context -> run.write(context).select(count -> count), run, run.explained());
    }

    private static ShippedChange byScan(
            TableModify modify, SddsScan scan, SddsTable table, List<Integer> changed, BrickChange change) {
        ModifyRun.Kind kind = modify.isDelete() ? ModifyRun.Kind.DELETE : ModifyRun.Kind.UPDATE;
        ModifyRun run = new ModifyRun(table, kind, changed, change, false);
        ScanRun rows = scan.run();
        return new ShippedChange(
                context -> run.write(rows.rows(context), context).select(count -> count),
                null,
                Explanation.of("SddsModify", table.name())
                        .with("operation", kind)
                        .with("set", change.set())
                        .with("by", "bricks")
                        .over(scan.explained()));
    }

    /** Positions of the columns that an UPDATE names. */
    private static List<Integer> changed(TableModify modify) {
        List<Integer> changed = new ArrayList<>();
        List<String> names = modify.getUpdateColumnList();
        if (names != null) {
            names.forEach(name ->
                    changed.add(modify.getTable().getRowType().getFieldNames().indexOf(name)));
        }
        return changed;
    }
}
