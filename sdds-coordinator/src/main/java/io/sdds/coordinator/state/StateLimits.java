package io.sdds.coordinator.state;

/** The limits of the cluster's state. Commands beyond a limit are refused with a text that names the limit. */
public final class StateLimits {
    /** Largest number of bricks that ever register; their numbers are never used again. */
    public static final int BRICKS_MAX = 4096;

    /** Largest number of tables at a time. */
    public static final int TABLES_MAX = 4096;

    /** Largest number of tables that are ever created, so that a list of all dropped tables still fits in a message. */
    public static final int TABLES_EVER_MAX = 1 << 22;

    /** Largest number of partitions of all tables together, so that the whole map fits in a message. */
    public static final int PARTITIONS_MAX = 1 << 20;

    /** Most bytes of the schemas of all tables together, so that the whole map fits in a message. */
    public static final int SCHEMAS_BYTES_MAX = 4 << 20;

    /** Most bytes of the statistics of all tables together, so that snapshots of the state stay small. */
    public static final int STATISTICS_BYTES_MAX = 4 << 20;

    /** Largest number of sessions at a time. */
    public static final int SESSIONS_MAX = 16_384;

    /**
     * Number of dropped tables that are kept one by one. A brick with an older map gets the numbers of all dropped
     * tables.
     */
    public static final int DROPPED_KEPT_MAX = 1024;

    /** The length of leases until the log sets another length. */
    public static final long LEASE_MILLIS = 800;

    /** Largest number of characters of a brick's id. */
    public static final int BRICK_ID_MAX = 64;

    /** Largest number of characters of a brick's address. */
    public static final int ADDRESS_MAX = 256;

    private StateLimits() {}
}
