package io.sdds.cli.chaos;

import io.sdds.testkit.check.Operation.Kind;
import io.sdds.testkit.check.Operation.Result;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What a client's process tells of its operations, a line each: that one begins, before it is sent, so that nothing a killed client may have done is
 * unknown; and how it ended. Texts have no spaces. Times are those of the machine's one monotonic clock, the same in all its processes.
 *
 * <pre>
 * b NUMBER KIND KEY VALUE EXPECTED START_NANOS
 * e NUMBER RESULT OUT END_NANOS
 * </pre>
 */
sealed interface Event {
    String NOTHING = "-";

    /** Of its client: counts on from 1. */
    long number();

    /** An operation is about to be sent. */
    record Begun(
            long number,
            Kind kind,
            String key,
            @Nullable String value,
            @Nullable String expected,
            long startNanos) implements Event {
        @Override
        public String toString() {
            return String.join(
                    " ",
                    "b",
                    Long.toString(number),
                    kind.name(),
                    key,
                    word(value),
                    word(expected),
                    Long.toString(startNanos));
        }
    }

    /** The outcome of an operation came, or won't. */
    record Ended(long number, Result result, @Nullable String out, long endNanos) implements Event {
        @Override
        public String toString() {
            return String.join(" ", "e", Long.toString(number), result.name(), word(out), Long.toString(endNanos));
        }
    }

    /** The event of a line; null of any other line, such as one that was cut off with its process. */
    static @Nullable Event parse(String line) {
        String[] words = line.split(" ");
        try {
            if (words.length == 7 && words[0].equals("b")) {
                return new Begun(
                        Long.parseLong(words[1]),
                        Kind.valueOf(words[2].toUpperCase(Locale.ROOT)),
                        words[3],
                        text(words[4]),
                        text(words[5]),
                        Long.parseLong(words[6]));
            }
            if (words.length == 5 && words[0].equals("e")) {
                return new Ended(
                        Long.parseLong(words[1]), Result.valueOf(words[2]), text(words[3]), Long.parseLong(words[4]));
            }
        } catch (IllegalArgumentException e) {
            return null;
        }
        return null;
    }

    private static String word(@Nullable String text) {
        return text == null ? NOTHING : text;
    }

    private static @Nullable String text(String word) {
        return word.equals(NOTHING) ? null : word;
    }
}
