package io.sdds.testkit.check;

import io.sdds.testkit.check.Operation.Result;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The search for one order of one key's operations. */
final class LinearizationSearch {
    /*
     * Wing and Gong (1993) as Lowe (2017) made it quick. Calls and returns lie in a list by time. The next operation of the order is one whose call comes
     * before the first return of an operation not yet placed; placing it takes its call and return out of the list. What was reached once, as (set of
     * placed operations, state), is not searched again. An operation without effect is placed as soon as it fits, for good: that never
     * hinders others. Open operations have no return: they may stay unplaced.
     */
    private static final int CONFIGURATIONS_MAX = 4_000_000;

    private final Register register;
    private final List<Operation> operations;
    private final Entry head = new Entry(-1, 0, false);
    private final long[] placed;
    private final Set<Configuration> seen = new HashSet<>();
    private final ArrayDeque<Placement> placements = new ArrayDeque<>();
    private int required;

    /** A call or a return. */
    private static final class Entry {
        final int operation;
        final long timeNanos;
        final boolean isReturn;
        @Nullable Entry match;
        @Nullable Entry next;
        @Nullable Entry previous;

        Entry(int operation, long timeNanos, boolean isReturn) {
            this.operation = operation;
            this.timeNanos = timeNanos;
            this.isReturn = isReturn;
        }

        void unlink() {
            if (previous != null) {
                previous.next = next;
            }
            if (next != null) {
                next.previous = previous;
            }
        }

        void relink() {
            if (previous != null) {
                previous.next = this;
            }
            if (next != null) {
                next.previous = this;
            }
        }
    }

    private record Placement(Entry call, int stateBefore) {}

    private record Configuration(long[] placed, int state) {
        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Configuration(long[] otherPlaced, int otherState)
                    && state == otherState
                    && Arrays.equals(placed, otherPlaced);
        }

        @Override
        public int hashCode() {
            return 31 * Arrays.hashCode(placed) + state;
        }
    }

    /** @param operations of one key, in the order of their starts */
    LinearizationSearch(Register register, List<Operation> operations) {
        this.register = register;
        this.operations = operations;
        this.placed = new long[(operations.size() + 63) / 64];
        link();
    }

    private void link() {
        Entry[] entries = new Entry[2 * operations.size()];
        int count = 0;
        for (int k = 0; k < operations.size(); k++) {
            Operation operation = operations.get(k);
            Entry call = new Entry(k, operation.startNanos(), false);
            entries[count++] = call;
            if (!operation.isOpen()) {
                required++;
                call.match = new Entry(k, operation.endNanos(), true);
                entries[count++] = call.match;
            }
        }
        // What starts in the very instant something ends counts as concurrent with it.
        Arrays.sort(
                entries,
                0,
                count,
                Comparator.<Entry>comparingLong(entry -> entry.timeNanos).thenComparing(entry -> entry.isReturn));
        Entry last = head;
        for (int k = 0; k < count; k++) {
            last.next = entries[k];
            entries[k].previous = last;
            last = entries[k];
        }
    }

    /** Whether there is an order that begins in this state. */
    boolean succeeds(int initialState) {
        int state = initialState;
        Entry entry = head.next;
        while (required > 0) {
            if (entry != null && !entry.isReturn) {
                int after = register.after(state, operations.get(entry.operation));
                if (after != Register.IMPOSSIBLE && place(entry, state, after)) {
                    state = after;
                    entry = head.next;
                } else {
                    entry = entry.next;
                }
                continue;
            }
            Placement last = takeBack();
            if (last == null) {
                return false;
            }
            state = last.stateBefore;
            entry = last.call.next;
        }
        return true;
    }

    private boolean place(Entry call, int state, int after) {
        int k = call.operation;
        placed[k >> 6] |= 1L << k;
        if (!seen.add(new Configuration(placed.clone(), after))) {
            placed[k >> 6] &= ~(1L << k);
            return false;
        }
        if (seen.size() > CONFIGURATIONS_MAX) {
            throw new IllegalStateException("key " + operations.get(k).key() + ": too many orders to search");
        }
        placements.push(new Placement(call, state));
        call.unlink();
        if (call.match != null) {
            call.match.unlink();
            required--;
        }
        return true;
    }

    /** Undoes placements back to, and with, the last one that was a choice. */
    private @Nullable Placement takeBack() {
        while (!placements.isEmpty()) {
            Placement last = placements.pop();
            Entry call = last.call;
            if (call.match != null) {
                call.match.relink();
                required++;
            }
            call.relink();
            placed[call.operation >> 6] &= ~(1L << call.operation);
            if (wasChoice(operations.get(call.operation))) {
                return last;
            }
        }
        return null;
    }

    private static boolean wasChoice(Operation operation) {
        return operation.mayHaveEffect() || operation.result() == Result.UNKNOWN;
    }
}
