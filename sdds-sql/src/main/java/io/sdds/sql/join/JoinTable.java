package io.sdds.sql.join;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Rows of the left side of a join, found by their keys. Rows whose key is NULL are found by none. */
final class JoinTable {
    /** Multiplier that spreads the low bits of a hash: 2 to the 32nd by the golden ratio. */
    private static final int SPREAD = 0x9E3779B9;

    private final List<@Nullable Object[]> rows;
    private final @Nullable Object[] keys;
    private final int[] heads;
    private final int[] next;
    private final boolean[] matched;
    private final int shift;

    JoinTable(List<@Nullable Object[]> rows, JoinKeys by) {
        this.rows = rows;
        int size = Integer.highestOneBit(Math.max(1, rows.size() * 2 - 1)) * 2;
        this.shift = Integer.numberOfLeadingZeros(size) + 1;
        this.heads = new int[size];
        this.next = new int[rows.size()];
        this.keys = new @Nullable Object[rows.size()];
        this.matched = new boolean[rows.size()];
        Arrays.fill(heads, -1);
        for (int k = 0; k < next.length; k++) {
            Object key = by.ofLeft(rows.get(k));
            keys[k] = key;
            if (key != null) {
                int bucket = bucket(key);
                next[k] = heads[bucket];
                heads[bucket] = k;
            }
        }
    }

    private int bucket(Object key) {
        return key.hashCode() * SPREAD >>> shift;
    }

    int size() {
        return next.length;
    }

    @Nullable
    Object[] row(int index) {
        return rows.get(index);
    }

    /** The index of a row with a key; -1: there is none. */
    int first(@Nullable Object key) {
        return key == null ? -1 : withKey(heads[bucket(key)], key);
    }

    /** The index of the next row with the key. */
    int after(int index, Object key) {
        return withKey(next[index], key);
    }

    private int withKey(int from, Object key) {
        int at = from;
        while (at >= 0 && !key.equals(keys[at])) {
            at = next[at];
        }
        return at;
    }

    /** Notes that a row has a match. Returns whether it had one. */
    boolean match(int index) {
        boolean had = matched[index];
        matched[index] = true;
        return had;
    }

    /** The index of the next row without a match, from an index on; -1: there is none. */
    int unmatched(int from) {
        int at = from;
        while (at < matched.length && matched[at]) {
            at++;
        }
        return at < matched.length ? at : -1;
    }

    /** The different values of a column of the rows that have keys. */
    List<Object> values(int column) {
        java.util.LinkedHashSet<Object> values = new java.util.LinkedHashSet<>();
        for (int k = 0; k < keys.length; k++) {
            Object value = keys[k] == null ? null : rows.get(k)[column];
            if (value != null) {
                values.add(value);
            }
        }
        return new ArrayList<>(values);
    }
}
