package io.sdds.coordinator.state;

import io.sdds.coordinator.state.Result.Applied;
import io.sdds.coordinator.state.Result.Rejected;
import io.sdds.core.control.ControlMessage.Refusal;
import io.sdds.core.model.Parity;
import io.sdds.core.model.Place;
import io.sdds.core.model.Place.Member;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The command that changes the number of parities of a table (docs/design/coordinator.md, rule 32). */
final class ParityAlterationCommands {
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
        String fault = fault(before, after);
        if (fault != null) {
            return new Rejected(Refusal.BAD_REQUEST, fault);
        }
        long now = ++cluster.version;
        table.redefine(table.definition().withParity(after), now);
        for (int number = 0; number < table.groups(); number++) {
            ParityGroup group = ParityGroup.of(table, number);
            List<Member> primaries =
                    group.columns().stream().map(Place::primary).toList();
            groups.replace(table, group, primaries, group.parities().withCount(after.parities()), now);
        }
        return new Applied(cluster.version);
    }

    private static @Nullable String fault(Parity before, Parity after) {
        if (before.isNone() || before.columns() != after.columns()) {
            return "parity " + before.text() + " cannot become " + after.text();
        }
        if (after.parities() < before.parities()) {
            return "parity " + before.text() + " has more parities than " + after.text();
        }
        return Parity.fault(after.columns(), after.parities());
    }
}
