package io.sdds.client.internal.routing;

import java.util.Arrays;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The requests in flight on one link: an array of slots and a stack of free slots.
 *
 * <p>A correlation id consists of a slot and its generation, and is never negative; negative ids belong to
 * {@link Multicasts}. A request that is given up leaves its slot occupied until its reply comes or the link is lost.
 * Therefore a late reply is never taken for the reply of another request.
 *
 * @param <R> type of the requests
 */
@SuppressWarnings("ReferenceEquality") // of the one object that stands for all requests given up
public final class InFlight<R> {
    private static final int SLOT_BITS = 16;
    private static final int SLOT_MASK = (1 << SLOT_BITS) - 1;

    /** Largest number of slots. */
    public static final int CAPACITY_MAX = 1 << SLOT_BITS;

    private static final int CAPACITY_FIRST = 256;

    /** The content of the slot of a request that was given up. */
    private static final Object GIVEN_UP = new Object();

    private @Nullable Object[] slots = new Object[CAPACITY_FIRST];
    /** The correlation id of the request in each slot, or of the next request in a free slot. */
    private int[] ids = new int[CAPACITY_FIRST];

    private int[] free = new int[CAPACITY_FIRST];
    private int freeCount;

    InFlight() {
        freeSlots(0, CAPACITY_FIRST);
    }

    /** Number of occupied slots, including slots of requests that were given up. */
    int size() {
        return slots.length - freeCount;
    }

    /** Whether another request fits. */
    boolean hasRoom() {
        return freeCount > 0 || slots.length < CAPACITY_MAX;
    }

    /** Takes a slot for a request and returns its correlation id. At most {@link #CAPACITY_MAX} requests fit. */
    int add(R request) {
        if (freeCount == 0) {
            grow();
        }
        int slot = free[--freeCount];
        slots[slot] = request;
        return ids[slot];
    }

    /** Removes the request that a reply answers from its slot. Returns null when the request was given up. */
    @SuppressWarnings("unchecked")
    @Nullable
    R take(int correlation) {
        int slot = correlation & SLOT_MASK;
        if (slot >= slots.length || ids[slot] != correlation) {
            return null;
        }
        Object request = slots[slot];
        if (request == null) {
            return null;
        }
        slots[slot] = null;
        ids[slot] = next(correlation);
        free[freeCount++] = slot;
        return request == GIVEN_UP ? null : (R) request;
    }

    /** Gives up the requests that match, and passes each to the consumer after its slot is marked. */
    @SuppressWarnings("unchecked")
    void giveUpIf(Predicate<? super R> match, Consumer<? super R> consumer) {
        for (int slot = 0; slot < slots.length; slot++) {
            Object request = slots[slot];
            if (request != null && request != GIVEN_UP && match.test((R) request)) {
                slots[slot] = GIVEN_UP;
                consumer.accept((R) request);
            }
        }
    }

    /** Passes all requests that were not given up to the consumer. */
    void forEach(Consumer<? super R> consumer) {
        giveUpIf(
                request -> {
                    consumer.accept(request);
                    return false;
                },
                request -> {});
    }

    /** Empties all slots after the link was lost, and passes the requests that were not given up to the consumer. */
    @SuppressWarnings("unchecked")
    void drainTo(Consumer<? super R> consumer) {
        @Nullable Object[] old = slots;
        for (int slot = 0; slot < old.length; slot++) {
            ids[slot] = next(ids[slot]);
        }
        slots = new Object[old.length];
        freeCount = 0;
        freeSlots(0, old.length);
        for (Object request : old) {
            if (request != null && request != GIVEN_UP) {
                consumer.accept((R) request);
            }
        }
    }

    private static int next(int id) {
        return id + CAPACITY_MAX & Integer.MAX_VALUE;
    }

    private void grow() {
        int old = slots.length;
        if (old == CAPACITY_MAX) {
            throw new IllegalStateException(old + " requests are in flight on one link");
        }
        slots = Arrays.copyOf(slots, 2 * old);
        ids = Arrays.copyOf(ids, 2 * old);
        free = Arrays.copyOf(free, 2 * old);
        freeSlots(old, 2 * old);
    }

    /** Frees new slots so that the lowest slot is taken first. */
    private void freeSlots(int from, int to) {
        for (int slot = to - 1; slot >= from; slot--) {
            if (ids[slot] == 0) {
                ids[slot] = slot;
            }
            free[freeCount++] = slot;
        }
    }
}
