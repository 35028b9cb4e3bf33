package io.sdds.coordinator.control.parity;

import io.sdds.coordinator.control.placement.Placement.Candidate;
import io.sdds.coordinator.control.placement.WeightedLoad;
import io.sdds.coordinator.state.Command;
import io.sdds.core.model.Parity;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Chooses the bricks of the parity groups of a new table: different bricks for the columns and parities of a group, and
 * over all groups about as many columns and as many parities on each brick of the same capacity weight.
 */
public final class ParityPlacement {
    /*
     * Group by group: the bricks with the fewest partitions of the table for their weight become the group's members,
     * so that the numbers of two bricks of one weight never differ by more than one. Of these bricks those with the
     * fewest parities take the group's parities. A write costs each parity of its group as much as its column, so
     * parities must not stay on the same bricks. Among equal bricks the less loaded one gets a column first.
     */
    private final Map<Integer, Integer> members = new HashMap<>();
    private final Map<Integer, Integer> parities = new HashMap<>();
    private final List<Command.Host> columnHosts = new ArrayList<>();
    private final List<Command.Host> parityHosts = new ArrayList<>();

    /**
     * Chooses the bricks of a table.
     *
     * @param bricks as many as a full group needs at least, the least loaded first
     * @param partitions number of partitions; the last group may lack columns
     */
    public ParityPlacement(List<Candidate> bricks, Parity parity, int partitions) {
        for (int first = 0; first < partitions; first += parity.columns()) {
            place(bricks, Math.min(parity.columns(), partitions - first), parity.parities());
        }
    }

    /** Says that fewer bricks are up than a full group needs. */
    public static String tooFew(Parity parity, int up) {
        int missing = parity.bricks() - up;
        return "parity " + parity.text() + " needs " + parity.bricks() + " bricks, and " + up
                + (up == 1 ? " is up; " : " are up; ") + missing + " more " + (missing == 1 ? "is" : "are")
                + " missing";
    }

    private void place(List<Candidate> bricks, int columns, int parityCount) {
        List<Candidate> chosen = new ArrayList<>(bricks.stream()
                .sorted(fewest(members)) // stable: the less loaded brick first
                .limit(columns + parityCount)
                .toList());
        List<Candidate> forParity = chosen.reversed().stream()
                .sorted(fewest(parities))
                .limit(parityCount)
                .toList();
        chosen.forEach(brick -> members.merge(brick.brick(), 1, Integer::sum));
        forParity.forEach(brick -> parities.merge(brick.brick(), 1, Integer::sum));
        chosen.removeAll(forParity);
        chosen.forEach(brick -> columnHosts.add(brick.host()));
        forParity.forEach(brick -> parityHosts.add(brick.host()));
    }

    /** Orders bricks by the numbers that they have for their weights. */
    static Comparator<Candidate> fewest(Map<Integer, Integer> counts) {
        return Comparator.comparingLong(
                brick -> WeightedLoad.withOneMore(counts.getOrDefault(brick.brick(), 0), brick.weight()));
    }

    /** The process of each partition. */
    public List<Command.Host> columns() {
        return columnHosts;
    }

    /** The processes of the parities: those of the first group in the order of their indexes, then of the next. */
    public List<Command.Host> parities() {
        return parityHosts;
    }
}
