package io.sdds.sql.schema;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.apache.calcite.jdbc.JavaTypeFactoryImpl;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.type.SqlTypeUtil;
import org.jspecify.annotations.Nullable;

/** Makes types whose texts may have all characters. */
public final class SddsTypeFactory extends JavaTypeFactoryImpl {
    public SddsTypeFactory() {
        super(SddsTypeSystem.INSTANCE);
    }

    /**
     * The common type of decimal numbers has the digits behind the point of all, which Calcite gives up for others.
     * That of dates and timestamps is a timestamp.
     */
    @Override
    public @Nullable RelDataType leastRestrictive(List<RelDataType> types) {
        RelDataType common = super.leastRestrictive(types);
        if (common == null && types.stream().allMatch(SddsTypeFactory::isDay)) {
            RelDataType timestamp = createSqlType(SqlTypeName.TIMESTAMP);
            return createTypeWithNullability(timestamp, types.stream().anyMatch(RelDataType::isNullable));
        }
        if (common == null || !SqlTypeUtil.isDecimal(common)) {
            return common;
        }
        int scale = types.stream()
                .filter(SqlTypeUtil::isDecimal)
                .mapToInt(RelDataType::getScale)
                .max()
                .orElse(0);
        return scale <= common.getScale() ? common : SddsTypeSystem.decimal(this, scale, common);
    }

    private static boolean isDay(RelDataType type) {
        return type.getSqlTypeName() == SqlTypeName.DATE || type.getSqlTypeName() == SqlTypeName.TIMESTAMP;
    }

    @Override
    public Charset getDefaultCharset() {
        return StandardCharsets.UTF_8;
    }
}
