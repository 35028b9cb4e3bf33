package io.sdds.bench.load;

import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Behaviour of a cluster under overload.
 *
 * @param saturation steps of the search for the saturating load; each step doubles the outstanding operations, with the
 *     same number of connections
 * @param kneeOutstanding the saturating load as outstanding operations: the fewest whose throughput is within 5 % of
 *     the best throughput
 * @param peakPerSecond the saturating load as operations a second: the best throughput of the closed loops, which are
 *     as long as the compared steps. The steps of the search are too short, because the best of many short steps only
 *     shows the best seconds of a machine
 * @param kneeP99Micros p99 latency of admitted operations at the knee
 * @param closed steps with multiples of the saturating load as outstanding operations and connections
 * @param open steps with multiples of the saturating load as operations a second
 */
public record OverloadResult(
        OverloadSettings settings,
        Machine machine,
        List<Step> saturation,
        int kneeOutstanding,
        double peakPerSecond,
        double kneeP99Micros,
        List<Step> closed,
        List<Step> open)
        implements BenchResult {

    public OverloadResult {
        saturation = List.copyOf(saturation);
        closed = List.copyOf(closed);
        open = List.copyOf(open);
    }

    /**
     * One step with one load.
     *
     * @param factor multiple of the saturating load
     * @param connections number of clients, each with a connection to each brick
     * @param outstanding operations that are outstanding or wait for a retry; 0 in an open loop
     * @param offeredPerSecond operations that were started, or counted without a start; in an open loop the requested
     *     rate
     * @param goodputPerSecond operations that succeeded
     * @param refusedPerSecond operations that were refused, certainly without effect
     * @param busyPerSecond copies of operations that bricks refused
     * @param notBegun refused operations that were not started, because the operations before them were refused (open
     *     loop)
     * @param late operations that the load generator could not start in time (open loop)
     * @param wrong operations that timed out, failed, read a wrong value, or had no answer
     * @param latency latency of operations that succeeded, from the call or, in an open loop, from the scheduled start
     * @param generatorCores mean number of cores that this process kept busy
     * @param bricks figures of the brick processes, if they are on this machine
     */
    public record Step(
            double factor,
            int connections,
            int outstanding,
            double offeredPerSecond,
            double goodputPerSecond,
            double refusedPerSecond,
            double busyPerSecond,
            long notBegun,
            long late,
            long wrong,
            @Nullable String firstTrouble,
            Latency latency,
            List<Long> perSecond,
            double generatorCores,
            BrickFigures bricks) {

        public Step {
            perSecond = List.copyOf(perSecond);
        }
    }

    /** Number of operations of all steps with a wrong answer or without an answer. Refusals do not count. */
    public long wrong() {
        return Stream.of(saturation, closed, open)
                .flatMap(List::stream)
                .mapToLong(Step::wrong)
                .sum();
    }

    /** Whether there are no such operations. */
    @Override
    public boolean isSound() {
        return wrong() == 0;
    }

    @Override
    public String text(String command) {
        return LoadReports.text(command, this);
    }
}
