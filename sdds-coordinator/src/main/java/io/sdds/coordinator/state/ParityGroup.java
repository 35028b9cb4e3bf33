package io.sdds.coordinator.state;

import io.sdds.core.model.MigrationOrder;
import io.sdds.core.model.ParityMembers;
import io.sdds.core.model.Place;
import io.sdds.core.model.Place.Member;
import io.sdds.core.model.TableDefinition;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.IntPredicate;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A parity group as the map has it. Its idle columns are columns like the others. A column is degraded while a parity
 * leads it, and filling while its recovery is in the map and the spare is primary (docs/design/parity.md, rules 26 and
 * 28).
 *
 * @param number of the group in its table
 * @param first partition number of its first column
 * @param columns the places of its columns, in the order of their numbers
 * @param repairs the recoveries, the parity order and the move of the group under way
 * @param unused the numbers of the columns that never had a record
 * @param renewable the numbers of the idle columns that no order names
 */
public record ParityGroup(
        TableDefinition table,
        int number,
        int first,
        List<Place> columns,
        ParityMembers parities,
        List<MigrationOrder> repairs,
        Set<Integer> unused,
        Set<Integer> renewable) {
    public ParityGroup {
        columns = List.copyOf(columns);
        repairs = List.copyOf(repairs);
        unused = Collections.unmodifiableSet(new TreeSet<>(unused));
        renewable = Collections.unmodifiableSet(new TreeSet<>(renewable));
    }

    static ParityGroup of(Table table, int number) {
        int m = table.definition().parity().columns();
        int first = number * m;
        int end = Math.min(first + m, table.columns());
        return new ParityGroup(
                table.definition(),
                number,
                first,
                IntStream.range(first, end).mapToObj(table::place).toList(),
                table.parities(number),
                Stream.concat(table.repairs().stream(), table.moves().stream())
                        .filter(order -> order.sender() >= first && order.sender() < end)
                        .toList(),
                numbers(first, end, column -> table.unusedSince(column) > 0),
                numbers(
                        first,
                        end,
                        column -> table.hasColumn(column) && table.isIdle(column) && !table.isChanging(column)));
    }

    private static Set<Integer> numbers(int from, int to, IntPredicate chosen) {
        return IntStream.range(from, to).filter(chosen).boxed().collect(Collectors.toSet());
    }

    /** k, the number of members that the group can lack. */
    public int tolerated() {
        return parities.members().size();
    }

    /**
     * Whether the group still stands on replicas, because its table is being converted. Then the columns are judged as
     * replica groups, and nothing is decoded from the parities (docs/design/parity.md, rule 34).
     */
    public boolean standsOnReplicas() {
        return !parities.inForce();
    }

    /** The processes of the columns and of the parities, each once. */
    public Set<Member> processes() {
        Set<Member> processes = new LinkedHashSet<>(parities.present());
        columns.forEach(place -> processes.addAll(place.members()));
        return processes;
    }

    /**
     * The processes by which the group is judged. While it stands on parity these are the primaries and the parities: a
     * backup that a column has, because the table is converted to replicas, protects nothing yet.
     */
    public Set<Member> judged() {
        if (standsOnReplicas()) {
            return processes();
        }
        Set<Member> judged = new LinkedHashSet<>(parities.present());
        columns.stream().filter(place -> !place.lost() && !place.none()).forEach(place -> judged.add(place.primary()));
        return judged;
    }

    /** The epochs of the columns, which name the state of the group. */
    public List<Long> epochs() {
        return columns.stream().map(Place::epoch).toList();
    }

    /** Whether a parity leads a column, because the column's own process is lost. */
    public boolean isDegraded(Place column) {
        return parities.leads(column);
    }

    /**
     * Whether a column's primary is a spare that has not all records yet. The spare's process may be the primary of
     * another column of the group, too, so the place names the order.
     */
    public boolean isFilling(Place column) {
        return repairs.stream()
                .anyMatch(order -> order.isRecovery()
                        && order.id() == column.migration()
                        && order.learner().equals(column.primary()));
    }

    /** Whether a column's primary has all records of the column, unless it is gone. */
    public boolean isComplete(Place column) {
        return !column.lost() && !isDegraded(column) && !isFilling(column);
    }

    /** Whether a column has no primary with all its records, given the processes that are gone. */
    public boolean isLacking(Place column, Predicate<Member> isGone) {
        return !column.none() && (!isComplete(column) || isGone.test(column.primary()));
    }

    /** Whether each column has a primary with all records. */
    public boolean areColumnsComplete() {
        return columns.stream().allMatch(this::isComplete);
    }

    /**
     * The number of members whose records must be decoded or encoded again: columns that are lost, degraded or filling,
     * parities that are missing, and members that are gone. The group can decode them while there are at most
     * {@link #tolerated} of them.
     *
     * @param isGone whether the memory of a process counts as gone
     */
    public int lacking(Predicate<Member> isGone) {
        long lackingColumns =
                columns.stream().filter(place -> isLacking(place, isGone)).count();
        long lackingParities = parities.members().stream()
                .filter(member -> member.equals(ParityMembers.MISSING) || isGone.test(member))
                .count();
        return (int) (lackingColumns + lackingParities);
    }

    /**
     * The number of members that the group {@link #lacking lacks} and that may be in its sums. A column that never had
     * a record is in no sum, so the others are decoded without it, unless it is lost.
     *
     * @param isGone whether the memory of a process counts as gone
     */
    public int toDecode(Predicate<Member> isGone) {
        long empty = unused.stream()
                .map(this::column)
                .filter(column -> !column.lost() && isLacking(column, isGone))
                .count();
        return lacking(isGone) - (int) empty;
    }

    /** Whether a column never had a record. */
    public boolean isUnused(int partition) {
        return unused.contains(partition);
    }

    /**
     * Whether a column owns no keys, and no split, merge or move can give it any. If it is lacking and not to be
     * decoded, it may begin again empty, with a group whose parities are all missing.
     */
    public boolean mayBeginAgain(int partition) {
        return renewable.contains(partition);
    }

    /** Whether the group lacks no member and repairs none, so that its columns may change. */
    public boolean isWhole(Predicate<Member> isGone) {
        return lacking(isGone) == 0 && repairs.isEmpty();
    }

    /**
     * Whether the first parities of the group, so many of them, can decode all that the group lacks then, and lead the
     * columns that are degraded.
     *
     * @param isGone whether the memory of a process counts as gone
     */
    public boolean canDoWith(int k, Predicate<Member> isGone) {
        ParityMembers left = parities.withCount(k);
        return columns.stream().allMatch(column -> isDegraded(column) == left.leads(column))
                && new ParityGroup(table, number, first, columns, left, repairs, unused, renewable).lacking(isGone)
                        <= k;
    }

    /** The recovery of a column under way; null if there is none. */
    public @Nullable MigrationOrder recovery(int partition) {
        return repairs.stream()
                .filter(order -> order.isRecovery() && order.receiver() == partition)
                .findFirst()
                .orElse(null);
    }

    /** Whether a brick holds a parity of the group, or held it in an earlier process. */
    public boolean hasParityOn(int brick) {
        return parities.members().stream().anyMatch(member -> member.brick() == brick);
    }

    /** Whether a brick holds a member of the group, or is the target of one of its repairs. */
    public boolean isOn(int brick) {
        return hasParityOn(brick)
                || columns.stream()
                        .flatMap(place -> place.members().stream())
                        .anyMatch(member -> member.brick() == brick)
                || repairs.stream().anyMatch(order -> order.target().brick() == brick);
    }

    /** Whether another column of the group than a given one has its primary on a brick. */
    public boolean hasOtherPrimaryOn(int partition, int brick) {
        return IntStream.range(0, columns.size())
                .anyMatch(k -> first + k != partition && columns.get(k).brick() == brick);
    }

    /**
     * The columns on the brick that holds the most columns of the group, by their numbers; empty while no two columns
     * share a brick. The loss of this brick would take more than one member from the group.
     */
    public List<Integer> columnsOnOneBrick() {
        return columnsByBrick().values().stream()
                .filter(numbers -> numbers.size() > 1)
                .max(Comparator.comparingInt(List::size))
                .orElse(List.of());
    }

    /** The number of columns that have to move until no two columns share a brick. */
    public int columnsToSeparate() {
        return columnsByBrick().values().stream()
                .mapToInt(numbers -> numbers.size() - 1)
                .sum();
    }

    /** The columns by the bricks of their own processes. A column that a parity leads has no process of its own. */
    private Map<Integer, List<Integer>> columnsByBrick() {
        Map<Integer, List<Integer>> columnsByBrick = new TreeMap<>();
        for (int k = 0; k < columns.size(); k++) {
            Place column = columns.get(k);
            if (!column.lost() && !column.none() && !isDegraded(column)) {
                columnsByBrick
                        .computeIfAbsent(column.brick(), brick -> new ArrayList<>())
                        .add(first + k);
            }
        }
        return columnsByBrick;
    }

    /** The index of the first parity on one of some bricks; -1 if there is none. */
    public int firstParityOn(IntPredicate bricks) {
        return IntStream.range(0, tolerated())
                .filter(index -> !parities.isMissing(index)
                        && bricks.test(parities.members().get(index).brick()))
                .findFirst()
                .orElse(-1);
    }

    /** Whether a partition is a column of the group. */
    public boolean has(int partition) {
        return partition >= first && partition < first + columns.size();
    }

    /** The place of a column of the group. */
    public Place column(int partition) {
        return columns.get(partition - first);
    }

    /**
     * Whether an order of this group is void: a recovery when its spare is gone, or the column has changed since and is
     * not the spare's; a parity order or a move when its target is gone, or any column or parity has changed since. A
     * change of the parities changes the epochs of all columns.
     *
     * @param isCurrent whether a process is the present one of its brick
     */
    boolean isVoid(MigrationOrder order, Predicate<Member> isCurrent) {
        Place sender = column(order.sender());
        boolean unchanged = sender.epoch() == order.sourceEpoch();
        boolean fits = order.isRecovery()
                ? unchanged && isDegraded(sender) || sender.primary().equals(order.learner())
                : unchanged && areColumnsComplete();
        return !fits || !isCurrent.test(order.learner());
    }
}
