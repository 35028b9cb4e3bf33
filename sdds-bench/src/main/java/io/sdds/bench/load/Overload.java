package io.sdds.bench.load;

import io.sdds.bench.load.Measurement.Generator;
import io.sdds.bench.load.OverloadResult.Step;
import io.sdds.client.ClientStatistics;
import io.sdds.client.SddsClient;
import io.sdds.client.routing.ClientSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Measures what becomes of a cluster that is offered more than it can do: finds the load that saturates it, and offers multiples of that, as operations
 * outstanding and connections, and as operations a second (Gribble et al. 2000, figure 5; graceful degradation).
 */
public final class Overload {
    private static final int PIPELINE_FIRST = 25;
    private static final double NEARLY = 0.95;
    private static final Duration SEARCH_WARMUP = Duration.ofSeconds(1);
    private static final Duration SEARCH = Duration.ofSeconds(2);

    private final List<String> addresses;
    private final ClientSettings clientSettings;
    private final String table;
    private final OverloadSettings settings;
    private final Progress.Listener listener;
    private final Dataset data;
    private final List<String> brickAddresses;

    private Overload(
            List<String> addresses,
            ClientSettings clientSettings,
            String table,
            OverloadSettings settings,
            List<String> brickAddresses,
            Progress.Listener listener) {
        this.addresses = addresses;
        this.clientSettings = clientSettings;
        this.table = table;
        this.settings = settings;
        this.listener = listener;
        this.brickAddresses = brickAddresses;
        this.data = new Dataset(
                settings.keys(), settings.valueBytes(), LoadSettings.defaults().seed());
    }

    /**
     * Measures all steps.
     *
     * @param table that exists
     * @param client tells where the bricks are
     */
    public static OverloadResult run(
            SddsClient client,
            List<String> addresses,
            ClientSettings clientSettings,
            String table,
            OverloadSettings settings,
            Progress.Listener listener)
            throws InterruptedException {
        List<String> bricks = client.status(false).bricks().stream()
                .map(brick -> brick.brick().address())
                .toList();
        return new Overload(addresses, clientSettings, table, settings, bricks, listener).run();
    }

    private OverloadResult run() throws InterruptedException {
        Machine machine = Machine.here();
        preload();
        List<Step> search = new ArrayList<>();
        int knee = settings.outstanding();
        if (knee == 0) {
            search.addAll(search());
            knee = knee(search);
        }
        List<Step> closed = new ArrayList<>();
        for (double factor : settings.factors()) {
            closed.add(closed(factor, knee));
        }
        double peak = peak(search, closed);
        List<Step> open = new ArrayList<>();
        for (double factor : settings.factors()) {
            open.add(open(factor, Math.round(factor * peak)));
        }
        return new OverloadResult(settings, machine, search, knee, peak, kneeP99(search, closed), closed, open);
    }

    private void preload() throws InterruptedException {
        try (Connections connections = Connections.open(addresses, clientSettings, table, 1)) {
            Preload.run(newRun(connections), settings.keys(), listener);
        }
    }

    /** Twice as many outstanding each time, until that has brought nothing twice. */
    private List<Step> search() throws InterruptedException {
        List<Step> steps = new ArrayList<>();
        double best = 0;
        int inVain = 0;
        for (int pipeline = PIPELINE_FIRST;
                inVain < 2 && pipeline * settings.connections() <= outstandingMax();
                pipeline *= 2) {
            Step step = closed(0, settings.connections(), pipeline, SEARCH_WARMUP, SEARCH);
            steps.add(step);
            inVain = step.goodputPerSecond() * NEARLY > best ? 0 : inVain + 1;
            best = Math.max(best, step.goodputPerSecond());
        }
        return steps;
    }

    /** So that the largest multiple is within the bounds of a load. */
    private int outstandingMax() {
        double largest = settings.factors().stream().max(Double::compare).orElse(1.0);
        return (int) (LoadSettings.OUTSTANDING_MAX / Math.max(1, largest));
    }

    private static int knee(List<Step> search) {
        double best = peak(search, List.of());
        return search.stream()
                .filter(step -> step.goodputPerSecond() >= NEARLY * best)
                .mapToInt(Step::outstanding)
                .min()
                .orElseThrow();
    }

    private static double peak(List<Step> search, List<Step> closed) {
        return java.util.stream.Stream.concat(search.stream(), closed.stream())
                .mapToDouble(Step::goodputPerSecond)
                .max()
                .orElseThrow();
    }

    /** Of the step at the saturating load, or the one nearest to it. */
    private static double kneeP99(List<Step> search, List<Step> closed) {
        return closed.stream()
                .min(Comparator.comparingDouble(step -> Math.abs(step.factor() - 1)))
                .orElseGet(() -> search.get(search.size() - 1))
                .latency()
                .p99Micros();
    }

    private Step closed(double factor, int knee) throws InterruptedException {
        int connections = Math.max(1, (int) Math.round(factor * settings.connections()));
        int outstanding = Math.max(1, (int) Math.round(factor * knee));
        return closed(
                factor, connections, Math.max(1, outstanding / connections), settings.warmup(), settings.duration());
    }

    private Step closed(double factor, int connections, int pipeline, Duration warmup, Duration duration)
            throws InterruptedException {
        LoadSettings load = settings.load(connections, pipeline, warmup, duration);
        try (Connections clients = Connections.open(addresses, clientSettings, table, connections)) {
            Run run = newRun(clients);
            return measure(factor, clients, run, load, new ClosedLoop(load, run));
        }
    }

    private Step open(double factor, long rate) throws InterruptedException {
        int connections = Math.max(1, (int) Math.round(factor * settings.connections()));
        LoadSettings load = settings.load(connections, 1, settings.warmup(), settings.duration())
                .withRate(rate);
        try (Connections clients = Connections.open(addresses, clientSettings, table, connections)) {
            Run run = newRun(clients);
            return measure(factor, clients, run, load, new PacedLoop(run, clients, rate, load.seed()));
        }
    }

    private Run newRun(LoadTarget target) {
        return new Run(target, data, Run.Mix.of(settings.mode(), settings.keys()), null);
    }

    private Step measure(double factor, Connections clients, Run run, LoadSettings load, Generator generator)
            throws InterruptedException {
        BrickFigures.Watch watch = BrickFigures.watch(brickAddresses);
        ClientStatistics before = clients.statistics();
        LoadResult result = new Measurement(run, load, listener).of(generator);
        ClientStatistics after = clients.statistics();
        double seconds = (load.warmup().toNanos() + load.duration().toNanos()) / 1e9;
        PacedLoop paced = generator instanceof PacedLoop loop ? loop : null;
        long notBegun = paced == null ? 0 : paced.notBegun();
        double refused = (result.refused() + notBegun) / seconds;
        return new Step(
                factor,
                clients.count(),
                paced == null ? load.outstanding() : 0,
                paced == null ? result.operationsPerSecond() + refused : load.ratePerSecond(),
                result.operationsPerSecond(),
                refused,
                (after.busy() - before.busy()) / seconds,
                notBegun,
                paced == null ? 0 : paced.late(),
                result.timedOut() + result.failed() + result.wrong() + result.unanswered(),
                result.firstTrouble(),
                result.latency(),
                result.perSecond(),
                result.clientCores(),
                watch.figures());
    }
}
