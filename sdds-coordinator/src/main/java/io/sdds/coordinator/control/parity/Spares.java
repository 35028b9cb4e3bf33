package io.sdds.coordinator.control.parity;

import io.sdds.coordinator.control.placement.Allocator;
import io.sdds.coordinator.control.placement.Placement;
import io.sdds.coordinator.control.placement.Placement.Candidate;
import io.sdds.coordinator.state.ParityGroup;
import io.sdds.core.model.MigrationKind;
import io.sdds.core.model.Place;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Chooses bricks for columns and parities of parity groups, in one pass over the groups. A choice counts in the next
 * choices of the pass, because its order is not in the state yet.
 */
final class Spares {
    private final Allocator allocator;
    private final int parityOrdersMax;
    private final List<Candidate> candidates;

    /** Number of parity orders of this pass, by brick. */
    private final Map<Integer, Integer> parities = new HashMap<>();

    /** @param parityOrdersMax a brick that is the target of so many parity orders gets no more */
    Spares(Allocator allocator, int parityOrdersMax) {
        this.allocator = allocator;
        this.parityOrdersMax = parityOrdersMax;
        this.candidates = new ArrayList<>(allocator.candidates());
    }

    /**
     * The least loaded brick that has room for a column and holds no member of its group; without one, the least loaded
     * brick that has room and holds no parity of the group. So data may share a brick with data, and never with its own
     * group's parity. Null if there is none: then the column is decoded, and no brick is filled up in vain.
     *
     * @param chosen the bricks that this pass has chosen for other columns of the group
     */
    @Nullable
    Candidate forColumn(ParityGroup group, Set<Integer> chosen, long bytes) {
        return forColumn(group, chosen, brick -> true, bytes);
    }

    /**
     * Chooses a brick for a column that begins again empty. The brick that the column is on is never chosen, because it
     * may have records of the column.
     */
    @Nullable
    Candidate forEmptyColumn(ParityGroup group, Place column, Set<Integer> chosen) {
        return forColumn(group, chosen, brick -> brick.brick() != column.brick(), 0);
    }

    private @Nullable Candidate forColumn(
            ParityGroup group, Set<Integer> chosen, Predicate<Candidate> mayTake, long bytes) {
        Predicate<Candidate> hasRoom = brick -> brick.hasRoomFor(bytes);
        Candidate spare =
                leastLoaded(hasRoom.and(brick -> !group.isOn(brick.brick()) && !chosen.contains(brick.brick())));
        spare = spare == null
                ? leastLoaded(hasRoom.and(mayTake).and(brick -> !group.hasParityOn(brick.brick())))
                : spare;
        count(spare, bytes);
        return spare;
    }

    /** Whether any brick could take a column of a group, also one that has failed lately. */
    boolean anyForColumn(ParityGroup group, long bytes) {
        return candidates.stream().anyMatch(brick -> brick.hasRoomFor(bytes) && !group.hasParityOn(brick.brick()));
    }

    /**
     * The least loaded brick that has room for a parity, holds no member of its group and does not build many parities;
     * null if there is none.
     */
    @Nullable
    Candidate forParity(ParityGroup group, long bytes) {
        Candidate process = leastLoaded(brick ->
                brick.hasRoomFor(bytes) && !group.isOn(brick.brick()) && parityOrders(brick.brick()) < parityOrdersMax);
        if (process != null) {
            parities.merge(process.brick(), 1, Integer::sum);
        }
        count(process, bytes);
        return process;
    }

    private long parityOrders(int brick) {
        return allocator.to(MigrationKind.PARITY, brick) + parities.getOrDefault(brick, 0);
    }

    /** Whether any brick could take a parity of a group, also one that has failed lately or builds many parities. */
    boolean anyForParity(ParityGroup group, long bytes) {
        return candidates.stream().anyMatch(brick -> brick.hasRoomFor(bytes) && !group.isOn(brick.brick()));
    }

    private @Nullable Candidate leastLoaded(Predicate<Candidate> fits) {
        return Placement.forNewPartition(candidates.stream()
                .filter(brick -> !allocator.learnerHasFailed(brick.brick()))
                .filter(fits)
                .toList());
    }

    private void count(@Nullable Candidate chosen, long bytes) {
        candidates.replaceAll(brick -> brick == chosen ? brick.withOneMore(bytes) : brick);
    }
}
