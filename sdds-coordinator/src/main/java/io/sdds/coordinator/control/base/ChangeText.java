package io.sdds.coordinator.control.base;

import io.sdds.coordinator.state.ClusterState;
import io.sdds.coordinator.state.Command.Host;
import io.sdds.coordinator.state.Command.ParityGroupChange;
import io.sdds.coordinator.state.ParityGroup;
import io.sdds.core.model.BrickInfo;
import io.sdds.core.model.MigrationOrder;
import io.sdds.core.model.Place;
import io.sdds.core.model.Place.Member;
import io.sdds.core.model.TableMap;
import java.util.ArrayList;
import java.util.List;

/** Describes orders and changes of parity groups as sentences for the log, with the names of tables and bricks. */
public final class ChangeText {
    private final ClusterState state;

    public ChangeText(ClusterState state) {
        this.state = state;
    }

    /** What an order is for, such as {@code table t partition 0 is to be recovered on brick b4}. */
    public String of(MigrationOrder order) {
        String target = brick(order.target().brick());
        return switch (order.kind()) {
            case SPLIT ->
                partition(order, order.parent()) + " is to split to partition " + order.child() + " on " + target;
            case MERGE -> partition(order, order.child()) + " is to merge into partition " + order.parent();
            case MOVE ->
                partition(order, order.receiver()) + " is to move from "
                        + brick(order.source().brick()) + " to " + target;
            case LEARNER -> target + " is to get a copy of " + partition(order, order.receiver());
            case RECOVERY -> partition(order, order.receiver()) + " is to be recovered on " + target;
            case PARITY ->
                target + " is to hold parity " + order.parityIndex() + " of group "
                        + group(order.table(), order.receiver()) + " of " + table(order.table());
            case UNKNOWN -> partition(order, order.receiver()) + " is to change in a way of a later version";
        };
    }

    /**
     * What a parity group loses by a change, such as {@code parity group 0 of table t goes on without partition 2 of
     * brick b3 and parity 1 of brick b4}.
     */
    public String of(ParityGroup before, ParityGroupChange change) {
        List<String> gone = new ArrayList<>();
        List<String> lost = new ArrayList<>();
        List<String> empty = new ArrayList<>();
        for (int k = 0; k < before.columns().size(); k++) {
            Place column = before.columns().get(k);
            String name = "partition " + (before.first() + k);
            Host now = change.columns().get(k);
            if (now.equals(Host.NONE)) {
                lost.add(name);
            } else if (!isSame(column.primary(), now) && !change.parities().contains(now)) {
                empty.add(name + " of " + brick(now.brick()));
            } else if (!isSame(column.primary(), change.columns().get(k)) && !before.isDegraded(column)) {
                gone.add(name + " of " + brick(column.brick()));
            }
        }
        for (int k = 0; k < before.tolerated(); k++) {
            Member parity = before.parities().members().get(k);
            if (!isSame(parity, change.parities().get(k))) {
                gone.add("parity " + k + " of " + brick(parity.brick()));
            }
        }
        return "parity group " + before.number() + " of " + table(before.table().id())
                + (gone.isEmpty() ? " goes on" : " goes on without " + String.join(" and ", gone))
                + (lost.isEmpty() ? "" : "; the records of " + String.join(" and ", lost) + " are lost")
                + (empty.isEmpty() ? "" : "; without keys, and empty, begins " + String.join(" and ", empty));
    }

    private static boolean isSame(Member member, Host host) {
        return member.brick() == host.brick() && member.incarnation() == host.incarnation();
    }

    private String partition(MigrationOrder order, int partition) {
        return table(order.table()) + " partition " + partition;
    }

    /** The number of the parity group of a partition. */
    private int group(int table, int partition) {
        TableMap map = state.table(table);
        return map == null ? 0 : map.definition().parity().group(partition);
    }

    private String table(int id) {
        TableMap map = state.table(id);
        return "table " + (map == null ? "number " + id : map.definition().name());
    }

    /** The name of a brick, such as {@code brick b4}. */
    public String brick(int number) {
        BrickInfo info = state.brick(number);
        return "brick " + (info == null ? "number " + number : info.id());
    }
}
