package io.sdds.core.protocol;

import org.jspecify.annotations.Nullable;

/** The limits of the protocol. Larger frames and values are refused before memory is taken. */
public final class Limits {
    /**
     * Highest version of the protocol that this code speaks, sent in the hello. The protocol is not frozen before
     * release 0.2.0, which will freeze version 1: numbers from 1001 on count its builds. They rise with each change,
     * and a build speaks no other.
     */
    public static final int PROTOCOL_VERSION = 1003;

    /** Lowest version of the protocol that this code speaks, sent in the hello. */
    public static final int PROTOCOL_VERSION_MIN = PROTOCOL_VERSION;

    /** Largest frame; a longer message travels as fragments (docs/design/overload.md, rule 23). */
    public static final int FRAME_BYTES_MAX = 256 << 10;

    /** Largest batch of frames under one checksum. */
    public static final int BATCH_BYTES_MAX = 2 * FRAME_BYTES_MAX;

    public static final int KEY_BYTES_MAX = 65_535;
    public static final int VALUE_BYTES_MAX = 16 << 20;

    /** Largest message: a compare-and-set of a largest key with two largest values, and its header. */
    public static final int MESSAGE_BYTES_MAX = 2 * VALUE_BYTES_MAX + KEY_BYTES_MAX + 1024;

    /** Largest encoded filter, and largest program inside a request. */
    public static final int FILTER_BYTES_MAX = 64 << 10;

    /** Most parts of the filter of a scan: tests of bytes, and what connects them. */
    public static final int FILTER_PARTS_MAX = 256;

    /** Largest program that bricks keep: the largest Bloom filter, and a program around it. */
    public static final int PROGRAM_BYTES_MAX = (8 << 20) + FILTER_BYTES_MAX;

    /** Most bytes of a program in one request. */
    public static final int PROGRAM_PART_BYTES_MAX = 128 << 10;

    /** Largest program that a client puts into its requests if bricks could keep the program. */
    public static final int PROGRAM_INLINE_BYTES_MAX = 4 << 10;

    /**
     * Number of addressing forwards after which a brick answers {@link Status#REDIRECT}. LH* needs no more while the
     * file does not change.
     */
    public static final int ADDRESSING_HOPS_MAX = 2;

    /** Number of forwards of any kind after which a brick answers {@link Status#REDIRECT}. */
    public static final int HOPS_MAX = 8;

    /**
     * Longest key at which a range partition is divided. The bound exists because the coordinator's map holds two such
     * keys for each partition.
     */
    public static final int SPLIT_KEY_BYTES_MAX = 4096;

    /** Largest number of characters in a table's name. */
    public static final int TABLE_NAME_MAX = 128;

    /** Longest time to live: a hundred years of 365 days. */
    public static final long TTL_MILLIS_MAX = 36_500L * 24 * 60 * 60 * 1000;

    private Limits() {}

    /** The reason why bytes cannot be a key, or null. */
    public static @Nullable String keyProblem(byte[] key) {
        return key.length > 0 && key.length <= KEY_BYTES_MAX
                ? null
                : "key of " + key.length + " bytes: a key has 1 to " + KEY_BYTES_MAX;
    }

    /** The reason why bytes cannot be a value, or null. */
    public static @Nullable String valueProblem(byte[] value) {
        return value.length <= VALUE_BYTES_MAX
                ? null
                : "value of " + value.length + " bytes: a value has at most " + VALUE_BYTES_MAX;
    }
}
