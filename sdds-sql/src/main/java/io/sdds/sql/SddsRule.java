package io.sdds.sql;

import org.apache.calcite.plan.Convention;
import org.apache.calcite.plan.RelOptRule;
import org.apache.calcite.plan.RelRule;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.RelFactories;
import org.apache.calcite.tools.RelBuilderFactory;
import org.jspecify.annotations.Nullable;

/** A rule that folds the operator above a scan into the scan. */
abstract class SddsRule extends RelRule<SddsRule.OverScan> {
    /**
     * What a rule looks for.
     *
     * @param operator the class of the operator above the scan
     */
    record OverScan(
            Class<? extends RelNode> operator,
            OperandTransform operandSupplier,
            @Nullable String description) implements RelRule.Config {
        static OverScan of(Class<? extends RelNode> operator, String name) {
            return new OverScan(
                    operator,
                    above -> above.operand(operator)
                            .oneInput(below -> below.operand(SddsScan.class)
                                    .trait(Convention.NONE)
                                    .noInputs()),
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
            return new OverScan(operator, operandSupplier, other);
        }

        @Override
        public RelRule.Config withOperandSupplier(OperandTransform other) {
            return new OverScan(operator, other, description);
        }
    }

    SddsRule(Class<? extends RelNode> operator, String name) {
        super(OverScan.of(operator, name));
    }

    SddsRule(OverScan operands) {
        super(operands);
    }
}
