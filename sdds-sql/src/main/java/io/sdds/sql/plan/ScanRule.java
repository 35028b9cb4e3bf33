package io.sdds.sql.plan;

import org.apache.calcite.adapter.enumerable.EnumerableConvention;
import org.apache.calcite.plan.Convention;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.convert.ConverterRule;

/** Makes a logical scan run. */
final class ScanRule extends ConverterRule {
    static final ScanRule INSTANCE = new ScanRule();

    private ScanRule() {
        super(Config.INSTANCE.withConversion(
                SddsScan.class, Convention.NONE, EnumerableConvention.INSTANCE, "SddsScanRule"));
    }

    @Override
    public RelNode convert(RelNode rel) {
        return ((SddsScan) rel).runnable();
    }
}
