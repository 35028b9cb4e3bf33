package io.sdds.coordinator.state;

import io.sdds.coordinator.state.ClusterSnapshot.BrickEntry;
import io.sdds.coordinator.state.ClusterSnapshot.TableEntry;
import io.sdds.coordinator.state.Result.Applied;
import io.sdds.coordinator.state.Result.Rejected;
import io.sdds.core.addressing.LinearHashing;
import io.sdds.core.control.ControlMessage.MapUpdate;
import io.sdds.core.control.ControlMessage.Refusal;
import io.sdds.core.model.AddressBlock;
import io.sdds.core.model.BrickInfo;
import io.sdds.core.model.JoinOrder;
import io.sdds.core.model.KeySpan;
import io.sdds.core.model.LeaveOrder;
import io.sdds.core.model.Place;
import io.sdds.core.model.Routing;
import io.sdds.core.model.SplitOrder;
import io.sdds.core.model.TableDefinition;
import io.sdds.core.model.TableKind;
import io.sdds.core.model.TableMap;
import io.sdds.core.protocol.Limits;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What the coordinators agree on: bricks with their incarnations, tables and the places of their partitions, splits under way, sessions. A deterministic state
 * machine: the same commands make the same state, in every process and every year.
 *
 * <p>Used by one thread.
 */
public final class ClusterState {
    /*
     * The map has one version. Each change of it adds one, and what changed keeps the version of its last change, so that "what changed since v" is a
     * look at versions. Numbers of bricks, tables, streams and sessions only grow; none is given twice.
     *
     * A partition that exists has exactly one place: a brick's incarnation, or none any more (LOST). M changes in CommitSplit alone, by one.
     * Several splits of a table may be under way, those of n, n + 1, …; they commit in this order, so that the image of LH* stays one integer: a parent
     * hands over only when its split is the first of its table in the map (protocols.md in the design, rule 14). Hence one that is not the first
     * can be taken back safely at any time, and is when one before it ends without a commit: none waits for what may never come. A merge is under way
     * alone. The partitions of a range table split and merge each by itself, and are in one of the two at a time; the number of one that was merged is
     * given again. A partition of one copy that moves does nothing else meanwhile; moves commit in any order, and change places alone.
     *
     * A command that was decided on an older state finds something else than it names, and is rejected without a trace.
     */
    private static final Place LOST = new Place(Place.LOST, 0, 0);

    private long version;
    private int brickNext = 1;
    private int tableNext = 1;
    private long streamNext = 1;
    private long sessionNext = 1;
    private long sessionsVersion;
    private int partitionsTotal;
    private final TreeMap<Integer, Brick> bricks = new TreeMap<>();
    private final TreeMap<String, Brick> bricksById = new TreeMap<>();
    private final TreeMap<Integer, Table> tables = new TreeMap<>();
    private final TreeMap<String, Table> tablesByName = new TreeMap<>();
    private final TreeMap<Long, SplitOrder> splits = new TreeMap<>();
    private final TreeMap<Long, JoinOrder> joins = new TreeMap<>();

    /** By table and partition. */
    private final TreeMap<Long, LeaveOrder> leaves = new TreeMap<>();

    private final TreeSet<Long> sessions = new TreeSet<>();
    private final DroppedTables dropped = new DroppedTables();

    // ---- commands

    /** Applies a committed command. One that no longer fits changes nothing and is {@link Rejected}. */
    public Result apply(Command command) {
        return switch (command) {
            case Command.RegisterBrick register -> registerBrick(register);
            case Command.CreateTable create -> createTable(create);
            case Command.DropTable drop -> dropTable(drop);
            case Command.BeginSplit begin -> beginSplit(begin);
            case Command.CommitSplit commit -> commitSplit(commit);
            case Command.AbandonSplit abandon -> abandonSplit(abandon);
            case Command.OpenSession open -> openSession();
            case Command.EndSessions end -> endSessions(end);
            case Command.AcceptLoss accept -> acceptLoss(accept);
            case Command.BeginMerge begin -> beginMerge(begin);
            case Command.BeginRangeSplit begin -> beginRangeSplit(begin);
            case Command.BeginRangeMerge begin -> beginRangeMerge(begin);
            case Command.ChangeGroups change -> changeGroups(change);
            case Command.BeginJoin begin -> beginJoin(begin);
            case Command.CommitJoin commit -> commitJoin(commit);
            case Command.AbandonJoin abandon -> abandonJoin(abandon);
            case Command.BeginGroupSplit begin -> beginGroupSplit(begin);
            case Command.AbandonGroupSplit abandon -> abandonGroupSplit(abandon);
            case Command.DrainBrick drain -> drainBrick(drain);
            case Command.BeginLeave begin -> beginLeave(begin);
            case Command.BeginGroupMerge begin -> beginGroupMerge(begin);
            case Command.BeginRangeGroupSplit begin -> beginRangeGroupSplit(begin);
            case Command.BeginRangeGroupMerge begin -> beginRangeGroupMerge(begin);
            case Command.BeginMove begin -> beginMove(begin);
        };
    }

    private Result registerBrick(Command.RegisterBrick command) {
        String fault = Names.idFault(command.id());
        if (fault != null) {
            return new Rejected(Refusal.BAD_REQUEST, fault);
        }
        Brick known = bricksById.get(command.id());
        if (known == null) {
            return registerNewBrick(command);
        }
        return command.nonce() == known.nonce() ? updateBrick(known, command) : reincarnate(known, command);
    }

    private Result registerNewBrick(Command.RegisterBrick command) {
        if (bricks.size() >= StateLimits.BRICKS_MAX) {
            return new Rejected(Refusal.BAD_REQUEST, "a cluster has at most " + StateLimits.BRICKS_MAX + " bricks");
        }
        BrickInfo info = new BrickInfo(brickNext++, command.id(), 1, command.address());
        Brick brick = new Brick(info, command.nonce(), command.memoryLimitBytes(), ++version);
        bricks.put(info.number(), brick);
        bricksById.put(info.id(), brick);
        return new Result.Registered(info);
    }

    private Result updateBrick(Brick brick, Command.RegisterBrick command) {
        BrickInfo now = brick.info();
        if (!now.address().equals(command.address()) || brick.memoryLimitBytes() != command.memoryLimitBytes()) {
            BrickInfo info = new BrickInfo(now.number(), now.id(), now.incarnation(), command.address());
            brick.become(info, command.nonce(), command.memoryLimitBytes(), ++version);
        }
        return new Result.Registered(brick.info());
    }

    /**
     * A new process in place of an old one, whose memory is gone with it. A split or merge whose source is lost waits for the word of the target, which may
     * serve already if it was the turn of this split; with both lost it is void.
     */
    private Result reincarnate(Brick brick, Command.RegisterBrick command) {
        BrickInfo old = brick.info();
        if (command.replacedIncarnation() != old.incarnation()) {
            return new Rejected(Refusal.DUPLICATE_BRICK, "another process registered as " + old.id() + " meanwhile");
        }
        long now = ++version;
        BrickInfo info = new BrickInfo(old.number(), old.id(), old.incarnation() + 1, command.address());
        brick.become(info, command.nonce(), command.memoryLimitBytes(), now);
        brick.drains(false);
        brick.addPlaces(-brick.places());
        for (Table table : tables.values()) {
            table.replace(place -> without(place, old.number()), now);
            table.splits().stream()
                    .filter(split -> sourceIsGone(table, split))
                    .filter(split -> !table.isRange() && split != table.split() || targetIsGone(table, split))
                    .limit(table.isRange() ? Long.MAX_VALUE : 1)
                    .forEach(split -> takeBackFrom(table, split));
            table.moves().stream()
                    .filter(move -> sourceIsGone(table, move) && targetIsGone(table, move))
                    .forEach(move -> takeBackFrom(table, move));
        }
        dropVoidOrders();
        return new Result.Registered(info);
    }

    /** Whether nobody has any more what a split ships. */
    private boolean sourceIsGone(Table table, SplitOrder split) {
        return table.definition().isReplicated() ? table.place(split.sender()).lost() : !isCurrent(split.source());
    }

    /** Whether nobody has any more what came of it. */
    private boolean targetIsGone(Table table, SplitOrder split) {
        return split.merge() && table.definition().isReplicated()
                ? table.place(split.receiver()).lost()
                : !anyIsCurrent(split.target());
    }

    private boolean anyIsCurrent(Place place) {
        return place.members().stream().anyMatch(member -> isCurrent(member.brick(), member.incarnation()));
    }

    /** The place once a brick's process is gone: the other members go on in the next epoch; without another the partition is lost. */
    private Place without(Place place, int brick) {
        if (place.members().stream().noneMatch(member -> member.brick() == brick)) {
            return place;
        }
        List<Place.Member> left = place.members().stream()
                .filter(member -> member.brick() != brick)
                .toList();
        return left.isEmpty()
                ? new Place(Place.LOST, 0, 0, place.epoch(), List.of())
                : Place.of(left, place.stream(), place.epoch() + 1);
    }

    /** Compares each change with the group as it is, and leaves it out when that is another epoch. */
    private Result changeGroups(Command.ChangeGroups command) {
        long now = version + 1;
        boolean changed = false;
        for (Command.GroupChange change : command.changes()) {
            Table table = tables.get(change.table());
            if (table != null && change.partition() < table.partitions() && fits(change, table)) {
                Place before = table.place(change.partition());
                List<Place.Member> members = members(change.members());
                count(before, -1);
                Place after = Place.of(members, before.stream(), before.epoch() + 1);
                table.place(change.partition(), after, now);
                count(after, 1);
                changed = true;
            }
        }
        if (!changed) {
            return stale("the groups have changed meanwhile");
        }
        version = now;
        dropVoidOrders();
        return new Applied(version);
    }

    private Result beginJoin(Command.BeginJoin command) {
        Table table = tables.get(command.table());
        Command.Host joiner = command.joiner();
        if (table == null
                || command.partition() >= table.partitions()
                || !isCurrent(joiner.brick(), joiner.incarnation())
                || drains(joiner.brick())
                || isGroupChanging(command.table(), command.partition())
                || table.isChanging(command.partition())) {
            return stale("the table, the brick or the group has changed meanwhile");
        }
        Place place = table.place(command.partition());
        boolean isMember = place.members().stream().anyMatch(member -> member.brick() == joiner.brick());
        if (place.lost() || place.epoch() != command.epoch() || isMember) {
            return stale("the group has changed meanwhile");
        }
        version++;
        JoinOrder order = new JoinOrder(
                command.table(),
                command.partition(),
                command.epoch(),
                streamNext++,
                new Place.Member(joiner.brick(), joiner.incarnation()));
        joins.put(order.stream(), order);
        return new Result.JoinBegun(order);
    }

    /** Whether a member of the group is coming or going: one change of a group at a time. */
    private Result commitJoin(Command.CommitJoin command) {
        JoinOrder order = joins.get(command.stream());
        if (order == null) {
            return stale("no join has stream " + command.stream());
        }
        Table table = known(order.table());
        Place before = table.place(order.partition());
        List<Place.Member> members = new ArrayList<>(before.members());
        members.add(order.joiner());
        table.place(order.partition(), Place.of(members, order.stream(), before.epoch() + 1), ++version);
        Brick brick = bricks.get(order.joiner().brick());
        if (brick != null) {
            brick.addPlaces(1);
        }
        dropVoidOrders();
        return new Applied(version);
    }

    private Result abandonJoin(Command.AbandonJoin command) {
        if (joins.remove(command.stream()) == null) {
            return stale("no join has stream " + command.stream());
        }
        return new Applied(++version);
    }

    private Result drainBrick(Command.DrainBrick command) {
        Brick brick = bricks.get(command.brick());
        if (brick == null || !isCurrent(command.brick(), command.incarnation())) {
            return stale("the brick was started again");
        }
        brick.drains(command.drains());
        return new Applied(version);
    }

    /**
     * Others must stay, as many as the table asks for: so a group has fewer copies by an order of the coordinator only when it can't go on as it is. Then it doesn't matter either what split it is in, or who
     * is joining it: that can't go on either, and the join ends here.
     */
    private Result beginLeave(Command.BeginLeave command) {
        Table table = tables.get(command.table());
        if (table == null
                || command.partition() >= table.partitions()
                || leave(command.table(), command.partition()) != null
                || !command.missed()
                        && (table.isChanging(command.partition())
                                || isGroupChanging(command.table(), command.partition()))) {
            return stale("the table or the group has changed meanwhile");
        }
        Place place = table.place(command.partition());
        Command.Host leaver = command.leaver();
        if (place.epoch() != command.epoch()
                || !place.has(leaver.brick(), leaver.incarnation())
                || place.members().size()
                        <= (command.missed() ? 1 : table.definition().replicas())) {
            return stale("the group has changed meanwhile");
        }
        joins.values().removeIf(join -> join.table() == command.table() && join.partition() == command.partition());
        leaves.put(
                key(command.table(), command.partition()),
                new LeaveOrder(
                        command.table(),
                        command.partition(),
                        command.epoch(),
                        new Place.Member(leaver.brick(), leaver.incarnation())));
        return new Applied(++version);
    }

    private static long key(int table, int partition) {
        return (long) table << Integer.SIZE | partition;
    }

    /** An order is void in any epoch but its own, and when its joiner's process is gone. */
    private void dropVoidOrders() {
        leaves.values().removeIf(leave -> {
            Table table = tables.get(leave.table());
            return table == null
                    || leave.partition() >= table.partitions()
                    || table.place(leave.partition()).epoch() != leave.epoch();
        });
        joins.values().removeIf(join -> {
            Table table = tables.get(join.table());
            return table == null
                    || join.partition() >= table.partitions()
                    || table.place(join.partition()).epoch() != join.epoch()
                    || table.place(join.partition()).lost()
                    || !isCurrent(join.joiner().brick(), join.joiner().incarnation());
        });
    }

    /** One that is to leave may have given up its copy already: it is never left alone. */
    private boolean fits(Command.GroupChange change, Table table) {
        Place place = table.place(change.partition());
        LeaveOrder leave = leave(change.table(), change.partition());
        return !place.lost()
                && place.epoch() == change.epoch()
                && change.members().stream()
                        .anyMatch(host ->
                                leave == null || host.brick() != leave.leaver().brick())
                && change.members().size() < place.members().size()
                && change.members().stream().allMatch(host -> place.has(host.brick(), host.incarnation()));
    }

    private static List<Place.Member> members(List<Command.Host> hosts) {
        return hosts.stream()
                .map(host -> new Place.Member(host.brick(), host.incarnation()))
                .toList();
    }

    private Result createTable(Command.CreateTable command) {
        Rejected fault = creationFault(command);
        if (fault != null) {
            return fault;
        }
        long now = ++version;
        TableDefinition definition = new TableDefinition(
                tableNext++,
                command.name(),
                command.kind(),
                command.split(),
                command.capacityRecords(),
                command.capacityBytes(),
                command.ttlMillis(),
                command.replicas(),
                command.minCopies(),
                command.hosts().size() / command.replicas(),
                command.routing());
        Table table = new Table(definition, now);
        tables.put(definition.id(), table);
        tablesByName.put(definition.name(), table);
        int replicas = command.replicas();
        for (int from = 0; from < command.hosts().size(); from += replicas) {
            List<Place.Member> members = members(command.hosts().subList(from, from + replicas));
            append(table, Place.of(members, 0, Place.FIRST_EPOCH), now);
        }
        return new Result.TableCreated(table.map());
    }

    private @Nullable Rejected creationFault(Command.CreateTable command) {
        String name = Names.tableNameFault(command.name());
        if (name != null) {
            return new Rejected(Refusal.BAD_REQUEST, name);
        }
        if (command.capacityRecords() < 0 || command.capacityBytes() < 0) {
            return new Rejected(Refusal.BAD_REQUEST, "a capacity can't be negative");
        }
        if (command.capacityRecords() == 0 && command.capacityBytes() == 0) {
            return new Rejected(Refusal.BAD_REQUEST, "a capacity in records or bytes is needed");
        }
        if (command.ttlMillis() < 0 || command.ttlMillis() > Limits.TTL_MILLIS_MAX) {
            return new Rejected(
                    Refusal.BAD_REQUEST,
                    "time to live of " + command.ttlMillis() + " ms: 0 to " + Limits.TTL_MILLIS_MAX);
        }
        String policy = command.split().fault();
        if (policy != null) {
            return new Rejected(Refusal.BAD_REQUEST, policy);
        }
        if (tablesByName.containsKey(command.name())) {
            return new Rejected(Refusal.TABLE_EXISTS, "table '" + command.name() + "' exists");
        }
        if (tables.size() >= StateLimits.TABLES_MAX) {
            return new Rejected(Refusal.BAD_REQUEST, "a cluster has at most " + StateLimits.TABLES_MAX + " tables");
        }
        if (tableNext > StateLimits.TABLES_EVER_MAX) {
            return new Rejected(
                    Refusal.BAD_REQUEST,
                    "a cluster creates at most " + StateLimits.TABLES_EVER_MAX + " tables in its life");
        }
        return hostsFault(command);
    }

    private @Nullable Rejected hostsFault(Command.CreateTable command) {
        String replicas = TableDefinition.replicasFault(command.replicas(), command.minCopies());
        if (replicas != null) {
            return new Rejected(Refusal.BAD_REQUEST, replicas);
        }
        if (command.kind() == TableKind.HASH && command.routing() != Routing.IMAGE) {
            return new Rejected(Refusal.BAD_REQUEST, "a hash table is routed by image; multicast is of range tables");
        }
        int partitions = command.hosts().size() / command.replicas();
        if (command.kind() == TableKind.RANGE && partitions > 1) {
            return new Rejected(
                    Refusal.BAD_REQUEST,
                    "a range table begins with one partition, not " + partitions
                            + ", and splits by itself where its keys turn out to be");
        }
        if (partitions < 1
                || partitions > TableDefinition.PARTITIONS_FIRST_MAX
                || partitions * command.replicas() != command.hosts().size()) {
            return new Rejected(
                    Refusal.BAD_REQUEST,
                    "a table begins with 1 to " + TableDefinition.PARTITIONS_FIRST_MAX + " partitions");
        }
        if (partitionsTotal + partitions > StateLimits.PARTITIONS_MAX) {
            return tooManyPartitions();
        }
        return allCanServe(command.hosts()) ? null : stale("a brick chosen was started again, or is being drained");
    }

    private Result dropTable(Command.DropTable command) {
        Table table = tables.remove(command.table());
        if (table == null) {
            return new Rejected(Refusal.NO_SUCH_TABLE, "table " + command.table() + " does not exist");
        }
        tablesByName.remove(table.definition().name());
        for (SplitOrder first = table.split(); first != null; first = table.split()) {
            takeBackFrom(table, first);
        }
        table.moves().forEach(move -> takeBackFrom(table, move));
        for (int partition = 0; partition < table.partitions(); partition++) {
            count(table.place(partition), -1);
        }
        partitionsTotal -= table.partitions();
        dropped.add(command.table(), ++version);
        dropVoidOrders();
        return new Applied(version);
    }

    private Result beginSplit(Command.BeginSplit command) {
        Table table = tables.get(command.table());
        if (table == null) {
            return new Rejected(Refusal.NO_SUCH_TABLE, "table " + command.table() + " does not exist");
        }
        if (table.isRange()) {
            return stale("table " + command.table() + " is no hash table");
        }
        Rejected fault = splitFault(table, command.partitions());
        if (fault != null) {
            return fault;
        }
        Place source = table.place(LinearHashing.splitPointer(command.partitions()));
        if (source.lost() || !canServe(command.targetBrick(), command.targetIncarnation())) {
            return stale("a brick of the split was started again");
        }
        return begun(table, source, new Place(command.targetBrick(), command.targetIncarnation(), streamNext++));
    }

    private @Nullable Rejected splitFault(Table table, int partitionsThen) {
        int partitions = table.partitionsOrdered();
        int parent = LinearHashing.splitPointer(partitions);
        if (partitions != partitionsThen || table.isMerging()) {
            return stale("the table has split meanwhile, or merges");
        }
        if (LinearHashing.levelOf(parent, table.partitions()) != LinearHashing.level(partitions)) {
            return stale("partition " + parent + " is splitting already");
        }
        if (table.isMoving(parent)) {
            return stale("partition " + parent + " moves");
        }
        return partitions >= LinearHashing.PARTITIONS_MAX
                        || partitionsTotal + splits.size() >= StateLimits.PARTITIONS_MAX
                ? tooManyPartitions()
                : null;
    }

    private Result beginGroupSplit(Command.BeginGroupSplit command) {
        Table table = tables.get(command.table());
        if (table == null) {
            return new Rejected(Refusal.NO_SUCH_TABLE, "table " + command.table() + " does not exist");
        }
        if (table.isRange()) {
            return stale("table " + command.table() + " is no hash table");
        }
        Rejected fault = splitFault(table, command.partitions());
        if (fault != null) {
            return fault;
        }
        int parent = LinearHashing.splitPointer(command.partitions());
        Place source = table.place(parent);
        // no epoch is above the map's version: this one is above all that a partition of the child's number ever had
        Place target = Place.of(members(command.members()), streamNext, version + 1);
        if (source.lost()
                || source.epoch() != command.epoch()
                || isGroupChanging(command.table(), parent)
                || !allCanServe(command.members())) {
            return stale("the group of partition " + parent + " has changed meanwhile, or is changing");
        }
        streamNext++;
        return begun(table, source, target);
    }

    private boolean allCanServe(List<Command.Host> hosts) {
        return hosts.stream().allMatch(host -> canServe(host.brick(), host.incarnation()));
    }

    /** Whether a brick's process may be given something: a drain may have begun since it was chosen. */
    private boolean canServe(int brick, long incarnation) {
        return isCurrent(brick, incarnation) && !drains(brick);
    }

    private Result begun(Table table, Place source, Place target) {
        version++;
        int partitions = table.partitionsOrdered();
        return begun(
                table,
                new SplitOrder(
                        table.definition().id(),
                        LinearHashing.splitPointer(partitions),
                        partitions,
                        LinearHashing.level(partitions),
                        target.stream(),
                        source,
                        target,
                        false));
    }

    private Result beginMerge(Command.BeginMerge command) {
        Table table = tables.get(command.table());
        if (table == null) {
            return new Rejected(Refusal.NO_SUCH_TABLE, "table " + command.table() + " does not exist");
        }
        int child = table.partitions() - 1;
        if (!mayMerge(table, command.partitions()) || table.definition().isReplicated()) {
            return stale("the table has changed meanwhile, or is changing");
        }
        if (!isCurrent(table.place(child)) || !isCurrent(table.place(LinearHashing.parent(child)))) {
            return stale("a brick of the merge was started again");
        }
        return mergeBegun(table);
    }

    private static boolean mayMerge(Table table, int partitionsThen) {
        return !table.isRange()
                && table.partitions() == partitionsThen
                && table.partitions() >= 2
                && table.split() == null
                && !table.isMoving(table.partitions() - 1)
                && !table.isMoving(LinearHashing.parent(table.partitions() - 1));
    }

    /** Of the last partition with the one it came from. */
    private Result mergeBegun(Table table) {
        version++;
        int child = table.partitions() - 1;
        int parent = LinearHashing.parent(child);
        return begun(
                table,
                new SplitOrder(
                        table.definition().id(),
                        parent,
                        child,
                        LinearHashing.level(child),
                        streamNext++,
                        table.place(child),
                        table.place(parent),
                        true));
    }

    private Result beginGroupMerge(Command.BeginGroupMerge command) {
        Table table = tables.get(command.table());
        if (table == null) {
            return new Rejected(Refusal.NO_SUCH_TABLE, "table " + command.table() + " does not exist");
        }
        int child = table.partitions() - 1;
        int parent = LinearHashing.parent(child);
        if (!mayMerge(table, command.partitions())
                || !isInEpoch(table, child, command.childEpoch())
                || !isInEpoch(table, parent, command.parentEpoch())) {
            return stale("the table or one of the two groups has changed meanwhile, or is changing");
        }
        return mergeBegun(table);
    }

    private boolean isInEpoch(Table table, int partition, long epoch) {
        Place place = table.place(partition);
        return !place.lost()
                && place.epoch() == epoch
                && !isGroupChanging(table.definition().id(), partition);
    }

    private Result beginRangeSplit(Command.BeginRangeSplit command) {
        Table table = tables.get(command.table());
        if (table == null) {
            return new Rejected(Refusal.NO_SUCH_TABLE, "table " + command.table() + " does not exist");
        }
        int parent = command.parent();
        Rejected fault = rangeSplitFault(table, parent, command.span());
        if (fault != null) {
            return fault;
        }
        Place source = table.place(parent);
        if (table.definition().isReplicated()
                || source.lost()
                || !canServe(command.targetBrick(), command.targetIncarnation())) {
            return stale("a brick of the split was started again");
        }
        Place target = new Place(command.targetBrick(), command.targetIncarnation(), streamNext++);
        version++;
        return rangeSplitBegun(table, parent, command.span(), target);
    }

    private @Nullable Rejected rangeSplitFault(Table table, int parent, KeySpan moved) {
        if (!table.isRange() || !table.exists(parent) || table.isChanging(parent)) {
            return stale("partition " + parent + " is changing already, or is no more");
        }
        KeySpan span = table.span(parent);
        byte[] at = moved.low();
        if (!Arrays.equals(span.high(), moved.high())
                || !span.holds(at)
                || Arrays.equals(at, span.high())
                || at.length > Limits.SPLIT_KEY_BYTES_MAX) {
            return stale("partition " + parent + " has the keys " + span + ", and can't be divided into " + moved);
        }
        return table.partitions() + splits.size() >= LinearHashing.PARTITIONS_MAX
                        || partitionsTotal + splits.size() >= StateLimits.PARTITIONS_MAX
                ? tooManyPartitions()
                : null;
    }

    private Result rangeSplitBegun(Table table, int parent, KeySpan moved, Place target) {
        int id = table.definition().id();
        Place source = table.place(parent);
        return begun(
                table,
                new SplitOrder(id, parent, table.freeNumber(), 0, target.stream(), source, target, false, moved));
    }

    private Result beginRangeGroupSplit(Command.BeginRangeGroupSplit command) {
        Table table = tables.get(command.table());
        if (table == null) {
            return new Rejected(Refusal.NO_SUCH_TABLE, "table " + command.table() + " does not exist");
        }
        int parent = command.parent();
        Rejected fault = rangeSplitFault(table, parent, command.span());
        if (fault != null) {
            return fault;
        }
        if (!isInEpoch(table, parent, command.epoch()) || !allCanServe(command.members())) {
            return stale("the group of partition " + parent + " has changed meanwhile, or is changing");
        }
        // no epoch is above the map's version, as in beginGroupSplit
        Place target = Place.of(members(command.members()), streamNext++, ++version);
        return rangeSplitBegun(table, parent, command.span(), target);
    }

    private Result beginRangeMerge(Command.BeginRangeMerge command) {
        Table table = tables.get(command.table());
        if (table == null) {
            return new Rejected(Refusal.NO_SUCH_TABLE, "table " + command.table() + " does not exist");
        }
        int left = command.left();
        int right = command.right();
        if (table.definition().isReplicated()
                || !areNeighbours(table, left, command.leftSpan(), right, command.rightSpan())) {
            return stale("partition " + left + " or " + right + " has changed meanwhile, or is changing");
        }
        if (!isCurrent(table.place(right)) || !isCurrent(table.place(left))) {
            return stale("a brick of the merge was started again");
        }
        return rangeMergeBegun(table, left, right, command.rightSpan());
    }

    private static boolean areNeighbours(Table table, int left, KeySpan leftSpan, int right, KeySpan rightSpan) {
        return table.isRange()
                && isUnchanged(table, left, leftSpan)
                && isUnchanged(table, right, rightSpan)
                && !rightSpan.isFirst()
                && Arrays.equals(leftSpan.high(), rightSpan.low());
    }

    private Result rangeMergeBegun(Table table, int left, int right, KeySpan moved) {
        version++;
        int id = table.definition().id();
        Place source = table.place(right);
        Place target = table.place(left);
        return begun(table, new SplitOrder(id, left, right, 0, streamNext++, source, target, true, moved));
    }

    private Result beginRangeGroupMerge(Command.BeginRangeGroupMerge command) {
        Table table = tables.get(command.table());
        if (table == null) {
            return new Rejected(Refusal.NO_SUCH_TABLE, "table " + command.table() + " does not exist");
        }
        int left = command.left();
        int right = command.right();
        if (!areNeighbours(table, left, command.leftSpan(), right, command.rightSpan())
                || !isInEpoch(table, left, command.leftEpoch())
                || !isInEpoch(table, right, command.rightEpoch())) {
            return stale(
                    "partition " + left + " or " + right + ", or its group, has changed meanwhile, or is changing");
        }
        return rangeMergeBegun(table, left, right, command.rightSpan());
    }

    private static boolean isUnchanged(Table table, int partition, KeySpan span) {
        return table.exists(partition)
                && !table.isChanging(partition)
                && table.span(partition).equals(span);
    }

    private Result beginMove(Command.BeginMove command) {
        Table table = tables.get(command.table());
        if (table == null) {
            return new Rejected(Refusal.NO_SUCH_TABLE, "table " + command.table() + " does not exist");
        }
        int partition = command.partition();
        Command.Host from = command.from();
        Command.Host to = command.to();
        if (table.definition().isReplicated()
                || !table.exists(partition)
                || table.isChanging(partition)
                || !table.place(partition).has(from.brick(), from.incarnation())
                || to.brick() == from.brick()
                || !allCanServe(List.of(to))) {
            return stale("partition " + partition + " or a brick has changed meanwhile, or is changing");
        }
        Place target = new Place(to.brick(), to.incarnation(), streamNext++);
        int level = table.isRange() ? 0 : LinearHashing.levelOf(partition, table.partitions());
        KeySpan span = table.isRange() ? table.span(partition) : KeySpan.ALL;
        version++;
        return begun(
                table,
                new SplitOrder(
                        command.table(),
                        partition,
                        partition,
                        level,
                        target.stream(),
                        table.place(partition),
                        target,
                        false,
                        span));
    }

    private Result begun(Table table, SplitOrder order) {
        splits.put(order.stream(), order);
        table.begin(order);
        return new Result.SplitBegun(order);
    }

    private Result commitSplit(Command.CommitSplit command) {
        SplitOrder order = splits.get(command.stream());
        if (order == null) {
            return stale("no split has stream " + command.stream());
        }
        Table table = known(order.table());
        if (!table.isRange() && !order.isMove() && order != table.split()) {
            return stale("the split of partition " + (order.parent() - 1) + " commits first");
        }
        splits.remove(order.stream());
        table.committed(order);
        if (order.isMove()) {
            return commitMove(table, order);
        }
        if (table.isRange()) {
            return commitRange(table, order);
        }
        if (order.merge()) {
            count(table.removeLast(++version), -1);
            partitionsTotal--;
            return new Applied(version);
        }
        append(table, whatLivesOf(order.target()), ++version);
        return new Applied(version);
    }

    private Result commitMove(Table table, SplitOrder order) {
        Place after = whatLivesOf(order.target());
        count(table.place(order.child()), -1);
        table.place(order.child(), after, ++version);
        count(after, 1);
        return new Applied(version);
    }

    private Result commitRange(Table table, SplitOrder order) {
        int before = table.partitions();
        version++;
        if (order.merge()) {
            count(table.join(order, version), -1);
        } else {
            Place child = whatLivesOf(order.target());
            table.divide(order, child, version);
            count(child, 1);
        }
        partitionsTotal += table.partitions() - before;
        return new Applied(version);
    }

    /** The child was whole when it was handed over; a member whose brick was started again since is lost like any other copy there. */
    private Place whatLivesOf(Place child) {
        List<Place.Member> live = child.members().stream()
                .filter(member -> isCurrent(member.brick(), member.incarnation()))
                .toList();
        if (live.size() == child.members().size()) {
            return child;
        }
        return live.isEmpty() ? LOST : Place.of(live, child.stream(), child.epoch() + 1);
    }

    /** Only the primary of an epoch knows that it has not handed over, and won't. */
    private Result abandonGroupSplit(Command.AbandonGroupSplit command) {
        SplitOrder order = splits.get(command.stream());
        if (order == null || epochThatDecides(order) != command.epoch()) {
            return stale("no split has stream " + command.stream() + ", or its group has changed meanwhile");
        }
        takeBackFrom(known(order.table()), order);
        return new Applied(++version);
    }

    /** That of the group whose partition is shipped; when it is lost, of the one that a merge ships to. */
    private long epochThatDecides(SplitOrder order) {
        Table table = known(order.table());
        Place sender = table.place(order.sender());
        return sender.lost() && order.merge() ? table.place(order.receiver()).epoch() : sender.epoch();
    }

    private Result abandonSplit(Command.AbandonSplit command) {
        SplitOrder order = splits.get(command.stream());
        if (order == null) {
            return stale("no split has stream " + command.stream());
        }
        takeBackFrom(known(order.table()), order);
        return new Applied(++version);
    }

    private Result openSession() {
        if (sessions.size() >= StateLimits.SESSIONS_MAX) {
            return new Rejected(
                    Refusal.NOT_READY,
                    StateLimits.SESSIONS_MAX + " sessions are open, and more are not allowed at a time");
        }
        long session = sessionNext++;
        sessions.add(session);
        return new Result.SessionOpened(session);
    }

    private Result endSessions(Command.EndSessions command) {
        if (sessions.removeAll(command.sessions())) {
            sessionsVersion = ++version;
        }
        return new Applied(version);
    }

    private Result acceptLoss(Command.AcceptLoss command) {
        Table table = tables.get(command.table());
        if (table == null) {
            return new Rejected(Refusal.NO_SUCH_TABLE, "table " + command.table() + " does not exist");
        }
        if (command.hosts().isEmpty()) {
            return new Rejected(Refusal.TOO_FEW_BRICKS, "no brick to begin again on");
        }
        if (!allCanServe(command.hosts())) {
            return stale("a brick chosen was started again, or is being drained");
        }
        for (SplitOrder split : table.splits()) {
            if (sourceIsGone(table, split) || split.merge() && targetIsGone(table, split)) {
                return stale("partition " + split.sender() + " or " + split.receiver()
                        + " was lost while one was shipped to the other, and the brick that lives has not said yet"
                        + " which of them serves");
            }
        }
        for (SplitOrder move : table.moves()) {
            if (sourceIsGone(table, move)) {
                return stale("partition " + move.parent()
                        + " was lost while it moved, and the brick that it went to has not said yet whether it has it");
            }
        }
        if (hasLost(table)) {
            HostCycle cycle = new HostCycle(
                    command.hosts(),
                    Math.min(table.definition().replicas(), command.hosts().size()));
            int later = table.definition().isReplicated() ? 1 : 0;
            table.replace(place -> place.lost() ? cycle.next(place.epoch() + later) : place, ++version);
        }
        return new Applied(version);
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
            Place place = Place.of(members(chosen), 0, epoch);
            count(place, 1);
            return place;
        }
    }

    private void append(Table table, Place place, long now) {
        table.append(place, now);
        count(place, 1);
        partitionsTotal++;
    }

    private void count(Place place, int change) {
        for (Place.Member member : place.members()) {
            Brick brick = bricks.get(member.brick());
            if (brick != null) {
                brick.addPlaces(change);
            }
        }
    }

    private void takeBackFrom(Table table, SplitOrder order) {
        table.takeBackFrom(order).forEach(taken -> splits.remove(taken.stream()));
    }

    private Table known(int id) {
        Table table = tables.get(id);
        if (table == null) {
            throw new IllegalStateException("a split of table " + id + ", which does not exist");
        }
        return table;
    }

    private static Rejected stale(String text) {
        return new Rejected(Refusal.NOT_READY, text);
    }

    private static Rejected tooManyPartitions() {
        return new Rejected(
                Refusal.BAD_REQUEST,
                "a cluster has at most " + StateLimits.PARTITIONS_MAX + " partitions in all tables");
    }

    // ---- what is

    /** The map's version: 0 before the first change. */
    public long version() {
        return version;
    }

    /** All bricks that ever registered, by number. */
    public List<BrickInfo> bricks() {
        List<BrickInfo> infos = new ArrayList<>(bricks.size());
        for (Brick brick : bricks.values()) {
            infos.add(brick.info());
        }
        return infos;
    }

    public @Nullable BrickInfo brick(int number) {
        Brick brick = bricks.get(number);
        return brick == null ? null : brick.info();
    }

    public @Nullable BrickInfo brick(String id) {
        Brick brick = bricksById.get(id);
        return brick == null ? null : brick.info();
    }

    /** Whether the process that drew this nonce is the brick's present one. */
    public boolean hasNonce(String id, long nonce) {
        Brick brick = bricksById.get(id);
        return brick != null && brick.nonce() == nonce;
    }

    /** Bytes of records that a brick said it can hold; 0 for an unknown brick. */
    public long memoryLimitBytes(int number) {
        Brick brick = bricks.get(number);
        return brick == null ? 0 : brick.memoryLimitBytes();
    }

    /** Partitions that the map places at a brick. */
    public int places(int number) {
        Brick brick = bricks.get(number);
        return brick == null ? 0 : brick.places();
    }

    /** Whether a brick's present process is to be emptied, and given nothing. */
    public boolean drains(int number) {
        Brick brick = bricks.get(number);
        return brick != null && brick.drains();
    }

    /** Whether a brick is a member of a group that has others, or of one that may have come to be by a split. */
    public boolean isInGroup(int number) {
        for (SplitOrder split : splits.values()) {
            Place child = split.target();
            if (!child.backups().isEmpty() && child.members().stream().anyMatch(member -> member.brick() == number)) {
                return true;
            }
        }
        for (Table table : tables.values()) {
            for (int a = 0; table.definition().isReplicated() && a < table.partitions(); a++) {
                Place place = table.place(a);
                if (!place.backups().isEmpty()
                        && place.members().stream().anyMatch(member -> member.brick() == number)) {
                    return true;
                }
            }
        }
        return false;
    }

    /** Whether a brick's present process is this incarnation. */
    public boolean isCurrent(int number, long incarnation) {
        Brick brick = bricks.get(number);
        return brick != null && brick.info().incarnation() == incarnation;
    }

    /** Whether the process that a place names still runs, as far as is known. */
    public boolean isCurrent(Place place) {
        return isCurrent(place.brick(), place.incarnation());
    }

    public List<TableMap> tables() {
        List<TableMap> maps = new ArrayList<>(tables.size());
        for (Table table : tables.values()) {
            maps.add(table.map());
        }
        return maps;
    }

    public @Nullable TableMap table(int id) {
        Table table = tables.get(id);
        return table == null ? null : table.map();
    }

    public @Nullable TableMap table(String name) {
        Table table = tablesByName.get(name);
        return table == null ? null : table.map();
    }

    /** An address block; null when there is no such table or block. */
    public @Nullable AddressBlock block(int tableId, int number) {
        Table table = tables.get(tableId);
        return table == null ? null : table.block(number);
    }

    /** Of a range table: the keys of a partition that exists. */
    public KeySpan span(int tableId, int partition) {
        return known(tableId).span(partition);
    }

    /** Whether a table has a partition of this number. */
    public boolean exists(int tableId, int partition) {
        Table table = tables.get(tableId);
        return table != null && table.exists(partition);
    }

    /** Whether a partition of a table splits, merges or moves. */
    public boolean isChanging(int tableId, int partition) {
        Table table = tables.get(tableId);
        return table != null && table.isChanging(partition);
    }

    /** Whether a partition of a table moves to another brick. */
    public boolean isMoving(int tableId, int partition) {
        Table table = tables.get(tableId);
        return table != null && table.isMoving(partition);
    }

    /** The splits and merges of a table under way, without moves. */
    public List<SplitOrder> splitsOf(int tableId) {
        Table table = tables.get(tableId);
        return table == null ? List.of() : table.splits();
    }

    /** The place of a partition that exists, {@link Place#NOWHERE} of a number that no partition has any more. */
    public Place place(int tableId, int partition) {
        return known(tableId).place(partition);
    }

    /** How many partitions of a table are lost. */
    public int lostPartitions(int tableId) {
        Table table = tables.get(tableId);
        int lost = 0;
        for (AddressBlock block : table == null ? List.<AddressBlock>of() : table.blocks()) {
            for (Place place : block.places()) {
                lost += place.lost() ? 1 : 0;
            }
        }
        return lost;
    }

    private boolean hasLost(Table table) {
        return lostPartitions(table.definition().id()) > 0;
    }

    /** The splits, merges and moves under way, by stream. */
    public List<SplitOrder> splits() {
        return List.copyOf(splits.values());
    }

    public @Nullable SplitOrder split(long stream) {
        return splits.get(stream);
    }

    /** The joins under way, by stream. */
    public List<JoinOrder> joins() {
        return List.copyOf(joins.values());
    }

    public @Nullable JoinOrder join(long stream) {
        return joins.get(stream);
    }

    /** Whether a brick is to become a member of a partition's group, or a member is to leave it. */
    public boolean isGroupChanging(int tableId, int partition) {
        return leave(tableId, partition) != null
                || joins.values().stream().anyMatch(join -> join.table() == tableId && join.partition() == partition);
    }

    /** The members that are to leave their groups, by table and partition. */
    public List<LeaveOrder> leaves() {
        return List.copyOf(leaves.values());
    }

    /** The member that is to leave a group; null when none is. */
    public @Nullable LeaveOrder leave(int table, int partition) {
        return leaves.get(key(table, partition));
    }

    /** Whether a partition of the table is being merged. */
    public boolean isMerging(int tableId) {
        Table table = tables.get(tableId);
        return table != null && table.isMerging();
    }

    /** M of a table, once all its splits under way have committed; 0 when there is no such table. */
    public int partitionsOrdered(int tableId) {
        Table table = tables.get(tableId);
        return table == null ? 0 : table.partitionsOrdered();
    }

    /** The split of a table under way that commits next, or its merge. */
    public @Nullable SplitOrder splitOf(int tableId) {
        Table table = tables.get(tableId);
        return table == null ? null : table.split();
    }

    public boolean isActive(long session) {
        return sessions.contains(session);
    }

    public int sessionCount() {
        return sessions.size();
    }

    /** The active sessions, ascending. */
    public Collection<Long> sessions() {
        return Collections.unmodifiableCollection(sessions);
    }

    // ---- what changed

    /** What changed after a version, 0 for all there is. Whoever knows the map up to there knows it up to {@link #version} with this. */
    public MapUpdate changesSince(long from) {
        List<BrickInfo> changedBricks = new ArrayList<>();
        for (Brick brick : bricks.values()) {
            if (brick.version() > from) {
                changedBricks.add(brick.info());
            }
        }
        List<TableMap> changedTables = new ArrayList<>();
        List<AddressBlock> changedBlocks = new ArrayList<>();
        for (Table table : tables.values()) {
            if (table.version() > from) {
                changedTables.add(table.map());
                addChanged(changedBlocks, table, from);
            }
        }
        boolean sessionsChanged = sessionsVersion > from;
        return new MapUpdate(
                from,
                version,
                changedBricks,
                changedTables,
                dropped.since(from, tableNext, tables.keySet()),
                changedBlocks,
                splits(),
                sessionsChanged ? sessionNext : 0,
                sessionsChanged ? List.copyOf(sessions) : List.of(),
                0,
                joins(),
                leaves());
    }

    private static void addChanged(List<AddressBlock> changed, Table table, long from) {
        for (AddressBlock block : table.blocks()) {
            if (block.version() > from) {
                changed.add(block);
            }
        }
    }

    // ---- snapshots

    /** All of it, as a value. */
    public ClusterSnapshot snapshot() {
        List<BrickEntry> brickEntries = new ArrayList<>();
        for (Brick brick : bricks.values()) {
            brickEntries.add(new BrickEntry(
                    brick.info(), brick.nonce(), brick.memoryLimitBytes(), brick.version(), brick.drains()));
        }
        List<TableEntry> tableEntries = new ArrayList<>();
        for (Table table : tables.values()) {
            tableEntries.add(new TableEntry(table.map(), table.blocks()));
        }
        return new ClusterSnapshot(
                version,
                brickNext,
                tableNext,
                streamNext,
                sessionNext,
                sessionsVersion,
                dropped.horizon(),
                brickEntries,
                tableEntries,
                splits(),
                List.copyOf(sessions),
                dropped.list(),
                joins(),
                leaves());
    }

    /** Becomes what a snapshot says, whatever was here before. */
    public void restore(ClusterSnapshot snapshot) {
        version = snapshot.version();
        brickNext = snapshot.brickNext();
        tableNext = snapshot.tableNext();
        streamNext = snapshot.streamNext();
        sessionNext = snapshot.sessionNext();
        sessionsVersion = snapshot.sessionsVersion();
        sessions.clear();
        sessions.addAll(snapshot.sessions());
        dropped.restore(snapshot.dropped(), snapshot.droppedHorizon());
        restoreBricks(snapshot);
        restoreTables(snapshot);
    }

    private void restoreBricks(ClusterSnapshot snapshot) {
        bricks.clear();
        bricksById.clear();
        for (BrickEntry entry : snapshot.bricks()) {
            Brick brick = new Brick(entry.info(), entry.nonce(), entry.memoryLimitBytes(), entry.version());
            brick.drains(entry.drains());
            bricks.put(entry.info().number(), brick);
            bricksById.put(entry.info().id(), brick);
        }
    }

    private void restoreTables(ClusterSnapshot snapshot) {
        tables.clear();
        tablesByName.clear();
        splits.clear();
        partitionsTotal = 0;
        for (TableEntry entry : snapshot.tables()) {
            Table table = new Table(entry.map(), entry.blocks());
            tables.put(table.definition().id(), table);
            tablesByName.put(table.definition().name(), table);
            partitionsTotal += table.partitions();
            for (int partition = 0; partition < table.partitions(); partition++) {
                count(table.place(partition), 1);
            }
        }
        joins.clear();
        snapshot.joins().forEach(order -> joins.put(order.stream(), order));
        leaves.clear();
        snapshot.leaves().forEach(order -> leaves.put(key(order.table(), order.partition()), order));
        for (SplitOrder order : snapshot.splits()) {
            splits.put(order.stream(), order);
            known(order.table()).begin(order);
        }
    }
}
