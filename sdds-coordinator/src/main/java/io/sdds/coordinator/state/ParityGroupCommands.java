package io.sdds.coordinator.state;

import io.sdds.coordinator.state.Result.Applied;
import io.sdds.coordinator.state.Result.Rejected;
import io.sdds.core.addressing.LinearHashing;
import io.sdds.core.control.ControlMessage.Refusal;
import io.sdds.core.model.Conversion;
import io.sdds.core.model.KeySpan;
import io.sdds.core.model.MigrationKind;
import io.sdds.core.model.MigrationOrder;
import io.sdds.core.model.Parity;
import io.sdds.core.model.ParityMembers;
import io.sdds.core.model.Place;
import io.sdds.core.model.Place.Member;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The commands by which parity groups lose members and are repaired (docs/design/parity.md, rules 26 to 29). */
final class ParityGroupCommands {
    /*
     * The parities of a group are members of each of its columns. So a command that changes the parities gives all
     * columns the next epoch. A command that gives columns other primaries changes the epochs of these columns alone.
     * No column's epoch rises by more than one in a command, and a lost column keeps its epoch.
     */
    private final Cluster cluster;

    ParityGroupCommands(Cluster cluster) {
        this.cluster = cluster;
    }

    // ---- members that are gone

    /** Applies each change whose group is still as it was when the change was decided. */
    Result change(Command.ChangeParityGroups command) {
        long now = cluster.version + 1;
        boolean changed = false;
        for (Command.ParityGroupChange change : command.changes()) {
            Table table = cluster.tables.get(change.table());
            if (table != null && change.group() >= 0 && change.group() < table.groups()) {
                ParityGroup group = ParityGroup.of(table, change.group());
                if (fits(group, change)) {
                    List<Member> columns = Cluster.members(change.columns());
                    List<Member> parities = Cluster.members(change.parities());
                    replace(
                            table,
                            group,
                            columns,
                            new ParityMembers(parities, group.parities().inForce()),
                            now);
                    changed = true;
                }
            }
        }
        if (!changed) {
            return Rejected.stale("the parity groups have changed meanwhile");
        }
        cluster.version = now;
        cluster.dropVoidOrders();
        cluster.tables.values().stream()
                .filter(table -> table.definition().hasParity())
                .forEach(cluster::dropUndecidable);
        return new Applied(cluster.version);
    }

    private boolean fits(ParityGroup group, Command.ParityGroupChange change) {
        if (!change.epochs().equals(group.epochs())
                || change.columns().size() != group.columns().size()
                || change.parities().size() != group.tolerated()) {
            return false;
        }
        List<Member> parities = Cluster.members(change.parities());
        List<Member> columns = Cluster.members(change.columns());
        List<Member> before = group.columns().stream().map(Place::primary).toList();
        return onlyLose(group.parities().members(), parities)
                && mayFollow(group, columns, new ParityMembers(parities))
                && !(before.equals(columns) && group.parities().members().equals(parities));
    }

    private static boolean onlyLose(List<Member> before, List<Member> after) {
        for (int index = 0; index < before.size(); index++) {
            if (!after.get(index).equals(ParityMembers.MISSING)
                    && !after.get(index).equals(before.get(index))) {
                return false;
            }
        }
        return true;
    }

    /**
     * Whether each column keeps its primary, is led by the first of the parities that are left, is lost by proof, or
     * begins again. The columns of a group that stands on replicas keep their primaries or begin again.
     */
    private boolean mayFollow(ParityGroup group, List<Member> primaries, ParityMembers parities) {
        boolean isBroken = group.toDecode(this::isReplaced) > group.tolerated();
        Member lead = parities.present().isEmpty() ? null : parities.present().getFirst();
        for (int column = 0; column < primaries.size(); column++) {
            Place before = group.columns().get(column);
            Member after = primaries.get(column);
            boolean losable = isBroken && group.isLacking(before, this::isReplaced);
            boolean follows = !before.lost() && !before.none() && after.equals(lead)
                    || losable && after.equals(ParityMembers.MISSING);
            boolean fits = after.equals(before.primary())
                    || follows && !group.standsOnReplicas()
                    || beginsAgain(group, column, after, parities)
                            && (losable || before.lost() || isUnused(group, column));
            if (!fits || isOrphan(after, group, parities)) {
                return false;
            }
        }
        return true;
    }

    private static boolean isUnused(ParityGroup group, int column) {
        return group.isUnused(group.first() + column);
    }

    /**
     * Whether an idle column gets a process that is neither its own nor a parity, so that it begins empty. No parity
     * may know its former records then.
     */
    private boolean beginsAgain(ParityGroup group, int column, Member after, ParityMembers parities) {
        return group.mayBeginAgain(group.first() + column)
                && !after.equals(group.columns().get(column).primary())
                && parities.present().isEmpty()
                && cluster.canServe(after.brick(), after.incarnation());
    }

    /** Whether a column would be led by a parity that is one no more. */
    private static boolean isOrphan(Member primary, ParityGroup group, ParityMembers parities) {
        return group.parities().indexOf(primary) >= 0 && parities.indexOf(primary) < 0;
    }

    /** Whether a later process of a member's brick has registered, so that the member's memory is gone. */
    private boolean isReplaced(Member member) {
        return !cluster.isCurrent(member.brick(), member.incarnation());
    }

    /**
     * Replaces the primaries of the columns and the parities of a group. A parity that is missing is no member, so the
     * epochs of the columns stay when only the number of missing parities changes. When an idle column begins again,
     * all epochs rise, because a process that joins as a parity has to begin with all columns then.
     *
     * @param primaries {@link ParityMembers#MISSING} for a lost column
     */
    void replace(Table table, ParityGroup group, List<Member> primaries, ParityMembers parities, long now) {
        List<Integer> empty = IntStream.range(0, primaries.size())
                .filter(column -> beginsAgain(group, column, primaries.get(column), parities))
                .boxed()
                .toList();
        boolean allChange = !parities.present().equals(group.parities().present()) || !empty.isEmpty();
        List<Place> places = new ArrayList<>();
        for (int column = 0; column < primaries.size(); column++) {
            Place before = group.columns().get(column);
            places.add(
                    empty.contains(column)
                            ? Place.of(List.of(primaries.get(column)), 0, before.epoch() + 1)
                            : next(before, primaries.get(column), allChange));
        }
        put(table, group, places, parities, now);
        empty.forEach(column -> beginEmpty(table, group.first() + column, now));
    }

    /** An idle column begins empty, so nobody waits for the end of the process that it was at. */
    private void beginEmpty(Table table, int column, long now) {
        table.beginsUnused(column, now);
        cluster.lostHolders.forget(table.definition().id(), column);
    }

    private static Place next(Place before, Member primary, boolean allChange) {
        if (before.lost() || before.none()) {
            return before;
        }
        if (primary.equals(ParityMembers.MISSING)) {
            return Place.lost(before.epoch());
        }
        boolean isKept = primary.equals(before.primary());
        long epoch = before.epoch() + (allChange || !isKept ? 1 : 0);
        return Place.of(isKept ? before.members() : List.of(primary), before.migration(), epoch);
    }

    /** Gives a group other places and parities. */
    void put(Table table, ParityGroup group, List<Place> places, ParityMembers parities, long now) {
        group.columns().forEach(place -> cluster.count(place, -1));
        cluster.count(group.parities(), -1);
        table.replaceGroup(group.number(), places, parities, now);
        places.forEach(place -> cluster.count(place, 1));
        cluster.count(parities, 1);
    }

    /**
     * Makes the lost columns of a table empty columns again. The parities of their groups still contain the lost
     * records, so nothing may be decoded from them: all parities of such a group become missing.
     *
     * @param hosts a column prefers the first of them that holds no column of its group, from the host after the one
     *     that was chosen last
     */
    void beginAgain(Table table, List<Command.Host> hosts, long now) {
        int next = 0;
        for (int number = 0; number < table.groups(); number++) {
            ParityGroup group = ParityGroup.of(table, number);
            List<Place> places = new ArrayList<>(group.columns());
            ParityMembers missing = ParityMembers.missing(group.tolerated())
                    .inForce(group.parities().inForce());
            boolean paritiesChange = !missing.equals(group.parities());
            if (places.stream().anyMatch(Place::lost)) {
                for (int column = 0; column < places.size(); column++) {
                    Place before = places.get(column);
                    if (before.lost()) {
                        int chosen = hostFor(places, hosts, next);
                        next = (chosen + 1) % hosts.size();
                        List<Member> primary = Cluster.members(List.of(hosts.get(chosen)));
                        places.set(column, Place.of(primary, 0, before.epoch() + 1));
                        if (group.mayBeginAgain(group.first() + column)) {
                            table.beginsUnused(group.first() + column, now);
                        }
                    } else {
                        places.set(column, next(before, before.primary(), paritiesChange));
                    }
                }
                put(table, group, places, missing, now);
            }
        }
    }

    private static int hostFor(List<Place> places, List<Command.Host> hosts, int from) {
        for (int k = 0; k < hosts.size(); k++) {
            int host = (from + k) % hosts.size();
            int brick = hosts.get(host).brick();
            if (places.stream().noneMatch(place -> place.brick() == brick)) {
                return host;
            }
        }
        return from;
    }

    // ---- columns

    /** Whether the group of a column lacks no member and repairs none. */
    boolean isWhole(Table table, int column) {
        return groupOf(table, column).isWhole(this::isReplaced);
    }

    /**
     * Adds an idle column, and with the first column of a group the parities of the group. A partition may have had the
     * number before a table was converted. Then the column begins in an epoch above all of that partition, and the
     * parities are missing at first, because a parity begins empty only with columns in their first epoch.
     */
    Result addColumn(Table table, Command.AddColumn command) {
        Rejected fault = columnFault(table, command);
        if (fault != null) {
            return fault;
        }
        long now = ++cluster.version;
        boolean isNumberNew = table.definition().conversion() != Conversion.FROM_REPLICAS;
        long epoch = isNumberNew ? Place.FIRST_EPOCH : now;
        cluster.appendIdle(table, Place.of(Cluster.members(List.of(command.host())), 0, epoch), now);
        if (!command.parities().isEmpty()) {
            ParityMembers parities = isNumberNew
                    ? new ParityMembers(Cluster.members(command.parities()))
                    : ParityMembers.missing(command.parities().size());
            cluster.appendParities(table, parities, now);
        }
        return new Applied(now);
    }

    private @Nullable Rejected columnFault(Table table, Command.AddColumn command) {
        Parity parity = table.definition().parity();
        int column = command.column();
        if (parity.isNone() || column != table.columns() || table.definition().isConverting()) {
            return Rejected.stale("column " + column + " is not the next one of the table, or the table is converted");
        }
        if (column >= LinearHashing.PARTITIONS_MAX || cluster.isFull()) {
            return Rejected.tooManyPartitions();
        }
        List<Command.Host> hosts = new ArrayList<>(command.parities());
        hosts.add(command.host());
        boolean isFirst = parity.column(column) == 0;
        boolean areDistinct = hosts.stream().map(Command.Host::brick).distinct().count() == hosts.size();
        if (command.parities().size() != (isFirst ? parity.parities() : 0) || !areDistinct) {
            return new Rejected(
                    Refusal.BAD_REQUEST, "the first column of a group begins with its parities, on different bricks");
        }
        boolean fits = isFirst
                || isWhole(table, column - 1)
                        && !groupOf(table, column - 1)
                                .hasParityOn(command.host().brick());
        return fits && cluster.allCanServe(hosts)
                ? null
                : Rejected.stale("the parity group of column " + column + " lacks members, or a brick has changed");
    }

    // ---- repairs and moves

    /** Orders a recovery or a move of a column, or a new process for a parity. */
    Result begin(Table table, Command.BeginMigration command) {
        Rejected fault = switch (command.kind()) {
            case RECOVERY -> recoveryFault(table, command);
            case PARITY -> parityFault(table, command);
            case MOVE -> moveFault(table, command);
            default -> new Rejected(Refusal.BAD_REQUEST, "partitions of tables with parity do not join");
        };
        if (fault != null) {
            return fault;
        }
        cluster.version++;
        dropLearners(table, groupOf(table, command.sender()));
        MigrationOrder order = command.kind() == MigrationKind.PARITY
                ? parity(table, command, cluster.streamNext++)
                : column(table, command, cluster.streamNext++);
        cluster.migrations.put(order.id(), order);
        table.begin(order);
        return new Result.MigrationBegun(order);
    }

    /** Drops the orders for backups of a group that is to be repaired. There are some while the table is converted. */
    private void dropLearners(Table table, ParityGroup group) {
        for (int column = group.first(); table.definition().isConvertingToReplicas() && group.has(column); column++) {
            cluster.dropLearners(table.definition().id(), column);
        }
    }

    /** A recovery or a move of a column. */
    private static MigrationOrder column(Table table, Command.BeginMigration command, long id) {
        int column = command.sender();
        Place source = table.place(column);
        Place target = Place.of(Cluster.members(command.target()), id, source.epoch() + 1);
        int level = table.isRange() ? 0 : LinearHashing.levelOf(column, table.partitions());
        KeySpan span = table.isRange() ? table.span(column) : KeySpan.ALL;
        return new MigrationOrder(id, command.kind(), command.table(), column, column, level, span, source, target);
    }

    private MigrationOrder parity(Table table, Command.BeginMigration command, long id) {
        int first = command.sender();
        int index = parityToPlace(groupOf(table, first));
        Place target = Place.of(Cluster.members(command.target()), id, Place.FIRST_EPOCH);
        return new MigrationOrder(
                id, command.kind(), command.table(), first, first, index, KeySpan.ALL, table.place(first), target);
    }

    /**
     * The index of the parity that gets a new process: the first missing one; if none is missing, the first one on a
     * brick that is being drained, unless the parities are to leave; -1 if there is none.
     */
    private int parityToPlace(ParityGroup group) {
        int missing = group.parities().firstMissing();
        boolean leave = group.table().isConvertingToReplicas();
        return missing >= 0 || leave ? missing : group.firstParityOn(cluster::drains);
    }

    private static ParityGroup groupOf(Table table, int partition) {
        return ParityGroup.of(table, table.definition().parity().group(partition));
    }

    private @Nullable Rejected recoveryFault(Table table, Command.BeginMigration command) {
        Rejected fault = commonFault(table, command);
        if (fault != null) {
            return fault;
        }
        ParityGroup group = groupOf(table, command.sender());
        return group.isDegraded(group.column(command.sender()))
                        && group.recovery(command.sender()) == null
                        && !table.isSending(command.sender())
                        && !group.hasParityOn(command.target().getFirst().brick())
                ? null
                : Rejected.stale("column " + command.sender() + " is recovered already, splits or"
                        + " merges, or may not be on that brick");
    }

    private @Nullable Rejected parityFault(Table table, Command.BeginMigration command) {
        Rejected fault = commonFault(table, command);
        if (fault != null) {
            return fault;
        }
        ParityGroup group = groupOf(table, command.sender());
        return command.sender() == group.first()
                        && group.areColumnsComplete()
                        && group.repairs().isEmpty()
                        && !table.isSendingAny(group)
                        && !isAnyGroupChanging(table, group)
                        && parityToPlace(group) >= 0
                        && !(group.standsOnReplicas() && group.table().isConvertingToReplicas())
                        && !group.isOn(command.target().getFirst().brick())
                ? null
                : Rejected.stale("parity group " + group.number() + " needs no process for a parity, is being"
                        + " repaired otherwise, or is on that brick");
    }

    /** Whether a column of a parity group has an order for a member to join or leave, as it stands on replicas. */
    private boolean isAnyGroupChanging(Table table, ParityGroup group) {
        return group.standsOnReplicas()
                && IntStream.range(
                                group.first(), group.first() + group.columns().size())
                        .anyMatch(column ->
                                cluster.isGroupChanging(table.definition().id(), column));
    }

    /**
     * A column moves only while its group lacks no member and nothing else is ordered for the group. It may share a
     * brick with other columns of the group, and never with a parity.
     */
    private @Nullable Rejected moveFault(Table table, Command.BeginMigration command) {
        Rejected fault = commonFault(table, command);
        if (fault != null) {
            return fault;
        }
        int column = command.sender();
        int brick = command.target().getFirst().brick();
        ParityGroup group = groupOf(table, column);
        return !group.standsOnReplicas()
                        && group.lacking(this::isReplaced) == 0
                        && group.repairs().isEmpty()
                        && !table.isSendingAny(group)
                        && !table.isChanging(column)
                        && table.place(column).brick() != brick
                        && !group.hasParityOn(brick)
                ? null
                : Rejected.stale("column " + column + " can't move now, or not to that brick");
    }

    private @Nullable Rejected commonFault(Table table, Command.BeginMigration command) {
        int sender = command.sender();
        return command.receiver() == sender
                        && table.hasColumn(sender)
                        && command.target().size() == 1
                        && !table.place(sender).lost()
                        && table.place(sender).epoch() == command.sourceEpoch()
                        && cluster.allCanServe(command.target())
                ? null
                : Rejected.stale("partition " + sender + " or a brick has changed meanwhile");
    }

    /**
     * Commits a repair or a move. The spare of a recovery becomes primary; its order stays until
     * {@link Command.EndRecovery}. The target of a move becomes primary. The new process of a parity becomes a member
     * of all columns.
     */
    Result commit(Table table, MigrationOrder order) {
        ParityGroup group = groupOf(table, order.sender());
        if (group.column(order.sender()).epoch() != order.sourceEpoch()) {
            return Rejected.stale("column " + order.sender() + " has its spare already");
        }
        cluster.version++;
        if (order.isMove()) {
            cluster.takeBackFrom(table, order);
        }
        if (!order.isParity()) {
            List<Place> places = new ArrayList<>(group.columns());
            places.set(order.sender() - group.first(), order.target());
            put(table, group, places, group.parities(), cluster.version);
        } else {
            cluster.takeBackFrom(table, order);
            List<Member> primaries =
                    group.columns().stream().map(Place::primary).toList();
            ParityMembers parities = group.parities().with(order.parityIndex(), order.learner());
            replace(table, group, primaries, parities, cluster.version);
            cluster.dropVoidOrders(); // the epochs of the columns have risen, also beneath orders for learners
        }
        return new Applied(cluster.version);
    }

    /** Ends a recovery whose spare is primary and has all records. */
    Result endRecovery(Command.EndRecovery command) {
        MigrationOrder order = cluster.migrations.get(command.id());
        if (order == null) {
            return Rejected.noSuchMigration(command.id());
        }
        Table table = cluster.known(order.table());
        if (!order.isRecovery() || !table.place(order.receiver()).primary().equals(order.learner())) {
            return Rejected.stale("migration " + command.id() + " is no recovery, or its spare is not primary");
        }
        cluster.takeBackFrom(table, order);
        return new Applied(++cluster.version);
    }

    /**
     * Abandons a repair in the epoch of the decision. If the spare of a recovery is primary already, the column is led
     * by the first parity again.
     */
    Result abandon(Table table, MigrationOrder order, long epoch) {
        ParityGroup group = groupOf(table, order.sender());
        Place place = group.column(order.sender());
        List<Member> leads = group.parities().present();
        boolean isFilling = order.isRecovery() && group.isFilling(place);
        if (place.epoch() != epoch || isFilling && leads.isEmpty()) {
            return Rejected.stale("the group of migration " + order.id() + " has changed meanwhile");
        }
        cluster.takeBackFrom(table, order);
        cluster.version++;
        if (isFilling) {
            List<Place> places = new ArrayList<>(group.columns());
            places.set(order.sender() - group.first(), next(place, leads.getFirst(), false));
            put(table, group, places, group.parities(), cluster.version);
        }
        return new Applied(cluster.version);
    }
}
