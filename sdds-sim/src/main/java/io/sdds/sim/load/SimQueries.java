package io.sdds.sim.load;

import io.sdds.client.Row;
import io.sdds.client.internal.query.RowSpec;
import io.sdds.core.row.Schema;
import io.sdds.sim.check.RecordedScan;
import io.sdds.sim.cluster.SimCluster;
import io.sdds.sim.plan.WorkloadPlan;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

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
    private static final int FIRST_ROWS_MAX = 40;
    private static final List<String> PREFIXES = List.of("h", "g", "g1", "n", "ng", "nh");
    private static final String KEY_AND_VALUE = "key as k, value as v";
    private static final RowSpec ALL = RowSpec.of(List.of(), Long.MAX_VALUE);

    private final ShippedQuery.Setting setting;
    private final Values values;
    private final @Nullable SimRowQueries rowQueries;
    private final SplittableRandom random;

    SimQueries(SimCluster cluster, WorkloadLoops client, Workload workload, Values values, SplittableRandom random) {
        this.setting = new ShippedQuery.Setting(cluster, client, workload, random);
        this.values = values;
        this.rowQueries = values instanceof RowValues rows ? new SimRowQueries(setting, rows) : null;
        this.random = random;
    }

    /** Whether a lane's next operation is a query. */
    boolean areNext() {
        return setting.workload().plan().queries() != WorkloadPlan.Queries.NONE
                && random.nextInt(1000) < QUERIES_PERMILLE;
    }

    void next(Runnable then) {
        if (rowQueries != null) {
            rowQueries.next(then).begin();
            return;
        }
        String prefix = PREFIXES.get(random.nextInt(PREFIXES.size()));
        Predicate<String> begins = key -> key.startsWith(prefix);
        String isPrefix = "key prefix '" + prefix + "'";
        Query query = switch (random.nextInt(8)) {
            case 0 -> new Records(ALL.withCondition(isPrefix), begins, then);
            case 1 -> new Records(ALL.withCondition("not " + isPrefix), begins.negate(), then);
            case 2, 3 -> {
                // NOT is UNKNOWN for the records with the prefix, and TRUE for the others
                String unknown = "not (case when " + isPrefix + " then null else false end)";
                yield new Records(ALL.withCondition(unknown), begins.negate(), then);
            }
            case 4 -> new Groups(random.nextBoolean() ? ALL : ALL.withCondition(isPrefix), begins, then);
            case 5 -> {
                KeptKeys wanted = KeptKeys.drawn(random);
                yield new Records(ALL.withCondition(wanted.condition("key")), wanted, then);
            }
            case 6 -> new First(random.nextInt(1, FIRST_ROWS_MAX), then);
            default -> new Count(then);
        };
        query.begin();
    }

    /** A query of a table without a schema. */
    private abstract class Query extends ShippedQuery {
        Query(RowSpec text, Runnable then) {
            super(setting, Schema.NONE, text, then);
        }

        final RecordedScan.Entry entry(Row row) {
            return new RecordedScan.Entry(text(row, 0), values.name(bytes(row, 1)));
        }
    }

    private final class Records extends Query {
        private final Predicate<String> wanted;

        Records(RowSpec where, Predicate<String> wanted, Runnable then) {
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

        Groups(RowSpec where, Predicate<String> begins, Runnable then) {
            super(where.withGroupBy("key as k").withAggregate("min(value) as v, max(value), count(*), sum(1)"), then);
            this.wanted = where.where().isEmpty() ? key -> true : begins;
        }

        @Override
        void check(List<Row> result) {
            List<RecordedScan.Entry> found = new ArrayList<>();
            for (Row row : result) {
                boolean isOne = row.getLong(3) == 1 && row.getLong(4) == 1;
                if (!isOne || !Arrays.equals(bytes(row, 1), bytes(row, 2))) {
                    complain("a group of one key is of " + row.getLong(3) + " records, whose ones have the sum "
                            + row.getLong(4) + ": " + text(row, 0));
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
                    complain("the first rows of an order have " + text(row, 0) + " too late");
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
                complain("a count without groups has " + result.size() + " rows: " + row);
            }
            recordSize(count);
        }
    }
}
