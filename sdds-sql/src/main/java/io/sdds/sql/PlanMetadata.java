package io.sdds.sql;

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
final class PlanMetadata implements Supplier<RelMetadataQuery> {
    private final RelOptCluster cluster;
    private int tables;

    private PlanMetadata(RelOptCluster cluster) {
        this.cluster = cluster;
    }

    /** Answers for the plan of a statement. */
    static void useFor(RelOptCluster cluster) {
        cluster.setMetadataQuerySupplier(new PlanMetadata(cluster));
    }

    /** The plan has another table. */
    static void addTable(RelOptCluster cluster) {
        if (cluster.getMetadataQuerySupplier() instanceof PlanMetadata metadata) {
            metadata.tables++;
        }
    }

    @Override
    public RelMetadataQuery get() {
        return tables > 1
                ? RelMetadataQuery.instance()
                : new RelMetadataQuery(
                        new ProxyingMetadataHandlerProvider(Objects.requireNonNull(cluster.getMetadataProvider())));
    }
}
