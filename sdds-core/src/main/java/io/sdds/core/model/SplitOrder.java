package io.sdds.core.model;

/**
 * A split or merge under way, as the coordinator ordered it. A split ships the half of the parent's records with bit {@code level} set to a new partition,
 * {@code child}; a merge ships all of the child's, the last partition's, back to its parent.
 *
 * @param level of the parent while there is no child; both have {@code level + 1} while there is one
 * @param stream number of the shipping, on every slice; never used again
 * @param source where what is shipped is, {@code target} where it goes
 * @param merge whether this is a merge
 */
public record SplitOrder(
        int table, int parent, int child, int level, long stream, Place source, Place target, boolean merge) {

    /** The partition whose records are shipped. */
    public int sender() {
        return merge ? child : parent;
    }

    /** The partition that takes them. */
    public int receiver() {
        return merge ? parent : child;
    }

    /** The receiver's level once it has them. */
    public int receiverLevel() {
        return merge ? level : level + 1;
    }
}
