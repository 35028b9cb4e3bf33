package io.sdds.sim.fault;

import io.sdds.brick.map.TableView;
import io.sdds.brick.partition.Partition;
import io.sdds.coordinator.state.ClusterState;
import io.sdds.coordinator.state.Command;
import io.sdds.coordinator.state.Result;
import io.sdds.core.addressing.LinearHashing;
import io.sdds.core.addressing.PseudoKey;
import io.sdds.core.control.ControlMessage;
import io.sdds.core.control.ControlMessage.AcceptLoss;
import io.sdds.core.control.ControlMessage.Refusal;
import io.sdds.core.control.ControlMessage.Refused;
import io.sdds.core.model.KeySpan;
import io.sdds.core.model.Place;
import io.sdds.core.model.TableKind;
import io.sdds.core.model.TableMap;
import io.sdds.sim.cluster.Replicas;
import io.sdds.sim.cluster.SimBrick;
import io.sdds.sim.plan.TablePlan;
import io.sdds.sim.world.RareEvent;
import io.sdds.sim.world.SimulationFailure;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * An operator who accepts the loss of partitions whenever some are lost. The operator confirms that their last
 * processes are gone only when that is so; a loss that is accepted while such a process runs is a violation.
 */
public final class Losses implements Operator.Errand {
    private final FaultyCluster cluster;
    private Consumer<Loss> listener = loss -> {};
    private final Set<String> noted = new TreeSet<>();
    private boolean confirms;
    private boolean over;

    /**
     * Lost records.
     *
     * @param table name of the table
     * @param keys whether the record of a key was lost
     * @param nanos instant at which the loss was accepted
     */
    public record Loss(String table, Predicate<String> keys, long nanos) {}

    Losses(FaultyCluster cluster) {
        this.cluster = cluster;
    }

    /** Sets the listener of accepted losses. */
    public void onLoss(Consumer<Loss> hears) {
        listener = hears;
    }

    public void begin() {
        Operator.sendFor(cluster, this);
    }

    public void end() {
        over = true;
    }

    @Override
    public boolean isOver() {
        return over;
    }

    @Override
    public @Nullable ControlMessage question() {
        ClusterState state = cluster.truth();
        if (state == null) {
            return null;
        }
        return cluster.plan().tables().stream()
                .map(TablePlan::name)
                .filter(name -> hasLost(state, state.table(name)))
                .findFirst()
                .map(name ->
                        new AcceptLoss(name, confirms && cluster.oldProcesses().isEmpty()))
                .orElse(null);
    }

    private static boolean hasLost(ClusterState state, @Nullable TableMap map) {
        return map != null && state.lostPartitions(map.definition().id()) > 0;
    }

    @Override
    public boolean heard(ControlMessage answer) {
        if (answer instanceof Refused refused && refused.reason() != Refusal.BAD_REQUEST) {
            return false;
        }
        boolean mayLive = answer instanceof Refused;
        if (mayLive) {
            cluster.simulation().coverage().hit(RareEvent.LOSS_NOT_ACCEPTED);
        }
        confirms = mayLive && cluster.oldProcesses().isEmpty();
        return true;
    }

    /** A command of the log of the coordinators is applied, and may accept a loss. */
    Result applied(@Nullable ClusterState state, Command command, Supplier<Result> applies) {
        if (state != null && command instanceof Command.ChangeParityGroups) {
            Result result = applies.get();
            noteLost(state);
            return result;
        }
        TableMap map =
                state != null && command instanceof Command.AcceptLoss accept ? state.table(accept.table()) : null;
        if (state == null || map == null || !isOfPlan(map)) {
            return applies.get();
        }
        int id = map.definition().id();
        Set<Integer> lost = new TreeSet<>();
        for (int number = 0; number < map.partitions(); number++) {
            if (state.place(id, number).lost()) {
                lost.add(number);
            }
        }
        Predicate<String> keys = keys(state, map, lost);
        Result result = applies.get();
        if (result instanceof Result.Applied && !lost.isEmpty()) {
            accepted(map, lost, keys);
        }
        return result;
    }

    /** Notes which partitions of tables with parity are lost. */
    private void noteLost(ClusterState state) {
        for (TablePlan plan : cluster.plan().tables()) {
            TableMap map = state.table(plan.name());
            for (int number = 0; map != null && number < map.partitions(); number++) {
                if (state.place(map.definition().id(), number).lost()) {
                    cluster.simulation().coverage().hit(RareEvent.PARITY_GROUP_LOST);
                    noted.add("table '" + plan.name() + "': partition " + number + " is lost");
                }
            }
        }
    }

    /** Whether a message names a table with parity and a partition of it that was lost. */
    boolean isAboutALoss(String message) {
        return noted.stream().anyMatch(message::contains);
    }

    /** Not the index: its records come again. */
    private boolean isOfPlan(TableMap map) {
        return cluster.plan().tables().stream()
                .anyMatch(table -> table.name().equals(map.definition().name()));
    }

    private void accepted(TableMap table, Set<Integer> lost, Predicate<String> keys) {
        cluster.simulation().coverage().hit(RareEvent.LOSS_ACCEPTED);
        cluster.simulation().trace().line(() -> "the loss of " + lost + " is accepted");
        for (SimBrick old : cluster.oldProcesses()) {
            lost.stream()
                    .filter(number -> mayServeAlone(old, table.definition().id(), number))
                    .forEach(number -> {
                        throw new SimulationFailure("the loss of partition " + number
                                + " was accepted while the old process of " + old.name() + " holds it");
                    });
        }
        listener.accept(
                new Loss(table.definition().name(), keys, cluster.simulation().nowNanos()));
    }

    /**
     * Whether a process holds a partition and knows no other member of its group. Else it answers only under a lease,
     * which has run out when another process has its place, or when the other members have confirmed the epoch.
     */
    private static boolean mayServeAlone(SimBrick brick, int table, int partition) {
        Partition held = Replicas.held(brick, table, partition);
        TableView view = held == null ? null : brick.nodes().get(0).map().table(table);
        Place place = view == null ? null : view.groupPlace(partition);
        return held != null && (place == null || place.members().size() <= 1);
    }

    private static Predicate<String> keys(ClusterState state, TableMap map, Set<Integer> lost) {
        int partitions = map.partitions();
        if (map.definition().kind() == TableKind.HASH) {
            return key -> lost.contains(LinearHashing.address(PseudoKey.of(bytes(key)), partitions));
        }
        List<KeySpan> spans = new ArrayList<>();
        lost.forEach(number -> spans.add(state.span(map.definition().id(), number)));
        return key -> spans.stream().anyMatch(span -> span.holds(bytes(key)));
    }

    private static byte[] bytes(String key) {
        return key.getBytes(StandardCharsets.UTF_8);
    }
}
