package io.sdds.coordinator.state;

import io.sdds.coordinator.state.Result.Applied;
import io.sdds.coordinator.state.Result.Rejected;
import io.sdds.core.control.ControlMessage.Refusal;
import io.sdds.core.model.ParityMembers;
import io.sdds.core.model.Place;
import io.sdds.core.model.TableDefinition;
import io.sdds.core.model.TableSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The commands that change the number of replicas of a table, and convert a table from parity to replicas
 * (docs/design/parity.md, rule 35).
 */
final class ReplicaAlterationCommands {
    /*
     * A backup that joins a column gets all records of the column, and from then on every write. But it has the log in
     * the form for backups, so it can neither lead the column nor answer for it while the group stands on parity. So
     * the group is judged as before until EndConversion. That command is safe as soon as each column that owns keys has
     * its primary and all its backups: then the parities protect nothing that the backups do not. Idle columns own no
     * keys, so nothing of them is needed any more, whatever has become of them.
     */
    private final Cluster cluster;
    private final ParityGroupCommands groups;

    ReplicaAlterationCommands(Cluster cluster, ParityGroupCommands groups) {
        this.cluster = cluster;
        this.groups = groups;
    }

    /** Gives a table without parity another number of replicas. */
    Result alter(Table table, Command.AlterReplicas command) {
        TableDefinition definition = table.definition();
        String numbers =
                TableSpec.replicasFault(command.replicas(), definition.spec().minCopies());
        if (numbers != null) {
            return new Rejected(Refusal.BAD_REQUEST, numbers);
        }
        if (definition.hasParity()) {
            return Rejected.stale("table '" + definition.name() + "' has parity by now");
        }
        if (changes(table)) {
            return Rejected.stale("partitions of table '" + definition.name() + "' split, merge or move");
        }
        table.redefine(definition.withReplicas(command.replicas()), ++cluster.version);
        if (command.replicas() == 1) {
            dropLearners(table);
        }
        return new Applied(cluster.version);
    }

    /** Drops the orders for backups of a table, which is to have none. */
    private void dropLearners(Table table) {
        for (int partition = 0; partition < table.columns(); partition++) {
            cluster.dropLearners(table.definition().id(), partition);
        }
    }

    private static boolean changes(Table table) {
        return !table.splits().isEmpty() || !table.moves().isEmpty();
    }

    /** Begins to convert a table from parity to replicas. */
    Result convert(Table table, Command.ConvertToReplicas command) {
        Rejected fault = fault(table, command);
        if (fault != null) {
            return fault;
        }
        table.redefine(table.definition().convertingToReplicas(command.replicas()), ++cluster.version);
        return new Applied(cluster.version);
    }

    private @Nullable Rejected fault(Table table, Command.ConvertToReplicas command) {
        TableDefinition definition = table.definition();
        String numbers = TableSpec.replicasFault(command.replicas(), 1);
        if (numbers != null) {
            return new Rejected(Refusal.BAD_REQUEST, numbers);
        }
        if (!definition.hasParity() || definition.isConverting()) {
            return Rejected.stale("table '" + definition.name() + "' has no parity, or is being converted");
        }
        if (changes(table)) {
            return Rejected.stale("partitions of table '" + definition.name() + "' split, merge or move");
        }
        boolean areWhole = IntStream.range(0, table.groups())
                .allMatch(group -> ParityGroup.of(table, group).isWhole(member -> !cluster.isCurrent(member)));
        return areWhole
                ? null
                : Rejected.stale("a parity group of table '" + definition.name() + "' lacks a member or is repaired");
    }

    /** The parities of a group leave, and its idle columns are no more. The backups protect the other columns. */
    Result end(Table table, Command.EndConversion command) {
        if (command.group() < 0 || command.group() >= table.groups()) {
            return Rejected.stale("table " + command.table() + " has no parity group " + command.group());
        }
        ParityGroup group = ParityGroup.of(table, command.group());
        if (group.standsOnReplicas() || !group.epochs().equals(command.epochs()) || !hasReplicas(table, group)) {
            return Rejected.stale("parity group " + command.group() + " has changed meanwhile");
        }
        long now = ++cluster.version;
        group.repairs().forEach(order -> cluster.takeBackFrom(table, order));
        List<Place> places = new ArrayList<>();
        for (int k = 0; k < group.columns().size(); k++) {
            places.add(onReplicas(table, group.first() + k));
        }
        groups.put(table, group, places, ParityMembers.joining(group.tolerated()), now);
        if (IntStream.range(0, table.groups())
                .noneMatch(number -> table.parities(number).inForce())) {
            endTable(table, now);
        }
        cluster.dropVoidOrders();
        return new Applied(now);
    }

    /** Whether each column of a group that owns keys has all its members, and no member joins it. */
    private boolean hasReplicas(Table table, ParityGroup group) {
        return IntStream.range(group.first(), group.first() + group.columns().size())
                .filter(table::exists)
                .allMatch(column -> hasReplicas(table, group, column));
    }

    private boolean hasReplicas(Table table, ParityGroup group, int column) {
        Place place = group.column(column);
        return group.isComplete(place)
                && place.members().size() >= table.definition().replicas()
                && place.members().stream().allMatch(cluster::isCurrent)
                && !cluster.isGroupChanging(table.definition().id(), column);
    }

    /** The next place of a column; that of an idle column names no process. */
    private Place onReplicas(Table table, int column) {
        Place before = table.place(column);
        if (!table.isIdle(column)) {
            return Place.of(before.members(), before.migration(), before.epoch() + 1);
        }
        cluster.lostHolders.forget(table.definition().id(), column);
        return Place.nowhere(before.epoch() + 1);
    }

    private void endTable(Table table, long now) {
        int before = table.columns();
        table.endParity(table.definition().withReplicas(table.definition().replicas()), now);
        cluster.partitionsTotal += table.columns() - before;
    }
}
