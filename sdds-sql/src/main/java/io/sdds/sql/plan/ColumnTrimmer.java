package io.sdds.sql.plan;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.calcite.rel.core.RelFactories;
import org.apache.calcite.rel.logical.LogicalProject;
import org.apache.calcite.rel.type.RelDataTypeField;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql2rel.RelFieldTrimmer;
import org.apache.calcite.tools.Program;
import org.apache.calcite.tools.RelBuilder;
import org.apache.calcite.util.ImmutableBitSet;
import org.apache.calcite.util.mapping.Mapping;
import org.apache.calcite.util.mapping.Mappings;

/**
 * Leaves out the columns that nobody reads, down to the scans: below a join, bricks then send no others. The engine
 * calls the method of a class that it finds by the type of the node, so that it is public.
 */
public final class ColumnTrimmer extends RelFieldTrimmer {
    private ColumnTrimmer(RelBuilder builder) {
        super(null, builder);
    }

    public static Program program() {
        return (planner, rel, traits, materializations, lattices) ->
                new ColumnTrimmer(RelFactories.LOGICAL_BUILDER.create(rel.getCluster(), null)).trim(rel);
    }

    /** A scan with the columns that are read above it, and one at least. */
    public TrimResult trimFields(SddsScan scan, ImmutableBitSet read, Set<RelDataTypeField> extra) {
        int columns = scan.getRowType().getFieldCount();
        List<Integer> keys = scan.table().keys(); // none are seen of a table with hidden keys
        ImmutableBitSet kept = read.isEmpty() ? ImmutableBitSet.of(keys.isEmpty() ? 0 : keys.get(0)) : read;
        if (kept.cardinality() == columns) {
            return result(scan, Mappings.createIdentity(columns));
        }
        List<RexNode> values = new ArrayList<>();
        List<String> names = new ArrayList<>();
        for (int column : kept) {
            values.add(RexInputRef.of(column, scan.getRowType()));
            names.add(scan.getRowType().getFieldNames().get(column));
        }
        Mapping mapping = createMapping(kept, columns);
        return result(LogicalProject.create(scan, List.of(), values, names, Set.of()), mapping);
    }
}
