package io.sdds.cli.chaos;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Records that are written before the load and never removed. Clients write and remove other keys between the keys of
 * standing records. Each query must find each standing record in its range exactly once.
 */
final class StandingRecords {
    static final int COUNT = 60;

    /** Number of keys between the keys of two adjacent standing records. */
    static final int BETWEEN = 8;

    private static final String PREFIX = "r.";
    private static final char SEPARATOR = '+';

    private StandingRecords() {}

    static String key(int number) {
        return PREFIX + (1000 + number);
    }

    static String value(String key) {
        return "stays-" + key;
    }

    static Map<String, String> all() {
        Map<String, String> all = new TreeMap<>();
        for (int k = 0; k < COUNT; k++) {
            all.put(key(k), value(key(k)));
        }
        return all;
    }

    /** A key between standing records, which clients write and remove. */
    static String between(int number, int offset) {
        return key(number) + SEPARATOR + offset;
    }

    private static boolean isStanding(String key) {
        return key.startsWith(PREFIX) && key.indexOf(SEPARATOR) < 0;
    }

    /**
     * Describes the fault in the answer to a range query from one standing record to another, both included; null if
     * the answer is right.
     */
    static @Nullable String faultOfRange(
            List<Map.Entry<String, String>> found, int first, int last, boolean descending) {
        for (int k = 1; k < found.size(); k++) {
            int order = found.get(k - 1).getKey().compareTo(found.get(k).getKey());
            if (descending ? order <= 0 : order >= 0) {
                return found.get(k).getKey() + " came after " + found.get(k - 1).getKey();
            }
        }
        for (Map.Entry<String, String> entry : found) {
            if (entry.getKey().compareTo(key(first)) < 0 || entry.getKey().compareTo(key(last)) > 0) {
                return entry.getKey() + " is not in the range";
            }
        }
        return faultOfScan(found, first, last);
    }

    /**
     * Describes the fault in an answer in any order, of a table that may have other records too; null if there is none.
     */
    static @Nullable String faultOfScan(List<Map.Entry<String, String>> found, int first, int last) {
        List<String> standing = new ArrayList<>();
        for (Map.Entry<String, String> entry : found) {
            if (isStanding(entry.getKey())) {
                standing.add(entry.getKey());
                if (!entry.getValue().equals(value(entry.getKey()))) {
                    return entry.getKey() + " had the value " + entry.getValue();
                }
            }
        }
        standing.sort(null);
        List<String> expected = new ArrayList<>();
        for (int k = first; k <= last; k++) {
            expected.add(key(k));
        }
        if (standing.equals(expected)) {
            return null;
        }
        List<String> missing = new ArrayList<>(expected);
        missing.removeAll(standing);
        expected.forEach(standing::remove);
        return "missing: " + missing + ", too many: " + standing;
    }
}
