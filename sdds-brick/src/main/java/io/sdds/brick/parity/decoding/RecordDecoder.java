package io.sdds.brick.parity.decoding;

import java.lang.foreign.MemorySegment;

/**
 * At the parity member that leads a column of a parity group, or that decodes for the column's spare: computes records
 * of the column from the parity records and from the records of the other columns (docs/design/parity.md).
 */
public interface RecordDecoder {

    /**
     * Asks for the records of a column at some ranks. The records are those of one moment between this call and the
     * answer. If the records may be long together, only those of the first ranks are decoded, of one at least.
     *
     * @param column of the group, from 0 on
     * @param ranks the first places are the ranks, in ascending order
     * @param count number of ranks, 1 to {@link #RANKS_MAX}
     * @return false if too many decodings are under way, or the group is not ready; the listener is not called then
     */
    boolean decode(int column, int[] ranks, int count, Listener listener);

    /** Most ranks of one decoding. */
    int RANKS_MAX = 256;

    /** The length that stands for a decoded record that is not whole. */
    int DAMAGED = -1;

    /** Is called once, by the stage's thread: later, or within the call if no other member is asked. */
    interface Listener {
        /** The records are decoded. Each is whole by its checksum, or {@link #DAMAGED}. */
        void decoded(Records records);

        /** The records could not be decoded now, because a member did not answer in time, for example. Try again. */
        void failed();
    }

    /** Decoded records. Valid during the call of {@link Listener#decoded}. */
    interface Records {
        /** Number of ranks: the first ones of those that were asked for. */
        int count();

        /**
         * Bytes of the coded record ({@link io.sdds.brick.parity.records.CodedRecord}) of the k-th rank; 0: no record;
         * {@link #DAMAGED}: the record is not whole by its checksum, or has another key than its fingerprint says.
         */
        int length(int k);

        /** The memory in which the coded record of the k-th rank lies. */
        MemorySegment memory(int k);

        /** Where the coded record of the k-th rank begins in its memory. */
        int offset(int k);
    }
}
