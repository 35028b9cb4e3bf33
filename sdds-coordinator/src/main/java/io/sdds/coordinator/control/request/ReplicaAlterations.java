package io.sdds.coordinator.control.request;

import io.sdds.coordinator.control.base.ControlContext;
import io.sdds.coordinator.control.base.Request;
import io.sdds.coordinator.control.member.PendingMapAcks;
import io.sdds.coordinator.control.parity.ConversionsToReplicas;
import io.sdds.coordinator.control.parity.TableConversions;
import io.sdds.coordinator.control.placement.Allocator;
import io.sdds.coordinator.control.schedule.MembershipReconciler;
import io.sdds.coordinator.control.schedule.ReplicaReconciler;
import io.sdds.coordinator.state.Command;
import io.sdds.coordinator.state.Result.Rejected;
import io.sdds.core.control.ControlMessage.AlterReplicas;
import io.sdds.core.control.ControlMessage.Refusal;
import io.sdds.core.model.TableDefinition;
import io.sdds.core.model.TableMap;
import io.sdds.core.model.TableSpec;
import io.sdds.core.protocol.IndexRecord;
import org.jspecify.annotations.Nullable;

/**
 * Changes the number of replicas of tables, and begins to convert tables from parity to replicas, when a client asks
 * for it (docs/design/parity.md, rule 35). {@link ReplicaReconciler} and {@link MembershipReconciler} then have members
 * join and leave.
 */
public final class ReplicaAlterations {
    private final ControlContext our;
    private final Allocator allocator;
    private final PendingMapAcks pendingMapAcks;
    private final TableConversions conversions;

    public ReplicaAlterations(
            ControlContext our, Allocator allocator, PendingMapAcks pendingMapAcks, TableConversions conversions) {
        this.our = our;
        this.allocator = allocator;
        this.pendingMapAcks = pendingMapAcks;
        this.conversions = conversions;
    }

    public void alter(Request request, AlterReplicas message) {
        TableMap map = our.state().table(message.name());
        if (map == null) {
            request.refuse(Refusal.NO_SUCH_TABLE, "table '" + message.name() + "' does not exist");
            return;
        }
        TableDefinition table = map.definition();
        int replicas = message.replicas();
        Rejected fault = fault(table, replicas);
        if (fault != null) {
            request.refuse(fault);
        } else if (isAsAsked(table, replicas)) {
            pendingMapAcks.add(request, map.version());
        } else if (table.hasParity()) {
            conversions.alter(
                    request,
                    map,
                    () -> new Command.ConvertToReplicas(table.id(), replicas),
                    "is being converted to " + ConversionsToReplicas.text(replicas));
        } else {
            conversions.alter(
                    request,
                    map,
                    () -> new Command.AlterReplicas(table.id(), replicas),
                    "has " + ConversionsToReplicas.text(replicas) + " from now on, before " + table.replicas());
        }
    }

    /** Whether a table has so many replicas, or is being converted to them. */
    private static boolean isAsAsked(TableDefinition table, int replicas) {
        return table.replicas() == replicas && (!table.hasParity() || table.isConvertingToReplicas());
    }

    private @Nullable Rejected fault(TableDefinition table, int replicas) {
        String numbers = TableSpec.replicasFault(replicas, 1);
        if (numbers != null) {
            return new Rejected(Refusal.BAD_REQUEST, numbers);
        }
        if (table.name().startsWith(IndexRecord.OWN_NAMES)) {
            return new Rejected(Refusal.BAD_REQUEST, "table '" + table.name() + "' is the cluster's own");
        }
        if (replicas < table.spec().minCopies()) {
            return new Rejected(
                    Refusal.BAD_REQUEST,
                    "table '" + table.name() + "' refuses writes with fewer than "
                            + table.spec().minCopies() + " copies, so it cannot have "
                            + ConversionsToReplicas.text(replicas));
        }
        if (isAsAsked(table, replicas)) {
            return null;
        }
        Rejected held = conversions.holdsBack(table);
        if (held != null) {
            return held;
        }
        return table.hasParity() ? conversionFault(table, replicas) : tooFew(table, replicas);
    }

    private @Nullable Rejected conversionFault(TableDefinition table, int replicas) {
        if (our.state().lostPartitions(table.id()) > 0) {
            return new Rejected(
                    Refusal.NOT_READY, "table '" + table.name() + "' has lost partitions; accept their loss first");
        }
        String tooFew = conversions.tooFewForReplicas(table, replicas);
        return tooFew.isEmpty() ? null : new Rejected(Refusal.TOO_FEW_BRICKS, tooFew);
    }

    private @Nullable Rejected tooFew(TableDefinition table, int replicas) {
        String obstacle = replicas > table.replicas() ? obstacle(replicas) : "";
        return obstacle.isEmpty() ? null : new Rejected(Refusal.TOO_FEW_BRICKS, obstacle);
    }

    /** The reason why partitions cannot have so many replicas now; empty if there are bricks enough. */
    String obstacle(int replicas) {
        int up = allocator.candidates().size();
        return up >= replicas
                ? ""
                : ConversionsToReplicas.text(replicas) + " need as many bricks, and " + up + " are up; "
                        + (replicas - up) + " more are missing";
    }
}
