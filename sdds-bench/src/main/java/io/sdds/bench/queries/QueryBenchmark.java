package io.sdds.bench.queries;

import io.sdds.bench.load.LoadProgress;
import io.sdds.bench.load.Machine;
import io.sdds.bench.load.PacedGets;
import io.sdds.bench.queries.QueryResult.Cancels;
import io.sdds.bench.queries.QueryResult.Figure;
import io.sdds.bench.queries.QueryResult.Gets;
import io.sdds.bench.queries.QueryResult.TableResult;
import io.sdds.client.ClientSettings;
import io.sdds.client.SddsClient;
import io.sdds.core.model.TableKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Measures queries that bricks evaluate next to the records. */
public final class QueryBenchmark {
    private final SddsClient client;
    private final List<String> addresses;
    private final ClientSettings clientSettings;
    private final QuerySettings settings;
    private final LoadProgress.Listener listener;

    private QueryBenchmark(
            SddsClient client,
            List<String> addresses,
            ClientSettings clientSettings,
            QuerySettings settings,
            LoadProgress.Listener listener) {
        this.client = client;
        this.addresses = addresses;
        this.clientSettings = clientSettings;
        this.settings = settings;
        this.listener = listener;
    }

    /**
     * Creates the tables, measures, and drops the tables.
     *
     * @param client client that creates and drops the tables
     * @param addresses addresses for the clients of the queries and of the gets
     * @param clientSettings settings of these clients
     * @param site description of the cluster
     * @throws io.sdds.bench.load.LoadException if results differ or operations fail
     */
    public static QueryResult run(
            SddsClient client,
            List<String> addresses,
            ClientSettings clientSettings,
            QuerySettings settings,
            String site,
            LoadProgress.Listener listener)
            throws InterruptedException {
        QueryBenchmark benchmark = new QueryBenchmark(client, addresses, clientSettings, settings, listener);
        Machine machine = Machine.here();
        List<TableResult> tables = new ArrayList<>();
        for (TableKind kind : settings.kinds()) {
            tables.add(benchmark.table(kind));
        }
        return new QueryResult(settings, machine, site, tables);
    }

    private TableResult table(TableKind kind) throws InterruptedException {
        String name = settings.table() + "-" + kind.name().toLowerCase(Locale.ROOT);
        SampleTable table = SampleTable.create(client, name, kind, settings.rows(), listener);
        try (MeteredClient bricks = new MeteredClient(addresses, clientSettings, table)) {
            List<Figure> figures = settings.rounds() == 0 ? List.of() : rounds(table, bricks);
            Cancels cancels = new CancelTimes(bricks).run(settings.cancels());
            Gets gets = settings.pairs() == 0 ? Gets.of(0, 0, List.of()) : gets(bricks);
            return new TableResult(kind, table.partitions(), figures, cancels, gets);
        } finally {
            client.dropTable(name);
        }
    }

    private List<Figure> rounds(SampleTable table, MeteredClient bricks) {
        ClientSettings alone = clientSettings.toBuilder().pushdown(false).build();
        try (MeteredClient own = new MeteredClient(addresses, alone, table)) {
            return new QueryRounds(table, bricks, own).run(settings.warmup().toNanos(), settings.rounds(), listener);
        }
    }

    private Gets gets(MeteredClient bricks) throws InterruptedException {
        String name = settings.table() + "-gets";
        try (PacedGets gets = PacedGets.open(client, name, addresses, clientSettings, settings.keys(), listener)) {
            return new GetsBesideQueries(gets, bricks).run(settings.warmup(), settings.duration(), settings.pairs());
        }
    }
}
