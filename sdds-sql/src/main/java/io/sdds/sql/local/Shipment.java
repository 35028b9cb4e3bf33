package io.sdds.sql.local;

import io.sdds.client.internal.query.lang.Expression;
import io.sdds.sql.run.Planning;
import io.sdds.sql.run.ScanRun;
import io.sdds.sql.schema.SddsTable;
import io.sdds.sql.shipped.Explanation;
import io.sdds.sql.shipped.KeyLookup;
import io.sdds.sql.shipped.RexShipper;
import io.sdds.sql.shipped.ScanSpec;
import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Filter;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexNode;
import org.jspecify.annotations.Nullable;

/**
 * What bricks ship for one table reference of a statement: the rows that may count for the result, by a part of the
 * statement's conditions. The database at the client tests all conditions again.
 *
 * @param where conditions in the language of bricks; empty: all rows
 * @param lookup the keys of the rows, which are read by key; null: the rows are scanned
 * @param groups the groups of the rows, which bricks compute; null: the rows themselves
 * @param rows about how many rows these are
 */
public record Shipment(
        SddsTable table,
        List<Expression> where,
        @Nullable KeyLookup lookup,
        @Nullable ShippedGroups groups,
        long rows) {
    private static final int ROWS_OF_GROUP = 10;

    /** All rows of a table. */
    static Shipment whole(SddsTable table) {
        return new Shipment(table, List.of(), null, null, table.records());
    }

    /** The groups of a table. */
    static Shipment of(SddsTable table, ShippedGroups groups) {
        return new Shipment(table, List.of(), null, groups, Math.max(1, table.records() / ROWS_OF_GROUP));
    }

    /**
     * The rows that a condition leaves.
     *
     * @param query the plan of {@code SELECT * FROM table WHERE condition}, which no rule has changed
     */
    static Shipment of(SddsTable table, RelNode query) {
        RexBuilder rex = query.getCluster().getRexBuilder();
        List<RexNode> conditions = conditions(query);
        KeyLookup lookup = KeyLookup.of(table, conditions, rex);
        if (lookup != null) {
            return new Shipment(table, List.of(), lookup, null, lookup.values().size());
        }
        RexShipper shipper = new RexShipper(rex, table.columns(), Planning.hasLongValues());
        List<Expression> where = List.of();
        for (RexNode condition : conditions) {
            Expression tested = shipper.ship(condition);
            List<Expression> all = new ArrayList<>(where);
            if (tested != null && all.add(tested) && ScanRun.problem(table, ScanSpec.where(all)) == null) {
                where = all;
            }
        }
        return new Shipment(table, where, null, null, table.estimates().rows(conditions, rex));
    }

    /** What EXPLAIN shows. */
    Explanation explained() {
        if (groups != null) {
            return groups.scan().explained();
        }
        return Explanation.of("SddsRows", table.name())
                .with("keys", lookup)
                .with("where", ScanSpec.shown(where, " and "));
    }

    private static List<RexNode> conditions(RelNode query) {
        if (query instanceof Filter filter) {
            return RelOptUtil.conjunctions(filter.getCondition());
        }
        List<RexNode> conditions = new ArrayList<>();
        query.getInputs().forEach(input -> conditions.addAll(conditions(input)));
        return conditions;
    }
}
