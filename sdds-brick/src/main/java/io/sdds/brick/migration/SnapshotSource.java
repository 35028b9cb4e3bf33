package io.sdds.brick.migration;

/** The source state machine of a migration, which owns the {@link SnapshotStream}s of its copies. */
interface SnapshotSource {
    /** Whether the target may be asked now to take the copy. */
    default boolean mayOpen() {
        return true;
    }

    /** Counts what the migration costs. */
    MigrationStats stats();

    /** The level that the target's partition begins with. */
    int level();

    /** The target takes the copy. The answer says its logical time, if it leads the group that is merged into. */
    void opened(SnapshotStream copy, long timeNanos);

    /** Slices may leave. */
    void began();

    /** What is added to expiries. */
    long shiftNanos();

    /** Whether the write is decided: the result of any other write follows when it is, or never. */
    boolean isDecided(long session, long seq);

    /** The partition's version that the target begins with at least. */
    long version();

    /** The logical time that the target begins with. */
    long timeNanos();

    /** The target has applied something, or the copy goes on over another link. */
    void advance();

    /** The target has no room, or can't be reached. */
    void failed(String why);

    /** What the target has is void, and the copy begins again. */
    void beganAgain();

    /** Whether a copy without a link waits for one; else it begins again. */
    default boolean waitsForLink() {
        return true;
    }
}
