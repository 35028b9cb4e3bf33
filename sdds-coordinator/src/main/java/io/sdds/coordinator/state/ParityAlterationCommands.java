package io.sdds.coordinator.state;

import io.sdds.coordinator.state.Result.Applied;
import io.sdds.coordinator.state.Result.Rejected;
import io.sdds.core.control.ControlMessage.Refusal;
import io.sdds.core.model.Parity;
import io.sdds.core.model.Place;
import io.sdds.core.model.Place.Member;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The command that changes the number of parities of a table (docs/design/parity.md, rule 32). */
final class ParityAlterationCommands {
    /*
     * A higher k gives each group missing parities with the next indexes. With a lower k the parities of the highest
     * indexes leave all groups in one step, the orders for these indexes are dropped, and the epochs of all columns
     * rise. A group must not lack more members than the lower k tolerates, and must not lose the lead of a column
     * (ParityGroup.canDoWith).
     */
    private final Cluster cluster;
    private final ParityGroupCommands groups;

    ParityAlterationCommands(Cluster cluster, ParityGroupCommands groups) {
        this.cluster = cluster;
        this.groups = groups;
    }

    Result alter(Table table, Command.AlterParity command) {
        Parity before = table.definition().parity();
        Parity after = command.after();
        if (!before.equals(command.before())) {
            return Rejected.stale("table '" + table.definition().name() + "' has another parity by now");
        }
        if (after.equals(before.withMinParities(after.minAsked())) && after.fault() == null) {
            table.redefine(table.definition().withParity(after), ++cluster.version);
            return new Applied(cluster.version);
        }
        if (table.definition().isConverting()) {
            return Rejected.stale("table '" + table.definition().name() + "' is being converted to parity");
        }
        String fault = fault(before, after);
        if (fault != null) {
            return new Rejected(Refusal.BAD_REQUEST, fault);
        }
        int k = after.parities();
        for (int number = 0; number < table.groups(); number++) {
            if (k < before.parities() && !ParityGroup.of(table, number).canDoWith(k, this::isReplaced)) {
                return Rejected.stale("parity group " + number + " lacks too many members for " + k + " parities");
            }
        }
        long now = ++cluster.version;
        table.redefine(table.definition().withParity(after), now);
        for (int number = 0; number < table.groups(); number++) {
            ParityGroup group = ParityGroup.of(table, number);
            group.repairs().stream()
                    .filter(order -> order.isParity() && order.parityIndex() >= k)
                    .forEach(order -> cluster.takeBackFrom(table, order));
            List<Member> primaries =
                    group.columns().stream().map(Place::primary).toList();
            groups.replace(table, group, primaries, group.parities().withCount(k), now);
        }
        cluster.dropVoidOrders();
        return new Applied(cluster.version);
    }

    /** Whether a later process of a member's brick has registered, so that the member's memory is gone. */
    private boolean isReplaced(Member member) {
        return !cluster.isCurrent(member.brick(), member.incarnation());
    }

    private static @Nullable String fault(Parity before, Parity after) {
        if (before.isNone() || before.columns() != after.columns()) {
            return "parity " + before.text() + " cannot become " + after.text();
        }
        return after.fault();
    }
}
