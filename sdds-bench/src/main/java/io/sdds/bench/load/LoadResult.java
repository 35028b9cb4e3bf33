package io.sdds.bench.load;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Result of a run.
 *
 * @param settings settings of the run
 * @param machine machine of the run
 * @param seconds measured time
 * @param operations operations that succeeded within the measured time
 * @param operationsPerSecond throughput of these operations
 * @param latency latency of these operations, from the call to the callback; with a rate, from the scheduled start
 * @param perSecond operations that succeeded in each second
 * @param refused operations that certainly had no effect: a brick was busy until their deadline, or in fail-fast mode
 *     when they began. This and the next four counters cover the whole run
 * @param timedOut operations without an answer by their deadline
 * @param failed operations that failed for another reason
 * @param wrong reads that found no record, or the value of another record
 * @param unanswered operations that were still outstanding when the run ended its wait
 * @param firstTrouble description of the first failure; null if there was none
 * @param client counters of the client for the whole run; null if they were not read
 * @param clientCores mean number of cores that this process kept busy within the measured time
 * @param longPuts the puts of long values beside the load; null if there were none
 */
public record LoadResult(
        LoadSettings settings,
        Machine machine,
        double seconds,
        long operations,
        double operationsPerSecond,
        Latency latency,
        List<Long> perSecond,
        long refused,
        long timedOut,
        long failed,
        long wrong,
        long unanswered,
        @Nullable String firstTrouble,
        @Nullable ClientFigures client,
        double clientCores,
        @Nullable LongFigures longPuts)
        implements BenchResult {

    public LoadResult {
        perSecond = List.copyOf(perSecond);
    }

    /** This result with the counters of the client. */
    public LoadResult withClient(ClientFigures figures) {
        return with(figures, longPuts);
    }

    /** This result with the puts of long values. */
    public LoadResult withLongPuts(@Nullable LongFigures puts) {
        return with(client, puts);
    }

    private LoadResult with(@Nullable ClientFigures figures, @Nullable LongFigures puts) {
        return new LoadResult(
                settings,
                machine,
                seconds,
                operations,
                operationsPerSecond,
                latency,
                perSecond,
                refused,
                timedOut,
                failed,
                wrong,
                unanswered,
                firstTrouble,
                figures,
                clientCores,
                puts);
    }

    /**
     * Whether no operation failed. Refusals are not failures, because a cluster may be overloaded, but those of long
     * values are.
     */
    @Override
    public boolean isSound() {
        return timedOut + failed + wrong + unanswered == 0 && (longPuts == null || longPuts.areSound());
    }

    @Override
    public String text(String command) {
        return LoadReports.text(command, this);
    }
}
