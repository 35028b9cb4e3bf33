package io.sdds.sim.plan;

import io.sdds.sim.world.SimNetwork;
import java.util.List;
import java.util.Locale;

/** A fault at one instant of a run. */
public sealed interface Fault {
    /** Time of the fault, in virtual nanoseconds after the start of all faults. */
    long atNanos();

    /** Bytes from one node to another take longer for a time. */
    record Slow(long atNanos, String from, String to, long extraNanos, long forNanos) implements Fault {
        @Override
        public String toString() {
            return at(atNanos) + from + " to " + to + " takes " + millis(extraNanos) + " longer for "
                    + millis(forNanos);
        }
    }

    /** No bytes from one node to another leave for a time. */
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

    /** The connections between two nodes vanish. Their ends notice this after a time or never: they are half open. */
    record Vanish(long atNanos, String one, String other, long unheardNanos) implements Fault {
        @Override
        public String toString() {
            return at(atNanos) + one + " and " + other + " lose their connections without a word"
                    + (unheardNanos == SimNetwork.NEVER_HEARD ? "" : " for " + millis(unheardNanos));
        }
    }

    /** One bit of the next bytes from one node to another is flipped. */
    record Flip(long atNanos, String from, String to) implements Fault {
        @Override
        public String toString() {
            return at(atNanos) + "a bit from " + from + " to " + to + " is flipped";
        }
    }

    /** A stranger, who speaks the protocol, sends a number of invalid messages to a node. */
    record Stranger(long atNanos, String node, int messages) implements Fault {
        /** Names of strangers begin with it. */
        public static final String NAME = "stranger";

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

    /** The clock of a node jumps ahead. */
    record Jump(long atNanos, String node, long byNanos) implements Fault {
        @Override
        public String toString() {
            return at(atNanos) + "the clock of " + node + " leaps " + millis(byNanos) + " ahead";
        }
    }

    /** Only a limited amount of the memory of a brick is free for a time. */
    record Squeeze(long atNanos, String node, long freeBytes, long forNanos) implements Fault {
        @Override
        public String toString() {
            return at(atNanos) + node + " has only " + (freeBytes >> 10) + " KB of memory left for " + millis(forNanos);
        }
    }

    /** A node is paused for a time. */
    record Pause(long atNanos, String node, long forNanos) implements Fault {
        @Override
        public String toString() {
            return at(atNanos) + node + " is paused for " + millis(forNanos);
        }
    }

    /** A node is paused for a time, as soon as a connection to the node is full. */
    record Stall(long atNanos, String node, long forNanos) implements Fault {
        @Override
        public String toString() {
            return at(atNanos) + node + " is paused as soon as much waits for it, for " + millis(forNanos);
        }
    }

    /** The work of a node takes longer by a factor for a time. */
    record Strain(long atNanos, String node, int factor, long forNanos) implements Fault {
        @Override
        public String toString() {
            return at(atNanos) + node + " is " + factor + " times slower for " + millis(forNanos);
        }
    }

    /** The process of a node crashes and loses its memory. A new process starts in its place after a time. */
    record Crash(long atNanos, String node, long backAfterNanos) implements Fault {
        @Override
        public String toString() {
            return at(atNanos) + node + " crashes, back after " + millis(backAfterNanos);
        }
    }

    /**
     * The process of a brick is cut off from all nodes, or paused, and a new process starts in its place after a time.
     * The old process is back some time after the new process has registered.
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
     * The coordinators cannot reach each other for a time. As soon as no coordinator leads, the process of a brick
     * crashes, and a new process starts in its place after a time.
     */
    record Headless(long atNanos, long forNanos, String node, long backAfterNanos) implements Fault {
        @Override
        public String toString() {
            return at(atNanos) + "the coordinators can't reach each other for " + millis(forNanos) + "; " + node
                    + " crashes when none leads, back after " + millis(backAfterNanos);
        }
    }

    /**
     * A brick is drained, and its process ends when no partition is left on the brick. A new process starts in its
     * place after a time. Alternatively, the drain is cancelled after a time, unless the drain is complete.
     */
    record Drain(long atNanos, String node, long backAfterNanos, long cancelledAfterNanos) implements Fault {
        /** The drain is not cancelled. */
        public static final long NEVER = Long.MAX_VALUE;

        @Override
        public String toString() {
            return at(atNanos) + node + " is drained, back after " + millis(backAfterNanos)
                    + (cancelledAfterNanos == NEVER ? "" : ", unless cancelled after " + millis(cancelledAfterNanos));
        }
    }

    /** An operator changes the number of parities of the table. */
    record Alter(long atNanos, int parities) implements Fault {
        @Override
        public String toString() {
            return at(atNanos) + "the table is to have " + parities + " parities a group";
        }
    }

    /**
     * More bricks with members of a parity group crash than the group can lack. New processes start in their places
     * after a time.
     *
     * @param group number of the group, modulo the number of groups
     * @param more number of members beyond the least that is too many
     * @param withinNanos time from the first crash to the last one
     */
    record LoseGroup(long atNanos, int group, int more, long withinNanos, long backAfterNanos) implements Fault {
        @Override
        public String toString() {
            return at(atNanos) + "too many members of parity group " + group + " crash, and " + more + " more, within "
                    + millis(withinNanos) + ", back after up to " + millis(backAfterNanos);
        }
    }

    /**
     * Bricks crash one after the other, each as soon as the parity groups have recovered what the one before held. New
     * processes start in their places at the same time. So columns of a group come to share bricks.
     *
     * @param bricks largest number of bricks that are down at once
     * @param awayNanos time from the first crash until all bricks are back
     */
    record LoseInTurn(long atNanos, int bricks, long awayNanos) implements Fault {
        @Override
        public String toString() {
            return at(atNanos) + "up to " + bricks + " bricks crash one after the other, each when the groups are"
                    + " repaired; all are back after " + millis(awayNanos);
        }
    }

    /** Another of several coordinators is elected. The previous leader does not learn of the election for a time. */
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
