package io.sdds.sim;

import io.sdds.sim.fault.FaultyCluster;
import io.sdds.sim.plan.ClusterPlan;
import io.sdds.sim.plan.Scenario;
import io.sdds.sim.world.Coverage;
import io.sdds.sim.world.RareEvent;
import io.sdds.sim.world.Trace;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongFunction;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * Runs simulated clusters over many seeds. The plan of a failing seed is reduced for some seconds, and then run once
 * more to report the plan, the failure, the last lines of the trace, and the command that repeats the run.
 *
 * <p>System properties: {@code sdds.seed=N} runs that seed alone, made smaller by {@code sdds.operations=N},
 * {@code sdds.clients=N} and {@code sdds.faults=0,3,…} (or {@code none}); {@code sdds.seeds=N} says how many new ones,
 * {@code sdds.seeds.percent=N} which part of those of the long form, {@link NewSeeds} which; {@code sdds.trace=N} how
 * many last lines a failure shows; {@code sdds.shrink=N} for how many seconds it is made smaller (0: not at all).
 */
public final class ClusterSeeds {
    private static final int TRACE_LINES = 200;
    private static final int SHRINK_SECONDS = 20;

    /**
     * Executor of all seeds in this JVM, so that no more seeds run at a time than there are processors. Its threads end
     * when there is no seed to run.
     */
    private static final ExecutorService PROCESSORS = processors();

    /** Outcomes of the runs in this JVM without planted bugs, because several tests check the same seeds. */
    private static final Map<Run, ClusterRun.Outcome> OUTCOMES = new ConcurrentHashMap<>();

    /** Key of a run. */
    private record Run(Scenario scenario, ClusterPlan.Severity severity, int operations, long seed) {}

    private final ClusterPlan.@Nullable Severity severity;
    private final int operations;
    private final Scenario scenario;

    /** @param severity severity of every seed; null for the own severity of each seed */
    public ClusterSeeds(Scenario scenario, ClusterPlan.@Nullable Severity severity) {
        this(scenario, severity, scenario.operations());
    }

    /**
     * @param operations number of operations of a run
     * @throws IllegalArgumentException if a system property is an unknown switch
     */
    public ClusterSeeds(Scenario scenario, ClusterPlan.@Nullable Severity severity, int operations) {
        Switches.check(System.getProperties().stringPropertyNames());
        this.scenario = scenario;
        this.severity = severity;
        this.operations = operations;
    }

    /**
     * Seeds as set by the system properties {@code sdds.severity}, {@code sdds.shape}, {@code sdds.drawn} (operations
     * that the plan is drawn with).
     */
    public static ClusterSeeds ofSwitches() {
        Scenario scenario = Switches.OF_JVM.scenario();
        return new ClusterSeeds(
                scenario, Switches.OF_JVM.severity(), Switches.OF_JVM.count(Switches.DRAWN, scenario.operations()));
    }

    /** The plan of a seed. */
    public ClusterPlan plan(long seed) {
        return scenario.draw(seed, severityOf(seed), operations);
    }

    private ClusterPlan.Severity severityOf(long seed) {
        return severity == null ? ClusterPlan.Severity.of(seed) : severity;
    }

    /** The seed of {@code sdds.seed}; null if the property is not set. */
    public static @Nullable Long chosen() {
        return Switches.OF_JVM.seed();
    }

    /**
     * Runs kept seeds and then new seeds, or only the seed of {@code sdds.seed}, on all processors. Seeds that already
     * ran in this JVM do not run again. Starts no further seed after a failure.
     *
     * @param newSeeds number of new seeds in the long form; a build runs a part of them
     * @return outcomes in the order of the seeds
     * @throws AssertionError if a seed fails, with a report of the failure
     */
    public List<ClusterRun.Outcome> run(List<Long> kept, int newSeeds) {
        return each(newSeeds(kept, newSeeds), this::outcome);
    }

    /**
     * As {@link #run(List, int)}, on clusters that differ from those of their seeds.
     *
     * @param prepared is called with each cluster before the start
     */
    List<ClusterRun.Outcome> run(List<Long> kept, int newSeeds, Consumer<? super FaultyCluster> prepared) {
        return each(newSeeds(kept, newSeeds), seed -> run(seed, prepared));
    }

    /**
     * Runs kept seeds and the build's part of the new seeds, and further new seeds until all the events have happened.
     *
     * @param newSeeds number of new seeds in the long form, and of all new seeds at most
     * @return what has happened in all of the runs
     * @throws AssertionError if a seed fails, with a report of the failure
     */
    public Coverage runUntil(List<Long> kept, int newSeeds, RareEvent... events) {
        Coverage coverage = new Coverage();
        List<Long> part = seeds(kept, Switches.OF_JVM.newSeeds(newSeeds));
        each(part, this::outcome).forEach(outcome -> coverage.add(outcome.coverage()));
        List<Long> all = seeds(kept, Math.max(newSeeds, part.size()));
        for (long seed : all.subList(Math.min(part.size(), all.size()), all.size())) {
            if (Collections.disjoint(coverage.missing(), List.of(events))) {
                break;
            }
            each(List.of(seed), this::outcome).forEach(outcome -> coverage.add(outcome.coverage()));
        }
        return coverage;
    }

    private ClusterRun.Outcome outcome(long seed) {
        Run run = new Run(scenario, severityOf(seed), operations, seed);
        ClusterRun.Outcome known = OUTCOMES.get(run);
        if (known == null) {
            known = run(seed, planted -> {});
            OUTCOMES.put(run, known);
        }
        return known;
    }

    /**
     * Applies a function to each seed, on all processors. Starts no further seed after a failure.
     *
     * @return results in the order of the seeds
     * @throws AssertionError the failure of the first failing seed, in the order of the seeds
     */
    public static <T> List<T> each(List<Long> seeds, LongFunction<T> run) {
        List<Future<T>> runs = seeds.stream()
                .map(seed -> PROCESSORS.submit(() -> run.apply(seed)))
                .toList();
        try {
            List<T> outcomes = new ArrayList<>();
            for (Future<T> each : runs) {
                outcomes.add(each.get());
            }
            return outcomes;
        } catch (ExecutionException e) {
            throw e.getCause() instanceof AssertionError failure ? failure : new AssertionError(e.getCause());
        } catch (InterruptedException e) {
            throw new IllegalStateException("interrupted", e);
        } finally {
            runs.forEach(each -> each.cancel(false));
        }
    }

    private static ExecutorService processors() {
        return Executors.newFixedThreadPool(Runtime.getRuntime().availableProcessors(), task -> {
            Thread thread = new Thread(task, "seeds");
            thread.setDaemon(true);
            return thread;
        });
    }

    /** Seeds 1, 2, … of which a build takes a part. Those that have found a bug belong to the kept seeds. */
    public static List<Long> first(int ofSoak) {
        return LongStream.rangeClosed(1, Switches.OF_JVM.part(ofSoak)).boxed().toList();
    }

    /** Kept seeds and then the build's part of the new seeds, or only the seed of {@code sdds.seed}. */
    public List<Long> newSeeds(List<Long> kept, int ofSoak) {
        return seeds(kept, Switches.OF_JVM.newSeeds(ofSoak));
    }

    /** Kept seeds and then as many new seeds, or only the seed of {@code sdds.seed}. */
    private List<Long> seeds(List<Long> kept, int count) {
        Long only = chosen();
        if (only != null) {
            return List.of(only);
        }
        List<Long> seeds = new ArrayList<>(kept);
        if (count > 0) {
            NewSeeds drawn = NewSeeds.of(scenario + " " + severity);
            for (int k = 0; k < count; k++) {
                seeds.add(drawn.next());
            }
        }
        return seeds;
    }

    /** Runs one seed, on a cluster with a planted bug. */
    public ClusterRun.Outcome run(long seed, Consumer<? super FaultyCluster> planted) {
        ClusterPlan plan = plan(seed);
        Reduction asked = chosen() == null ? Reduction.nothing(plan) : Switches.OF_JVM.reduction(plan);
        try {
            return ClusterRun.of(asked.of(plan), planted);
        } catch (RuntimeException | AssertionError e) {
            throw new AssertionError(story(plan, asked, e, planted), e);
        }
    }

    private String story(
            ClusterPlan plan, Reduction asked, Throwable failure, Consumer<? super FaultyCluster> planted) {
        long patience = TimeUnit.SECONDS.toNanos(Switches.OF_JVM.count(Switches.SHRINK, SHRINK_SECONDS));
        Shrinker shrinker = new Shrinker(asked, smaller -> failure(smaller.of(plan), planted) != null, patience);
        Reduction shrunk = shrinker.shrink();
        String at = "-D" + Switches.SEED + "=" + plan.seed();
        StringBuilder text = new StringBuilder();
        text.append(failure.getMessage()).append("\n\n").append(asked.of(plan)).append('\n');
        if (shrunk.equals(asked)) {
            text.append(again(asked.of(plan), failure, planted));
        } else {
            text.append(String.format(Locale.ROOT, "made smaller in %d runs:%n", shrinker.runs()));
            text.append(again(shrunk.of(plan), null, planted));
        }
        text.append("\n\nreplay with ").append(at);
        String same = asked.equals(Reduction.nothing(plan)) ? "" : " " + asked;
        text.append(same).append(isDeterministic(asked.of(plan), failure, planted));
        if (!shrunk.equals(asked)) {
            text.append("\nshrunk: seed ").append(plan.seed()).append(" with ").append(shrunk);
            same = " " + shrunk;
        }
        return text.append(
                        "\nin one command: mvn test -pl sdds-cluster-tests -am -Dsurefire.failIfNoSpecifiedTests=false")
                .append(" -Dtest=ReplaySimTest ")
                .append(at)
                .append(" -D" + Switches.SEVERITY + "=")
                .append(severityOf(plan.seed()))
                .append(scenario == Scenario.GROWING ? "" : " -D" + Switches.SHAPE + "=" + scenario)
                .append(operations == scenario.operations() ? "" : " -D" + Switches.DRAWN + "=" + operations)
                .append(same)
                .append(
                        System.getProperty(Switches.BUG) == null
                                ? ""
                                : " -D" + Switches.BUG + "=" + System.getProperty(Switches.BUG))
                .toString();
    }

    private static @Nullable Throwable failure(ClusterPlan plan, Consumer<? super FaultyCluster> planted) {
        try {
            ClusterRun.of(plan, planted);
            return null;
        } catch (RuntimeException | AssertionError e) {
            return e;
        }
    }

    private static String isDeterministic(
            ClusterPlan plan, Throwable failure, Consumer<? super FaultyCluster> planted) {
        Throwable again = failure(plan, planted);
        if (again == null) {
            return " (it did not fail again: the run is not deterministic)";
        }
        return String.valueOf(again.getMessage()).equals(String.valueOf(failure.getMessage()))
                ? " (it fails the same way each time)"
                : " (it failed in another way the second time: the run is not deterministic)";
    }

    /** Runs the same seed again and keeps the last lines of the trace. Reports the failure. */
    private static String again(ClusterPlan plan, @Nullable Throwable known, Consumer<? super FaultyCluster> planted) {
        List<Trace> traces = new ArrayList<>();
        Throwable failure = failure(plan, cluster -> {
            cluster.simulation().trace().keepLines(Switches.OF_JVM.count(Switches.TRACE, TRACE_LINES));
            traces.add(cluster.simulation().trace());
            planted.accept(cluster);
        });
        String what = known != null ? "" : (failure == null ? "nothing" : failure.getMessage()) + "\n\n" + plan + "\n";
        return what + "last lines of the trace:\n"
                + String.join("\n", traces.get(0).lines());
    }
}
