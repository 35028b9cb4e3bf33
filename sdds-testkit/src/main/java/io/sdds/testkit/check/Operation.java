package io.sdds.testkit.check;

import org.jspecify.annotations.Nullable;

/**
 * One operation on one key, as its client saw it. A key's value is a text, or null when there is no record; an
 * increment's is a decimal number.
 *
 * @param value what was to be written; the delta of an increment; the name of a touch
 * @param expected of a compare-and-set, or of a delete by version
 * @param out the value read; the sum of an increment
 * @param endNanos when the outcome came; {@link #OPEN} when it never did or is unknown
 */
public record Operation(
        int client,
        Kind kind,
        String key,
        @Nullable String value,
        @Nullable String expected,
        Result result,
        @Nullable String out,
        long startNanos,
        long endNanos) {

    /** The end of an operation that may take effect at any time after its start, or never. */
    public static final long OPEN = Long.MAX_VALUE;

    /** What was asked. */
    public enum Kind {
        GET("get"),
        PUT("put"),
        PUT_IF_ABSENT("putIfAbsent"),
        REPLACE("replace"),
        CAS("cas"),
        DELETE("delete"),
        INCREMENT("increment"),
        /** A record is given another time to live. */
        TOUCH("touch"),
        /**
         * Nobody's operation: the record of {@link Operation#expected}, or what the touch named {@link Operation#value}
         * gave another time to live, is gone for ever from some time after the start on, unless it was written or
         * touched again before.
         */
        EXPIRE("expire"),
        /** All records are removed: this one too, if it is there. */
        CLEAR("clear");

        private final String json;

        Kind(String json) {
            this.json = json;
        }

        /** Its name in history files. */
        public String json() {
            return json;
        }
    }

    /** What came of it. */
    public enum Result {
        /** A write took effect. */
        OK,
        /** A read found {@link Operation#out}. */
        VALUE,
        /** There was no record: a read found nothing, a delete, replace or compare-and-set had no effect. */
        ABSENT,
        /** The condition did not hold: no effect. */
        FALSE,
        /** Certainly no effect. */
        REFUSED,
        /** The effect may have happened, or may yet. */
        UNKNOWN;

        /** Its name in history files. */
        public String json() {
            return name().toLowerCase(java.util.Locale.ROOT);
        }
    }

    /** Whether it can have changed something. */
    public boolean mayHaveEffect() {
        return kind != Kind.GET && (result == Result.OK || result == Result.UNKNOWN);
    }

    public boolean isOpen() {
        return endNanos == OPEN;
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        text.append('[')
                .append(startNanos)
                .append(", ")
                .append(isOpen() ? "…" : endNanos)
                .append("] client ");
        text.append(client).append(": ").append(kind.json()).append(' ').append(key);
        if (expected != null) {
            text.append(" expecting ").append(expected);
        }
        if (value != null) {
            text.append(kind == Kind.INCREMENT ? " by " : " = ").append(value);
        }
        text.append(" -> ").append(result.json());
        return out == null ? text.toString() : text.append(' ').append(out).toString();
    }
}
