package io.sdds.brick.parity.recovery;

import io.sdds.brick.parity.records.ParityRecords;
import java.util.Arrays;
import java.util.function.IntConsumer;

/**
 * The ranks of a recovered column whose records are not here yet, with the fingerprint of each record. The set only
 * shrinks once it has been made. It is on the heap, and takes about 16 bytes for each rank that was added.
 */
final class MissingRanks {

    /* The ranks stand in a hash table with linear probing, in the order of a probe from the place of their
     * fingerprint. A rank that is removed keeps its place, because the bitmap tells that the rank is not missing any
     * more. So nothing moves, and a probe ends at the first free place. The records come in the order of their ranks,
     * so their fingerprints are read in that order, too. */

    private static final int FIRST_PLACES = 64;
    private static final int FREE = -1;
    private static final int GOLDEN_RATIO = 0x9E37_79B9;

    /** By rank; 0 for a rank that was not added. */
    private int[] fingerprints = new int[FIRST_PLACES];

    /** The ranks that were added, by places. */
    private int[] ranks = places(FIRST_PLACES);

    private int shift = Integer.SIZE - Integer.numberOfTrailingZeros(FIRST_PLACES);
    private int entries;

    /** The rank behind the runs that were added. */
    private int next;

    private long[] missing = new long[1];
    private int count;

    /**
     * Adds the ranks of a run that have a fingerprint.
     *
     * @param first the first rank of the run, above all ranks that were added
     * @param ofRun the fingerprints by rank of the run; 0 for a rank that is not added
     * @param length number of ranks in the run
     * @throws IllegalArgumentException if a rank of the run can't have a record, or is not above those ranks
     */
    void addRun(int first, int[] ofRun, int length) {
        int end = first + length;
        if (first < next || end < first || end > ParityRecords.RANKS_MAX) {
            throw new IllegalArgumentException("ranks from " + first + " to " + end + " behind " + next);
        }
        next = end;
        while (2 * (entries + length) > ranks.length) {
            grow();
        }
        makeRoomFor(end);
        System.arraycopy(ofRun, 0, fingerprints, first, length);
        int added = 0;
        for (int rank = first; rank < end; rank++) {
            if (fingerprints[rank] != 0) {
                insert(rank);
                missing[rank / Long.SIZE] |= 1L << rank;
                added++;
            }
        }
        entries += added;
        count += added;
    }

    private void makeRoomFor(int end) {
        if (end > fingerprints.length) {
            fingerprints = Arrays.copyOf(fingerprints, Math.max(end, 2 * fingerprints.length));
        }
        int words = (end + Long.SIZE - 1) / Long.SIZE;
        if (words > missing.length) {
            missing = Arrays.copyOf(missing, Math.max(words, 2 * missing.length));
        }
    }

    private void insert(int rank) {
        int place = place(fingerprints[rank]);
        while (ranks[place] != FREE) {
            place = nextPlace(place);
        }
        ranks[place] = rank;
    }

    private int place(int fingerprint) {
        return fingerprint * GOLDEN_RATIO >>> shift;
    }

    private int nextPlace(int place) {
        return place + 1 & ranks.length - 1;
    }

    private static int[] places(int count) {
        int[] places = new int[count];
        Arrays.fill(places, FREE);
        return places;
    }

    private void grow() {
        int[] old = ranks;
        ranks = places(2 * old.length);
        shift--;
        for (int rank : old) {
            if (rank != FREE) {
                insert(rank);
            }
        }
    }

    /** Number of missing ranks. */
    int count() {
        return count;
    }

    boolean isMissing(int rank) {
        int word = rank / Long.SIZE;
        return rank >= 0 && word < missing.length && (missing[word] >>> rank & 1) != 0;
    }

    /** The first missing rank from a rank on; -1 if there is none. */
    int next(int from) {
        int word = from / Long.SIZE;
        long bits = word < missing.length ? missing[word] & -1L << from : 0;
        while (bits == 0 && ++word < missing.length) {
            bits = missing[word];
        }
        return bits == 0 ? -1 : word * Long.SIZE + Long.numberOfTrailingZeros(bits);
    }

    /** Whether a missing rank has a record with this fingerprint. */
    boolean has(int fingerprint) {
        for (int place = place(fingerprint); ranks[place] != FREE; place = nextPlace(place)) {
            if (has(fingerprint, ranks[place])) {
                return true;
            }
        }
        return false;
    }

    /** Whether a rank is missing, and its record has this fingerprint. */
    boolean has(int fingerprint, int rank) {
        return isMissing(rank) && fingerprints[rank] == fingerprint;
    }

    /** Visits the missing ranks whose records have this fingerprint. */
    void forEach(int fingerprint, IntConsumer action) {
        for (int place = place(fingerprint); ranks[place] != FREE; place = nextPlace(place)) {
            if (has(fingerprint, ranks[place])) {
                action.accept(ranks[place]);
            }
        }
    }

    /** Removes a missing rank, because its record is here. */
    void remove(int rank) {
        if (!isMissing(rank)) {
            throw new IllegalArgumentException("rank " + rank + " is not missing");
        }
        missing[rank / Long.SIZE] &= ~(1L << rank);
        count--;
    }
}
