package io.sdds.sql.plan;

import io.sdds.sql.schema.SddsTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import org.apache.calcite.plan.RelOptCluster;
import org.apache.calcite.rel.metadata.ProxyingMetadataHandlerProvider;
import org.apache.calcite.rel.metadata.RelMetadataQuery;

/**
 * What the planner asks about plans: sizes, keys, costs. The engine generates and compiles code for the answers, which
 * takes longer than all else of the first statement of a process. The plan of a statement of one table is small, so it
 * gets its answers by reflection.
 */
public final class PlanMetadata implements Supplier<RelMetadataQuery> {
    private final RelOptCluster cluster;
    private final List<SddsTable> tables = new ArrayList<>();

    private PlanMetadata(RelOptCluster cluster) {
        this.cluster = cluster;
    }

    /** Answers for the plan of a statement. */
    public static void useFor(RelOptCluster cluster) {
        cluster.setMetadataQuerySupplier(new PlanMetadata(cluster));
    }

    /** The statement reads another table. */
    public static void addTable(RelOptCluster cluster, SddsTable table) {
        if (cluster.getMetadataQuerySupplier() instanceof PlanMetadata metadata) {
            metadata.tables.add(table);
        }
    }

    /** The tables that a statement reads, with those that its plan does without. */
    public static List<SddsTable> tables(RelOptCluster cluster) {
        return cluster.getMetadataQuerySupplier() instanceof PlanMetadata metadata ? metadata.tables : List.of();
    }

    @Override
    public RelMetadataQuery get() {
        return tables.size() > 1
                ? RelMetadataQuery.instance()
                : new RelMetadataQuery(
                        new ProxyingMetadataHandlerProvider(Objects.requireNonNull(cluster.getMetadataProvider())));
    }
}
