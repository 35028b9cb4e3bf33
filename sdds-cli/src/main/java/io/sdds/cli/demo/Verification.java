package io.sdds.cli.demo;

import io.sdds.client.Cursor;
import io.sdds.client.HashTable;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Result of the check whether a table holds the expected records, each exactly once, and no other records.
 *
 * @param right number of records with the right value
 * @param wrong number of records with another value, or with an unexpected key
 * @param doubled number of repeated records
 * @param missing number of missing records
 */
record Verification(long right, long wrong, long doubled, long missing) {

    /** Scans the table and compares all records with the expected records. */
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
