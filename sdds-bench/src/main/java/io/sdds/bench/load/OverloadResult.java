package io.sdds.bench.load;

import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What became of a cluster that was offered more than it can do.
 *
 * @param saturation the search for the saturating load: twice as many outstanding each time, through as many
 *     connections
 * @param kneeOutstanding the fewest that came within 5 % of the best throughput: the saturating load as operations
 *     outstanding
 * @param peakPerSecond the best throughput of the closed loops, which are as long as what is compared with it: the
 *     saturating load as operations a second. The search's steps are short, and the best of many short ones is what a
 *     machine does in its best seconds
 * @param kneeP99Micros of what was admitted at the knee
 * @param closed multiples of the saturating load as operations outstanding, and as connections
 * @param open multiples of the saturating load as operations a second
 */
public record OverloadResult(
        OverloadSettings settings,
        Machine machine,
        List<Step> saturation,
        int kneeOutstanding,
        double peakPerSecond,
        double kneeP99Micros,
        List<Step> closed,
        List<Step> open) {

    public OverloadResult {
        saturation = List.copyOf(saturation);
        closed = List.copyOf(closed);
        open = List.copyOf(open);
    }

    /**
     * One load.
     *
     * @param factor times the saturating load
     * @param connections clients, each with a connection to each brick
     * @param outstanding operations that are kept under way or wait to be asked again; 0 in an open loop
     * @param offeredPerSecond operations that were begun, or would have been; in an open loop what was asked for
     * @param goodputPerSecond operations that ended well
     * @param refusedPerSecond operations that were refused, certainly without effect
     * @param busyPerSecond copies of operations that bricks refused
     * @param notBegun operations of these that were counted as refused like those before them without being begun (open
     *     loop)
     * @param late operations that the load generator could not begin in time (open loop)
     * @param wrong that timed out, failed, read a wrong value, or were never answered
     * @param latency of operations that ended well, from the call or, in an open loop, from when it was due
     * @param generatorCores that this process kept busy
     * @param bricks what was seen of the bricks' processes, if they are on this machine
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

    /** Operations of all steps that were answered wrong or not at all. Refusals are not wrong. */
    public long wrong() {
        return Stream.of(saturation, closed, open)
                .flatMap(List::stream)
                .mapToLong(Step::wrong)
                .sum();
    }

    /** Whether there were none of these. */
    public boolean isSound() {
        return wrong() == 0;
    }
}
