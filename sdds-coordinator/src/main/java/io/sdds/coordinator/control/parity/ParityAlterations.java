package io.sdds.coordinator.control.parity;

import io.sdds.coordinator.control.base.ControlContext;
import io.sdds.coordinator.control.base.Reconciler;
import io.sdds.coordinator.control.base.Request;
import io.sdds.coordinator.control.member.BrickRegistry;
import io.sdds.coordinator.control.member.PendingMapAcks;
import io.sdds.coordinator.control.placement.Allocator;
import io.sdds.coordinator.state.Command;
import io.sdds.coordinator.state.ParityGroup;
import io.sdds.coordinator.state.Result;
import io.sdds.coordinator.state.Result.Rejected;
import io.sdds.core.control.ControlMessage.AlterParity;
import io.sdds.core.control.ControlMessage.Refusal;
import io.sdds.core.model.Parity;
import io.sdds.core.model.TableDefinition;
import io.sdds.core.model.TableMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Changes the number of parities of tables: when a client asks for it, and of tables with auto as they grow
 * (docs/design/parity.md, rule 32). {@link ParityRepairs} builds new parities, and {@link TableConversions} converts
 * tables without parity.
 */
public final class ParityAlterations implements Reconciler {
    private static final Logger log = LoggerFactory.getLogger(ParityAlterations.class);

    private final ControlContext our;
    private final BrickRegistry bricks;
    private final Allocator allocator;
    private final PendingMapAcks pendingMapAcks;
    private final TableConversions conversions;
    private boolean proposed;

    public ParityAlterations(
            ControlContext our,
            BrickRegistry bricks,
            Allocator allocator,
            PendingMapAcks pendingMapAcks,
            TableConversions conversions) {
        this.conversions = conversions;
        this.our = our;
        this.bricks = bricks;
        this.allocator = allocator;
        this.pendingMapAcks = pendingMapAcks;
    }

    public void alter(Request request, AlterParity message) {
        TableMap map = our.state().table(message.name());
        if (map == null) {
            request.refuse(Refusal.NO_SUCH_TABLE, "table '" + message.name() + "' does not exist");
            return;
        }
        TableDefinition table = map.definition();
        Parity after = resolved(map, message.parity().orMinOf(table.parity()));
        if (!table.hasParity()) {
            conversions.convert(request, map, after);
            return;
        }
        Rejected fault = fault(map, after);
        if (fault != null) {
            request.refuse(fault);
        } else if (after.equals(table.parity())) {
            pendingMapAcks.add(request, map.version());
        } else {
            our.log()
                    .propose(
                            new Command.AlterParity(table.id(), table.parity(), after),
                            result -> altered(request, table, after, result));
        }
    }

    /** The parity that a client asks for; with auto the k that the table needs, as far as there are bricks for it. */
    private Parity resolved(TableMap map, Parity asked) {
        boolean grows = asked.auto() && Parity.fault(asked.columns(), asked.parities()) == null;
        int k = map.definition().parity().parities();
        return grows ? asked.withParities(Math.max(Math.max(1, k), possible(asked, map.partitions()))) : asked;
    }

    /** The k that a table of so many partitions needs, or a lower one for which enough bricks are up. */
    private int possible(Parity parity, int partitions) {
        int bricks = allocator.candidates().size();
        return Math.min(ParityAvailability.parities(parity.columns(), partitions), bricks - parity.columns());
    }

    /** Raises the k of the tables that have grown enough. */
    @Override
    public void tick() {
        if (proposed) {
            return;
        }
        for (TableMap map : our.state().tables()) {
            Parity before = map.definition().parity();
            Parity after = resolved(map, before);
            if (after.parities() > before.parities()
                    && !conversions.holds(map.definition().id())) {
                proposed = true;
                our.log().propose(new Command.AlterParity(map.definition().id(), before, after), result -> {
                    proposed = false;
                    tell(map.definition(), after, result);
                });
                return;
            }
        }
    }

    @Override
    public void onLeading() {
        proposed = false;
    }

    /** The number of bricks that are missing for the next k of a table that has grown enough for it; 0 if none is. */
    public int bricksToRaise(TableMap map) {
        Parity parity = map.definition().parity();
        return parity.auto() && parity.parities() < ParityAvailability.parities(parity.columns(), map.partitions())
                ? Math.max(0, parity.bricks() + 1 - allocator.candidates().size())
                : 0;
    }

    private @Nullable Rejected fault(TableMap map, Parity after) {
        TableDefinition table = map.definition();
        Parity before = table.parity();
        String numbers = after.fault();
        if (numbers != null) {
            return new Rejected(Refusal.BAD_REQUEST, numbers);
        }
        if (after.minAsked() != before.minAsked() && after.equals(before.withMinParities(after.minAsked()))) {
            return null; // also while the table is converted, because its groups stay as they are
        }
        if (after.columns() != before.columns()) {
            return badRequest(
                    table,
                    "has parity " + before.text() + ": its M stays " + before.columns() + ", and cannot become "
                            + after.columns());
        }
        Rejected held = conversions.holdsBack(table);
        if (held != null && !(table.isConvertingToParity() && after.equals(before))) {
            return held;
        }
        int up = allocator.candidates().size();
        if (after.parities() > before.parities() && up < after.bricks()) {
            return new Rejected(Refusal.TOO_FEW_BRICKS, ParityPlacement.tooFew(after, up));
        }
        return after.parities() < before.parities() ? loweringFault(map, after) : null;
    }

    /** A member that was not heard lately counts as lacking, because it may be dead and its records be needed. */
    private @Nullable Rejected loweringFault(TableMap map, Parity after) {
        for (int number = 0; number < our.state().groups(map.definition().id()); number++) {
            ParityGroup group = our.state().parityGroup(map.definition().id(), number);
            if (!group.canDoWith(after.parities(), process -> !bricks.hears(process))) {
                return new Rejected(
                        Refusal.NOT_READY,
                        "parity group " + number + " of table '"
                                + map.definition().name()
                                + "' lacks more members than parity " + after.text()
                                + " can bear; wait until the group is repaired");
            }
        }
        return null;
    }

    private static Rejected badRequest(TableDefinition table, String text) {
        return new Rejected(Refusal.BAD_REQUEST, "table '" + table.name() + "' " + text);
    }

    private void altered(Request request, TableDefinition before, Parity after, Result result) {
        tell(before, after, result);
        switch (result) {
            case Result.Applied(long version) -> pendingMapAcks.add(request, version);
            case Rejected rejected -> request.refuse(rejected);
            default -> throw new IllegalStateException("a change of parity gave " + result);
        }
    }

    private static void tell(TableDefinition before, Parity after, Result result) {
        if (result instanceof Result.Applied) {
            log.info(
                    "table {} has parity {} from now on and needs {} for writes, before {} and {}",
                    before.name(),
                    after.text(),
                    after.minParities(),
                    before.parity().text(),
                    before.parity().minParities());
        }
    }
}
