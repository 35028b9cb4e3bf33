package io.sdds.brick.parity;

/** Counts what a stage has done for parity groups that lack members or whose columns move, for metrics and tests. */
public final class RecoveryCounters {
    private final long[] counts = new long[Event.values().length];

    /** A step of a decoding, a recovery, a join or a move. */
    public enum Event {
        /** A get of a degraded column was answered with a decoded record. */
        DEGRADED_READ,
        /** A get of a degraded column waited, because the lead's brick had no lease. */
        DEGRADED_READ_WITHOUT_LEASE,
        /** Records were decoded while two columns of the group were unknown, or more. */
        DECODED_WITH_TWO_UNKNOWN,
        /** A decoded record was not whole by its checksum, or had another key. It is not served. */
        DECODED_NOT_WHOLE,
        /** Records of a column could not be used, because the column's log was folded up to another seq. */
        DECODING_REFUSED,
        /** A read waited for a record that its recovered column did not have yet. */
        PULLED_BY_READ,
        /** A write waited for a record that its recovered column did not have yet. */
        PULLED_BY_WRITE,
        /** A decoded record was ignored, because the record of its rank was here already. */
        LATE_RECORD_IGNORED,
        /** A recovered column has got its last record. */
        COLUMN_RECOVERED,
        /** A parity member that joins began again with empty parity records. */
        JOIN_BEGUN_AGAIN,
        /** A parity member gave its join up, because its brick's memory was short. */
        JOIN_WITHOUT_MEMORY,
        /** A spare that was primary gave its column back, because the records did not fit into its memory. */
        COLUMN_GIVEN_BACK,
        /** A parity member that had copied all columns became a member. */
        PARITY_REBUILT,
        /** A column that was copied here with its ranks serves here. */
        COLUMN_MOVED,
        /** A column whose records all were at another brick goes on here, because the order is gone. */
        COLUMN_STAYED
    }

    /** Counts an event. */
    public void add(Event event) {
        counts[event.ordinal()]++;
    }

    public long count(Event event) {
        return counts[event.ordinal()];
    }
}
