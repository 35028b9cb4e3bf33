package io.sdds.core.protocol;

/** Optional parts of the protocol, one bit each, never reused. A link uses those that the hellos of both its ends name. */
public final class Features {
    /** Everything behind the hellos travels in batches that carry a checksum. */
    public static final long CHECKSUMS = 1;

    /** All that this code supports. */
    public static final long ALL = CHECKSUMS;

    private Features() {}
}
