package io.sdds.brick.group;

/**
 * The last uncommitted entry of each pseudo-key: a map from pseudo-key to seq. The map is a hash table with open
 * addressing and linear probing, without objects.
 */
final class UncommittedIndex {
    private static final int FIRST_PLACES = 64;
    private static final int HIGH_BITS = 32;

    /**
     * Pseudo-key and seq of each place, side by side because they are read together. A place whose seq is 0 is free.
     */
    private long[] places = new long[2 * FIRST_PLACES];

    private int count;

    boolean isEmpty() {
        return count == 0;
    }

    /** The seq of the last uncommitted entry of a pseudo-key; 0 if there is none. */
    long last(long hash) {
        return count == 0 ? 0 : seq(find(hash));
    }

    /** Adds an entry, whose seq is above all seqs so far. */
    void add(long hash, long seq) {
        if (2 * count >= size()) {
            grow();
        }
        int place = find(hash);
        count += seq(place) == 0 ? 1 : 0;
        set(place, hash, seq);
    }

    /** Removes a pseudo-key if this entry, which is committed now, is its last one. */
    void markCommitted(long hash, long seq) {
        int place = find(hash);
        if (seq(place) == seq) {
            remove(place);
        }
    }

    void clear() {
        java.util.Arrays.fill(places, 0);
        count = 0;
    }

    private int size() {
        return places.length / 2;
    }

    private long hash(int place) {
        return places[2 * place];
    }

    private long seq(int place) {
        return places[2 * place + 1];
    }

    private void set(int place, long hash, long seq) {
        places[2 * place] = hash;
        places[2 * place + 1] = seq;
    }

    private int find(long hash) {
        int mask = size() - 1;
        int place = home(hash);
        while (seq(place) != 0 && hash(place) != hash) {
            place = place + 1 & mask;
        }
        return place;
    }

    private int home(long hash) {
        return (int) (hash >>> HIGH_BITS) & size() - 1;
    }

    /** Frees a place. Moves the entries behind it that would not be found across the free place. */
    private void remove(int freed) {
        int mask = size() - 1;
        int hole = freed;
        int place = freed;
        count--;
        set(hole, 0, 0);
        while (true) {
            place = place + 1 & mask;
            if (seq(place) == 0) {
                return;
            }
            int home = home(hash(place));
            if ((place - home & mask) >= (place - hole & mask)) {
                set(hole, hash(place), seq(place));
                set(place, 0, 0);
                hole = place;
            }
        }
    }

    private void grow() {
        long[] before = places;
        places = new long[2 * before.length];
        count = 0;
        for (int k = 0; k < before.length; k += 2) {
            if (before[k + 1] != 0) {
                add(before[k], before[k + 1]);
            }
        }
    }
}
