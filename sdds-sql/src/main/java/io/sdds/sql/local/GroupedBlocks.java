package io.sdds.sql.local;

import io.sdds.sql.plan.DirectScan;
import io.sdds.sql.plan.ShippedPlans;
import io.sdds.sql.schema.SddsTable;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import org.apache.calcite.rel.RelRoot;
import org.apache.calcite.sql.SqlBasicTypeNameSpec;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlOrderBy;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.util.SqlShuttle;
import org.jspecify.annotations.Nullable;

/** Has bricks compute the groups of all query blocks over one table whose groups their programs can express. */
final class GroupedBlocks extends SqlShuttle {
    private final Map<SqlParserPos, Integer> tables;
    private final List<Shipment> shipments;
    private final LocalPlanner.Converter converter;
    private final Function<SqlCall, @Nullable SqlBasicTypeNameSpec> averages;

    /**
     * @param tables the numbers of the tables by the places of their names
     * @param shipments receives the groups
     * @param averages the types of averages that are decimal numbers: see {@link TypedCasts}
     */
    GroupedBlocks(
            Map<SqlParserPos, Integer> tables,
            List<Shipment> shipments,
            LocalPlanner.Converter converter,
            Function<SqlCall, @Nullable SqlBasicTypeNameSpec> averages) {
        this.tables = tables;
        this.shipments = shipments;
        this.converter = converter;
        this.averages = averages;
    }

    @Override
    public @Nullable SqlNode visit(SqlCall call) {
        SqlOrderBy order = call instanceof SqlOrderBy ordered ? ordered : null;
        SqlNode query = order == null ? call : order.query;
        GroupedBlock grouped = query instanceof SqlSelect block ? GroupedBlock.of(block, order, averages) : null;
        SqlNode outer = grouped == null ? null : outer(grouped, (SqlSelect) query);
        if (outer == null || grouped == null) {
            return super.visit(call);
        }
        return order == null
                ? outer
                : new SqlOrderBy(
                        order.getParserPosition(),
                        outer,
                        Objects.requireNonNull(grouped.order()),
                        order.offset,
                        order.fetch);
    }

    private @Nullable SqlNode outer(GroupedBlock grouped, SqlSelect block) {
        Integer table = table(Objects.requireNonNull(block.getFrom()));
        if (table == null) {
            return null;
        }
        Shipment groups = groups(grouped.inner(), shipments.get(table).table());
        if (groups == null) {
            return null;
        }
        shipments.add(groups);
        return grouped.outer(Dialect.shipment(shipments.size() - 1, block.getParserPosition()));
    }

    private @Nullable Integer table(SqlNode from) {
        SqlNode name = from.getKind() == SqlKind.AS && ((SqlCall) from).operandCount() == 2
                ? ((SqlCall) from).operand(0)
                : from;
        return name instanceof SqlIdentifier ? tables.get(name.getParserPosition()) : null;
    }

    /** The groups of a block; null: bricks cannot compute them, or the block names columns of other blocks. */
    private @Nullable Shipment groups(SqlSelect inner, SddsTable table) {
        try {
            RelRoot root = converter.of(inner);
            DirectScan scan = DirectScan.of(root.withRel(ShippedPlans.folded(root.rel, false)));
            ShippedGroups groups =
                    scan == null || !scan.isGrouped() ? null : ShippedGroups.of(scan, root.validatedRowType);
            return groups == null ? null : Shipment.of(table, groups);
        } catch (RuntimeException | AssertionError e) {
            return null;
        }
    }
}
