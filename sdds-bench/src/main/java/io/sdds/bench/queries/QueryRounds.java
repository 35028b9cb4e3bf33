package io.sdds.bench.queries;

import io.sdds.bench.load.LoadException;
import io.sdds.bench.load.LoadProgress;
import io.sdds.bench.load.LoadProgress.Step;
import io.sdds.bench.load.Median;
import io.sdds.bench.queries.QueryResult.Figure;
import io.sdds.bench.queries.QueryResult.Place;
import io.sdds.client.Query;
import io.sdds.client.Row;
import io.sdds.client.RowQuery;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.stream.IntStream;

/** Repeats some queries in turn, so that a busy moment of the machine meets all of them. */
final class QueryRounds {
    private static final int TOP = 10;

    private final SampleTable table;
    private final MeteredClient bricks;
    private final MeteredClient client;
    private final List<Case> cases;

    /** A query at one place. */
    private record Case(
            String query,
            Place place,
            MeteredClient at,
            Function<Query<byte[], byte[]>, CompletableFuture<Long>> run,
            List<Sample> samples) {}

    private record Sample(double millis, long receivedBytes, long results) {}

    /**
     * @param bricks whose queries the bricks evaluate
     * @param client that evaluates its queries itself
     */
    QueryRounds(SampleTable table, MeteredClient bricks, MeteredClient client) {
        this.table = table;
        this.bricks = bricks;
        this.client = client;
        this.cases = List.of(
                new Case("filter", Place.BRICKS, bricks, all -> count(filter(all)), new ArrayList<>()),
                new Case("filter", Place.RECORDS, bricks, QueryRounds::records, new ArrayList<>()),
                new Case("filter", Place.CLIENT, client, all -> count(filter(all)), new ArrayList<>()),
                new Case("group by", Place.BRICKS, bricks, all -> count(groups(all)), new ArrayList<>()),
                new Case("group by", Place.CLIENT, client, all -> count(groups(all)), new ArrayList<>()),
                new Case("top 10", Place.BRICKS, bricks, all -> count(top(all)), new ArrayList<>()),
                new Case("count", Place.BRICKS, bricks, QueryRounds::filteredCount, new ArrayList<>()));
    }

    /** One percent of the rows, two columns of each. */
    static RowQuery<Row> filter(Query<byte[], byte[]> all) {
        return all.rows().where(SampleTable.ONE_PERCENT).select("id, amount");
    }

    /** A row for each of the thousand groups. */
    static RowQuery<Row> groups(Query<byte[], byte[]> all) {
        return all.groupBy("part").aggregate("count(*) as n, sum(amount) as amount");
    }

    private static RowQuery<Row> top(Query<byte[], byte[]> all) {
        return all.select("id, amount").orderBy("amount desc").limit(TOP);
    }

    private static CompletableFuture<Long> filteredCount(Query<byte[], byte[]> all) {
        return all.rows().where(SampleTable.ONE_PERCENT).countAsync();
    }

    private static CompletableFuture<Long> count(RowQuery<Row> query) {
        return query.toListAsync().thenApply(rows -> (long) rows.size());
    }

    private static CompletableFuture<Long> records(Query<byte[], byte[]> all) {
        long[] count = {0};
        return all.forEachAsync((key, value) -> count[0]++).thenApply(nothing -> count[0]);
    }

    /** Repeats the queries for a time, and then measures so many rounds. */
    List<Figure> run(long warmupNanos, int rounds, LoadProgress.Listener listener) {
        long began = System.nanoTime();
        do {
            round(0, 1, Step.WARMUP, listener);
        } while (System.nanoTime() - began < warmupNanos);
        cases.forEach(each -> each.samples().clear());
        for (int k = 0; k < rounds; k++) {
            round(k, rounds, Step.MEASURE, listener);
        }
        List<Figure> figures = cases.stream().map(this::figure).toList();
        check(figures);
        return figures;
    }

    private void round(int number, int rounds, Step step, LoadProgress.Listener listener) {
        IntStream.range(0, cases.size()).forEach(k -> {
            Case each = cases.get((k + number) % cases.size());
            Sample sample = sample(each);
            each.samples().add(sample);
            double done = (number + (k + 1.0) / cases.size()) / rounds;
            listener.progressed(new LoadProgress(step, done, table.rows() / sample.millis() * 1e3));
        });
    }

    private static Sample sample(Case each) {
        long bytes = each.at().receivedBytes();
        long began = System.nanoTime();
        long results = each.at().query(each.run());
        long nanos = System.nanoTime() - began;
        return new Sample(nanos / 1e6, each.at().receivedBytes() - bytes, results);
    }

    private Figure figure(Case each) {
        double millis = Median.of(each.samples(), Sample::millis);
        double bytes = Median.of(each.samples(), Sample::receivedBytes);
        return new Figure(
                each.query(),
                each.place(),
                millis,
                table.rows() / millis * 1e3,
                Math.round(bytes),
                each.samples().stream()
                        .max(Comparator.comparingLong(Sample::results))
                        .orElseThrow()
                        .results());
    }

    /** Bricks and client must have found the same numbers of rows. */
    private void check(List<Figure> figures) {
        for (Figure one : figures) {
            for (Figure other : figures) {
                if (one.query().equals(other.query())
                        && one.place() != Place.RECORDS
                        && other.place() != Place.RECORDS
                        && one.results() != other.results()) {
                    throw new LoadException(one.query() + ": " + one.results() + " rows from the bricks, "
                            + other.results() + " at the client");
                }
            }
            if (one.place() == Place.RECORDS && one.results() != table.rows()) {
                throw new LoadException(one.results() + " records came of a table of " + table.rows());
            }
        }
    }
}
