package io.sdds.testkit.sim;

import java.util.Locale;

/** Something that goes wrong at an instant of a run. */
public sealed interface Fault {
    /** Virtual nanoseconds after the faults begin. */
    long atNanos();

    /** What is sent from one node to another takes longer, for a time. */
    record Slow(long atNanos, String from, String to, long extraNanos, long forNanos) implements Fault {
        @Override
        public String toString() {
            return at(atNanos) + from + " to " + to + " takes " + millis(extraNanos) + " longer for "
                    + millis(forNanos);
        }
    }

    /** Nothing sent from one node to another leaves, for a time. */
    record Clog(long atNanos, String from, String to, long forNanos) implements Fault {
        @Override
        public String toString() {
            return at(atNanos) + from + " to " + to + " is clogged for " + millis(forNanos);
        }
    }

    /** The connections between two nodes break, and dials are refused for a time. */
    record Lose(long atNanos, String one, String other, long refusedForNanos) implements Fault {
        @Override
        public String toString() {
            return at(atNanos) + one + " and " + other + " lose their connections, for " + millis(refusedForNanos);
        }
    }

    /** A node does nothing for a time. */
    record Pause(long atNanos, String node, long forNanos) implements Fault {
        @Override
        public String toString() {
            return at(atNanos) + node + " is paused for " + millis(forNanos);
        }
    }

    /** A node's work takes so many times as long, for a time. */
    record Strain(long atNanos, String node, int factor, long forNanos) implements Fault {
        @Override
        public String toString() {
            return at(atNanos) + node + " is " + factor + " times slower for " + millis(forNanos);
        }
    }

    /** A node's process dies with its RAM, and another one starts in its place after a time. */
    record Crash(long atNanos, String node, long backAfterNanos) implements Fault {
        @Override
        public String toString() {
            return at(atNanos) + node + " crashes, back after " + millis(backAfterNanos);
        }
    }

    private static String at(long nanos) {
        return String.format(Locale.ROOT, "+%.3f s: ", nanos / 1e9);
    }

    private static String millis(long nanos) {
        return String.format(Locale.ROOT, "%.3f ms", nanos / 1e6);
    }
}
