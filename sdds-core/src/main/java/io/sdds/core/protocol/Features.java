package io.sdds.core.protocol;

/**
 * Optional parts of the protocol, one bit each, never reused. Each end of a link names the features that it supports in
 * its hello. A feature of a link is used where both ends support it. A feature of the cluster is used once the
 * coordinators have activated it, which they do when all bricks and coordinators support it.
 */
public final class Features {
    /** All frames behind the hellos are in batches that carry a checksum. */
    public static final long CHECKSUMS = 1;

    /** The bits of features of the cluster; the other bits are features of links. */
    public static final long OF_CLUSTER = -1L << 32;

    /** All features that this version supports. */
    public static final long ALL = CHECKSUMS;

    private Features() {}

    /** Features as text for messages: the numbers of their bits. */
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
