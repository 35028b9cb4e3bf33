package io.sdds.cli.chaos;

import io.sdds.client.Query;
import io.sdds.client.SddsException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Checks the final records of {@link SideLoad}, after all clients have ended and the cluster has recovered. */
final class SideAudit {
    /** Limit for the delay of an expiry, because faults and shipping delay expiries. */
    static final Duration PATIENCE = ShortLived.LONGEST.plusSeconds(10);

    private static final int ATTEMPTS_MAX = 5;

    private final Supplier<List<Map.Entry<String, String>>> hash;
    private final Supplier<List<Map.Entry<String, String>>> range;
    private final long patienceNanos;

    /**
     * @param hash reads all records of the hash table
     * @param range reads all records of the range table, in order
     * @param patience limit for the wait until the last record has expired
     */
    SideAudit(
            Supplier<List<Map.Entry<String, String>>> hash,
            Supplier<List<Map.Entry<String, String>>> range,
            Duration patience) {
        this.hash = () -> read(hash);
        this.range = () -> read(range);
        this.patienceNanos = patience.toNanos();
    }

    /** Descriptions of all faults. */
    List<String> faults(Sums sums) {
        List<String> faults = new ArrayList<>();
        try {
            List<Map.Entry<String, String>> hashed = hash.get();
            int last = StandingRecords.COUNT - 1;
            add(faults, "the last scan of the hash table: ", StandingRecords.faultOfScan(hashed, 0, last));
            add(faults, "the last scan of the range table: ", StandingRecords.faultOfScan(range.get(), 0, last));
            addFaultsOfCounters(faults, hashed, sums);
            addFaultOfExpiry(faults);
        } catch (SddsException e) {
            faults.add("a table could not be read at the end: " + e.getMessage());
        }
        return faults;
    }

    private static void add(List<String> faults, String where, @Nullable String fault) {
        if (fault != null) {
            faults.add(where + fault);
        }
    }

    private static void addFaultsOfCounters(List<String> faults, List<Map.Entry<String, String>> hashed, Sums sums) {
        Map<String, String> values = new HashMap<>();
        hashed.forEach(entry -> values.put(entry.getKey(), entry.getValue()));
        sums.acknowledged().keySet().forEach(counter -> {
            long value = Long.parseLong(values.getOrDefault(counter, "0"));
            add(faults, "", sums.fault(counter, value));
        });
    }

    /** Reads repeatedly until all records with a time to live have expired. */
    private void addFaultOfExpiry(List<String> faults) {
        long beganNanos = System.nanoTime();
        List<String> left = shortLived();
        while (!left.isEmpty() && System.nanoTime() - beganNanos < patienceNanos) {
            left = shortLived();
        }
        if (!left.isEmpty()) {
            faults.add("these records have not expired: " + left);
        }
    }

    private List<String> shortLived() {
        return Stream.concat(hash.get().stream(), range.get().stream())
                .map(Map.Entry::getKey)
                .filter(key -> key.startsWith(ShortLived.PREFIX))
                .toList();
    }

    /** All records of a query, in the order of the query. */
    static List<Map.Entry<String, String>> all(Query<String, String> query) {
        List<Map.Entry<String, String>> found = new ArrayList<>();
        query.forEach((key, value) -> found.add(Map.entry(key, value)));
        return found;
    }

    /** Retries a read, because reads may fail shortly after the cluster has recovered. */
    private static <T> T read(Supplier<T> once) {
        for (int attempt = 1; ; attempt++) {
            try {
                return once.get();
            } catch (SddsException e) {
                if (attempt == ATTEMPTS_MAX) {
                    throw e;
                }
            }
        }
    }
}
