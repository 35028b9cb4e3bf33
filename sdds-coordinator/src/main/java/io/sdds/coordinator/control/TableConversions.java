package io.sdds.coordinator.control;

import io.sdds.coordinator.control.Placement.Candidate;
import io.sdds.coordinator.state.Command;
import io.sdds.coordinator.state.ParityGroup;
import io.sdds.coordinator.state.Result;
import io.sdds.coordinator.state.Result.Rejected;
import io.sdds.core.control.ControlMessage.Refusal;
import io.sdds.core.model.MigrationKind;
import io.sdds.core.model.Parity;
import io.sdds.core.model.Place;
import io.sdds.core.model.Place.Member;
import io.sdds.core.model.TableDefinition;
import io.sdds.core.model.TableMap;
import io.sdds.core.node.Link;
import io.sdds.core.protocol.Features;
import io.sdds.core.protocol.IndexRecord;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Converts tables from replicas to parity while they serve: begins the conversion when a client asks for it, makes room
 * for the parities of each group, and ends the conversion of the groups whose parities are complete
 * (docs/design/coordinator.md, rule 34). {@link ParityRepairs} orders the parities.
 */
final class TableConversions implements Reconciler {
    /*
     * Level-triggered as the other reconcilers are: each tick looks at the groups that stand on replicas. A group has
     * one change at a time. A member that is in the way gets a replacement by a join (rule 13 of migration.md), and
     * then MembershipReconciler has it leave. The last command drops the backups of a group without orders to leave.
     * That is safe because no backup of a table that is being converted answers reads, and each of them has been heard
     * to know that the table is.
     *
     * A conversion begins when no split, merge or move of the table is in the map. So the table is held back from the
     * request on, and the request waits for the orders that are in the map to end.
     */

    /** Largest number of joins from a brick, and also of joins to a brick, as in {@link ReplicaReconciler}. */
    private static final int BRICK_JOINS_MAX = 4;

    private static final int ORDERED_A_TICK = 16;
    private static final Logger log = LoggerFactory.getLogger(TableConversions.class);

    private final ControlContext our;
    private final BrickRegistry bricks;
    private final FailureDetector detector;
    private final Allocator allocator;
    private final PendingMapAcks pendingMapAcks;

    /** The requests whose tables still split, merge or move, by table. */
    private final Map<Integer, Waiting> waiting = new TreeMap<>();

    private int proposed;

    private record Waiting(Request request, Parity parity, long sinceNanos) {}

    TableConversions(
            ControlContext our,
            BrickRegistry bricks,
            FailureDetector detector,
            Allocator allocator,
            PendingMapAcks pendingMapAcks) {
        this.our = our;
        this.bricks = bricks;
        this.detector = detector;
        this.allocator = allocator;
        this.pendingMapAcks = pendingMapAcks;
    }

    // ---- the beginning

    /** Begins to convert a table without parity. */
    void convert(Request request, TableMap map, Parity parity) {
        Rejected fault = fault(map.definition(), parity);
        if (fault != null) {
            request.refuse(fault);
        } else {
            waiting.put(
                    map.definition().id(),
                    new Waiting(request, parity, our.env().nowNanos()));
            begin();
        }
    }

    private @Nullable Rejected fault(TableDefinition table, Parity parity) {
        String numbers = Parity.fault(parity.columns(), parity.parities());
        if (numbers != null) {
            return new Rejected(Refusal.BAD_REQUEST, numbers);
        }
        if (table.name().startsWith(IndexRecord.OWN_NAMES)) {
            return new Rejected(Refusal.BAD_REQUEST, "table '" + table.name() + "' is the cluster's own");
        }
        if ((our.state().features() & Features.CONVERSION) == 0) {
            return new Rejected(
                    Refusal.NOT_READY,
                    "conversions to parity wait until all bricks and coordinators are up and of a version that has"
                            + " them");
        }
        if (our.state().lostPartitions(table.id()) > 0) {
            return new Rejected(
                    Refusal.NOT_READY, "table '" + table.name() + "' has lost partitions; accept their loss first");
        }
        if (waiting.containsKey(table.id())) {
            return new Rejected(Refusal.NOT_READY, "table '" + table.name() + "' is about to be converted");
        }
        String tooFew = tooFewBricks(table, parity);
        return tooFew.isEmpty() ? null : new Rejected(Refusal.TOO_FEW_BRICKS, tooFew);
    }

    /** The reason why too few bricks are up for the conversion of a table; empty if they are enough. */
    private String tooFewBricks(TableDefinition table, Parity parity) {
        int needed = parity.bricksToConvert(table.replicas());
        int up = allocator.candidates().size();
        return up >= needed
                ? ""
                : "the conversion to parity " + parity.text() + " needs " + needed + " bricks, and " + up + " are up; "
                        + (needed - up) + " more are missing";
    }

    /** Proposes the conversions whose tables do not split, merge or move any more. */
    private void begin() {
        for (int table : List.copyOf(waiting.keySet())) {
            boolean changes = our.state().splits().stream().anyMatch(order -> order.table() == table);
            List<Command.Host> hosts = Placement.inOrder(allocator.candidates()).stream()
                    .map(Candidate::host)
                    .toList();
            Waiting asked = waiting.get(table);
            if (asked != null && !changes && !hosts.isEmpty()) {
                our.log()
                        .propose(
                                new Command.ConvertToParity(table, asked.parity(), hosts),
                                result -> begun(table, asked, result));
            }
        }
    }

    private void begun(int table, Waiting asked, Result result) {
        TableMap map = our.state().table(table);
        if (!waiting.remove(table, asked)) {
            return; // the client is gone, or was answered by an earlier proposal
        }
        switch (result) {
            case Result.Applied(long version) -> {
                log.info(
                        "table {} is being converted to parity {}",
                        map == null ? table : map.definition().name(),
                        asked.parity().text());
                pendingMapAcks.add(asked.request(), version);
            }
            case Rejected rejected -> asked.request().refuse(rejected);
            default -> throw new IllegalStateException("a conversion gave " + result);
        }
    }

    private void refuseThoseTooLate() {
        waiting.values().removeIf(asked -> {
            boolean late =
                    our.env().nowNanos() - asked.sinceNanos() >= our.settings().createPatienceNanos();
            if (late) {
                asked.request()
                        .refuse(Refusal.NOT_READY, "partitions of the table still split, merge or move; try again");
            }
            return late;
        });
    }

    void onLinkDown(Link link) {
        waiting.values().removeIf(asked -> asked.request().link() == link);
    }

    @Override
    public void onLeading() {
        proposed = 0;
    }

    @Override
    public void onNotLeading() {
        waiting.values()
                .forEach(asked ->
                        asked.request().refuse(Refusal.NOT_LEADER, our.log().leaderAddress()));
        waiting.clear();
    }

    /** Whether no split, merge or move of a table may begin, because it is converted or about to be. */
    boolean holds(int table) {
        TableMap map = our.state().table(table);
        return waiting.containsKey(table) || map != null && map.definition().isConverting();
    }

    // ---- its groups

    @Override
    public void tick() {
        refuseThoseTooLate();
        begin();
        if (proposed > 0) {
            return;
        }
        List<Candidate> candidates = allocator.candidates();
        for (TableMap table : our.state().tables()) {
            for (ParityGroup group : onReplicas(table)) {
                if (proposed < ORDERED_A_TICK && !isChanging(group)) {
                    advance(group, table, candidates);
                }
            }
        }
    }

    /** The groups of a table that is being converted which still stand on replicas. */
    private List<ParityGroup> onReplicas(TableMap table) {
        int id = table.definition().id();
        int groups = table.definition().isConverting() ? our.state().groups(id) : 0;
        return IntStream.range(0, groups)
                .mapToObj(number -> our.state().parityGroup(id, number))
                .filter(ParityGroup::standsOnReplicas)
                .toList();
    }

    /** Whether a member of a group joins, leaves, or is to leave because another one has joined in its place. */
    private boolean isChanging(ParityGroup group) {
        int id = group.table().id();
        return !group.repairs().isEmpty()
                || IntStream.range(
                                group.first(), group.first() + group.columns().size())
                        .anyMatch(column -> our.state().isGroupChanging(id, column)
                                || our.state().place(id, column).members().size()
                                        > group.table().replicas());
    }

    private void advance(ParityGroup group, TableMap table, List<Candidate> candidates) {
        if (!group.areColumnsComplete() || group.processes().stream().anyMatch(detector::isGone)) {
            return;
        }
        RoomForParities.Replacement next = new RoomForParities(group, candidates).next(this::canJoin);
        if (next != null) {
            replace(group, next);
        } else if (isComplete(group, table)) {
            end(group);
        }
    }

    private boolean canJoin(Candidate candidate) {
        return !allocator.learnerHasFailed(candidate.brick())
                && allocator.to(MigrationKind.LEARNER, candidate.brick()) < BRICK_JOINS_MAX;
    }

    /** Orders a copy in place of a member that is in the way. */
    private void replace(ParityGroup group, RoomForParities.Replacement next) {
        Candidate joiner = next.joiner();
        if (joiner == null
                || allocator.from(MigrationKind.LEARNER, next.place().brick()) + proposed >= BRICK_JOINS_MAX) {
            return;
        }
        int table = group.table().id();
        proposed++;
        our.log()
                .propose(
                        Command.BeginMigration.learner(
                                table, next.partition(), next.place().epoch(), joiner.host()),
                        result -> {
                            proposed--;
                            log.info(
                                    "a copy of partition {} of table {} at brick {} makes room for parities: {}",
                                    next.partition(),
                                    table,
                                    joiner.brick(),
                                    result);
                        });
    }

    /** Whether the parities of a group know all records, and no backup can answer reads. */
    private boolean isComplete(ParityGroup group, TableMap table) {
        return group.parities().firstMissing() < 0
                && areRanked(group)
                && group.processes().stream().allMatch(bricks::hears)
                && group.columns().stream()
                        .flatMap(place -> place.members().stream())
                        .allMatch(member -> knows(member, table));
    }

    private boolean knows(Member member, TableMap table) {
        LiveBrick brick = bricks.get(member.brick());
        return brick != null && brick.mapVersion() >= table.version();
    }

    /** Whether the primaries of a group have reported in their present epochs that all records have ranks. */
    private boolean areRanked(ParityGroup group) {
        return IntStream.range(0, group.columns().size()).allMatch(k -> {
            Place place = group.columns().get(k);
            LiveBrick brick = bricks.get(place.brick());
            return brick != null
                    && brick.leads(place)
                    && brick.isRanked(group.table().id(), group.first() + k, place.epoch());
        });
    }

    private void end(ParityGroup group) {
        proposed++;
        Command end = new Command.EndConversion(group.table().id(), group.number(), group.epochs());
        our.log().propose(end, result -> {
            proposed--;
            if (result instanceof Result.Applied) {
                log.info(
                        "parity group {} of table {} stands on parity",
                        group.number(),
                        group.table().name());
            }
        });
    }

    // ---- what the other reconcilers ask

    /**
     * Whether a process may get a parity of a group now. A group that stands on replicas first gets room, and ranks for
     * all its records.
     */
    boolean mayGetParity(ParityGroup group) {
        return !group.standsOnReplicas()
                || !isChanging(group)
                        && areRanked(group)
                        && new RoomForParities(group, allocator.candidates()).next(candidate -> true) == null;
    }

    /** Whether a partition may get another member on a brick: no parity of its group is or comes there. */
    boolean mayJoin(TableMap table, int partition, int brick, List<Candidate> candidates) {
        return !table.definition().hasParity()
                || !new RoomForParities(groupOf(table, partition), candidates).isKeptFree(brick);
    }

    /** The member of a partition that is in the way of parities; null if there is none. */
    @Nullable
    Member inTheWay(TableMap table, int partition) {
        if (!table.definition().isConverting()) {
            return null;
        }
        ParityGroup group = groupOf(table, partition);
        return group.standsOnReplicas()
                ? new RoomForParities(group, allocator.candidates()).inTheWay(partition - group.first())
                : null;
    }

    private ParityGroup groupOf(TableMap table, int partition) {
        return our.state()
                .parityGroup(
                        table.definition().id(), table.definition().parity().group(partition));
    }

    // ---- status

    /** The number of groups of a table that is being converted which still stand on replicas. */
    int groupsToConvert(TableMap table) {
        return onReplicas(table).size();
    }

    /** The reason why the conversion of a table makes no progress; empty if there is none. */
    String obstacle(TableMap table) {
        TableDefinition definition = table.definition();
        if (!definition.isConverting()) {
            return "";
        }
        String tooFew = tooFewBricks(definition, definition.parity());
        if (!tooFew.isEmpty()) {
            return tooFew;
        }
        for (ParityGroup group : onReplicas(table)) {
            if (!group.areColumnsComplete()) {
                return "partitions are lost; accept their loss";
            }
            RoomForParities.Replacement next =
                    isChanging(group) ? null : new RoomForParities(group, allocator.candidates()).next(brick -> true);
            if (next != null && next.joiner() == null) {
                return "no brick can take the copy of partition " + next.partition()
                        + " that is in the way of the parities of group " + group.number() + "; start another brick";
            }
        }
        return "";
    }
}
