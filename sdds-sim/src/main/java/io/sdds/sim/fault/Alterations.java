package io.sdds.sim.fault;

import io.sdds.core.control.ControlMessage;
import io.sdds.core.control.ControlMessage.AlterParity;
import io.sdds.core.control.ControlMessage.Done;
import io.sdds.core.control.ControlMessage.Refusal;
import io.sdds.core.control.ControlMessage.Refused;
import io.sdds.core.model.Parity;
import io.sdds.core.model.TableMap;
import io.sdds.sim.plan.Fault;
import io.sdds.sim.world.RareEvent;
import io.sdds.sim.world.SimulationFailure;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Operators who change the number of parities of the table, one after the other. Each operator asks until the change is
 * made, or gives up after some time. A lower number is asked for only while each group could bear it; from then on no
 * crash is allowed that fewer parities could not bear.
 */
final class Alterations {
    /** Time after which an operator gives up, because too few bricks are up, or a group lacks too many members. */
    private static final long PATIENCE_NANOS = 10_000_000_000L;

    private final FaultyCluster cluster;
    private final List<Alteration> alterations = new ArrayList<>();

    Alterations(FaultyCluster cluster) {
        this.cluster = cluster;
    }

    void begin(Fault.Alter fault) {
        Alteration alteration = new Alteration(fault.parities());
        alterations.add(alteration);
        Operator.sendFor(cluster, alteration);
    }

    /** Whether no operator asks for a change. */
    boolean areOver() {
        return alterations.stream().allMatch(Alteration::isOver);
    }

    /**
     * The least number of parities that a group may have soon.
     *
     * @param k the number that it has
     */
    int fewest(int k) {
        return alterations.stream()
                .filter(each -> each.asked && !each.over)
                .mapToInt(each -> Math.min(k, each.parities))
                .min()
                .orElse(k);
    }

    /** The operator of one change. */
    private final class Alteration implements Operator.Errand {
        private final int parities;
        private final long beganNanos = cluster.simulation().nowNanos();

        /** Whether a request was sent, so that the change may be made at any moment. */
        private boolean asked;

        private boolean over;

        Alteration(int parities) {
            this.parities = parities;
        }

        @Override
        public boolean isOver() {
            return over || !asked && isImpatient();
        }

        private boolean isImpatient() {
            return cluster.simulation().nowNanos() - beganNanos > PATIENCE_NANOS;
        }

        @Override
        public @Nullable ControlMessage question() {
            String name = cluster.plan().table().name();
            TableMap table =
                    cluster.coordinatorIsUp() ? cluster.coordinator().state().table(name) : null;
            boolean isNext = alterations.stream()
                            .filter(each -> !each.isOver())
                            .findFirst()
                            .orElse(this)
                    == this;
            if (table == null || !isNext) {
                return null;
            }
            Parity before = table.definition().parity();
            if (before.isNone()) { // before a conversion to parity, or after one to replicas
                asked = false;
                return null;
            }
            if (!asked && parities < before.parities() && !cluster.survivors().canDoWith(table, parities)) {
                return null;
            }
            asked = true;
            int min = Math.min(cluster.plan().table().parity().minAsked(), parities);
            return new AlterParity(name, new Parity(before.columns(), parities).withMinParities(min));
        }

        @Override
        public boolean heard(ControlMessage answer) {
            if (answer instanceof Done) {
                cluster.simulation().coverage().hit(RareEvent.PARITY_ALTERED);
                over = true;
            } else if (answer instanceof Refused refused) {
                if (refused.reason() == Refusal.BAD_REQUEST || refused.reason() == Refusal.NO_SUCH_TABLE) {
                    throw new SimulationFailure("a change of the parity is refused: " + refused);
                }
                over |= isImpatient();
            }
            return !(answer instanceof Refused);
        }
    }
}
