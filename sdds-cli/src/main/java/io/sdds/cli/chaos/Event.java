package io.sdds.cli.chaos;

import io.sdds.testkit.check.Operation.Kind;
import io.sdds.testkit.check.Operation.Result;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Events that a client process writes, one line each. The client announces an operation before it sends the request, so
 * that every operation of a killed client is known. A second line tells the outcome. Texts have no spaces. Times come
 * from the monotonic clock of the machine, which all processes share.
 *
 * <pre>
 * b NUMBER KIND KEY VALUE EXPECTED START_NANOS
 * e NUMBER RESULT OUT END_NANOS
 * a NUMBER COUNTER DELTA         the client is about to add to a counter
 * d NUMBER RESULT                the outcome of the addition
 * c CHECK                        the client has checked an answer
 * w TEXT                         the client saw a wrong answer
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

    /** An operation has ended, with an outcome or without. */
    record Ended(long number, Result result, @Nullable String out, long endNanos) implements Event {
        @Override
        public String toString() {
            return String.join(" ", "e", Long.toString(number), result.name(), word(out), Long.toString(endNanos));
        }
    }

    /** An addition to a counter is about to be sent. Additions and operations are numbered separately. */
    record Adds(long number, String counter, long delta) implements Event {
        @Override
        public String toString() {
            return String.join(" ", "a", Long.toString(number), counter, Long.toString(delta));
        }
    }

    /** An addition has ended, with an outcome or without. */
    record Added(long number, Result result) implements Event {
        @Override
        public String toString() {
            return String.join(" ", "d", Long.toString(number), result.name());
        }
    }

    /** Kinds of answers that the client process itself checks. */
    enum Check {
        QUERY,
        EXPIRY
    }

    /** The client has checked an answer, right or wrong. */
    record Checked(Check check) implements Event {
        @Override
        public String toString() {
            return "c " + check.name();
        }
    }

    /** A client saw an answer that no correct store gives. The text describes the answer. */
    record Wrong(String text) implements Event {
        @Override
        public String toString() {
            return WRONG + text;
        }
    }

    /** Parses a line; returns null for another line, for example one that was cut short when its process was killed. */
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
