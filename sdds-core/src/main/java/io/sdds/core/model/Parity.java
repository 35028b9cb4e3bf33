package io.sdds.core.model;

import org.jspecify.annotations.Nullable;

/**
 * The parity groups of a table (LH*RS): partition a is column {@code a mod m} of group {@code a / m}, and each group
 * has k parity partitions. The m + k partitions of a group are on different bricks.
 *
 * @param columns m, the data partitions of a full group: 2, 4, 8 or 16; 0: the table has no parity
 * @param parities k, the parity partitions of each group: 1 to {@link #PARITIES_MAX}; 0: the table has no parity
 * @param auto whether the coordinators raise k as the table grows
 * @param minAsked the {@link #minParities} that somebody has asked for, or {@link #MIN_BY_DEFAULT}
 */
public record Parity(int columns, int parities, boolean auto, int minAsked) {
    /** Largest m. Each m divides {@link AddressBlock#SIZE}, so that a group never crosses an address block. */
    public static final int COLUMNS_MAX = 16;

    /** Largest k. */
    public static final int PARITIES_MAX = 4;

    /**
     * Nobody has asked for a number: one parity is enough for writes where there are several, and none where K is 1.
     */
    public static final int MIN_BY_DEFAULT = -1;

    /** Of a table without parity. */
    public static final Parity NONE = new Parity(0, 0);

    private static final String AUTO = "auto";

    private static final String EXPECTED =
            "M,K is expected, with M 2, 4, 8 or 16 and K 1 to " + PARITIES_MAX + ", such as 4,2";

    /** Parity groups whose k changes only by request. */
    public Parity(int columns, int parities) {
        this(columns, parities, false);
    }

    /** Parity groups whose writes need as many parities as by default. */
    public Parity(int columns, int parities, boolean auto) {
        this(columns, parities, auto, MIN_BY_DEFAULT);
    }

    /** Parity groups that begin with one parity, or with as many as the table needs, and get more as it grows. */
    public static Parity auto(int columns) {
        return new Parity(columns, 1, true);
    }

    /**
     * The parity that a text such as {@code 4,2} or {@code 4,auto} names.
     *
     * @throws IllegalArgumentException that tells what is expected, for any other text
     */
    public static Parity parse(String text) {
        String[] numbers = text.strip().split(",", -1);
        try {
            if (numbers.length == 2) {
                int columns = Integer.parseInt(numbers[0].strip());
                String k = numbers[1].strip();
                Parity parity = k.equals(AUTO) ? auto(columns) : new Parity(columns, Integer.parseInt(k));
                if (fault(parity.columns, parity.parities) == null) {
                    return parity;
                }
            }
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("'" + text + "' is no parity: " + EXPECTED + ", or M," + AUTO, e);
        }
        throw new IllegalArgumentException("'" + text + "' is no parity: " + EXPECTED + ", or M," + AUTO);
    }

    /** The fault of the two numbers of a table with parity, in one line; null if a table may have them. */
    public static @Nullable String fault(int columns, int parities) {
        boolean fits = columns >= 2
                && columns <= COLUMNS_MAX
                && Integer.bitCount(columns) == 1
                && parities >= 1
                && parities <= PARITIES_MAX;
        return fits ? null : "parity " + columns + "," + parities + ": " + EXPECTED;
    }

    /** Writes are refused while fewer parities are members of a group that stands on parity. */
    public int minParities() {
        return minAsked >= 0 ? minAsked : parities > 1 ? 1 : 0;
    }

    /** These groups whose writes need so many parities, or {@link #MIN_BY_DEFAULT}. */
    public Parity withMinParities(int min) {
        return new Parity(columns, parities, auto, min);
    }

    /** These groups with the {@link #minAsked} of others, unless they have one. */
    public Parity orMinOf(Parity others) {
        return minAsked == MIN_BY_DEFAULT ? withMinParities(others.minAsked) : this;
    }

    /**
     * The fault of these numbers, in one line; null if a table may have them. With {@code auto} the coordinators may
     * choose a higher k than a client asks for, so only they know whether {@link #minAsked} fits.
     */
    public @Nullable String fault() {
        String fault = fault(columns, parities);
        return fault != null || minAsked == MIN_BY_DEFAULT || minAsked >= 0 && minAsked <= parities
                ? fault
                : "writes with at least " + minAsked + " parities of " + parities + ": 0 to " + parities
                        + " are allowed";
    }

    /** The fault of a table that has parity and is to have copies of its partitions, too; null if there is none. */
    public @Nullable String copiesFault(int replicas, int minCopies) {
        return isNone() || replicas == 1 && minCopies == 1
                ? null
                : "parity " + text() + " with " + replicas + " replicas, at least " + minCopies
                        + ": a table has parity or copies, not both";
    }

    /** Whether the table has no parity. */
    public boolean isNone() {
        return columns == 0 && parities == 0;
    }

    /** Bricks that a full group needs: m + k. */
    public int bricks() {
        return columns + parities;
    }

    /** Bricks that the conversion of a table with so many replicas to this parity needs: max(m, replicas) + k. */
    public int bricksToConvert(int replicas) {
        return Math.max(columns, replicas) + parities;
    }

    /** The number of the group of a partition. Only for tables with parity. */
    public int group(int partition) {
        return partition / columns;
    }

    /** The column of a partition in its group. Only for tables with parity. */
    public int column(int partition) {
        return partition % columns;
    }

    /** The number of groups of a table with this parity and so many partitions; 0 without parity. */
    public int groups(int partitions) {
        return isNone() ? 0 : (partitions + columns - 1) / columns;
    }

    /**
     * The number of partitions at the creation of a table. A hash table with parity begins with full groups, so that a
     * split never adds a child to the group of its parent.
     *
     * @param asked the number that the creator asks for
     */
    public int firstPartitions(TableKind kind, int asked) {
        return isNone() || kind != TableKind.HASH || asked < 1 ? asked : groups(asked) * columns;
    }

    /** These groups with another k. */
    public Parity withParities(int k) {
        return new Parity(columns, k, auto, minAsked);
    }

    /** {@code 4,2}, or {@code 4,auto} if k grows: as a user asks for it, and {@link #parse} reads it. */
    public String asked() {
        return auto ? columns + "," + AUTO : text();
    }

    /** {@code 4,2}, with the k of now; empty without parity. */
    public String text() {
        return isNone() ? "" : columns + "," + parities;
    }
}
