package io.sdds.coordinator.state;

import io.sdds.coordinator.state.Result.Applied;
import io.sdds.coordinator.state.Result.Rejected;
import io.sdds.core.model.LeaveOrder;
import io.sdds.core.model.Place;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The commands by which members leave their groups. Members join by migrations. */
final class MembershipCommands {
    private final Cluster cluster;
    private final ConversionCommands conversions;

    MembershipCommands(Cluster cluster, ConversionCommands conversions) {
        this.cluster = cluster;
        this.conversions = conversions;
    }

    /** Applies each change whose group is still in the epoch of the change. */
    Result changeGroups(Command.ChangeGroups command) {
        long now = cluster.version + 1;
        Map<Integer, Map<Integer, Place>> changed = new TreeMap<>();
        for (Command.GroupChange change : command.changes()) {
            Table table = cluster.tables.get(change.table());
            if (table != null && change.partition() < table.partitions() && fits(change, table)) {
                Place before = table.place(change.partition());
                List<Place.Member> members = Cluster.members(change.members());
                changed.computeIfAbsent(change.table(), id -> new TreeMap<>())
                        .putIfAbsent(change.partition(), Place.of(members, before.migration(), before.epoch() + 1));
            }
        }
        if (changed.isEmpty()) {
            return Rejected.stale("the groups have changed meanwhile");
        }
        changed.forEach((table, places) -> conversions.changeMembers(cluster.known(table), places, now));
        cluster.version = now;
        cluster.dropVoidOrders();
        return new Applied(cluster.version);
    }

    /**
     * Orders a member to leave. As many other members must stay as the table asks for. A group gets fewer copies by
     * this order only when it can't go on as it is. Then splits of the group and joins under way do not matter, because
     * they can't go on either, and the joins end here. No member of a column that stands on parity leaves by an order.
     */
    Result beginLeave(Command.BeginLeave command) {
        Table table = cluster.tables.get(command.table());
        if (table == null
                || command.partition() >= table.partitions()
                || table.standsOnParity(command.partition())
                || cluster.leave(command.table(), command.partition()) != null
                || !command.missed()
                        && (table.isChanging(command.partition())
                                || cluster.isGroupChanging(command.table(), command.partition()))) {
            return Rejected.stale("the table or the group has changed meanwhile");
        }
        Place place = table.place(command.partition());
        Command.Host leaver = command.leaver();
        if (place.epoch() != command.epoch()
                || !place.has(leaver.brick(), leaver.incarnation())
                || place.members().size()
                        <= (command.missed() ? 1 : table.definition().replicas())) {
            return Rejected.stale("the group has changed meanwhile");
        }
        cluster.dropLearners(command.table(), command.partition());
        long key = Cluster.key(command.table(), command.partition());
        cluster.leaves.put(
                key,
                new LeaveOrder(
                        command.table(),
                        command.partition(),
                        command.epoch(),
                        new Place.Member(leaver.brick(), leaver.incarnation())));
        cluster.leavesSince.put(key, ++cluster.version);
        return new Applied(cluster.version);
    }

    private static boolean fits(Command.GroupChange change, Table table) {
        Place place = table.place(change.partition());
        return !place.lost()
                && (!table.standsOnParity(change.partition()) || keepsPrimary(change, place))
                && place.epoch() == change.epoch()
                && !change.members().isEmpty()
                && change.members().size() < place.members().size()
                && change.members().stream().allMatch(host -> place.has(host.brick(), host.incarnation()));
    }

    /** Whether a change takes backups alone, as it may of a column that stands on parity. */
    private static boolean keepsPrimary(Command.GroupChange change, Place place) {
        Command.Host primary = new Command.Host(place.brick(), place.incarnation());
        return !change.members().isEmpty() && change.members().getFirst().equals(primary);
    }
}
