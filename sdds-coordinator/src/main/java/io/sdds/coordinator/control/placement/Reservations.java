package io.sdds.coordinator.control.placement;

import java.util.ArrayList;
import java.util.List;
import java.util.function.LongPredicate;

/**
 * Counts the bytes on their way to bricks by ordered migrations, until the brick's own report contains them. Without
 * this count one empty brick would be the target of everything between two of its heartbeats. A new leader begins with
 * none.
 */
final class Reservations {
    private static final long UNDER_WAY = Long.MAX_VALUE;

    private final List<Reservation> reservations = new ArrayList<>();

    /** @param committedVersion map version that committed the migration */
    private record Reservation(long migration, int brick, long bytes, long committedVersion) {}

    void add(long migration, int brick, long bytes) {
        reservations.add(new Reservation(migration, brick, bytes, UNDER_WAY));
    }

    void committed(long migration, long version) {
        reservations.replaceAll(
                r -> r.migration() == migration ? new Reservation(migration, r.brick(), r.bytes(), version) : r);
    }

    void remove(long migration) {
        reservations.removeIf(r -> r.migration() == migration);
    }

    /** Drops the reservations of migrations that are neither committed nor under way. */
    void retainUnderWay(LongPredicate underWay) {
        reservations.removeIf(r -> r.committedVersion() == UNDER_WAY && !underWay.test(r.migration()));
    }

    /** A brick reported its loads and knows the map up to a version. */
    void reported(int brick, long mapVersion) {
        reservations.removeIf(r -> r.brick() == brick && r.committedVersion() <= mapVersion);
    }

    long bytes(int brick) {
        long bytes = 0;
        for (Reservation reservation : reservations) {
            bytes += reservation.brick() == brick ? reservation.bytes() : 0;
        }
        return bytes;
    }

    void clear() {
        reservations.clear();
    }
}
