package io.sdds.testkit.sim;

import java.util.List;
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

    /**
     * Nothing passes between some nodes and all others for a time, or not from the first to the others; dials are not
     * answered.
     */
    record Partition(long atNanos, List<String> side, boolean oneWay, long forNanos) implements Fault {
        public Partition {
            side = List.copyOf(side);
        }

        @Override
        public String toString() {
            return at(atNanos)
                    + String.join(", ", side)
                    + (oneWay ? " can't reach the others for " : " and the others can't reach each other for ")
                    + millis(forNanos);
        }
    }

    /** Two nodes can't reach each other for a time, though all others reach both; dials are not answered. */
    record Apart(long atNanos, String one, String other, long forNanos) implements Fault {
        @Override
        public String toString() {
            return at(atNanos) + one + " and " + other + " can't reach each other for " + millis(forNanos);
        }
    }

    /** The connections between two nodes are gone, of which neither hears for a time, or ever: they are half open. */
    record Vanish(long atNanos, String one, String other, long unheardNanos) implements Fault {
        /** Their ends have to find out by themselves. */
        static final long FOR_EVER = Long.MAX_VALUE;

        @Override
        public String toString() {
            return at(atNanos) + one + " and " + other + " lose their connections without a word"
                    + (unheardNanos == FOR_EVER ? "" : " for " + millis(unheardNanos));
        }
    }

    /** One bit of what a node sends next to another arrives as its opposite. */
    record Flip(long atNanos, String from, String to) implements Fault {
        @Override
        public String toString() {
            return at(atNanos) + "a bit from " + from + " to " + to + " is flipped";
        }
    }

    /** Somebody who speaks the protocol, and makes no sense, sends a node so many messages. */
    record Stranger(long atNanos, String node, int messages) implements Fault {
        @Override
        public String toString() {
            return at(atNanos) + "a stranger sends " + node + " " + messages + " messages";
        }
    }

    /** A node's clock runs at another rate from now on. */
    record Drift(long atNanos, String node, long ppm) implements Fault {
        @Override
        public String toString() {
            return at(atNanos) + "the clock of " + node + " runs " + Math.abs(ppm) / 10_000.0 + " % "
                    + (ppm < 0 ? "slow" : "fast");
        }
    }

    /** A node's clock leaps ahead. */
    record Jump(long atNanos, String node, long byNanos) implements Fault {
        @Override
        public String toString() {
            return at(atNanos) + "the clock of " + node + " leaps " + millis(byNanos) + " ahead";
        }
    }

    /** Of a brick's memory only so much is left free for a time. */
    record Squeeze(long atNanos, String node, long freeBytes, long forNanos) implements Fault {
        @Override
        public String toString() {
            return at(atNanos) + node + " has only " + (freeBytes >> 10) + " KB of memory left for " + millis(forNanos);
        }
    }

    /** A node does nothing for a time. */
    record Pause(long atNanos, String node, long forNanos) implements Fault {
        @Override
        public String toString() {
            return at(atNanos) + node + " is paused for " + millis(forNanos);
        }
    }

    /** A node does nothing for a time, from when more waits for it next than those who send it like to hold. */
    record Stall(long atNanos, String node, long forNanos) implements Fault {
        @Override
        public String toString() {
            return at(atNanos) + node + " is paused as soon as much waits for it, for " + millis(forNanos);
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

    /**
     * A brick's process is cut off from everybody, or paused, and another one starts in its place after a time. The old
     * one is back some time after the new one has registered.
     */
    record TakeOver(long atNanos, String node, boolean isPaused, long startsAfterNanos, long backAfterNanos)
            implements Fault {
        @Override
        public String toString() {
            return at(atNanos) + node + " is " + (isPaused ? "paused" : "cut off") + ", another process starts after "
                    + millis(startsAfterNanos) + "; the old one is back " + millis(backAfterNanos)
                    + " after that one has registered";
        }
    }

    /**
     * The coordinators can't reach each other for a time. As soon as none leads a brick's process dies, and another one
     * starts in its place after a time.
     */
    record Headless(long atNanos, long forNanos, String node, long backAfterNanos) implements Fault {
        @Override
        public String toString() {
            return at(atNanos) + "the coordinators can't reach each other for " + millis(forNanos) + "; " + node
                    + " crashes when none leads, back after " + millis(backAfterNanos);
        }
    }

    /**
     * A brick is drained, and its process ends when nothing is left on it; another one starts in its place after a
     * time. Or the drain is cancelled after a time, unless it is over.
     */
    record Drain(long atNanos, String node, long backAfterNanos, long cancelledAfterNanos) implements Fault {
        /** It is not cancelled. */
        static final long NEVER = Long.MAX_VALUE;

        @Override
        public String toString() {
            return at(atNanos) + node + " is drained, back after " + millis(backAfterNanos)
                    + (cancelledAfterNanos == NEVER ? "" : ", unless cancelled after " + millis(cancelledAfterNanos));
        }
    }

    /** Of several coordinators another one is elected, of which the one before does not hear for a time. */
    record Elect(long atNanos, long staleNanos) implements Fault {
        @Override
        public String toString() {
            return at(atNanos) + "another coordinator is elected, unheard by the one before for " + millis(staleNanos);
        }
    }

    private static String at(long nanos) {
        return String.format(Locale.ROOT, "+%.3f s: ", nanos / 1e9);
    }

    private static String millis(long nanos) {
        return String.format(Locale.ROOT, "%.3f ms", nanos / 1e6);
    }
}
