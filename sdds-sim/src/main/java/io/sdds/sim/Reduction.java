package io.sdds.sim;

import io.sdds.sim.plan.ClusterPlan;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * What is left of a plan that was made smaller: the same seed, network and bricks, with less to do and less that goes
 * wrong.
 *
 * @param operations of all clients together on the first table
 * @param faults by their numbers in the plan, from 0 on
 */
record Reduction(int operations, int clients, List<Integer> faults) {
    Reduction {
        faults = List.copyOf(faults);
    }

    /** The whole plan. */
    static Reduction nothing(ClusterPlan plan) {
        return new Reduction(
                plan.table().workload().operations(),
                plan.clients(),
                IntStream.range(0, plan.faults().faults().size()).boxed().toList());
    }

    ClusterPlan of(ClusterPlan plan) {
        return equals(nothing(plan))
                ? plan
                : plan.reduced(clients, operations, plan.faults().only(faults));
    }

    Reduction withOperations(int fewer) {
        return new Reduction(fewer, clients, faults);
    }

    Reduction withClients(int fewer) {
        return new Reduction(operations, fewer, faults);
    }

    Reduction withFaults(List<Integer> fewer) {
        return new Reduction(operations, clients, fewer);
    }

    /** The switches that make it again. */
    @Override
    public String toString() {
        String kept = faults.stream().map(String::valueOf).collect(Collectors.joining(","));
        return "-D" + Switches.OPERATIONS + "=" + operations + " -D" + Switches.CLIENTS + "=" + clients + " -D"
                + Switches.FAULTS + "=" + (faults.isEmpty() ? Switches.NO_FAULTS : kept);
    }
}
