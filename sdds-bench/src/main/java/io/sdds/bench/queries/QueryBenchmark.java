package io.sdds.bench.queries;

import io.sdds.bench.load.LoadCluster;
import io.sdds.bench.load.Machine;
import io.sdds.bench.load.PacedGets;
import io.sdds.bench.queries.QueryResult.Cancels;
import io.sdds.bench.queries.QueryResult.Figure;
import io.sdds.bench.queries.QueryResult.Gets;
import io.sdds.bench.queries.QueryResult.TableResult;
import io.sdds.client.ClientSettings;
import io.sdds.core.model.TableKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Measures queries that bricks evaluate next to the records. */
public final class QueryBenchmark {
    private final LoadCluster cluster;
    private final QuerySettings settings;

    private QueryBenchmark(LoadCluster cluster, QuerySettings settings) {
        this.cluster = cluster;
        this.settings = settings;
    }

    /**
     * Creates the tables, measures, and drops the tables.
     *
     * @throws io.sdds.bench.load.LoadException if results differ or operations fail
     */
    public static QueryResult run(LoadCluster cluster, QuerySettings settings) throws InterruptedException {
        QueryBenchmark benchmark = new QueryBenchmark(cluster, settings);
        Machine machine = Machine.here();
        List<TableResult> tables = new ArrayList<>();
        for (TableKind kind : settings.kinds()) {
            tables.add(benchmark.table(kind));
        }
        return new QueryResult(settings, machine, cluster.site(), tables);
    }

    private TableResult table(TableKind kind) throws InterruptedException {
        String name = settings.table() + "-" + kind.name().toLowerCase(Locale.ROOT);
        SampleTable table = SampleTable.create(cluster, name, kind, settings.rows());
        try (MeteredClient bricks = new MeteredClient(cluster.addresses(), cluster.settings(), table)) {
            List<Figure> figures = settings.rounds() == 0 ? List.of() : rounds(table, bricks);
            Cancels cancels = new CancelTimes(bricks).run(settings.cancels());
            Gets gets = settings.pairs() == 0 ? Gets.of(0, 0, List.of()) : gets(bricks);
            return new TableResult(kind, table.partitions(), figures, cancels, gets);
        } finally {
            cluster.client().dropTable(name);
        }
    }

    private List<Figure> rounds(SampleTable table, MeteredClient bricks) {
        ClientSettings alone = cluster.settings().toBuilder().pushdown(false).build();
        try (MeteredClient own = new MeteredClient(cluster.addresses(), alone, table)) {
            return new QueryRounds(table, bricks, own)
                    .run(settings.warmup().toNanos(), settings.rounds(), cluster.listener());
        }
    }

    private Gets gets(MeteredClient bricks) throws InterruptedException {
        String name = settings.table() + "-gets";
        try (PacedGets gets = PacedGets.open(cluster, name, settings.keys())) {
            return new GetsBesideQueries(gets, bricks).run(settings.warmup(), settings.duration(), settings.pairs());
        }
    }
}
