package io.sdds.testkit.sim;

import io.sdds.client.Row;
import io.sdds.client.SddsException;
import io.sdds.client.internal.query.QueryText;
import io.sdds.client.internal.query.RowCollector;
import io.sdds.client.internal.routing.Failure;
import io.sdds.client.internal.routing.HashSweep;
import io.sdds.client.internal.routing.KeyBounds;
import io.sdds.client.internal.routing.RangeSweep;
import io.sdds.client.internal.routing.Sweep;
import io.sdds.core.protocol.Opcode;
import io.sdds.testkit.check.RecordedScan;
import io.sdds.testkit.check.TilingChecker.Stretch;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Predicate;

/**
 * Programs that a client ships, in plans that say so. Each query is made so that its rows are a scan with a filter, or
 * a size, which the checkers of scans know how to check:
 *
 * <ul>
 *   <li>A filter with columns gives the records whose keys pass. A third of the filters has a NOT, whose operand is
 *       UNKNOWN for some records.
 *   <li>Groups by the key have one record each, so that a count other than one, or a minimum other than the maximum,
 *       shows that a record was counted twice.
 *   <li>The first keys of an order are all keys up to the last one that was given.
 *   <li>A count without groups is a size; the sums of ones and of their counterparts are equal to it.
 * </ul>
 */
final class SimQueries {
    private static final int QUERIES_PERMILLE = 40;
    private static final int QUERIES_WITHOUT_PUSHDOWN = 6;
    private static final int FIRST_ROWS_MAX = 40;
    private static final List<String> PREFIXES = List.of("h", "g", "g1", "n", "ng", "nh");
    private static final String KEY_AND_VALUE = "key as k, value as v";
    private static final QueryText ALL = QueryText.of(List.of(), Long.MAX_VALUE);

    private final SimCluster cluster;
    private final WorkloadLoops client;
    private final Workload workload;
    private final Values values;
    private final SplittableRandom random;

    SimQueries(SimCluster cluster, WorkloadLoops client, Workload workload, Values values, SplittableRandom random) {
        this.cluster = cluster;
        this.client = client;
        this.workload = workload;
        this.values = values;
        this.random = random;
    }

    /** Whether a lane's next operation is a query. */
    boolean areNext() {
        return workload.plan().queries() && random.nextInt(1000) < QUERIES_PERMILLE;
    }

    void next(Runnable then) {
        String prefix = PREFIXES.get(random.nextInt(PREFIXES.size()));
        Predicate<String> begins = key -> key.startsWith(prefix);
        String isPrefix = "key prefix '" + prefix + "'";
        Query query = switch (random.nextInt(7)) {
            case 0 -> new Records(ALL.withCondition(isPrefix), begins, then);
            case 1 -> new Records(ALL.withCondition("not " + isPrefix), begins.negate(), then);
            case 2, 3 -> {
                // NOT is UNKNOWN for the records with the prefix, and TRUE for the others
                String unknown = "not (case when " + isPrefix + " then null else false end)";
                yield new Records(ALL.withCondition(unknown), begins.negate(), then);
            }
            case 4 -> new Groups(random.nextBoolean() ? ALL : ALL.withCondition(isPrefix), begins, then);
            case 5 -> new First(random.nextInt(1, FIRST_ROWS_MAX), then);
            default -> new Count(then);
        };
        query.begin();
    }

    /** A query, whose rows are checked at its end. */
    private abstract class Query implements Sweep.Sink {
        private final Runnable then;
        private final RowCollector rows;
        private final Sweep sweep;
        final long startNanos = client.env().localNanos();

        @SuppressWarnings("this-escape") // the sweep uses it after begin()
        Query(QueryText text, Runnable then) {
            this.then = then;
            this.rows = new RowCollector(client.table().schema(), text);
            int blockBytes = random.nextInt(3) == 0 ? random.nextInt(1, 200) : 32 << 10;
            boolean isRange = client.table().isRange();
            Sweep.Asked asked = rows.asked(isRange ? Opcode.RANGE : Opcode.SCAN, blockBytes, random.nextInt(1, 5));
            long timeoutNanos = workload.plan().timeoutNanos();
            Stretch whole = isRange ? Stretch.ofKeys(KeyBounds.ALL) : Stretch.ofPoints(0, 0);
            Sweep.Sink sink = new TilingSink(this, whole, () -> true, workload::complain);
            this.sweep = isRange
                    ? new RangeSweep(client.table(), asked, KeyBounds.ALL, Long.MAX_VALUE, timeoutNanos, sink)
                    : new HashSweep(client.table(), asked, timeoutNanos, sink);
            if (random.nextInt(QUERIES_WITHOUT_PUSHDOWN) == 0) {
                sweep.fetchRecords();
            }
        }

        final void begin() {
            client.begins();
            sweep.start();
        }

        @Override
        public void covered(Sweep.Part part, long count, byte[] block) {
            try {
                rows.add(part, block);
                sweep.resume(part);
            } catch (SddsException e) {
                workload.complain("a query failed: " + e.getMessage());
                sweep.stop();
                end();
            }
        }

        @Override
        public void done() {
            cluster.simulation().coverage().hit(RareEvent.QUERIED);
            check(rows.rows());
            end();
        }

        @Override
        public void failed(Failure failure, List<String> missing) {
            workload.failed(failure, ", missing " + missing);
            end();
        }

        private void end() {
            client.ends();
            then.run();
        }

        /** Looks at the rows of a query that has ended. */
        abstract void check(List<Row> result);

        final void record(List<RecordedScan.Entry> found, Predicate<String> wanted) {
            long endNanos = client.env().localNanos();
            workload.history().add(new RecordedScan(client.number(), found, true, startNanos, endNanos, wanted));
        }

        final RecordedScan.Entry entry(Row row) {
            return new RecordedScan.Entry(text(row, 0), values.name(bytes(row, 1)));
        }
    }

    private static byte[] bytes(Row row, int column) {
        return row.get(column) instanceof byte[] bytes ? bytes : new byte[0];
    }

    private static String text(Row row, int column) {
        return new String(bytes(row, column), StandardCharsets.UTF_8);
    }

    private final class Records extends Query {
        private final Predicate<String> wanted;

        Records(QueryText where, Predicate<String> wanted, Runnable then) {
            super(where.withSelect(KEY_AND_VALUE), then);
            this.wanted = wanted;
        }

        @Override
        void check(List<Row> result) {
            record(result.stream().map(this::entry).toList(), wanted);
        }
    }

    private final class Groups extends Query {
        private final Predicate<String> wanted;

        Groups(QueryText where, Predicate<String> begins, Runnable then) {
            super(where.withGroupBy("key as k").withAggregate("min(value) as v, max(value), count(*), sum(1)"), then);
            this.wanted = where.where().isEmpty() ? key -> true : begins;
        }

        @Override
        void check(List<Row> result) {
            List<RecordedScan.Entry> found = new ArrayList<>();
            for (Row row : result) {
                boolean isOne = row.getLong(3) == 1 && row.getLong(4) == 1;
                if (!isOne || !Arrays.equals(bytes(row, 1), bytes(row, 2))) {
                    workload.complain("a group of one key is of " + row.getLong(3)
                            + " records, whose ones have the sum " + row.getLong(4) + ": " + text(row, 0));
                }
                found.add(entry(row));
            }
            record(found, wanted);
        }
    }

    private final class First extends Query {
        private final int limit;

        First(int limit, Runnable then) {
            super(ALL.withSelect(KEY_AND_VALUE).withOrderBy("key").withLimit(limit), then);
            this.limit = limit;
        }

        @Override
        void check(List<Row> result) {
            byte[] before = new byte[0];
            for (Row row : result) {
                if (Arrays.compareUnsigned(before, bytes(row, 0)) >= 0) {
                    workload.complain("the first rows of an order have " + text(row, 0) + " too late");
                }
                before = bytes(row, 0);
            }
            byte[] last = before;
            boolean isAll = result.size() < limit;
            record(
                    result.stream().map(this::entry).toList(),
                    key -> isAll || Arrays.compareUnsigned(SimOperation.bytes(key), last) <= 0);
        }
    }

    private final class Count extends Query {
        Count(Runnable then) {
            super(ALL.withAggregate("count(*), coalesce(sum(1), 0), count(key)"), then);
        }

        @Override
        void check(List<Row> result) {
            Row row = result.get(0);
            long count = row.getLong(0);
            if (result.size() != 1 || row.getLong(1) != count || row.getLong(2) != count) {
                workload.complain("a count without groups has " + result.size() + " rows: " + row);
            }
            workload.sizes()
                    .add(new Workload.Size(count, startNanos, client.env().localNanos()));
        }
    }
}
