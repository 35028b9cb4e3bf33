package io.sdds.testkit.check;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** The search for one order of the operations of one key. */
final class LinearizationSearch {
    /*
     * Wing and Gong (1993) in the faster form of Lowe (2017). A list holds calls and returns, sorted by time. The next
     * operation of the order is an operation whose call precedes the first return of all unplaced operations. Placing
     * an operation removes its call and its return from the list.
     *
     * An operation without effect is placed as soon as it fits, and stays placed, because such an operation never
     * hinders another. Of the remaining operations, those with the earliest returns are tried first. Open operations
     * have no return and may stay unplaced, so they are tried last. Of several open operations that do the same, one is
     * tried. After an open operation the search places only an operation that would act differently without the open
     * operation. Otherwise the order without the open operation is valid too, and is tried in its place. The search
     * does not leave a state that an unplaced operation needs and that no unplaced operation can restore. An increment
     * that began a new sum needs an absent record, unless the key may hold 0 (RegisterModel.beforeSum); no increment
     * removes a record. The search visits a configuration once: the same placed operations that have returned, the same
     * state, and no fewer placed open operations.
     *
     * A wrong early choice is detected late where many operations of unknown outcome can be placed in many ways. So a
     * search without progress is given up soon, and another attempt makes some choices at random. Nearly always the
     * further attempts decide at once.
     */
    private static final int CONFIGURATIONS_MAX = 100_000;

    private static final int ATTEMPTS = 7;

    /**
     * Limit of comparisons. With many open operations, the search spends most of its time on comparisons with visited
     * configurations.
     */
    private static final long COMPARISONS_PER_CONFIGURATION = 20;

    private static final int ANOTHER_TURN_ONE_IN = 4;

    private final RegisterModel register;
    private final List<Operation> operations;
    private final @Nullable SplittableRandom turns;
    private final int configurationsMax;
    private final Entry[] calls;
    private final int[] sameAs;

    /** Ranks of the candidates found last. */
    private final int[] ranks;

    private final Entry head = new Entry(-1, 0, false);
    private final long[] placed;
    private final long[] placedOpen;
    private final Map<Configuration, List<long[]>> seen = new HashMap<>();
    private final ArrayDeque<Step> steps = new ArrayDeque<>();
    private final Demand demand;
    private int configurations;
    private long comparisons;
    private int required;

    /** A call or a return. */
    private static final class Entry {
        final int operation;
        final long timeNanos;
        final boolean isReturn;

        @Nullable
        Entry match;

        @Nullable
        Entry next;

        @Nullable
        Entry previous;

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

    /** A step of the search: the operations placed so far, and the candidates for the next operation. */
    private static final class Step {
        final int reachedBy;
        final int state;
        final List<Integer> candidates;
        int next;

        Step(int reachedBy, int state, List<Integer> candidates) {
            this.reachedBy = reachedBy;
            this.state = state;
            this.candidates = candidates;
        }
    }

    private record Configuration(long[] placed, int state) {
        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Configuration that && state == that.state && Arrays.equals(placed, that.placed);
        }

        @Override
        public int hashCode() {
            return 31 * Arrays.hashCode(placed) + state;
        }
    }

    private LinearizationSearch(RegisterModel register, List<Operation> operations, int attempt) {
        this.register = register;
        this.turns = attempt == 0 ? null : new SplittableRandom(attempt);
        this.configurationsMax = CONFIGURATIONS_MAX << attempt;
        this.operations = operations;
        this.calls = new Entry[operations.size()];
        this.placed = new long[(operations.size() + 63) / 64];
        this.placedOpen = new long[placed.length];
        this.sameAs = new int[operations.size()];
        this.ranks = new int[operations.size()];
        link();
        groupOpen();
        demand = new Demand(register, operations);
    }

    private void link() {
        Entry[] entries = new Entry[2 * operations.size()];
        int count = 0;
        for (int k = 0; k < operations.size(); k++) {
            Operation operation = operations.get(k);
            calls[k] = new Entry(k, operation.startNanos(), false);
            entries[count++] = calls[k];
            if (!operation.isOpen()) {
                required++;
                calls[k].match = new Entry(k, operation.endNanos(), true);
                entries[count++] = calls[k].match;
            }
        }
        // An operation that starts at the instant at which another one ends counts as concurrent.
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

    /** Numbers open operations. Operations with the same effect have the same number. */
    private void groupOpen() {
        Map<String, Integer> groups = new HashMap<>();
        for (int k = 0; k < operations.size(); k++) {
            Operation operation = operations.get(k);
            boolean named = operation.kind() == Operation.Kind.INCREMENT
                    || operation.kind() == Operation.Kind.ADD
                    || operation.kind() == Operation.Kind.TOUCH
                    || operation.kind() == Operation.Kind.EXPIRE;
            String does = operation.kind() + " " + operation.result() + " "
                    + (named ? operation.value() : register.state(operation.value())) + " "
                    + register.state(operation.expected()) + " " + register.state(operation.out());
            Integer known = groups.putIfAbsent(does, groups.size());
            sameAs[k] = known == null ? groups.size() - 1 : known;
        }
    }

    /**
     * Whether there is a valid order that begins in this state.
     *
     * @param operations operations of one key, in the order of their starts
     * @throws TooManyOrders if the search was given up
     */
    static boolean succeeds(RegisterModel register, List<Operation> operations, int initialState) {
        for (int attempt = 0; ; attempt++) {
            try {
                return new LinearizationSearch(register, operations, attempt).succeeds(initialState);
            } catch (TooManyOrders e) {
                if (attempt + 1 == ATTEMPTS) {
                    throw e;
                }
            }
        }
    }

    private boolean succeeds(int initialState) {
        if (!demand.canBeMet(initialState)) {
            return false;
        }
        steps.push(new Step(-1, initialState, candidates(initialState)));
        while (required > 0) {
            Step step = steps.element();
            if (step.next == step.candidates.size()) {
                steps.pop();
                if (steps.isEmpty()) {
                    return false;
                }
                takeBack(step.reachedBy);
                continue;
            }
            int operation = step.candidates.get(step.next++);
            int after = register.after(step.state, operations.get(operation));
            if (after != RegisterModel.IMPOSSIBLE && place(operation, step.state, after)) {
                List<Integer> candidates = candidates(after);
                if (operations.get(operation).isOpen()) {
                    candidates.removeIf(k -> doesTheSame(k, step.state, after));
                }
                steps.push(new Step(operation, after, candidates));
            }
        }
        return true;
    }

    private boolean doesTheSame(int k, int state, int other) {
        return register.after(state, operations.get(k)) == register.after(other, operations.get(k));
    }

    private List<Integer> candidates(int state) {
        List<Integer> candidates = new ArrayList<>();
        Set<Integer> openOnes = new HashSet<>();
        for (Entry entry = head.next; entry != null && !entry.isReturn; entry = entry.next) {
            int k = entry.operation;
            Operation operation = operations.get(k);
            if (!operation.mayHaveEffect()) {
                if (register.after(state, operation) != RegisterModel.IMPOSSIBLE) {
                    return new ArrayList<>(List.of(k));
                }
            } else if (!operation.isOpen() || openOnes.add(sameAs[k])) {
                candidates.add(k);
            }
        }
        int wanted = wantedFirst();
        candidates.removeIf(k -> {
            int after = register.after(state, operations.get(k));
            ranks[k] = after == RegisterModel.IMPOSSIBLE ? 0 : demand.rank(k, register.written(after) == wanted);
            return after == RegisterModel.IMPOSSIBLE;
        });
        candidates.sort(Comparator.<Integer>comparingInt(k -> ranks[k])
                .thenComparingLong(k -> operations.get(k).endNanos()));
        if (turns != null && candidates.size() > 1 && turns.nextInt(ANOTHER_TURN_ONE_IN) == 0) {
            Collections.swap(candidates, 0, turns.nextInt(1, candidates.size()));
        }
        return candidates;
    }

    /** The state needed by the operation with the earliest return of all operations that need a state. */
    private int wantedFirst() {
        int wanted = RegisterModel.IMPOSSIBLE;
        long soonest = Long.MAX_VALUE;
        for (Entry entry = head.next; entry != null && !entry.isReturn; entry = entry.next) {
            long end = operations.get(entry.operation).endNanos();
            if (end < soonest && demand.wants[entry.operation] >= 0) {
                soonest = end;
                wanted = demand.wants[entry.operation];
            }
        }
        return wanted;
    }

    private boolean place(int k, int state, int after) {
        Entry call = calls[k];
        long[] where = call.match == null ? placedOpen : placed;
        where[k >> 6] |= 1L << k;
        demand.placed(k);
        int value = register.written(state);
        if (register.written(after) != value && demand.keeps(value) || !isNew(after)) {
            where[k >> 6] &= ~(1L << k);
            demand.takenBack(k);
            return false;
        }
        call.unlink();
        if (call.match != null) {
            call.match.unlink();
            required--;
        }
        return true;
    }

    private boolean isNew(int state) {
        List<long[]> openOnes = seen.get(new Configuration(placed, state));
        if (openOnes == null) {
            openOnes = new ArrayList<>(1);
            seen.put(new Configuration(placed.clone(), state), openOnes);
        }
        comparisons += openOnes.size();
        for (long[] fewer : openOnes) {
            if (containsAll(placedOpen, fewer)) {
                return false;
            }
        }
        if (++configurations > configurationsMax || comparisons > configurationsMax * COMPARISONS_PER_CONFIGURATION) {
            throw new TooManyOrders(operations.get(0).key());
        }
        openOnes.add(placedOpen.clone());
        return true;
    }

    private static boolean containsAll(long[] set, long[] part) {
        for (int k = 0; k < set.length; k++) {
            if ((part[k] & ~set[k]) != 0) {
                return false;
            }
        }
        return true;
    }

    private void takeBack(int k) {
        Entry call = calls[k];
        if (call.match != null) {
            call.match.relink();
            required++;
        }
        call.relink();
        demand.takenBack(k);
        long[] where = call.match == null ? placedOpen : placed;
        where[k >> 6] &= ~(1L << k);
    }

    /**
     * For each state, the number of unplaced operations that need the state, and of those that can lead to the state.
     */
    private static final class Demand {
        /** Rank of open operations, behind all operations that must be placed. */
        private static final int OPEN = 3;

        private final RegisterModel register;
        private final int[] needs;

        /** For each operation that must be placed, the most likely state before the operation. */
        private final int[] wants;

        private final int[] makes;
        private final boolean[] isRequired;
        private final int[] needed;
        private final int[] made;
        private int openIncrements;

        Demand(RegisterModel register, List<Operation> operations) {
            this.register = register;
            needs = operations.stream().mapToInt(register::needs).toArray();
            wants = operations.stream()
                    .mapToInt(operation -> operation.isOpen() ? RegisterModel.IMPOSSIBLE : register.wants(operation))
                    .toArray();
            makes = operations.stream().mapToInt(register::makes).toArray();
            isRequired = new boolean[needs.length];
            needed = new int[register.states() + 1];
            made = new int[register.states() + 1];
            for (int k = 0; k < needs.length; k++) {
                Operation operation = operations.get(k);
                isRequired[k] = !operation.isOpen();
                if (!operation.mayHaveEffect() || operation.kind() == Operation.Kind.GET) {
                    makes[k] = RegisterModel.IMPOSSIBLE;
                } else if (makes[k] == RegisterModel.IMPOSSIBLE) {
                    makes[k] = made.length - 1; // an increment of unknown outcome may lead to any number; or a touch
                }
                count(k, 1);
            }
        }

        private void count(int k, int sign) {
            if (isRequired[k] && needs[k] >= 0) {
                needed[needs[k]] += sign;
            }
            if (makes[k] == made.length - 1) {
                openIncrements += sign;
            } else if (makes[k] >= 0) {
                made[makes[k]] += sign;
            }
        }

        /** @param leads whether the operation leads to the state that is needed first */
        int rank(int k, boolean leads) {
            int among = needsOneState(k) ? 0 : leads ? 1 : 2;
            return isRequired[k] ? among : OPEN + among;
        }

        boolean needsOneState(int k) {
            return isRequired[k] && needs[k] >= 0;
        }

        void placed(int k) {
            count(k, -1);
        }

        void takenBack(int k) {
            count(k, 1);
        }

        /** Whether the search must not leave a state now. */
        boolean keeps(int state) {
            return state < needed.length - 1
                    && needed[state] > 0
                    && made[state] == 0
                    && !(openIncrements > 0 && mayBeSum(state));
        }

        /** Whether an increment or a touch of unknown outcome may lead to a state. Neither removes a record. */
        private boolean mayBeSum(int state) {
            return state != RegisterModel.ABSENT && register.isNumber(state);
        }

        boolean canBeMet(int initialState) {
            for (int state = 0; state < needed.length - 1; state++) {
                if (state != initialState && keeps(state)) {
                    return false;
                }
            }
            return true;
        }
    }

    /** The search was given up. */
    static final class TooManyOrders extends RuntimeException {
        private static final long serialVersionUID = 1;

        TooManyOrders(String key) {
            super("key " + key + ": too many orders to search");
        }
    }
}
