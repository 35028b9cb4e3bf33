package io.sdds.coordinator.control.parity;

import io.sdds.coordinator.control.base.ControlContext;
import io.sdds.coordinator.control.base.Reconciler;
import io.sdds.coordinator.control.base.Request;
import io.sdds.coordinator.control.member.BrickRegistry;
import io.sdds.coordinator.control.member.FailureDetector;
import io.sdds.coordinator.control.member.PendingMapAcks;
import io.sdds.coordinator.control.placement.Allocator;
import io.sdds.coordinator.control.placement.Placement.Candidate;
import io.sdds.coordinator.state.Command;
import io.sdds.coordinator.state.ParityGroup;
import io.sdds.coordinator.state.Result.Rejected;
import io.sdds.core.control.ControlMessage.Refusal;
import io.sdds.core.model.Parity;
import io.sdds.core.model.Place.Member;
import io.sdds.core.model.TableDefinition;
import io.sdds.core.model.TableMap;
import io.sdds.core.node.Link;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Converts tables from replicas to parity and back while they serve: begins a conversion when a client asks for it, and
 * then takes one group after the other ({@link ConversionsToParity}, {@link ConversionsToReplicas}). Tells the other
 * reconcilers what has to wait meanwhile (docs/design/parity.md, rules 34 and 35).
 */
public final class TableConversions implements Reconciler {
    private final ControlContext our;
    private final Allocator allocator;
    private final PendingAlterations pending;
    private final ConversionOrders orders;
    private final ConversionWaits waits;
    private final ConversionsToParity toParity;
    private final ConversionsToReplicas toReplicas;

    public TableConversions(
            ControlContext our,
            BrickRegistry bricks,
            FailureDetector detector,
            Allocator allocator,
            PendingMapAcks pendingMapAcks) {
        this.our = our;
        this.allocator = allocator;
        this.pending = new PendingAlterations(our, detector, pendingMapAcks);
        this.orders = new ConversionOrders(our, allocator);
        this.waits = new ConversionWaits(our, bricks, detector);
        this.toParity = new ConversionsToParity(our, bricks, detector, allocator, orders, waits);
        this.toReplicas = new ConversionsToReplicas(our, bricks, detector, allocator, orders, waits);
    }

    // ---- the beginning

    /** Begins to convert a table without parity. */
    void convert(Request request, TableMap map, Parity parity) {
        TableDefinition table = map.definition();
        Rejected fault = toParity.fault(table, parity);
        if (fault != null) {
            request.refuse(fault);
        } else {
            alter(
                    request,
                    map,
                    () -> toParity.begin(table.id(), parity),
                    "is being converted to parity " + parity.text());
        }
    }

    /**
     * Proposes a command as soon as nothing else changes a table, and holds the table back until then.
     *
     * @param command gives the command; null while there is none
     * @param outcome what becomes of the table, for the log
     */
    public void alter(Request request, TableMap map, Supplier<@Nullable Command> command, String outcome) {
        TableDefinition table = map.definition();
        if (pending.holds(table.id())) {
            request.refuse(Refusal.NOT_READY, "table '" + table.name() + "' is about to be altered; try again");
        } else {
            pending.add(request, map, command, outcome);
        }
    }

    /** The reason why too few bricks are up to convert a table to replicas; empty if they are enough. */
    public String tooFewForReplicas(TableDefinition table, int replicas) {
        return toReplicas.tooFewBricks(table, replicas);
    }

    /** The reason why a table cannot be altered, because it is being converted or about to be altered; or null. */
    public @Nullable Rejected holdsBack(TableDefinition table) {
        String what = table.isConvertingToParity()
                ? "being converted to parity " + table.parity().text() + "; wait until it is"
                : table.isConvertingToReplicas()
                        ? "being converted to " + ConversionsToReplicas.text(table.replicas()) + "; wait until it is"
                        : pending.holds(table.id()) ? "about to be altered; try again" : "";
        return what.isEmpty() ? null : new Rejected(Refusal.NOT_READY, "table '" + table.name() + "' is " + what);
    }

    public void onLinkDown(Link link) {
        pending.onLinkDown(link);
    }

    @Override
    public void onLeading() {
        orders.onLeading();
        waits.onLeading();
    }

    @Override
    public void onNotLeading() {
        pending.onNotLeading();
    }

    // ---- its groups

    @Override
    public void tick() {
        pending.tick();
        waits.tick();
        if (orders.arePending()) {
            return;
        }
        List<Candidate> candidates = allocator.candidates();
        for (TableMap table : our.state().tables()) {
            if (table.definition().isConvertingToParity()) {
                toParity.advance(table, candidates);
            } else if (table.definition().isConvertingToReplicas()) {
                toReplicas.advance(table, candidates);
            }
        }
    }

    // ---- what the other reconcilers ask

    /**
     * Whether no split, merge or move of a table may begin, because it is converted, altered soon, or gives its backups
     * up.
     */
    public boolean holds(int table) {
        TableMap map = our.state().table(table);
        return pending.holds(table)
                || map != null
                        && (map.definition().isConverting() || our.state().becomesOneCopy(table));
    }

    /** Whether columns of groups that stand on parity stay where they are, because their parities are to leave. */
    public boolean holdsColumns(int table) {
        TableMap map = our.state().table(table);
        return holds(table) && map != null && !map.definition().isConvertingToParity();
    }

    /** Whether a process may get a parity of a group now. */
    boolean mayGetParity(ParityGroup group) {
        return holdsColumns(group.table().id())
                ? ConversionsToReplicas.mayGetParity(group)
                : toParity.mayGetParity(group);
    }

    /** Whether a partition may get another member on a brick: no parity of its group is or comes there. */
    public boolean mayJoin(TableMap table, int partition, int brick, List<Candidate> candidates) {
        return !table.definition().isConvertingToParity()
                || !new RoomForParities(groupOf(table, partition), candidates).isKeptFree(brick);
    }

    /** The member of a partition that is in the way of parities; null if there is none. */
    public @Nullable Member inTheWay(TableMap table, int partition) {
        return table.definition().isConvertingToParity()
                ? toParity.inTheWay(groupOf(table, partition), partition)
                : null;
    }

    private ParityGroup groupOf(TableMap table, int partition) {
        return our.state()
                .parityGroup(
                        table.definition().id(), table.definition().parity().group(partition));
    }

    // ---- status

    /** The number of groups of a table that are still to be converted; 0 if the table is not being converted. */
    public int groupsToConvert(TableMap table) {
        if (!table.definition().isConverting()) {
            return 0;
        }
        return (table.definition().isConvertingToParity() ? toParity.left(table) : toReplicas.left(table)).size();
    }

    /**
     * The reason why the conversion of a table makes no progress; empty if there is none. What a step waits for that
     * usually takes a moment counts only when it has taken long.
     */
    public String obstacle(TableMap table) {
        if (!table.definition().isConverting()) {
            return "";
        }
        boolean isToParity = table.definition().isConvertingToParity();
        String obstacle = isToParity ? toParity.obstacle(table) : toReplicas.obstacle(table);
        if (!obstacle.isEmpty() || !waits.areLong(table) || groupsToConvert(table) == 0) {
            return obstacle;
        }
        return isToParity ? toParity.waitsFor(table) : toReplicas.waitsFor(table);
    }
}
