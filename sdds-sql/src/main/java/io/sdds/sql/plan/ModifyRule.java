package io.sdds.sql.plan;

import io.sdds.sql.schema.SddsTable;
import org.apache.calcite.adapter.enumerable.EnumerableConvention;
import org.apache.calcite.plan.Convention;
import org.apache.calcite.plan.RelTraitSet;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.convert.ConverterRule;
import org.apache.calcite.rel.core.TableModify;
import org.apache.calcite.rel.logical.LogicalTableModify;
import org.jspecify.annotations.Nullable;

/** Makes a statement that writes run. */
final class ModifyRule extends ConverterRule {
    private final boolean isUpsert;

    /** @param isUpsert whether the statement that is planned is an UPSERT, which the engine takes for an INSERT */
    ModifyRule(boolean isUpsert) {
        super(Config.INSTANCE.withConversion(
                LogicalTableModify.class, Convention.NONE, EnumerableConvention.INSTANCE, "SddsModifyRule"));
        this.isUpsert = isUpsert;
    }

    @Override
    public @Nullable RelNode convert(RelNode rel) {
        TableModify modify = (TableModify) rel;
        SddsTable table = modify.getTable().unwrap(SddsTable.class);
        if (table == null) {
            return null;
        }
        RelTraitSet traits = modify.getTraitSet().replace(EnumerableConvention.INSTANCE);
        return new SddsModify(
                modify,
                traits,
                convert(modify.getInput(), modify.getInput().getTraitSet().replace(EnumerableConvention.INSTANCE)),
                table,
                isUpsert);
    }
}
