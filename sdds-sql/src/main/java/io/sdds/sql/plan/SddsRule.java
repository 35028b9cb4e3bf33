package io.sdds.sql.plan;

import org.apache.calcite.plan.RelOptRule;
import org.apache.calcite.plan.RelRule;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.RelFactories;
import org.apache.calcite.tools.RelBuilderFactory;
import org.jspecify.annotations.Nullable;

/** A rule of this driver, most of which fold the operator above a scan into the scan. */
public abstract class SddsRule extends RelRule<SddsRule.Operands> {
    /** What a rule looks for. */
    public record Operands(
            OperandTransform operandSupplier, @Nullable String description) implements RelRule.Config {
        /** An operator above a scan. */
        static Operands overScan(Class<? extends RelNode> operator, String name) {
            return new Operands(
                    above -> above.operand(operator)
                            .oneInput(below -> below.operand(SddsScan.class).noInputs()),
                    name);
        }

        @Override
        public RelOptRule toRule() {
            throw new UnsupportedOperationException("rules are made by their constructors");
        }

        @Override
        public RelBuilderFactory relBuilderFactory() {
            return RelFactories.LOGICAL_BUILDER;
        }

        @Override
        public RelRule.Config withRelBuilderFactory(RelBuilderFactory factory) {
            return this;
        }

        @Override
        public RelRule.Config withDescription(@Nullable String other) {
            return new Operands(operandSupplier, other);
        }

        @Override
        public RelRule.Config withOperandSupplier(OperandTransform other) {
            return new Operands(other, description);
        }
    }

    protected SddsRule(Class<? extends RelNode> operator, String name) {
        super(Operands.overScan(operator, name));
    }

    protected SddsRule(Operands operands) {
        super(operands);
    }
}
