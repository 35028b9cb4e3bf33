package io.sdds.sql.plan;

import io.sdds.sql.run.KeyChangeRun;
import io.sdds.sql.schema.SddsTable;
import io.sdds.sql.shipped.BrickChange;
import io.sdds.sql.shipped.KeyLookup;
import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.plan.RelOptRuleCall;
import org.apache.calcite.rel.logical.LogicalTableModify;

/** Bricks change the records of the keys that a condition gives, without a look for the records before. */
final class KeyChangeRule extends SddsRule {
    KeyChangeRule() {
        super(LogicalTableModify.class, "SddsKeyChange");
    }

    @Override
    public void onMatch(RelOptRuleCall call) {
        LogicalTableModify modify = call.rel(0);
        SddsScan scan = call.rel(1);
        SddsTable table = modify.getTable().unwrap(SddsTable.class);
        if (table == null || !modify.isUpdate() && !modify.isDelete()) {
            return;
        }
        List<Integer> changed = new ArrayList<>();
        List<String> names = modify.getUpdateColumnList();
        if (names != null) {
            List<String> columns = modify.getTable().getRowType().getFieldNames();
            names.forEach(name -> changed.add(columns.indexOf(name)));
        }
        if (changed.stream().anyMatch(column -> table.columns().get(column).key())) {
            return;
        }
        BrickChange change = BrickChange.of(scan.table(), scan.spec(), table, changed);
        KeyLookup keys =
                KeyLookup.of(table, scan.spec().conditions(), scan.getCluster().getRexBuilder());
        if (change != null && keys != null) {
            KeyChangeRun run = new KeyChangeRun(table, keys, change, modify.isDelete());
            call.transformTo(new KeyChange(modify.getCluster(), modify.getTable(), run, modify.getRowType()));
        }
    }
}
