package io.sdds.coordinator.control.parity;

import io.sdds.coordinator.control.placement.Placement;
import io.sdds.coordinator.control.placement.Placement.Candidate;
import io.sdds.coordinator.state.ClusterState;
import io.sdds.coordinator.state.Command;
import io.sdds.coordinator.state.ParityGroup;
import io.sdds.core.model.Parity;
import io.sdds.core.model.TableMap;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Chooses the bricks of a column that is added to a table with parity: that of the column, and with the first column of
 * a group those of the group's parities.
 */
final class ColumnPlacement {
    /*
     * The column goes to the least loaded brick that holds no parity of its group. It prefers a brick without another
     * column of the group, because else the loss of one brick takes two members from the group. Then it prefers another
     * brick than that of the partition that splits, as every child does. Of the other bricks those with the fewest
     * parities of the table take the parities of a new group, as in ParityPlacement.
     */
    private final ClusterState state;
    private final TableMap table;
    private final List<Candidate> candidates;

    /** @param candidates the bricks that can take a column or a parity */
    ColumnPlacement(ClusterState state, TableMap table, List<Candidate> candidates) {
        this.state = state;
        this.table = table;
        this.candidates = Placement.inOrder(candidates);
    }

    /**
     * The command that adds the next column of the table.
     *
     * @param parentBrick the brick of the partition that will split into the column
     * @return null when too few bricks can take it
     */
    Command.@Nullable AddColumn next(int parentBrick) {
        int id = table.definition().id();
        int column = state.columns(id);
        Parity parity = table.definition().parity();
        boolean isFirst = parity.column(column) == 0;
        ParityGroup group = isFirst ? null : state.parityGroup(id, parity.group(column));
        Candidate host = host(group, parentBrick);
        if (host == null) {
            return null;
        }
        List<Command.Host> parities = isFirst ? parities(host) : List.of();
        return isFirst && parities.size() < parity.parities()
                ? null
                : new Command.AddColumn(id, column, host.host(), parities);
    }

    private @Nullable Candidate host(@Nullable ParityGroup group, int parentBrick) {
        Predicate<Candidate> isAllowed = brick -> group == null || !group.hasParityOn(brick.brick());
        Predicate<Candidate> isAlone = brick -> group == null || !group.isOn(brick.brick());
        Predicate<Candidate> isElsewhere = brick -> brick.brick() != parentBrick;
        return candidates.stream()
                .filter(isAllowed)
                .min(Comparator.<Candidate, Boolean>comparing(isAlone::test)
                        .thenComparing(isElsewhere::test)
                        .reversed())
                .orElse(null);
    }

    private List<Command.Host> parities(Candidate column) {
        Map<Integer, Integer> counts = new HashMap<>();
        int id = table.definition().id();
        for (int group = 0; group < state.groups(id); group++) {
            state.parities(id, group).present().forEach(member -> counts.merge(member.brick(), 1, Integer::sum));
        }
        return candidates.stream()
                .filter(brick -> brick.brick() != column.brick())
                .sorted(ParityPlacement.fewest(counts))
                .limit(table.definition().parity().parities())
                .map(Candidate::host)
                .toList();
    }
}
