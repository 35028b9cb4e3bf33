package io.sdds.core.protocol;

/**
 * Optional parts of the protocol, one bit each, never reused. Each end of a link names those that it supports in its
 * hello. A feature of a link is used where both its ends support it; a feature of the cluster once the coordinators
 * have activated it, which they do when all bricks and coordinators support it.
 */
public final class Features {
    /** Everything behind the hellos travels in batches that carry a checksum. */
    public static final long CHECKSUMS = 1;

    /** The bits of all features of the cluster; the others are of links. There is none yet. */
    public static final long OF_CLUSTER = -1L << 32;

    /** All that this code supports. */
    public static final long ALL = CHECKSUMS;

    private Features() {}

    /** Features as messages name them: the numbers of their bits. */
    public static String text(long features) {
        StringBuilder text = new StringBuilder();
        for (int bit = 0; bit < Long.SIZE; bit++) {
            if ((features >>> bit & 1) == 1) {
                text.append(text.isEmpty() ? "" : ", ").append(bit);
            }
        }
        return text.isEmpty() ? "none" : text.toString();
    }
}
