package io.sdds.coordinator.raft;

/**
 * The end of a member's log.
 *
 * @param term the latest term that the member knows
 * @param lastTerm term of the last entry; 0 when there is none
 * @param lastIndex index of the last entry; -1 when there is none
 */
public record Position(long term, long lastTerm, long lastIndex) {
    /** The position of an empty log. */
    public static final Position NONE = new Position(0, 0, -1);

    /** The position that covers both: the later term, and the later of the last entries, by term and then by index. */
    public Position and(Position other) {
        boolean later = other.lastTerm > lastTerm || other.lastTerm == lastTerm && other.lastIndex > lastIndex;
        return new Position(
                Math.max(term, other.term), later ? other.lastTerm : lastTerm, later ? other.lastIndex : lastIndex);
    }

    boolean isReachedBy(long appliedTerm, long appliedIndex) {
        return lastIndex < 0 || appliedTerm > lastTerm || appliedTerm == lastTerm && appliedIndex >= lastIndex;
    }
}
