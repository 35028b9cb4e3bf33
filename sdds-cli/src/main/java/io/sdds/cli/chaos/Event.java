package io.sdds.cli.chaos;

import io.sdds.testkit.check.Operation.Kind;
import io.sdds.testkit.check.Operation.Result;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What a client's process tells of its operations, a line each: that one begins, before it is sent, so that nothing a
 * killed client may have done is unknown; and how it ended. Texts have no spaces. Times are those of the machine's one
 * monotonic clock, the same in all its processes.
 *
 * <pre>
 * b NUMBER KIND KEY VALUE EXPECTED START_NANOS
 * e NUMBER RESULT OUT END_NANOS
 * a NUMBER COUNTER DELTA         something is about to be added to a counter
 * d NUMBER RESULT                how that ended
 * c CHECK                        the client has checked an answer
 * w TEXT                         what the client saw is wrong
 * </pre>
 */
sealed interface Event {
    String NOTHING = "-";
    String WRONG = "w ";

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

    /** An addition to a counter is about to be sent; numbered apart from operations. */
    record Adds(long number, String counter, long delta) implements Event {
        @Override
        public String toString() {
            return String.join(" ", "a", Long.toString(number), counter, Long.toString(delta));
        }
    }

    /** The outcome of an addition came, or won't. */
    record Added(long number, Result result) implements Event {
        @Override
        public String toString() {
            return String.join(" ", "d", Long.toString(number), result.name());
        }
    }

    /** The kinds of answers that a client's process checks by itself. */
    enum Check {
        QUERY,
        EXPIRY
    }

    /** The client has checked an answer, whatever it found. */
    record Checked(Check check) implements Event {
        @Override
        public String toString() {
            return "c " + check.name();
        }
    }

    /** A client saw an answer that no correct store gives; the text tells what it saw. */
    record Wrong(String text) implements Event {
        @Override
        public String toString() {
            return WRONG + text;
        }
    }

    /** The event of a line; null of any other line, such as one that was cut off with its process. */
    static @Nullable Event parse(String line) {
        if (line.startsWith(WRONG)) {
            return new Wrong(line.substring(WRONG.length()));
        }
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
            if (words.length == 2 && words[0].equals("c")) {
                return new Checked(Check.valueOf(words[1]));
            }
            if (words.length == 4 && words[0].equals("a")) {
                return new Adds(Long.parseLong(words[1]), words[2], Long.parseLong(words[3]));
            }
            if (words.length == 3 && words[0].equals("d")) {
                return new Added(Long.parseLong(words[1]), Result.valueOf(words[2]));
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
