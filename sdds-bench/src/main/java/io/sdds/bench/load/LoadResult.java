package io.sdds.bench.load;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What came of a run.
 *
 * @param settings what was asked
 * @param machine where
 * @param seconds that were measured
 * @param operations that ended well while it was measured
 * @param operationsPerSecond of them
 * @param latency of them, from the call, or with a rate from when it was due, to the callback
 * @param perSecond operations that ended well in each second
 * @param refused certainly had no effect: the brick was busy until the retry budget was spent. This and the next four
 *     count the whole run
 * @param timedOut had no answer by their deadline
 * @param failed otherwise
 * @param wrong reads that found no record, or another one's value
 * @param unanswered were still under way when the run stopped waiting for them
 * @param firstTrouble what the first of these said; null when there was none
 * @param client what the client saw in the whole run; null when nobody asked it
 * @param clientCores cores this process kept busy while it was measured
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
        double clientCores) {

    public LoadResult {
        perSecond = List.copyOf(perSecond);
    }

    /** The same with what the client saw. */
    public LoadResult withClient(ClientFigures figures) {
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
                clientCores);
    }

    /** Whether nothing went wrong. Refusals are not wrong: a cluster may have more to do than it can. */
    public boolean isSound() {
        return timedOut + failed + wrong + unanswered == 0;
    }
}
