package io.sdds.sim.check;

import io.sdds.client.internal.routing.KeyBounds;
import io.sdds.core.model.KeySpan;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Checks that the steps of a scan tile the requested space: the steps cover each point of the bit-reversed pseudo-keys,
 * or each key, exactly once (docs/design/scans.md, rule 17), with or without a record.
 */
public final class TilingChecker {
    /* Both spaces consist of byte strings in unsigned order. A point has 8 bytes. The successor of a key is the key
     * with an additional 0 byte.
     */
    private static final byte[] FIRST = new byte[0];

    private TilingChecker() {}

    /**
     * A stretch of the space, covered by one step or requested of all steps.
     *
     * @param from start of the stretch (inclusive)
     * @param end end of the stretch (exclusive); null for the end of the space
     */
    public record Stretch(byte[] from, byte @Nullable [] end) {
        private static final Comparator<Stretch> ORDER = Comparator.<Stretch, byte[]>comparing(
                        Stretch::from, Arrays::compareUnsigned)
                .thenComparing(Stretch::end, TilingChecker::compareEnds);

        /** A stretch of points in the order of hash scans. */
        public static Stretch ofPoints(long from, long end) {
            return new Stretch(from == 0 ? FIRST : bytes(from), end == 0 ? null : bytes(end));
        }

        /** A stretch of keys, in ascending or descending order. */
        public static Stretch ofKeys(KeyBounds keys) {
            KeyBounds up = keys.descending() ? keys.reversed() : keys;
            byte[] from = up.from().length == 0 || up.fromInclusive() ? up.from() : behind(up.from());
            byte[] end = up.toInclusive() && up.to().length > 0 ? behind(up.to()) : up.to();
            return new Stretch(from, end.length == 0 ? null : end);
        }

        private static byte[] bytes(long point) {
            return ByteBuffer.allocate(Long.BYTES).putLong(point).array();
        }

        private static byte[] behind(byte[] key) {
            return Arrays.copyOf(key, key.length + 1);
        }

        boolean isEmpty() {
            return end != null && Arrays.compareUnsigned(from, end) >= 0;
        }

        @Override
        public String toString() {
            return "[" + KeySpan.text(from) + ", " + text(end) + ")";
        }
    }

    /**
     * Describes all faults, one line each.
     *
     * @param whole requested stretch
     * @param covered stretches covered by the steps, in any order
     * @param complete whether the scan has ended; otherwise parts may be missing
     */
    public static List<String> check(Stretch whole, List<Stretch> covered, boolean complete) {
        List<String> wrong = new ArrayList<>();
        byte @Nullable [] reached = whole.from();
        for (Stretch next : covered.stream().sorted(Stretch.ORDER).toList()) {
            if (next.isEmpty()) {
                continue;
            }
            int order = compareEnds(reached, next.from());
            if (order > 0) {
                wrong.add(next + " of " + whole + " was covered twice, or not asked for");
            } else if (order < 0 && complete) {
                wrong.add("of " + whole + " was left out what lies before " + next);
            }
            reached = compareEnds(next.end(), reached) > 0 ? next.end() : reached;
        }
        int order = whole.isEmpty() ? 0 : compareEnds(reached, whole.end());
        if (order > 0) {
            wrong.add("what lies behind " + whole + " was covered");
        } else if (order < 0 && complete) {
            wrong.add("of " + whole + " was left out what lies behind " + text(reached));
        }
        return wrong;
    }

    private static String text(byte @Nullable [] end) {
        return end == null ? "end" : KeySpan.text(end);
    }

    /** Of two ends, which is the later one; null is the last. */
    private static int compareEnds(byte @Nullable [] one, byte @Nullable [] other) {
        return one == null || other == null
                ? Boolean.compare(one == null, other == null)
                : Arrays.compareUnsigned(one, other);
    }
}
