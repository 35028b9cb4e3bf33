package io.sdds.coordinator.control.placement;

import io.sdds.coordinator.control.base.ControlContext;
import io.sdds.coordinator.control.member.BrickRegistry;
import io.sdds.coordinator.control.placement.Placement.Candidate;
import io.sdds.coordinator.state.ParityGroup;
import io.sdds.core.model.LeaveOrder;
import io.sdds.core.model.MigrationOrder;
import io.sdds.core.model.Parity;
import io.sdds.core.model.Place;
import io.sdds.core.model.Place.Member;
import io.sdds.core.model.TableMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.IntPredicate;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Computes how full the bricks are by the map, and finds the copy, the partition of one copy, or the column of a parity
 * group that should move to another brick.
 */
public final class Balance {
    /*
     * A brick's share is the size of its copies by the map, as a fraction of its memory, divided by its capacity weight
     * (WeightedLoad). The size of a copy is the size
     * that its primary reported last, plus a constant. A copy moves from the brick with the largest share to the brick
     * with the smallest share, if the difference is large enough and the copy is not much larger than half of the
     * difference. So each move reduces the sum of the squares of the shares, by more than reports vary over time.
     * Therefore copies do not move in circles, and no copy moves where the bricks hold about the same.
     */
    private static final int COPY_BYTES = 64 << 10;

    /** Least difference of shares for a move, as a fraction of the fuller brick's share. */
    private static final double DIFFERENCE_LEAST = 0.2;

    /** Largest change of the difference by a move, as a fraction of the difference. */
    private static final double CHANGE_MOST = 1.2;

    private final ControlContext our;
    private final Loads loads;
    private final IntPredicate atRest;
    private final Predicate<ParityGroup> mayChange;
    private final BrickRegistry bricks;
    private final Map<Integer, Long> held = new TreeMap<>();

    /** A copy that should move, and the brick to which it moves. */
    public record Move(int table, int partition, Place place, Candidate joiner) {}

    /**
     * @param atRest whether a table of one copy has not split or merged for a while; its splits balance the bricks, too
     * @param mayChange whether a column of a parity group may move now
     */
    public Balance(ControlContext our, BrickRegistry bricks, IntPredicate atRest, Predicate<ParityGroup> mayChange) {
        this.our = our;
        this.atRest = atRest;
        this.mayChange = mayChange;
        this.bricks = bricks;
        this.loads = new Loads(bricks);
        for (TableMap table : our.state().tables()) {
            addParities(table);
            int id = table.definition().id();
            for (int a = 0; a < our.state().columns(id); a++) {
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
        our.state().repairs().stream()
                .filter(repair -> !our.state()
                        .place(repair.table(), repair.receiver())
                        .primary()
                        .equals(repair.learner()))
                .forEach(repair ->
                        add(repair.learner().brick(), bytes(repair.table(), repair.receiver(), repair.source())));
        moves().forEach(move -> add(move.target().brick(), bytes(move.table(), move.parent(), move.source())));
    }

    /** Adds the parities of a table. A parity of a group is about as large as the largest column of the group. */
    private void addParities(TableMap table) {
        Parity parity = table.definition().parity();
        int id = table.definition().id();
        for (int group = 0; group < our.state().groups(id); group++) {
            int first = group * parity.columns();
            long bytes = IntStream.range(
                            first,
                            Math.min(first + parity.columns(), our.state().columns(id)))
                    .mapToLong(a -> bytes(id, a, our.state().place(id, a)))
                    .max()
                    .orElse(0);
            our.state().parities(id, group).present().forEach(member -> add(member.brick(), bytes));
        }
    }

    private Stream<MigrationOrder> moves() {
        return our.state().splits().stream().filter(MigrationOrder::isMove);
    }

    private void add(int brick, long bytes) {
        held.merge(brick, bytes, Long::sum);
    }

    /** The share of a brick that held so many bytes. */
    private double share(int brick, long bytes) {
        return WeightedLoad.fill(bytes, our.state().memoryLimitBytes(brick), bricks.weight(brick));
    }

    private long held(int brick) {
        return held.getOrDefault(brick, 0L);
    }

    private long bytes(int table, int partition, Place place) {
        return COPY_BYTES + loads.of(table, partition, place).bytes();
    }

    /** The size of a brick's copies as a fraction of its memory, divided by its weight. */
    public double share(int brick) {
        return share(brick, held(brick));
    }

    /** The change of the difference of two bricks' shares by the move of a copy. */
    private double change(int full, int empty, long bytes) {
        return share(full) - share(full, held(full) - bytes) + share(empty, held(empty) + bytes) - share(empty);
    }

    /**
     * The largest copy that is worth a move from the fullest to the emptiest brick, among the bricks without a copy
     * under way; null if there is none.
     */
    public @Nullable Move move(List<Candidate> candidates) {
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
            boolean mayMove =
                    !table.definition().isConverting() && (table.definition().isReplicated() || atRest.test(id));
            for (int a = 0; mayMove && a < table.partitions(); a++) {
                Place place = our.state().place(id, a);
                long bytes = bytes(id, a, place);
                double change = change(full.brick(), empty.brick(), bytes);
                if (change > largest
                        && change <= CHANGE_MOST * difference
                        && place.members().size() == table.definition().replicas()
                        && place.has(full.brick(), full.incarnation())
                        && !place.has(empty.brick(), empty.incarnation())
                        && mayHold(table, a, empty)) {
                    largest = change;
                    best = new Move(id, a, place, empty);
                }
            }
        }
        return best;
    }

    /**
     * Whether a brick may get a partition by its parity group, if it has one: the group may change now, and has no
     * member on the brick.
     */
    private boolean mayHold(TableMap table, int partition, Candidate brick) {
        if (!table.definition().hasParity()) {
            return true;
        }
        int number = table.definition().parity().group(partition);
        ParityGroup group = our.state().parityGroup(table.definition().id(), number);
        return !group.isOn(brick.brick()) && mayChange.test(group);
    }

    /** The bricks to or from which a copy is under way. */
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
