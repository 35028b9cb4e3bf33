package io.sdds.coordinator.state;

import io.sdds.coordinator.state.Result.Applied;
import io.sdds.coordinator.state.Result.Rejected;
import io.sdds.core.control.ControlMessage.Refusal;
import io.sdds.core.model.MigrationOrder;
import io.sdds.core.model.Parity;
import io.sdds.core.model.ParityMembers;
import io.sdds.core.model.Place;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The commands that convert a table from replicas to parity (docs/design/parity.md, rule 34), and the changes of
 * members while a table is converted in either direction.
 */
final class ConversionCommands {
    /*
     * A parity follows the log of a column's primary, and no other process can go on with that log in the form for
     * parities. So a group that stands on replicas loses its parities as soon as any of its columns has another
     * primary. A new process of a parity learns from the primaries of one epoch each, so its order is void as soon as
     * any column of the group has other members.
     *
     * Numbers of a range table without a partition become idle columns, which get backups, too. A column that is added
     * after a conversion begins in an epoch that is the version of the map, because its number may have been used.
     */
    private final Cluster cluster;
    private final ParityGroupCommands groups;

    ConversionCommands(Cluster cluster, ParityGroupCommands groups) {
        this.cluster = cluster;
        this.groups = groups;
    }

    /** Divides the partitions of a table into parity groups. The replicas protect them as before. */
    Result convert(Table table, Command.ConvertToParity command) {
        Rejected fault = fault(table, command);
        if (fault != null) {
            return fault;
        }
        long now = ++cluster.version;
        table.convert(table.definition().converting(command.parity()), now);
        fillHoles(table, command.holes(), now);
        return new Applied(now);
    }

    private @Nullable Rejected fault(Table table, Command.ConvertToParity command) {
        Parity parity = command.parity();
        String name = table.definition().name();
        if (table.definition().hasParity()) {
            return Rejected.stale("table '" + name + "' has parity by now");
        }
        String numbers = parity.fault();
        if (numbers != null) {
            return new Rejected(Refusal.BAD_REQUEST, numbers);
        }
        if (cluster.lostPartitions(table.definition().id()) > 0) {
            return Rejected.stale("table '" + name + "' has lost partitions");
        }
        if (!table.splits().isEmpty() || !table.moves().isEmpty()) {
            return Rejected.stale("partitions of table '" + name + "' split, merge or move");
        }
        return command.holes().isEmpty() || !cluster.allCanServe(command.holes())
                ? Rejected.stale("a brick chosen was started again, or is being drained")
                : null;
    }

    private void fillHoles(Table table, List<Command.Host> hosts, long now) {
        int next = 0;
        for (int number = 0; number < table.columns(); number++) {
            Place hole = table.place(number);
            if (hole.none()) {
                List<Command.Host> host = List.of(hosts.get(next++ % hosts.size()));
                Place place = Place.of(Cluster.members(host), 0, hole.epoch() + 1);
                table.fillHole(number, place, now);
                cluster.count(place, 1);
            }
        }
    }

    /** The backups of a group leave, and its parities are in force. */
    Result end(Table table, Command.EndConversion command) {
        if (!table.definition().isConvertingToParity() || command.group() < 0 || command.group() >= table.groups()) {
            return Rejected.stale("table " + command.table() + " or its group is not being converted");
        }
        ParityGroup group = ParityGroup.of(table, command.group());
        if (!group.standsOnReplicas()
                || !group.epochs().equals(command.epochs())
                || group.parities().firstMissing() >= 0
                || !group.areColumnsComplete()) {
            return Rejected.stale("parity group " + command.group() + " has changed meanwhile");
        }
        long now = ++cluster.version;
        List<Place> places = group.columns().stream()
                .map(place -> Place.of(List.of(place.primary()), place.migration(), place.epoch() + 1))
                .toList();
        groups.put(table, group, places, group.parities().inForce(true), now);
        if (standsOnParity(table)) {
            table.redefine(table.definition().converted(), now);
        }
        cluster.dropVoidOrders();
        return new Applied(now);
    }

    private static boolean standsOnParity(Table table) {
        for (int group = 0; group < table.groups(); group++) {
            if (!table.parities(group).inForce()) {
                return false;
            }
        }
        return true;
    }

    /**
     * Gives partitions other members, in their next epochs. While the table is being converted, orders for parities of
     * their groups are void then. If a primary changes, all parities of its group are missing from then on; no primary
     * of a group that stands on parity changes here.
     *
     * @param places the next places by partition; those that stay as they are change nothing
     */
    void changeMembers(Table table, Map<Integer, Place> places, long now) {
        if (!table.definition().isConverting()) {
            places.forEach((partition, place) -> {
                cluster.count(table.place(partition), -1);
                table.place(partition, place, now);
                cluster.count(place, 1);
            });
            return;
        }
        TreeSet<Integer> numbers = new TreeSet<>();
        places.keySet()
                .forEach(partition -> numbers.add(table.definition().parity().group(partition)));
        numbers.forEach(number -> changeMembers(table, ParityGroup.of(table, number), places, now));
    }

    private void changeMembers(Table table, ParityGroup group, Map<Integer, Place> places, long now) {
        List<Place> after = new ArrayList<>();
        boolean follow = true;
        for (int k = 0; k < group.columns().size(); k++) {
            Place before = group.columns().get(k);
            Place next = places.getOrDefault(group.first() + k, before);
            follow &= next.primary().equals(before.primary());
            after.add(next);
        }
        if (after.equals(group.columns())) {
            return;
        }
        group.repairs().stream().filter(MigrationOrder::isParity).forEach(order -> cluster.takeBackFrom(table, order));
        ParityMembers parities = follow ? group.parities() : ParityMembers.joining(group.tolerated());
        if (!parities.present().equals(group.parities().present())) {
            for (int k = 0; k < after.size(); k++) {
                Place place = after.get(k);
                if (place.equals(group.columns().get(k)) && !place.lost()) {
                    after.set(k, Place.of(place.members(), place.migration(), place.epoch() + 1));
                }
            }
        }
        groups.put(table, group, after, parities, now);
    }
}
