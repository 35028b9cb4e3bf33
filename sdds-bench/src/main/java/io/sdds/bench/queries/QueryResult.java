package io.sdds.bench.queries;

import io.sdds.bench.load.BenchResult;
import io.sdds.bench.load.Latency;
import io.sdds.bench.load.Machine;
import io.sdds.bench.load.Median;
import io.sdds.core.model.TableKind;
import java.util.List;

/** Result of the measurement of queries. */
public record QueryResult(QuerySettings settings, Machine machine, String site, List<TableResult> tables)
        implements BenchResult {
    public QueryResult {
        tables = List.copyOf(tables);
    }

    /** Where a query is evaluated. */
    public enum Place {
        /** The bricks evaluate the query. */
        BRICKS,
        /** The bricks send all records, which the client counts and does not look at. */
        RECORDS,
        /** The bricks send all records, and the client evaluates the query. */
        CLIENT
    }

    /**
     * Result of a query.
     *
     * @param medianMillis median time of all rounds
     * @param rowsPerSecond rows of the table a second, in the median time
     * @param receivedBytes median number of bytes of the frames that the client received
     * @param results rows of the result
     */
    public record Figure(
            String query, Place place, double medianMillis, double rowsPerSecond, long receivedBytes, long results) {}

    /**
     * Ends of queries that were cancelled.
     *
     * @param count number of queries that were cancelled before their end
     * @param medianMillis median time from the cancel to the last answer of a brick; 0 if none came after the cancel
     * @param maxMillis longest such time
     */
    public record Cancels(int count, double medianMillis, double maxMillis) {}

    /**
     * Gets at half of saturation, without and with queries.
     *
     * @param queriesPerSecond number of queries that ended a second
     */
    public record Pair(Latency quiet, Latency beside, double queriesPerSecond) {
        /** The p99 beside queries over that without. */
        public double p99Ratio() {
            return beside.p99Micros() / quiet.p99Micros();
        }
    }

    /**
     * Gets beside queries.
     *
     * @param saturationPerSecond gets a second of a closed loop
     * @param ratePerSecond gets that begin a second
     * @param p99Ratio median of the ratios of all pairs
     */
    public record Gets(double saturationPerSecond, long ratePerSecond, List<Pair> pairs, double p99Ratio) {
        public Gets {
            pairs = List.copyOf(pairs);
        }

        static Gets of(double saturationPerSecond, long ratePerSecond, List<Pair> pairs) {
            double median = Median.of(pairs, Pair::p99Ratio);
            return new Gets(saturationPerSecond, ratePerSecond, pairs, median);
        }
    }

    /** Results of one table. */
    public record TableResult(TableKind kind, int partitions, List<Figure> figures, Cancels cancels, Gets gets) {
        public TableResult {
            figures = List.copyOf(figures);
        }
    }

    @Override
    public String text(String command) {
        return QueryReport.text(command, this);
    }
}
