package io.sdds.sql;

/**
 * What the parts of a plan cost. The unit is a row that comes from a brick and is decoded at the client, about a
 * microsecond. The other figures are estimates relative to it, of the order of what {@code sdds bench queries} and gets
 * in batches show; they decide only between plans that differ by much.
 */
final class Costs {
    /** A row that comes to the client. */
    static final double SHIPPED_ROW = 1;

    /** A further column of such a row. */
    static final double COLUMN = 0.05;

    /** A record that a brick looks at. */
    static final double LOOKED_AT = 0.05;

    /** A query, whose program goes to each brick and whose last answers are waited for. */
    static final double QUERY = 500;

    /** A record that is read by its key, in a batch. */
    static final double LOOKUP = 3;

    /** A row that a hash join keeps. */
    static final double KEPT_ROW = 0.3;

    /** A row whose key a hash join looks up. */
    static final double PROBED_ROW = 0.15;

    /** A row that a join makes. */
    static final double JOINED_ROW = 0.1;

    /** A row that is sorted. */
    static final double SORTED_ROW = 0.5;

    /** A value that a Bloom filter gets. */
    static final double FILTERED_VALUE = 1;

    /** The part of other rows that a Bloom filter lets pass. */
    static final double FALSE_POSITIVES = 0.01;

    private Costs() {}
}
