package io.sdds.brick.group;

/** The pseudo-keys that undecided entries are about, each with the seq of its last entry: an open-addressing table without objects. */
final class Undecided {
    private static final int FIRST_PLACES = 64;
    private static final int HIGH_BITS = 32;

    private long[] hashes = new long[FIRST_PLACES];

    /** 0: the place is free. */
    private long[] seqs = new long[FIRST_PLACES];

    private int count;

    boolean isEmpty() {
        return count == 0;
    }

    /** The seq of the last undecided entry of a pseudo-key; 0: it has none. */
    long last(long hash) {
        return count == 0 ? 0 : seqs[find(hash)];
    }

    /** An entry of a later seq than all before. */
    void add(long hash, long seq) {
        if (2 * count >= seqs.length) {
            grow();
        }
        int place = find(hash);
        count += seqs[place] == 0 ? 1 : 0;
        hashes[place] = hash;
        seqs[place] = seq;
    }

    /** An entry is decided. */
    void decided(long hash, long seq) {
        int place = find(hash);
        if (seqs[place] == seq) {
            remove(place);
        }
    }

    void clear() {
        java.util.Arrays.fill(seqs, 0);
        count = 0;
    }

    private int find(long hash) {
        int mask = seqs.length - 1;
        int place = home(hash);
        while (seqs[place] != 0 && hashes[place] != hash) {
            place = place + 1 & mask;
        }
        return place;
    }

    private int home(long hash) {
        return (int) (hash >>> HIGH_BITS) & seqs.length - 1;
    }

    /** Frees a place and moves those behind it that it kept from their homes. */
    private void remove(int freed) {
        int mask = seqs.length - 1;
        int hole = freed;
        int place = freed;
        count--;
        seqs[hole] = 0;
        while (true) {
            place = place + 1 & mask;
            if (seqs[place] == 0) {
                return;
            }
            int home = home(hashes[place]);
            if ((place - home & mask) >= (place - hole & mask)) {
                hashes[hole] = hashes[place];
                seqs[hole] = seqs[place];
                seqs[place] = 0;
                hole = place;
            }
        }
    }

    private void grow() {
        long[] oldHashes = hashes;
        long[] oldSeqs = seqs;
        hashes = new long[2 * oldSeqs.length];
        seqs = new long[2 * oldSeqs.length];
        count = 0;
        for (int k = 0; k < oldSeqs.length; k++) {
            if (oldSeqs[k] != 0) {
                add(oldHashes[k], oldSeqs[k]);
            }
        }
    }
}
