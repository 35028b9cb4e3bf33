package io.sdds.coordinator.state;

/** How much the cluster's state may hold; what goes beyond is refused with a text that names the limit. */
public final class StateLimits {
    /** Bricks ever registered; their numbers are never used again. */
    public static final int BRICKS_MAX = 4096;

    /** Tables at a time. */
    public static final int TABLES_MAX = 4096;

    /** Tables ever created, so that a list of all dropped ones still fits in a message. */
    public static final int TABLES_EVER_MAX = 1 << 22;

    /** Partitions of all tables together, so that the whole map fits in a message. */
    public static final int PARTITIONS_MAX = 1 << 20;

    /** Sessions at a time. */
    public static final int SESSIONS_MAX = 16_384;

    /** Dropped tables remembered one by one; a brick that knows only an older map is told of all. */
    public static final int DROPPED_KEPT_MAX = 1024;

    /** How long bricks may answer reads by one heartbeat, until the log says another time. */
    public static final long LEASE_MILLIS = 800;

    /** Characters of a brick's id. */
    public static final int BRICK_ID_MAX = 64;

    /** Characters of a brick's address. */
    public static final int ADDRESS_MAX = 256;

    private StateLimits() {}
}
