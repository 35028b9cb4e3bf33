package io.sdds.core.query;

/**
 * Looks for some bytes in others, with work that is linear in both lengths whatever the bytes are, and without memory.
 * A search by words is faster as long as it compares little in vain, so this one is the resort of hostile texts.
 *
 * <p>After M. Crochemore, D. Perrin, "Two-way string-matching" (J. ACM 38(3), 1991).
 */
public abstract class TwoWaySearch {

    /* The sought bytes are divided at a critical place. The part behind it is compared from left to right, and then the
     * part before it from right to left. Where the right part differs after k bytes, the next k places are no matches;
     * where the left part differs, the places up to the local period are none. A periodic sought keeps how many of its
     * first bytes are known to be equal, so that no byte is compared twice. */

    private static final int NONE = -1;

    private long compared;
    private int period;

    /** A byte of the text. */
    protected abstract byte text(long at);

    /** A byte of what is sought. */
    protected abstract byte sought(int at);

    /**
     * The first place from {@code from} on, below {@code end}; -1 without one.
     *
     * @param length of what is sought, at least 1
     */
    public final long find(long from, long end, int length) {
        int critical = criticalPlace(length);
        compared += 2L * length;
        return repeats(critical)
                ? findPeriodic(from, end, length, critical)
                : findAperiodic(from, end, length, critical);
    }

    /** Bytes that were compared since the last call. */
    public final long takeCompared() {
        long taken = compared;
        compared = 0;
        return taken;
    }

    private int criticalPlace(int length) {
        int forward = maximalSuffix(length, false);
        int periodForward = period;
        int backward = maximalSuffix(length, true);
        if (backward >= forward) {
            return backward;
        }
        period = periodForward;
        return forward;
    }

    /** Where the largest suffix begins, in the order of bytes or in its reverse; sets the period of the suffix. */
    private int maximalSuffix(int length, boolean reverse) {
        int suffix = NONE;
        int candidate = 0;
        int offset = 1;
        int step = 1;
        while (candidate + offset < length) {
            int order = Byte.compareUnsigned(sought(candidate + offset), sought(suffix + offset));
            order = reverse ? -order : order;
            if (order < 0) {
                candidate += offset;
                offset = 1;
                step = candidate - suffix;
            } else if (order > 0) {
                suffix = candidate++;
                offset = 1;
                step = 1;
            } else if (offset == step) {
                candidate += step;
                offset = 1;
            } else {
                offset++;
            }
        }
        period = step;
        return suffix + 1;
    }

    /** Whether the bytes before the critical place come again a period later, so that the whole is periodic. */
    private boolean repeats(int critical) {
        for (int k = 0; k < critical; k++) {
            if (sought(k) != sought(k + period)) {
                return false;
            }
        }
        return true;
    }

    private long findPeriodic(long from, long end, int length, int critical) {
        long place = from;
        int known = 0;
        while (place <= end - length) {
            int right = right(place, Math.max(critical, known), length);
            if (right < length) {
                place += right - critical + 1;
                known = 0;
                continue;
            }
            if (left(place, critical, known) < known) {
                return place;
            }
            place += period;
            known = length - period;
        }
        return NONE;
    }

    private long findAperiodic(long from, long end, int length, int critical) {
        int shift = Math.max(critical, length - critical) + 1;
        long place = from;
        while (place <= end - length) {
            int right = right(place, critical, length);
            if (right < length) {
                place += right - critical + 1;
            } else if (left(place, critical, 0) < 0) {
                return place;
            } else {
                place += shift;
            }
        }
        return NONE;
    }

    /** The first byte from {@code from} on that differs; {@code length} without one. */
    private int right(long place, int from, int length) {
        int at = from;
        while (at < length && sought(at) == text(place + at)) {
            at++;
        }
        compared += at - from + 1;
        return at;
    }

    /**
     * The last byte before {@code critical} that differs, {@code first} or higher; else one less than {@code first}.
     */
    private int left(long place, int critical, int first) {
        int at = critical - 1;
        while (at >= first && sought(at) == text(place + at)) {
            at--;
        }
        compared += critical - at;
        return at;
    }
}
