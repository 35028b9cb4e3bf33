package io.sdds.coordinator.state;

import io.sdds.coordinator.state.Result.Applied;
import io.sdds.coordinator.state.Result.Rejected;
import io.sdds.core.control.ControlMessage.Refusal;
import io.sdds.core.model.BrickInfo;
import io.sdds.core.model.MigrationOrder;
import io.sdds.core.model.Parity;
import io.sdds.core.model.ParityMembers;
import io.sdds.core.model.Place;
import io.sdds.core.model.TableDefinition;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The commands that create and drop tables, and accept the loss of partitions. */
final class TableCommands {
    private final Cluster cluster;
    private final ParityGroupCommands parityGroups;
    private final SchemaCommands schemas;

    TableCommands(Cluster cluster, ParityGroupCommands parityGroups, SchemaCommands schemas) {
        this.cluster = cluster;
        this.parityGroups = parityGroups;
        this.schemas = schemas;
    }

    Result createTable(Command.CreateTable command) {
        Rejected fault = creationFault(command);
        if (fault != null) {
            return fault;
        }
        long now = ++cluster.version;
        TableDefinition definition = new TableDefinition(cluster.tableNext++, command.name(), command.spec());
        Table table = new Table(definition, now);
        cluster.tables.put(definition.id(), table);
        cluster.tablesByName.put(definition.name(), table);
        int replicas = command.spec().replicas();
        for (int from = 0; from < command.hosts().size(); from += replicas) {
            List<Place.Member> members = Cluster.members(command.hosts().subList(from, from + replicas));
            cluster.append(table, Place.of(members, 0, Place.FIRST_EPOCH), now);
            if (isGroupFull(table, command)) {
                cluster.appendParities(table, parities(command, table.groups() - 1), now);
            }
        }
        return new Result.TableCreated(table.map());
    }

    /** Whether the last group of a table with parity has all its columns. */
    private static boolean isGroupFull(Table table, Command.CreateTable command) {
        Parity parity = command.spec().parity();
        int partitions = table.partitions();
        return !parity.isNone()
                && (partitions % parity.columns() == 0
                        || partitions == command.hosts().size());
    }

    private static ParityMembers parities(Command.CreateTable command, int group) {
        int k = command.spec().parity().parities();
        return new ParityMembers(Cluster.members(command.parities().subList(group * k, (group + 1) * k)));
    }

    private @Nullable Rejected creationFault(Command.CreateTable command) {
        String name = Names.tableNameFault(command.name());
        if (name != null) {
            return new Rejected(Refusal.BAD_REQUEST, name);
        }
        String fault = command.spec().fault();
        if (fault != null) {
            return new Rejected(Refusal.BAD_REQUEST, fault);
        }
        if (cluster.tablesByName.containsKey(command.name())) {
            return new Rejected(Refusal.TABLE_EXISTS, "table '" + command.name() + "' exists");
        }
        if (cluster.tables.size() >= StateLimits.TABLES_MAX) {
            return new Rejected(Refusal.BAD_REQUEST, "a cluster has at most " + StateLimits.TABLES_MAX + " tables");
        }
        if (cluster.tableNext > StateLimits.TABLES_EVER_MAX) {
            return new Rejected(
                    Refusal.BAD_REQUEST,
                    "a cluster creates at most " + StateLimits.TABLES_EVER_MAX + " tables in its life");
        }
        Rejected schema = schemas.creationFault(command.spec().schema());
        return schema == null ? hostsFault(command) : schema;
    }

    private @Nullable Rejected hostsFault(Command.CreateTable command) {
        int partitions = command.spec().firstPartitions();
        if (partitions * command.spec().replicas() != command.hosts().size()) {
            return new Rejected(
                    Refusal.BAD_REQUEST,
                    command.hosts().size() + " hosts for " + partitions + " partitions of "
                            + command.spec().replicas() + " replicas");
        }
        if (cluster.partitionsTotal + partitions > StateLimits.PARTITIONS_MAX) {
            return Rejected.tooManyPartitions();
        }
        String parity = parityFault(command, partitions);
        if (parity != null) {
            return new Rejected(Refusal.BAD_REQUEST, parity);
        }
        return cluster.allCanServe(command.hosts()) && cluster.allCanServe(command.parities())
                ? null
                : Rejected.stale("a brick chosen was started again, or is being drained");
    }

    /** The fault of a table's parity and of the hosts of its groups, or null. */
    private static @Nullable String parityFault(Command.CreateTable command, int partitions) {
        Parity parity = command.spec().parity();
        if (parity.isNone()) {
            return command.parities().isEmpty() ? null : "hosts of parities for a table without parity";
        }
        String fault = parity.fault();
        if (fault != null) {
            return fault;
        }
        if (parity.firstPartitions(command.spec().kind(), partitions) != partitions) {
            return "a hash table of parity " + parity.text() + " begins with a multiple of " + parity.columns()
                    + " partitions, not " + partitions;
        }
        int groups = parity.groups(partitions);
        if (command.parities().size() != groups * parity.parities()) {
            return command.parities().size() + " hosts of parities for " + groups + " groups of parity "
                    + parity.text();
        }
        for (int group = 0; group < groups; group++) {
            if (!areDistinct(command, group)) {
                return "two partitions of parity group " + group + " on one brick";
            }
        }
        return null;
    }

    /** Whether the columns and parities of a group are on different bricks. */
    private static boolean areDistinct(Command.CreateTable command, int group) {
        int m = command.spec().parity().columns();
        int k = command.spec().parity().parities();
        List<Command.Host> hosts = new ArrayList<>(command.parities().subList(group * k, (group + 1) * k));
        hosts.addAll(command.hosts()
                .subList(group * m, Math.min((group + 1) * m, command.hosts().size())));
        return hosts.stream().map(Command.Host::brick).distinct().count() == hosts.size();
    }

    Result dropTable(Command.DropTable command) {
        Table table = cluster.tables.remove(command.table());
        if (table == null) {
            return Rejected.noSuchTable(command.table());
        }
        cluster.tablesByName.remove(table.definition().name());
        cluster.statistics.remove(command.table());
        for (MigrationOrder first = table.split(); first != null; first = table.split()) {
            cluster.takeBackFrom(table, first);
        }
        table.moves().forEach(move -> cluster.takeBackFrom(table, move));
        table.repairs().forEach(repair -> cluster.takeBackFrom(table, repair));
        cluster.count(table, -1);
        cluster.partitionsTotal -= table.columns();
        cluster.dropped.add(command.table(), ++cluster.version);
        cluster.lostHolders.forgetTable(command.table());
        cluster.dropVoidOrders();
        return new Applied(cluster.version);
    }

    Result acceptLoss(Table table, Command.AcceptLoss command) {
        if (command.hosts().isEmpty()) {
            return new Rejected(Refusal.TOO_FEW_BRICKS, "no brick to begin again on");
        }
        if (!cluster.allCanServe(command.hosts())) {
            return Rejected.stale("a brick chosen was started again, or is being drained");
        }
        for (MigrationOrder split : table.splits()) {
            if (cluster.sourceIsGone(table, split) || split.isMerge() && cluster.targetIsGone(table, split)) {
                return Rejected.stale("partition " + split.sender() + " or " + split.receiver()
                        + " was lost while one was shipped to the other, and the brick that lives has not said yet"
                        + " which of them serves");
            }
        }
        for (MigrationOrder move : table.moves()) {
            if (cluster.sourceIsGone(table, move)) {
                return Rejected.stale("partition " + move.parent()
                        + " was lost while it moved, and the brick that it went to has not said yet whether it has it");
            }
        }
        List<BrickInfo> running = command.confirmed() ? List.of() : cluster.lostHolders.of(table);
        if (!running.isEmpty()) {
            return new Rejected(Refusal.BAD_REQUEST, mayStillServe(table, running));
        }
        if (hasLost(table)) {
            long now = ++cluster.version;
            parityGroups.beginAgain(table, command.hosts(), now);
            cluster.lostHolders.forgetTable(command.table());
            HostCycle cycle = new HostCycle(
                    command.hosts(),
                    Math.min(table.definition().replicas(), command.hosts().size()));
            table.replace(place -> place.lost() ? cycle.next(place.epoch() + 1) : place, now);
        }
        return new Applied(cluster.version);
    }

    private static String mayStillServe(Table table, List<BrickInfo> holders) {
        String names = holders.stream()
                .map(holder ->
                        "'" + holder.id() + "' (incarnation " + holder.incarnation() + " at " + holder.address() + ")")
                .collect(Collectors.joining(", "));
        return "the last processes that held lost partitions of table '"
                + table.definition().name() + "' are not known to have ended, and may still serve them: brick "
                + names + "; end them, or confirm that they are gone";
    }

    private final class HostCycle {
        private final List<Command.Host> hosts;
        private final int copies;
        private int next;

        HostCycle(List<Command.Host> hosts, int copies) {
            this.hosts = hosts;
            this.copies = copies;
        }

        Place next(long epoch) {
            List<Command.Host> chosen = new ArrayList<>();
            for (int k = 0; k < copies; k++) {
                chosen.add(hosts.get((next + k) % hosts.size()));
            }
            next++;
            Place place = Place.of(Cluster.members(chosen), 0, epoch);
            cluster.count(place, 1);
            return place;
        }
    }

    private boolean hasLost(Table table) {
        return cluster.lostPartitions(table.definition().id()) > 0;
    }
}
