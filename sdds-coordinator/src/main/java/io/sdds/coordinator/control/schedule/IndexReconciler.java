package io.sdds.coordinator.control.schedule;

import io.sdds.coordinator.control.base.ControlContext;
import io.sdds.coordinator.control.base.Reconciler;
import io.sdds.coordinator.control.placement.Allocator;
import io.sdds.coordinator.control.placement.Placement;
import io.sdds.coordinator.control.placement.Placement.Candidate;
import io.sdds.coordinator.state.Command;
import io.sdds.core.model.Routing;
import io.sdds.core.model.TableKind;
import io.sdds.core.model.TableMap;
import io.sdds.core.model.TableSpec;
import io.sdds.core.protocol.IndexRecord;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Creates the index of partitions (RP*S, section 2.1) when a table is routed by the index, and drops the index when
 * none is. The bricks of the index derive its records from the map. So a lost partition of the index is made empty
 * again, and the bricks fill it.
 */
public final class IndexReconciler implements Reconciler {
    private final ControlContext our;
    private final Allocator allocator;
    private boolean proposed;

    public IndexReconciler(ControlContext our, Allocator allocator) {
        this.our = our;
        this.allocator = allocator;
    }

    @Override
    public void onLeading() {
        proposed = false;
    }

    @Override
    public void tick() {
        Command command = proposed ? null : wanted();
        if (command != null) {
            proposed = true;
            our.log().propose(command, result -> proposed = false); // a rejected command is decided again
        }
    }

    private @Nullable Command wanted() {
        TableMap index = our.state().table(IndexRecord.TABLE);
        boolean isUsed = our.state().tables().stream()
                .anyMatch(table -> table.definition().spec().routing() == Routing.INDEX);
        if (index == null) {
            return isUsed ? creation() : null;
        }
        int id = index.definition().id();
        if (!isUsed) {
            return new Command.DropTable(id);
        }
        List<Command.Host> hosts = hosts();
        return hosts.isEmpty() || our.state().lostPartitions(id) == 0 ? null : new Command.AcceptLoss(id, hosts);
    }

    private @Nullable Command creation() {
        List<Command.Host> hosts = hosts();
        TableSpec spec = TableSpec.of(TableKind.RANGE)
                .capacity(our.settings().indexCapacityRecords())
                .build();
        return hosts.isEmpty() ? null : new Command.CreateTable(IndexRecord.TABLE, spec, List.of(hosts.get(0)));
    }

    private List<Command.Host> hosts() {
        return Placement.inOrder(allocator.candidates()).stream()
                .map(Candidate::host)
                .toList();
    }
}
