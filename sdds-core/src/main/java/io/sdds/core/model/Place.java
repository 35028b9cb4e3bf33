package io.sdds.core.model;

/**
 * Where a partition's only copy lives.
 *
 * @param brick number of the brick, or {@link #LOST}
 * @param incarnation of that brick when the partition was placed there; another incarnation does not hold it
 * @param stream the shipping that brought it there; 0: it was created there empty
 */
public record Place(int brick, long incarnation, long stream) {
    /** The number of no brick: the partition's only memory is gone. */
    public static final int LOST = -1;

    /** The number of no brick: the table has no partition of that number (any more). */
    public static final int NONE = -3;

    /** Of a number that no partition has. */
    public static final Place NOWHERE = new Place(NONE, 0, 0);

    public boolean lost() {
        return brick == LOST;
    }

    /** Whether no partition has the number whose place this is: a range partition's that was merged. */
    public boolean none() {
        return brick == NONE;
    }
}
