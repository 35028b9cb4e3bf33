package io.sdds.brick.migration;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * The orders that this stage should begin as a source and can't, because something stands in the way, such as another
 * migration of the partition. One that has waited for {@link Migration#STALLED_NANOS} is given up: it is never begun
 * here, and is reported as abandoned.
 */
final class UnbegunOrders {
    private final Map<Long, Long> sinceNanos = new HashMap<>();
    private final Set<Long> givenUp = new HashSet<>();

    /** Whether an order was given up. */
    boolean isGivenUp(long id) {
        return givenUp.contains(id);
    }

    /**
     * Each 100 ms.
     *
     * @param waiting the orders that should have begun
     * @param ordered the orders of the map
     * @return the orders that are given up now
     */
    Set<Long> tick(long nowNanos, Set<Long> waiting, Set<Long> ordered) {
        givenUp.retainAll(ordered);
        sinceNanos.keySet().retainAll(waiting);
        Set<Long> now = new HashSet<>();
        for (long id : waiting) {
            long since = sinceNanos.computeIfAbsent(id, first -> nowNanos);
            if (nowNanos - since >= Migration.STALLED_NANOS && givenUp.add(id)) {
                now.add(id);
            }
        }
        return now;
    }
}
