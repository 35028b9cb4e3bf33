package io.sdds.sql.plan;

import io.sdds.client.internal.query.lang.Expression;
import io.sdds.sql.run.ScanRun;
import io.sdds.sql.shipped.ScanSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.apache.calcite.plan.RelOptRuleCall;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.logical.LogicalProject;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexShuttle;

/**
 * Bricks compute the columns of the result. If the language lacks one of the expressions, bricks send the columns that
 * the expressions read, and no others.
 */
final class ProjectRule extends SddsRule {
    ProjectRule() {
        super(LogicalProject.class, "SddsProject");
    }

    @Override
    public void onMatch(RelOptRuleCall call) {
        LogicalProject project = call.rel(0);
        SddsScan scan = call.rel(1);
        ScanSpec spec = scan.spec();
        List<RexNode> values = spec.values();
        if (values == null || spec.isComplete() || project.getProjects().isEmpty() || project.containsOver()) {
            return;
        }
        List<RexNode> computed = new ArrayList<>();
        List<Expression> outputs = new ArrayList<>();
        for (RexNode node : project.getProjects()) {
            RexNode ofColumns = FilterRule.overColumns(node, values);
            Expression output = scan.shipper().shipOutput(ofColumns);
            if (output == null) {
                narrow(call, project, scan);
                return;
            }
            computed.add(ofColumns);
            outputs.add(output);
        }
        ScanSpec projected = spec.withOutputs(computed, outputs);
        if (ScanRun.problem(scan.table(), projected) == null) {
            call.transformTo(scan.with(projected, project.getRowType()));
        } else {
            narrow(call, project, scan);
        }
    }

    private static void narrow(RelOptRuleCall call, LogicalProject project, SddsScan scan) {
        ScanSpec spec = scan.spec();
        List<RexNode> values = spec.values();
        TreeSet<Integer> read = new TreeSet<>(
                RelOptUtil.InputFinder.bits(project.getProjects(), null).asList());
        if (values == null || read.isEmpty() || read.size() == scan.getRowType().getFieldCount()) {
            return;
        }
        List<Integer> kept = new ArrayList<>(read);
        List<RexNode> nodes = new ArrayList<>();
        List<Expression> outputs = new ArrayList<>();
        RelDataTypeFactory.Builder type = scan.getCluster().getTypeFactory().builder();
        for (int column : kept) {
            nodes.add(values.get(column));
            outputs.add(spec.outputs().get(column));
            type.add(scan.getRowType().getFieldList().get(column));
        }
        RelNode below = scan.with(spec.withOutputs(nodes, outputs), type.build());
        List<RexNode> above = new RexShuttle() {
            @Override
            public RexNode visitInputRef(RexInputRef ref) {
                return new RexInputRef(kept.indexOf(ref.getIndex()), ref.getType());
            }
        }.apply(project.getProjects());
        call.transformTo(project.copy(project.getTraitSet(), below, above, project.getRowType()));
    }
}
