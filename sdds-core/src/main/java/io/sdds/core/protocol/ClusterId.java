package io.sdds.core.protocol;

import java.util.UUID;
import java.util.random.RandomGenerator;

/**
 * The id of a cluster: 128 random bits that its first leading coordinator drew. All processes of the cluster send the
 * id in their hellos. So no process takes a process of another cluster for one of its own, although numbers of tables,
 * bricks and sessions begin at 1 in every cluster.
 */
public record ClusterId(long high, long low) {
    /** The id of a process that does not know its cluster yet. */
    public static final ClusterId UNKNOWN = new ClusterId(0, 0);

    /** A new id, which is never {@link #UNKNOWN}. */
    public static ClusterId random(RandomGenerator random) {
        ClusterId id = new ClusterId(random.nextLong(), random.nextLong());
        return id.isKnown() ? id : random(random);
    }

    /**
     * Reads an id that {@link #toString} wrote.
     *
     * @throws IllegalArgumentException when the text is no id
     */
    public static ClusterId parse(String text) {
        UUID bits = UUID.fromString(text);
        return new ClusterId(bits.getMostSignificantBits(), bits.getLeastSignificantBits());
    }

    public boolean isKnown() {
        return high != 0 || low != 0;
    }

    /** Whether both ids are known and differ. */
    public boolean conflictsWith(ClusterId other) {
        return isKnown() && other.isKnown() && !equals(other);
    }

    /** Hexadecimal digits in five groups, as in a UUID. */
    @Override
    public String toString() {
        return new UUID(high, low).toString();
    }
}
