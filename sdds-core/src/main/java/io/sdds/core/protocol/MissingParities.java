package io.sdds.core.protocol;

import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The parities that a group lacks, in the body of {@link Status#TOO_FEW_COPIES}: an i64 with the number of the group in
 * the upper 32 bits, then 8 bits each of parities that writes need, of parities of each group, and 16 bits of which the
 * lowest stand for the missing indexes.
 *
 * @param group number of the parity group in its table
 * @param needed parities without which the group takes no writes
 * @param parities k, the parities that each group is to have
 * @param missing a bit for each index of a missing parity
 */
public record MissingParities(int group, int needed, int parities, int missing) {
    private static final int NEEDED = 24;
    private static final int PARITIES = 16;
    private static final int BYTE = 0xff;
    private static final int MISSING = 0xffff;

    /** Reads what {@link #number} has written. */
    public static MissingParities of(long number) {
        return new MissingParities(
                (int) (number >>> Integer.SIZE),
                (int) (number >>> NEEDED) & BYTE,
                (int) (number >>> PARITIES) & BYTE,
                (int) number & MISSING);
    }

    /** These as the body of a reply. */
    public long number() {
        return (long) group << Integer.SIZE | (long) needed << NEEDED | (long) parities << PARITIES | missing;
    }

    /**
     * {@code parity group 3 has fewer parities than its table asks for: 0 and 1 of 2 are missing, and writes need 1}
     */
    public String text() {
        String indexes = IntStream.range(0, Short.SIZE)
                .filter(index -> (missing >>> index & 1) != 0)
                .mapToObj(Integer::toString)
                .collect(Collectors.joining(" and "));
        return "parity group " + group + " has fewer parities than its table asks for: " + indexes + " of " + parities
                + (Integer.bitCount(missing) == 1 ? " is" : " are") + " missing, and writes need " + needed;
    }
}
