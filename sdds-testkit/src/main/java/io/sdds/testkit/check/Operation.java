package io.sdds.testkit.check;

import org.jspecify.annotations.Nullable;

/**
 * One operation on one key, as its client saw it. The value of a key is a text, or null without a record. The value of
 * a counter is a decimal number.
 *
 * @param value value to write; delta of an increment or an add; name of a touch
 * @param expected expected value of a compare-and-set, or of a delete by version
 * @param out value read; sum after an increment
 * @param endNanos instant of the outcome; {@link #OPEN} if the outcome is unknown
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

    /** Kind of an operation. */
    public enum Kind {
        GET("get"),
        PUT("put"),
        PUT_IF_ABSENT("putIfAbsent"),
        REPLACE("replace"),
        CAS("cas"),
        DELETE("delete"),
        INCREMENT("increment"),
        /** Adds to the number of a record, and does nothing without a record. The sum is not told. */
        ADD("add"),
        /** Changes the time to live of a record. */
        TOUCH("touch"),
        /**
         * Expiry, an operation without a client: the record of {@link Operation#expected}, or of the touch named
         * {@link Operation#value}, disappears for ever at some time after the start, unless the record was written or
         * touched again before.
         */
        EXPIRE("expire"),
        /** A clear removes all records, including the record of this key. */
        CLEAR("clear");

        private final String json;

        Kind(String json) {
            this.json = json;
        }

        /** Name in history files. */
        public String json() {
            return json;
        }
    }

    /** Result of an operation. */
    public enum Result {
        /** A write has taken effect. */
        OK,
        /** A read has returned {@link Operation#out}. */
        VALUE,
        /** There was no record. A delete, replace or compare-and-set had no effect. */
        ABSENT,
        /** The condition did not hold, so the operation had no effect. */
        FALSE,
        /** The operation was refused and certainly had no effect. */
        REFUSED,
        /** The operation may have taken effect, or may take effect later. */
        UNKNOWN;

        /** Name in history files. */
        public String json() {
            return name().toLowerCase(java.util.Locale.ROOT);
        }
    }

    /** Whether the operation may have changed the record. */
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
            text.append(kind == Kind.INCREMENT || kind == Kind.ADD ? " by " : " = ")
                    .append(value);
        }
        text.append(" -> ").append(result.json());
        return out == null ? text.toString() : text.append(' ').append(out).toString();
    }
}
