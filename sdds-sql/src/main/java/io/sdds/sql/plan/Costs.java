package io.sdds.sql.plan;

/**
 * The costs of the parts of a plan, in microseconds, as {@code sdds bench costs} measures them on two cores that bricks
 * and client share. The planner needs them relative to each other.
 */
public final class Costs {
    /** A row that comes to the client. */
    static final double SHIPPED_ROW = 0.2;

    /** A column of such a row. */
    static final double COLUMN = 0.01;

    /** A record that a brick looks at. */
    public static final double LOOKED_AT = 0.05;

    /** A query, whose program goes to each brick and whose last answers are waited for. */
    public static final double QUERY = 1_000;

    /** A record that is read by its key, in a batch. */
    public static final double LOOKUP = 1;

    /** A row that a hash join keeps. The measurement does not tell it from the scan beside it. */
    public static final double KEPT_ROW = 0.05;

    /** A row whose key a hash join looks up. */
    public static final double PROBED_ROW = 0.03;

    /** A row that a join makes. */
    public static final double JOINED_ROW = 0.017;

    /** A row that a scan sorts for the client. The sort of the engine, whose cost is 1, takes less. */
    static final double SORTED_ROW = 1.1;

    /** A value that a Bloom filter gets. */
    public static final double FILTERED_VALUE = 0.15;

    /** The part of other rows that a Bloom filter lets pass. */
    public static final double FALSE_POSITIVES = 0.01;

    private Costs() {}
}
