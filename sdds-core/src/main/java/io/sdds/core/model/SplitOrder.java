package io.sdds.core.model;

/**
 * A split, merge or move under way, as the coordinator ordered it. A split of a hash table ships the half of the
 * parent's records with bit {@code level} set to a new partition, {@code child}; a merge ships all of the child's, the
 * last partition's, back to its parent. Of a range table a split ships the parent's records above a key to the child,
 * and a merge all of the child's to the parent, its left neighbour. A move ships all of a partition of one copy to
 * another brick, where it goes on under its number: parent and child are the same.
 *
 * @param level of the parent while there is no child; both have {@code level + 1} while there is one; of a move the
 *     partition's
 * @param stream number of the shipping, on every slice; never used again
 * @param source where what is shipped is, {@code target} where it goes
 * @param merge whether this is a merge
 * @param span of a range table: the keys that are shipped
 */
public record SplitOrder(
        int table,
        int parent,
        int child,
        int level,
        long stream,
        Place source,
        Place target,
        boolean merge,
        KeySpan span) {

    /** Of a hash table. */
    public SplitOrder(
            int table, int parent, int child, int level, long stream, Place source, Place target, boolean merge) {
        this(table, parent, child, level, stream, source, target, merge, KeySpan.ALL);
    }

    /** Whether a partition goes to another brick, as it is. */
    public boolean isMove() {
        return parent == child;
    }

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
        return merge || isMove() ? level : level + 1;
    }
}
