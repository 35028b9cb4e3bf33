package io.sdds.cli.demo;

import io.sdds.client.Cursor;
import io.sdds.client.HashTable;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Whether a table holds certain records, each exactly once, and nothing else.
 *
 * @param right records with the right value
 * @param wrong records with another value, or that should not be there
 * @param doubled records that came more than once
 * @param missing records that did not come
 */
record Verification(long right, long wrong, long doubled, long missing) {

    /** Looks at all records of the table. */
    static Verification of(HashTable<String, String> table, Map<String, String> expected) {
        Set<String> seen = new HashSet<>(2 * expected.size());
        long right = 0;
        long wrong = 0;
        long doubled = 0;
        try (Cursor<String, String> records = table.scan().open()) {
            while (records.hasNext()) {
                Map.Entry<String, String> record = records.next();
                if (!seen.add(record.getKey())) {
                    doubled++;
                } else if (record.getValue().equals(expected.get(record.getKey()))) {
                    right++;
                } else {
                    wrong++;
                }
            }
        }
        long missing =
                expected.keySet().stream().filter(key -> !seen.contains(key)).count();
        return new Verification(right, wrong, doubled, missing);
    }

    boolean holds() {
        return wrong + doubled + missing == 0;
    }
}
