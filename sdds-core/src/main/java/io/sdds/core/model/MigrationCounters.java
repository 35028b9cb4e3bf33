package io.sdds.core.model;

/**
 * The costs of the migrations that have ended at their source: splits, merges, moves and learners' copies together.
 *
 * @param committed migrations that handed keys over, or whose learner caught up
 * @param abandoned migrations that were given up
 * @param records records that were sent; changes of records that were sent do not count
 * @param bytes bytes of the slices, of the last attempt of each migration
 * @param rounds attempts, of all targets together
 * @param writesWaitedMicros how long writes to moving keys waited for a switch
 * @param longestWaitMicros longest of these waits
 * @param requestsParked requests that waited for a switch
 * @param requestsRefused requests that were answered BUSY because of a migration
 * @param switchTimeouts switches that were put off because a target was too slow
 */
public record MigrationCounters(
        long committed,
        long abandoned,
        long records,
        long bytes,
        long rounds,
        long writesWaitedMicros,
        long longestWaitMicros,
        long requestsParked,
        long requestsRefused,
        long switchTimeouts) {

    /** The counters of a source where no migration has ended. */
    public static final MigrationCounters NONE = new MigrationCounters(0, 0, 0, 0, 0, 0, 0, 0, 0, 0);

    /** The sums of two sources' counters, and the longer one of their longest waits. */
    public MigrationCounters plus(MigrationCounters other) {
        return new MigrationCounters(
                committed + other.committed,
                abandoned + other.abandoned,
                records + other.records,
                bytes + other.bytes,
                rounds + other.rounds,
                writesWaitedMicros + other.writesWaitedMicros,
                Math.max(longestWaitMicros, other.longestWaitMicros),
                requestsParked + other.requestsParked,
                requestsRefused + other.requestsRefused,
                switchTimeouts + other.switchTimeouts);
    }
}
