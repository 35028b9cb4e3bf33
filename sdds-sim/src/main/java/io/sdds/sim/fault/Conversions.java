package io.sdds.sim.fault;

import io.sdds.core.control.ControlMessage;
import io.sdds.core.control.ControlMessage.AlterParity;
import io.sdds.core.control.ControlMessage.AlterReplicas;
import io.sdds.core.control.ControlMessage.Done;
import io.sdds.core.control.ControlMessage.Refusal;
import io.sdds.core.control.ControlMessage.Refused;
import io.sdds.core.model.Conversion;
import io.sdds.core.model.TableDefinition;
import io.sdds.core.model.TableMap;
import io.sdds.sim.plan.TablePlan;
import io.sdds.sim.world.RareEvent;
import io.sdds.sim.world.SimulationFailure;
import io.sdds.sim.world.Trace;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Operators who convert tables to parity, or to replicas and in half of the seeds to parity again. Each asks at a
 * random moment until the conversion has begun, and waits until it has ended.
 */
final class Conversions {
    private static final int AGAIN = 102;

    private final FaultyCluster cluster;
    private final List<OfTable> all = new ArrayList<>();

    Conversions(FaultyCluster cluster) {
        this.cluster = cluster;
    }

    /** A table is to be converted at some moment while there are faults. */
    void begin(TablePlan table) {
        OfTable conversion = new OfTable(table);
        all.add(conversion);
        long atNanos =
                cluster.simulation().fork("conversions").nextLong(cluster.plan().faultsNanos());
        cluster.simulation().after(atNanos, () -> Operator.sendFor(cluster, conversion));
    }

    /** Whether all conversions have ended. */
    boolean areOver() {
        return all.stream().allMatch(OfTable::isOver);
    }

    /** The operator of one table. */
    private final class OfTable implements Operator.Errand {
        private final TablePlan table;

        /** The conversions that the operator has not asked for yet, in their order. */
        private final List<Conversion> left;

        /** The conversion that the operator asked for last. It may have ended before the answer came. */
        private @Nullable Conversion asked;

        private boolean begun;

        OfTable(TablePlan table) {
            this.table = table;
            boolean again = table.conversion() == Conversion.TO_REPLICAS
                    && (Trace.mix(cluster.plan().seed(), AGAIN) & 1) == 0;
            this.left = new ArrayList<>(
                    again ? List.of(Conversion.TO_REPLICAS, Conversion.TO_PARITY) : List.of(table.conversion()));
        }

        @Override
        public boolean isOver() {
            TableDefinition definition = definition();
            if (!left.isEmpty() && definition != null && isAsWanted(definition)) {
                cluster.simulation()
                        .coverage()
                        .hit(
                                left.getFirst() == Conversion.TO_PARITY
                                        ? RareEvent.TABLE_CONVERTED
                                        : RareEvent.TABLE_CONVERTED_TO_REPLICAS);
                left.removeFirst();
                begun = false;
            }
            return left.isEmpty();
        }

        private boolean isAsWanted(TableDefinition definition) {
            boolean toParity = left.getFirst() == Conversion.TO_PARITY;
            return !definition.isConverting()
                    && definition.hasParity() == toParity
                    && definition.replicas() == (toParity ? 1 : table.replicas());
        }

        private @Nullable TableDefinition definition() {
            TableMap map =
                    cluster.coordinatorIsUp() ? cluster.coordinator().state().table(table.name()) : null;
            return map == null ? null : map.definition();
        }

        @Override
        public @Nullable ControlMessage question() {
            if (begun || left.isEmpty() || definition() == null) {
                return null;
            }
            asked = left.getFirst();
            return asked == Conversion.TO_PARITY
                    ? new AlterParity(table.name(), table.parity())
                    : new AlterReplicas(table.name(), table.replicas());
        }

        @Override
        public boolean heard(ControlMessage answer) {
            begun |= answer instanceof Done && !left.isEmpty() && left.getFirst() == asked;
            if (answer instanceof Refused refused
                    && (refused.reason() == Refusal.BAD_REQUEST || refused.reason() == Refusal.NO_SUCH_TABLE)) {
                throw new SimulationFailure("a conversion is refused: " + refused);
            }
            return !(answer instanceof Refused);
        }
    }
}
