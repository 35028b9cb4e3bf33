package io.sdds.coordinator.control;

import io.sdds.coordinator.control.Placement.Candidate;
import io.sdds.core.model.LeaveOrder;
import io.sdds.core.model.MigrationOrder;
import io.sdds.core.model.Place;
import io.sdds.core.model.Place.Member;
import io.sdds.core.model.TableMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.IntPredicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * How full the bricks are by what the map places there, and which copy, or partition of one copy, had better be
 * elsewhere.
 */
final class Balance {
    /*
     * A brick's share is what it holds, by the map, in parts of its memory; each copy weighs what its primary said
     * last, and something for being there. A copy goes from the brick of the largest share to the one of the smallest
     * if the difference is worth it and if the copy makes up not much more than half of it. So each move makes the sum
     * of the squares of the shares less, by more than reports differ from one time to the next: copies don't go round
     * in circles, and where the bricks hold about the same none goes at all.
     */
    private static final int COPY_BYTES = 64 << 10;

    /** Of the fuller brick's share. */
    private static final double DIFFERENCE_LEAST = 0.2;

    /** Of the difference, what a move may change. */
    private static final double CHANGE_MOST = 1.2;

    private final ControlContext our;
    private final Loads loads;
    private final IntPredicate atRest;
    private final Map<Integer, Double> shares = new TreeMap<>();

    /** A copy that is to go, and where to. */
    record Move(int table, int partition, Place place, Candidate joiner) {}

    /**
     * @param atRest whether a table of one copy has not grown or shrunk for a while; its splits balance the bricks, too
     */
    Balance(ControlContext our, BrickRegistry bricks, IntPredicate atRest) {
        this.our = our;
        this.atRest = atRest;
        this.loads = new Loads(bricks);
        for (TableMap table : our.state().tables()) {
            for (int a = 0; a < table.partitions(); a++) {
                int id = table.definition().id();
                Place place = our.state().place(id, a);
                LeaveOrder leave = our.state().leave(id, a);
                for (Member member : place.members()) {
                    if (leave == null || !leave.leaver().equals(member)) {
                        add(member.brick(), bytes(id, a, place));
                    }
                }
            }
        }
        for (MigrationOrder join : our.state().learners()) {
            Place place = our.state().place(join.table(), join.receiver());
            add(join.learner().brick(), bytes(join.table(), join.receiver(), place));
        }
        moves().forEach(move -> add(move.target().brick(), bytes(move.table(), move.parent(), move.source())));
    }

    private Stream<MigrationOrder> moves() {
        return our.state().splits().stream().filter(MigrationOrder::isMove);
    }

    private void add(int brick, long bytes) {
        shares.merge(brick, part(brick, bytes), Double::sum);
    }

    private double part(int brick, long bytes) {
        return (double) bytes / Math.max(1, our.state().memoryLimitBytes(brick));
    }

    private long bytes(int table, int partition, Place place) {
        return COPY_BYTES + loads.of(table, partition, place).bytes();
    }

    /** What a brick holds, in parts of its memory. */
    double share(int brick) {
        return shares.getOrDefault(brick, 0.0);
    }

    /**
     * The largest copy that is worth a move, from the fullest brick to the emptiest of those that have none under way;
     * null: none is.
     */
    @Nullable
    Move move(List<Candidate> candidates) {
        Set<Integer> busy = busy();
        Candidate full = null;
        Candidate empty = null;
        for (Candidate each : candidates) {
            if (!busy.contains(each.brick())) {
                full = full == null || share(each.brick()) > share(full.brick()) ? each : full;
                empty = empty == null || share(each.brick()) < share(empty.brick()) ? each : empty;
            }
        }
        return full == null || empty == null ? null : move(full, empty);
    }

    private @Nullable Move move(Candidate full, Candidate empty) {
        double difference = share(full.brick()) - share(empty.brick());
        if (difference <= DIFFERENCE_LEAST * share(full.brick())) {
            return null;
        }
        Move best = null;
        double largest = 0;
        for (TableMap table : our.state().tables()) {
            int id = table.definition().id();
            boolean mayMove = table.definition().isReplicated() || atRest.test(id);
            for (int a = 0; mayMove && a < table.partitions(); a++) {
                Place place = our.state().place(id, a);
                long bytes = bytes(id, a, place);
                double change = part(full.brick(), bytes) + part(empty.brick(), bytes);
                if (change > largest
                        && change <= CHANGE_MOST * difference
                        && place.members().size() == table.definition().replicas()
                        && place.has(full.brick(), full.incarnation())
                        && !place.has(empty.brick(), empty.incarnation())) {
                    largest = change;
                    best = new Move(id, a, place, empty);
                }
            }
        }
        return best;
    }

    /** Bricks that a copy comes to or goes from. */
    private Set<Integer> busy() {
        Set<Integer> busy = new TreeSet<>();
        our.state().learners().forEach(join -> {
            busy.add(join.learner().brick());
            our.state().place(join.table(), join.receiver()).members().forEach(member -> busy.add(member.brick()));
        });
        our.state().leaves().forEach(leave -> busy.add(leave.leaver().brick()));
        moves().forEach(move -> {
            busy.add(move.source().brick());
            busy.add(move.target().brick());
        });
        return busy;
    }
}
