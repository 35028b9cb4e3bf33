package io.sdds.bench.load;

import io.sdds.bench.load.BuildResult.Size;
import io.sdds.bench.load.BuildResult.Span;
import io.sdds.bench.load.LoadProgress.Step;
import io.sdds.client.ClusterStatus;
import io.sdds.client.Codec;
import io.sdds.client.SddsClient;
import io.sdds.client.TableInfo;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Builds a table as the clients of LH*LH did (Karlsson, Litwin and Risch 1996, section 5). Each client inserts the next
 * record when the previous insert has ended. The table begins with one partition. Records each insert of each client,
 * and the growth of the table.
 */
public final class Build {
    private static final Duration POLL = Duration.ofMillis(10);
    private static final long TELL_NANOS = 200_000_000;
    private static final Duration DRAIN = Duration.ofSeconds(10);

    private final SddsClient watcher;
    private final BuildSettings settings;
    private final LoadProgress.Listener listener;
    private final Inserts inserts;
    private final List<Size> sizes = new ArrayList<>();
    private final List<Span> splits = new ArrayList<>();
    private final List<Run> runs = new ArrayList<>();
    private final List<LatencyTrace> traces = new ArrayList<>();
    private final List<ClosedLoop> loops = new ArrayList<>();
    private long beginNanos;
    private double lookedSeconds;
    private double splittingSince = -1;
    private long toldNanos;
    private long told;

    private Build(SddsClient watcher, BuildSettings settings, LoadProgress.Listener listener) {
        this.watcher = watcher;
        this.settings = settings;
        this.listener = listener;
        this.inserts = new Inserts(0, settings.records());
    }

    /**
     * Builds a table and drops the table afterwards.
     *
     * @param watcher client that polls the number of partitions and inserts nothing
     * @param clients clients that insert; at least as many as the settings require
     * @throws LoadException if a record cannot be inserted
     */
    public static BuildResult run(
            SddsClient watcher, List<SddsClient> clients, BuildSettings settings, LoadProgress.Listener listener)
            throws InterruptedException {
        Build build = new Build(watcher, settings, listener);
        watcher.createHashTable(settings.table(), settings.options(), Codec.bytes(), Codec.bytes());
        try {
            return build.by(clients.subList(0, settings.clients()));
        } finally {
            watcher.dropTable(settings.table());
        }
    }

    private BuildResult by(List<SddsClient> clients) throws InterruptedException {
        LoadSettings load = settings.load();
        Dataset data = new Dataset(settings.records(), settings.valueBytes(), load.seed());
        List<LoadTarget> targets = clients.stream()
                .map(client -> LoadTarget.of(client.hashTable(settings.table(), Codec.bytes(), Codec.bytes())))
                .toList();
        int room = Math.min(settings.records(), 2 * settings.records() / targets.size());
        beginNanos = System.nanoTime();
        toldNanos = beginNanos;
        sizes.add(new Size(0, 0, 1));
        for (LoadTarget target : targets) {
            LatencyTrace trace = new LatencyTrace(beginNanos, room);
            Run run = new Run(target, data, Run.Mix.inserts(inserts), null, trace);
            traces.add(trace);
            runs.add(run);
            loops.add(new ClosedLoop(load, run));
        }
        loops.forEach(ClosedLoop::start);
        try {
            watch();
        } finally {
            runs.forEach(run -> run.enter(Run.Phase.DRAIN));
        }
        return new BuildResult(settings, lastEnd(), sizes, splits, traces);
    }

    private void watch() throws InterruptedException {
        for (ClosedLoop loop : loops) {
            while (loop.awaitEnd(POLL) > 0) {
                checkTroubles();
                look();
                tell();
            }
        }
        checkTroubles();
        look();
        noteSplits(false);
    }

    /** Records the size of the table, and whether the table splits or has split since the last poll. */
    private void look() {
        double before = seconds();
        ClusterStatus status = watcher.status(false);
        for (TableInfo each : status.tables()) {
            if (each.name().equals(settings.table())) {
                boolean grown = noteSize(each.partitions());
                int id = each.id();
                noteSplits(grown || status.splits().stream().anyMatch(split -> split.table() == id));
            }
        }
        lookedSeconds = before;
    }

    private boolean noteSize(int partitions) {
        boolean grown = partitions > sizes.get(sizes.size() - 1).partitions();
        if (grown) {
            sizes.add(new Size(seconds(), inserts.taken(), partitions));
        }
        return grown;
    }

    private void noteSplits(boolean splitting) {
        if (splitting && splittingSince < 0) {
            splittingSince = lookedSeconds;
        } else if (!splitting && splittingSince >= 0) {
            splits.add(new Span(splittingSince, seconds()));
            splittingSince = -1;
        }
    }

    private double seconds() {
        return (System.nanoTime() - beginNanos) / 1e9;
    }

    private void tell() {
        long now = System.nanoTime();
        if (now - toldNanos >= TELL_NANOS) {
            long count = inserts.taken();
            double rate = (count - told) * 1e9 / (now - toldNanos);
            listener.progressed(new LoadProgress(Step.MEASURE, (double) count / settings.records(), rate));
            toldNanos = now;
            told = count;
        }
    }

    private void checkTroubles() throws InterruptedException {
        for (Run run : runs) {
            FailureCounters.Counts counts = run.failures.counts();
            if (counts.total() > 0) {
                runs.forEach(each -> each.enter(Run.Phase.DRAIN));
                for (ClosedLoop loop : loops) {
                    loop.awaitEnd(DRAIN);
                }
                throw new LoadException("cannot insert the records: " + counts.first());
            }
        }
    }

    private double lastEnd() {
        return traces.stream()
                .filter(trace -> trace.size() > 0)
                .mapToDouble(trace -> trace.seconds(trace.size() - 1))
                .max()
                .orElse(0);
    }
}
