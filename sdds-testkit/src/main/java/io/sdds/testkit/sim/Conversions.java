package io.sdds.testkit.sim;

import io.sdds.core.control.ControlMessage;
import io.sdds.core.control.ControlMessage.AlterParity;
import io.sdds.core.control.ControlMessage.Done;
import io.sdds.core.control.ControlMessage.Refusal;
import io.sdds.core.control.ControlMessage.Refused;
import io.sdds.core.model.TableDefinition;
import io.sdds.core.model.TableMap;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Operators who convert tables to parity. Each asks at a random moment until the conversion has begun, and waits until
 * it has ended.
 */
final class Conversions {
    private final SimCluster cluster;
    private final List<OfTable> all = new ArrayList<>();

    Conversions(SimCluster cluster) {
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
        private boolean begun;
        private boolean over;

        OfTable(TablePlan table) {
            this.table = table;
        }

        @Override
        public boolean isOver() {
            TableDefinition definition = definition();
            if (!over
                    && definition != null
                    && definition.hasParity()
                    && !definition.isConverting()
                    && definition.replicas() == 1) {
                cluster.simulation().coverage().hit(RareEvent.TABLE_CONVERTED);
                over = true;
            }
            return over;
        }

        private @Nullable TableDefinition definition() {
            TableMap map =
                    cluster.coordinatorIsUp() ? cluster.coordinator().state().table(table.name()) : null;
            return map == null ? null : map.definition();
        }

        @Override
        public @Nullable ControlMessage question() {
            return begun || definition() == null ? null : new AlterParity(table.name(), table.parity());
        }

        @Override
        public boolean heard(ControlMessage answer) {
            begun |= answer instanceof Done;
            if (answer instanceof Refused refused
                    && (refused.reason() == Refusal.BAD_REQUEST || refused.reason() == Refusal.NO_SUCH_TABLE)) {
                throw new SimulationFailure("a conversion is refused: " + refused);
            }
            return !(answer instanceof Refused);
        }
    }
}
