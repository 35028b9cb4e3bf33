package io.sdds.coordinator.control.parity;

import io.sdds.coordinator.control.placement.Placement;
import io.sdds.coordinator.control.placement.Placement.Candidate;
import io.sdds.coordinator.state.ParityGroup;
import io.sdds.core.model.Place;
import io.sdds.core.model.Place.Member;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Tells which members of a group that stands on replicas are in the way of its parities, and which bricks can take
 * their copies. The parities need k bricks without any member of the group, and the primaries m different bricks.
 */
final class RoomForParities {
    /*
     * The bricks with the fewest members of the group are kept free, besides those that have a parity already. Of equal
     * ones those with the lowest numbers are, so that the choice stays the same while members leave these bricks and
     * join on others. As many bricks as the members need are never kept free, so that a group can always get its copies
     * back after a loss.
     */
    private final ParityGroup group;
    private final List<Candidate> candidates;
    private final Set<Integer> keptFree = new TreeSet<>();

    /** A member that is in the way, and the brick that gets a copy instead; null if no brick can take it. */
    record Replacement(
            int partition,
            Place place,
            Member member,
            @Nullable Candidate joiner) {}

    /** @param candidates the bricks that can take copies */
    RoomForParities(ParityGroup group, List<Candidate> candidates) {
        this.group = group;
        this.candidates = candidates;
        group.parities().present().forEach(member -> keptFree.add(member.brick()));
        group.repairs().forEach(order -> keptFree.add(order.target().brick()));
        long left = candidates.stream()
                .filter(candidate -> !keptFree.contains(candidate.brick()))
                .count();
        long most = Math.min(group.tolerated() - keptFree.size(), left - membersNeed(group));
        Map<Integer, Integer> members = members();
        candidates.stream()
                .map(Candidate::brick)
                .filter(brick -> !keptFree.contains(brick))
                .sorted(Comparator.<Integer>comparingInt(brick -> members.getOrDefault(brick, 0))
                        .thenComparing(Comparator.naturalOrder()))
                .limit(Math.max(0, most))
                .toList()
                .forEach(keptFree::add);
    }

    private static int membersNeed(ParityGroup group) {
        return Math.max(group.columns().size(), group.table().replicas());
    }

    private Map<Integer, Integer> members() {
        Map<Integer, Integer> members = new HashMap<>();
        group.columns()
                .forEach(place -> place.members().forEach(member -> members.merge(member.brick(), 1, Integer::sum)));
        return members;
    }

    /** Whether a brick has or gets a parity of the group, so that no member should join there. */
    boolean isKeptFree(int brick) {
        return keptFree.contains(brick);
    }

    /** The first member that is in the way; null if there is none. */
    @Nullable
    Replacement next(Predicate<Candidate> canTake) {
        Replacement stuck = null;
        for (int k = 0; k < group.columns().size(); k++) {
            Place place = group.columns().get(k);
            Member member = inTheWay(k);
            if (member != null) {
                Candidate joiner = joiner(k, member, canTake);
                Replacement next = new Replacement(group.first() + k, place, member, joiner);
                if (joiner != null) {
                    return next;
                }
                stuck = stuck == null ? next : stuck;
            }
        }
        return stuck;
    }

    /** The member of a partition that is in the way; null if there is none. */
    @Nullable
    Member inTheWay(int column) {
        Place place = group.columns().get(column);
        if (sharesBrick(column) && hasHeir(column)) {
            return place.primary();
        }
        return place.members().stream()
                .filter(member -> keptFree.contains(member.brick()))
                .findFirst()
                .orElse(sharesBrick(column) ? place.primary() : null);
    }

    /** Whether an earlier column of the group has its primary on the brick of a column's primary. */
    private boolean sharesBrick(int column) {
        Place place = group.columns().get(column);
        return !place.lost()
                && IntStream.range(0, column)
                        .anyMatch(k -> group.columns().get(k).brick() == place.brick());
    }

    /**
     * The brick for a copy in place of a member. In place of a primary it is one without another primary of the group,
     * unless a backup can lead. If no other brick is left, the copy goes to a brick that is kept free, and from there
     * to the brick of the primary once that has left.
     */
    private @Nullable Candidate joiner(int column, Member leaver, Predicate<Candidate> canTake) {
        Place place = group.columns().get(column);
        int partition = group.first() + column;
        List<Candidate> able = Placement.inOrder(candidates).stream()
                .filter(candidate -> place.members().stream().noneMatch(member -> member.brick() == candidate.brick()))
                .filter(canTake)
                .toList();
        boolean isPrimary = leaver.equals(place.primary());
        boolean anyWillDo = keptFree.contains(leaver.brick()) || hasHeir(column);
        Predicate<Candidate> isFree = candidate -> keptFree.contains(candidate.brick());
        Predicate<Candidate> spreads =
                candidate -> !isPrimary || !group.hasOtherPrimaryOn(partition, candidate.brick());
        return first(able, isFree.negate().and(spreads))
                .or(() -> anyWillDo ? first(able, isFree.negate()) : Optional.empty())
                .or(() -> sharesBrick(column) && hasHeir(column)
                        ? first(able, candidate -> !holdsParity(candidate))
                        : Optional.empty())
                .orElse(null);
    }

    private static Optional<Candidate> first(List<Candidate> able, Predicate<Candidate> fits) {
        return able.stream().filter(fits).findFirst();
    }

    /** Whether a brick has or gets a parity of the group already. */
    private boolean holdsParity(Candidate candidate) {
        return group.hasParityOn(candidate.brick())
                || group.repairs().stream().anyMatch(order -> order.target().brick() == candidate.brick());
    }

    /** Whether a backup of a column can lead it without sharing its brick with another primary of the group. */
    private boolean hasHeir(int column) {
        return group.columns().get(column).backups().stream()
                .anyMatch(backup -> !keptFree.contains(backup.brick())
                        && !group.hasOtherPrimaryOn(group.first() + column, backup.brick()));
    }
}
