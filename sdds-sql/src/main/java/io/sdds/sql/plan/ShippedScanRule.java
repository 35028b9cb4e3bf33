package io.sdds.sql.plan;

import org.apache.calcite.plan.Convention;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.convert.ConverterRule;
import org.jspecify.annotations.Nullable;

/** Offers a scan to a {@code ShippedJoin}, which adds a condition to its program. */
public final class ShippedScanRule extends ConverterRule {
    /** What a scan is that does not run by itself. */
    public static final Convention SHIPPED = new Convention.Impl("SHIPPED", RelNode.class);

    public static final ShippedScanRule INSTANCE = new ShippedScanRule();

    private ShippedScanRule() {
        super(Config.INSTANCE.withConversion(SddsScan.class, Convention.NONE, SHIPPED, "SddsShippedScanRule"));
    }

    @Override
    public @Nullable RelNode convert(RelNode rel) {
        SddsScan scan = (SddsScan) rel;
        return takesConditions(scan) ? scan.copy(scan.getTraitSet().replace(SHIPPED), scan.getInputs()) : null;
    }

    /** Whether a scan can have further conditions: those of groups, of first rows and of keys cannot. */
    public static boolean takesConditions(SddsScan scan) {
        return scan.spec().values() != null && !scan.spec().isComplete();
    }
}
