package io.sdds.testkit.check;

import io.sdds.client.internal.routing.KeyBounds;
import io.sdds.core.model.KeySpan;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Whether what the steps of a scan covered tiles what was asked for: each point of the bit-reversed pseudo-keys, or
 * each key, exactly once (docs/design/scans.md, rule 17), whether there is a record or not.
 */
public final class TilingChecker {
    /* Both spaces are strings of bytes in their unsigned order: a point is 8 of them, and right behind a key comes the
     * one with a 0 more. */
    private static final byte[] FIRST = new byte[0];

    private TilingChecker() {}

    /**
     * What a step covered, or what all should.
     *
     * @param from which it has
     * @param end which it has not; null: the end of the space
     */
    public record Stretch(byte[] from, byte @Nullable [] end) {
        private static final Comparator<Stretch> ORDER = Comparator.<Stretch, byte[]>comparing(
                        Stretch::from, Arrays::compareUnsigned)
                .thenComparing(Stretch::end, TilingChecker::compareEnds);

        /** Of points in the order of hash scans. */
        public static Stretch ofPoints(long from, long end) {
            return new Stretch(from == 0 ? FIRST : bytes(from), end == 0 ? null : bytes(end));
        }

        /** Of keys, whichever way they are walked. */
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
     * What is wrong, in lines.
     *
     * @param whole what was asked for
     * @param covered by the steps, in any order
     * @param complete whether the scan came to its end; else parts may be lacking
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
