package io.sdds.sql.plan;

import java.math.BigDecimal;
import java.math.MathContext;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.RelWriter;
import org.apache.calcite.sql.SqlExplainLevel;

/** The numbers of rows that plans show. */
public final class Estimates {
    private static final MathContext DIGITS = new MathContext(2);

    private Estimates() {}

    /** Whether a plan is shown to people, and the number says something. Names of plans within the planner lack it. */
    public static boolean isShown(RelWriter writer, RelNode node) {
        return writer.getDetailLevel() == SqlExplainLevel.EXPPLAN_ATTRIBUTES && rows(node) > 1;
    }

    /** The estimate with two digits. */
    public static String shown(RelWriter writer, RelNode node) {
        return !isShown(writer, node)
                ? ""
                : BigDecimal.valueOf(rows(node)).round(DIGITS).toBigInteger().toString();
    }

    private static double rows(RelNode node) {
        return Math.rint(node.getCluster().getMetadataQuery().getRowCount(node));
    }
}
