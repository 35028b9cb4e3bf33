package io.sdds.core.protocol;

/**
 * Optional parts of the protocol, one bit each, never reused. Each end of a link names the features that it supports in
 * its hello. A feature of a link is used where both ends support it. A feature of the cluster is used once the
 * coordinators have activated it, which they do when all bricks and coordinators support it.
 */
public final class Features {
    /** All frames behind the hellos are in batches that carry a checksum. */
    public static final long CHECKSUMS = 1;

    /**
     * Of a link: SCAN and RANGE may ship a program ({@link RequestFrame#SCAN_PROGRAM}). A client evaluates a program
     * itself for a brick without it.
     */
    public static final long PROGRAMS = 2;

    /** Of links: scans and range queries that answer with the versions of records. */
    public static final long VERSIONED_SCANS = 4;

    /** Of links: UPDATE, a write that ships a program. */
    public static final long UPDATES = 8;

    /**
     * Of links: PROGRAM, and a SCAN or RANGE that names a program by its hash. A brick without it gets programs of up
     * to {@link Limits#FILTER_BYTES_MAX} in the requests; for longer ones the client evaluates the program itself.
     */
    public static final long KEPT_PROGRAMS = 16;

    /**
     * Of links: SCAN and RANGE may carry a bound of the order of a shipped program ({@link RequestFrame#SCAN_BOUND}). A
     * client sends no bound to a brick without the feature, which then answers rows that the client throws away.
     */
    public static final long TOP_BOUNDS = 32;

    /** Of links: CANCEL. A client sends none to a brick without it, which ends the request by itself a little later. */
    public static final long CANCELS = 64;

    /**
     * Of links: a brick that fails because of a request answers {@link Status#FATAL} before it ends. Without the
     * feature the answer is {@link Status#UNKNOWN}.
     */
    public static final long FATAL_REQUESTS = 128;

    /** The bits of features of the cluster; the other bits are features of links. */
    public static final long OF_CLUSTER = -1L << 32;

    /**
     * Of the cluster: tables with parity. A brick without it would acknowledge writes of such a table that no parity
     * has, and a coordinator without it would place the table without parities.
     */
    public static final long PARITY = 1L << 32;

    /**
     * Of the cluster: tables with parity have idle columns, so that they grow and shrink. A brick without it would free
     * idle columns, and a coordinator without it does not know the command that adds them.
     */
    public static final long IDLE_COLUMNS = 1L << 33;

    /**
     * Of the cluster: the number of parities of a table changes. A brick without it would go on with the number that
     * the table was created with, and a coordinator without it does not know the command.
     */
    public static final long PARITY_CHANGES = 1L << 34;

    /**
     * Of the cluster: tables are converted from replicas to parity. A brick without it would not rank the records of
     * such a table, and a coordinator without it does not know the commands.
     */
    public static final long CONVERSION = 1L << 35;

    /**
     * A feature of the cluster: the number of replicas of a table changes, and tables are converted from parity to
     * replicas. A brick without the feature would go on to give ranks to the records of such a table. A coordinator
     * without the feature does not know the commands.
     */
    public static final long REPLICAS_CHANGES = 1L << 36;

    /**
     * A feature of the cluster: tables have schemas. A brick without the feature would tell clients that a table has no
     * schema. A coordinator without the feature would create the table without a schema, and does not know the command
     * that changes one.
     */
    public static final long SCHEMAS = 1L << 37;

    /**
     * A feature of the cluster: coordinators keep statistics of tables. A coordinator without the feature does not know
     * the command that stores them, and closes the link of a client that asks for them.
     */
    public static final long STATISTICS = 1L << 38;

    /**
     * A feature of the cluster: tables have a number of parities without which they take no writes. A coordinator
     * without the feature would forget the number, and a brick without it would acknowledge such writes.
     */
    public static final long MIN_PARITIES = 1L << 39;

    /**
     * A feature of the cluster: idle columns get backups while their parity group stands on replicas. A coordinator
     * without the feature refuses the command that orders such a backup.
     */
    public static final long IDLE_BACKUPS = 1L << 40;

    /** All features that this version supports. */
    public static final long ALL = CHECKSUMS
            | PROGRAMS
            | VERSIONED_SCANS
            | UPDATES
            | KEPT_PROGRAMS
            | TOP_BOUNDS
            | CANCELS
            | FATAL_REQUESTS
            | PARITY
            | IDLE_COLUMNS
            | PARITY_CHANGES
            | CONVERSION
            | REPLICAS_CHANGES
            | SCHEMAS
            | STATISTICS
            | MIN_PARITIES
            | IDLE_BACKUPS;

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
