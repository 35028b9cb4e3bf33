package peers.queries;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;

/**
 * Loads the stores, or measures them in turn: arguments {@code load} or {@code measure}, and the addresses of SDDS and
 * of Ignite. H2 is in this process, so {@code measure} loads it.
 */
public final class Main {
    private static final int ROWS = Integer.getInteger("rows", 1_000_000);
    private static final int WARMUPS = Integer.getInteger("warmups", 10);
    private static final int ROUNDS = Integer.getInteger("rounds", 7);

    private Main() {}

    private record Measured(Store store, List<Double> filter, List<Double> groups) {}

    public static void main(String[] arguments) throws Exception {
        String sdds = arguments[1];
        String ignite = arguments[2];
        List<Store> stores = new ArrayList<>(List.of(new SddsStore("range", sdds), new SddsStore("hash", sdds)));
        String url = "jdbc:ignite:thin://" + ignite;
        if (arguments[0].equals("load")) {
            stores.add(new SqlStore("Ignite", url, "WITH \"template=partitioned,backups=0\""));
            for (Store store : stores) {
                store.load(ROWS);
            }
        } else {
            stores.add(new SqlStore("Ignite SQL, H2 engine", url + "?queryEngine=h2", ""));
            stores.add(new SqlStore("Ignite SQL, Calcite engine", url + "?queryEngine=calcite", ""));
            // Else H2 gives the result of the query before, as long as no row has changed.
            SqlStore h2 = new SqlStore("H2, embedded, in memory", "jdbc:h2:mem:peers;OPTIMIZE_REUSE_RESULTS=0", "");
            h2.load(ROWS);
            stores.add(h2);
            measure(stores);
        }
        for (Store store : stores) {
            store.close();
        }
    }

    private static void measure(List<Store> stores) throws Exception {
        List<List<Long>> filtered = sorted(stores.get(0).filter());
        List<List<Long>> grouped = sorted(stores.get(0).groups());
        List<Measured> all = new ArrayList<>();
        for (Store store : stores) {
            check(store, filtered, sorted(store.filter()));
            check(store, grouped, sorted(store.groups()));
            all.add(new Measured(store, new ArrayList<>(), new ArrayList<>()));
        }
        for (int round = -WARMUPS; round < ROUNDS; round++) {
            for (Measured each : all) {
                double filter = millis(each.store()::filter, filtered.size());
                double groups = millis(each.store()::groups, grouped.size());
                if (round >= 0) {
                    each.filter().add(filter);
                    each.groups().add(groups);
                }
            }
        }
        print(all, filtered.size(), grouped.size());
    }

    private static void print(List<Measured> all, int filtered, int grouped) {
        System.out.printf(
                Locale.ROOT,
                "%,d rows of about 100 bytes; filter: %,d rows, group by: %,d; equal results of all stores%n"
                        + "median (least to most) of %d rounds after %d, ms; times: over SDDS, range table%n%n",
                ROWS,
                filtered,
                grouped,
                ROUNDS,
                WARMUPS);
        System.out.printf("%-28s %26s %7s %26s %7s%n", "store", "filter", "times", "group by", "times");
        Measured first = all.get(0);
        for (Measured each : all) {
            System.out.printf(
                    Locale.ROOT,
                    "%-28s %26s %7.1f %26s %7.1f%n",
                    each.store().name(),
                    spread(each.filter()),
                    median(each.filter()) / median(first.filter()),
                    spread(each.groups()),
                    median(each.groups()) / median(first.groups()));
        }
    }

    private static String spread(List<Double> millis) {
        double[] sorted = millis.stream().mapToDouble(each -> each).sorted().toArray();
        return String.format(
                Locale.ROOT, "%,.1f (%,.1f to %,.1f)", median(millis), sorted[0], sorted[sorted.length - 1]);
    }

    private static double median(List<Double> millis) {
        double[] sorted = millis.stream().mapToDouble(each -> each).toArray();
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }

    private static double millis(Callable<List<List<Long>>> query, int rows) throws Exception {
        long began = System.nanoTime();
        int found = query.call().size();
        double millis = (System.nanoTime() - began) / 1e6;
        if (found != rows) {
            throw new IllegalStateException(found + " rows instead of " + rows);
        }
        return millis;
    }

    private static List<List<Long>> sorted(List<List<Long>> rows) {
        List<List<Long>> sorted = new ArrayList<>(rows);
        sorted.sort(Comparator.comparing(row -> row.get(0)));
        return sorted;
    }

    private static void check(Store store, List<List<Long>> expected, List<List<Long>> found) {
        if (!expected.equals(found)) {
            throw new IllegalStateException(
                    store.name() + " has another result: " + found.size() + " rows instead of " + expected.size());
        }
    }
}
