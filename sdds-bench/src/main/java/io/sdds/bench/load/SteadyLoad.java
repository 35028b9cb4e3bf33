package io.sdds.bench.load;

import io.sdds.bench.load.Measurement.Generator;
import io.sdds.client.ClientSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Loads of several kinds on one table at the same time, through one client, until they are ended; the course of each is
 * noted. For what is done to a cluster meanwhile.
 */
public final class SteadyLoad implements AutoCloseable {
    private static final Duration DRAIN = Duration.ofSeconds(10);

    private final Connections connections;
    private final long beginNanos;
    private final List<Run> runs = new ArrayList<>();
    private final List<Pace> paces = new ArrayList<>();
    private final List<Generator> loops = new ArrayList<>();

    /**
     * Writes the records, and begins.
     *
     * @param table that exists
     * @param loads of the same records: a closed loop each, or operations at a rate; their times don't matter
     * @throws LoadException when the records can't be written
     */
    public static SteadyLoad start(
            List<String> addresses, ClientSettings client, String table, List<LoadSettings> loads)
            throws InterruptedException {
        Connections connections = Connections.open(addresses, client, table, 1);
        try {
            LoadSettings first = loads.get(0);
            Dataset data = new Dataset(first.keys(), first.valueBytes(), first.seed());
            Run.Mix any = Run.Mix.of(first.mode(), first.keys());
            Preload.run(new Run(connections, data, any, null), first.keys(), LoadProgress.Listener.none());
            return new SteadyLoad(connections, data, loads);
        } catch (RuntimeException | InterruptedException e) {
            connections.close();
            throw e;
        }
    }

    private SteadyLoad(Connections connections, Dataset data, List<LoadSettings> loads) {
        this.connections = connections;
        this.beginNanos = System.nanoTime();
        SplittableRandom seeds = new SplittableRandom(loads.get(0).seed());
        for (LoadSettings load : loads) {
            Pace pace = new Pace(beginNanos);
            Run run = new Run(connections, data, Run.Mix.of(load.mode(), load.keys()), null, pace);
            paces.add(pace);
            runs.add(run);
            long seed = seeds.nextLong();
            loops.add(
                    load.ratePerSecond() == 0
                            ? new ClosedLoop(load.withSeed(seed), run)
                            : PacedLoop.whole(run, connections, load.ratePerSecond(), seed));
        }
        loops.forEach(Generator::start);
    }

    /** The course of each of the loads, in their order. */
    public List<Pace> paces() {
        return paces;
    }

    /** Seconds since the beginning. */
    public double seconds() {
        return (System.nanoTime() - beginNanos) / 1e9;
    }

    /** Operations that ended well so far. */
    public long operations() {
        return runs.stream().mapToLong(Run::counted).sum();
    }

    /** Operations of all loads that ended badly so far. */
    public long failed() {
        return runs.stream().mapToLong(run -> run.failures.counts().total()).sum();
    }

    /**
     * Begins no more operations, and waits for those under way.
     *
     * @throws LoadException when some have no answer long after their deadline
     */
    public void end() throws InterruptedException {
        runs.forEach(run -> run.enter(Run.Phase.DRAIN));
        for (Generator loop : loops) {
            long left = loop.awaitEnd(DRAIN);
            if (left > 0) {
                throw new LoadException(left + " operations were never answered");
            }
        }
    }

    @Override
    public void close() {
        runs.forEach(run -> run.enter(Run.Phase.DRAIN));
        connections.close();
    }
}
