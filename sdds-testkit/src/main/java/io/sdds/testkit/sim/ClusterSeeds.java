package io.sdds.testkit.sim;

import java.util.ArrayList;
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
import org.jspecify.annotations.Nullable;

/**
 * Runs simulated clusters over many seeds. A seed that fails is made smaller for a while, and then run once more to
 * tell its story: the plan, what was wrong, the last lines of the trace, and the command that repeats it.
 *
 * <p>System properties: {@code sdds.seed=N} runs that seed alone, made smaller by {@code sdds.operations=N},
 * {@code sdds.clients=N} and {@code sdds.faults=0,3,…} (or {@code none}); {@code sdds.seeds=N} says how many new ones,
 * {@link NewSeeds} which; {@code sdds.trace=N} how many last lines a failure shows; {@code sdds.shrink=N} for how many
 * seconds it is made smaller (0: not at all).
 */
public final class ClusterSeeds {
    private static final int TRACE_LINES = 200;
    private static final int SHRINK_SECONDS = 20;

    /**
     * Of all that runs seeds in this JVM, so that no more are under way than there are processors; as long as there is
     * something to run.
     */
    private static final ExecutorService PROCESSORS = processors();

    /** What came of the runs in this JVM that had nothing planted in them: several tests look at the same seeds. */
    private static final Map<Run, ClusterRun.Outcome> OUTCOMES = new ConcurrentHashMap<>();

    /** All that tells one run from another. */
    private record Run(Scenario scenario, ClusterPlan.Severity severity, int operations, long seed) {}

    private final ClusterPlan.@Nullable Severity severity;
    private final int operations;
    private final Scenario scenario;

    /** @param severity of every seed; null: each seed's own */
    public ClusterSeeds(Scenario scenario, ClusterPlan.@Nullable Severity severity) {
        this(scenario, severity, scenario.operations());
    }

    /**
     * @param operations of a run
     * @throws IllegalArgumentException when a system property is a switch that does not exist
     */
    public ClusterSeeds(Scenario scenario, ClusterPlan.@Nullable Severity severity, int operations) {
        Switches.check(System.getProperties().stringPropertyNames());
        this.scenario = scenario;
        this.severity = severity;
        this.operations = operations;
    }

    /**
     * As the system properties say: {@code sdds.severity}, {@code sdds.shape}, {@code sdds.drawn} (operations that the
     * plan is drawn with).
     */
    public static ClusterSeeds ofSwitches() {
        Scenario scenario = Switches.scenario();
        return new ClusterSeeds(scenario, Switches.severity(), Switches.count(Switches.DRAWN, scenario.operations()));
    }

    /** The plan of a seed. */
    public ClusterPlan plan(long seed) {
        return scenario.draw(seed, severityOf(seed), operations);
    }

    private ClusterPlan.Severity severityOf(long seed) {
        return severity == null ? ClusterPlan.Severity.of(seed) : severity;
    }

    /** The seed that {@code sdds.seed} names; null: none. */
    public static @Nullable Long chosen() {
        return Switches.number(Switches.SEED, Long.MIN_VALUE, Long.MAX_VALUE);
    }

    /**
     * Runs kept seeds and then new ones, or the one that {@code sdds.seed} names, on all processors, but for those that
     * ran in this JVM before; begins no more when one has failed.
     *
     * @param newSeeds unless {@code sdds.seeds} says otherwise
     * @return in the order of the seeds
     * @throws AssertionError when a seed fails, with all that is known of it
     */
    public List<ClusterRun.Outcome> run(List<Long> kept, int newSeeds) {
        return each(seeds(kept, newSeeds), this::outcome);
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
     * Does something with each seed, on all processors; begins no more when it has failed for one.
     *
     * @return what came of it, in the order of the seeds
     * @throws AssertionError as it failed for the first of the seeds, in their order, for which it did
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

    /** Kept seeds and then new ones, or the one that {@code sdds.seed} names. */
    public List<Long> seeds(List<Long> kept, int newSeeds) {
        Long only = chosen();
        if (only != null) {
            return List.of(only);
        }
        List<Long> seeds = new ArrayList<>(kept);
        int count = newSeeds == 0 ? 0 : Switches.count(Switches.SEEDS, newSeeds);
        if (count > 0) {
            NewSeeds drawn = NewSeeds.of(scenario + " " + severity);
            for (int k = 0; k < count; k++) {
                seeds.add(drawn.next());
            }
        }
        return seeds;
    }

    /** Runs one seed, on a cluster with something planted in it. */
    public ClusterRun.Outcome run(long seed, Consumer<SimCluster> planted) {
        ClusterPlan plan = plan(seed);
        Reduction asked = chosen() == null ? Reduction.nothing(plan) : Switches.reduction(plan);
        try {
            return ClusterRun.of(asked.of(plan), planted);
        } catch (RuntimeException | AssertionError e) {
            throw new AssertionError(story(plan, asked, e, planted), e);
        }
    }

    private String story(ClusterPlan plan, Reduction asked, Throwable failure, Consumer<SimCluster> planted) {
        long patience = TimeUnit.SECONDS.toNanos(Switches.count(Switches.SHRINK, SHRINK_SECONDS));
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
        return text.append("\nin one command: mvn test -pl sdds-testkit -am -Dsurefire.failIfNoSpecifiedTests=false")
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

    private static @Nullable Throwable failure(ClusterPlan plan, Consumer<SimCluster> planted) {
        try {
            ClusterRun.of(plan, planted);
            return null;
        } catch (RuntimeException | AssertionError e) {
            return e;
        }
    }

    private static String isDeterministic(ClusterPlan plan, Throwable failure, Consumer<SimCluster> planted) {
        Throwable again = failure(plan, planted);
        if (again == null) {
            return " (it did not fail again: the run is not deterministic)";
        }
        return String.valueOf(again.getMessage()).equals(String.valueOf(failure.getMessage()))
                ? " (it fails the same way each time)"
                : " (it failed in another way the second time: the run is not deterministic)";
    }

    /** Runs it again, remembering its last lines: it is the same run. What was wrong is told unless it is known. */
    private static String again(ClusterPlan plan, @Nullable Throwable known, Consumer<SimCluster> planted) {
        List<Trace> traces = new ArrayList<>();
        Throwable failure = failure(plan, cluster -> {
            cluster.simulation().trace().keepLines(Switches.count(Switches.TRACE, TRACE_LINES));
            traces.add(cluster.simulation().trace());
            planted.accept(cluster);
        });
        String what = known != null ? "" : (failure == null ? "nothing" : failure.getMessage()) + "\n\n" + plan + "\n";
        return what + "last lines of the trace:\n"
                + String.join("\n", traces.get(0).lines());
    }
}
