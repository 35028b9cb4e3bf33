package io.sdds.testkit.sim;

import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Runs simulated clusters over many seeds. A seed that fails is run once more to tell its story: the plan, what was wrong, and the last lines of the
 * trace.
 *
 * <p>System properties: {@code sdds.seed=N} runs that seed alone; {@code sdds.seeds=N} says how many new ones; {@code sdds.trace=N} how many last
 * lines a failure shows.
 */
public final class ClusterSeeds {
    private static final int TRACE_LINES = 200;

    private final ClusterPlan.@Nullable Severity severity;
    private final int operations;
    private final boolean shrinking;

    /**
     * @param severity of every seed; null: each seed's own
     * @param operations of a run
     */
    public ClusterSeeds(ClusterPlan.@Nullable Severity severity, int operations) {
        this(severity, operations, false);
    }

    private ClusterSeeds(ClusterPlan.@Nullable Severity severity, int operations, boolean shrinking) {
        this.severity = severity;
        this.operations = operations;
        this.shrinking = shrinking;
    }

    /** The same with tables that grow, shrink and grow again. */
    public ClusterSeeds shrinking() {
        return new ClusterSeeds(severity, operations, true);
    }

    /** The plan of a seed. */
    public ClusterPlan plan(long seed) {
        ClusterPlan.Severity drawn = severity == null ? ClusterPlan.Severity.of(seed) : severity;
        return shrinking
                ? ClusterPlan.drawShrinking(seed, drawn, operations)
                : ClusterPlan.draw(seed, drawn, operations);
    }

    /**
     * Runs kept seeds and then new ones, or the one that {@code sdds.seed} names; stops at the first that fails.
     *
     * @param newSeeds unless {@code sdds.seeds} says otherwise
     * @throws AssertionError when a seed fails, with all that is known of it
     */
    public List<ClusterRun.Outcome> run(List<Long> kept, int newSeeds) {
        List<ClusterRun.Outcome> outcomes = new ArrayList<>();
        for (long seed : seeds(kept, newSeeds)) {
            outcomes.add(run(seed, planted -> {}));
        }
        return outcomes;
    }

    /** Runs one seed, on a cluster with something planted in it. */
    public ClusterRun.Outcome run(long seed, Consumer<SimCluster> planted) {
        ClusterPlan plan = plan(seed);
        try {
            return ClusterRun.of(plan, planted);
        } catch (RuntimeException | AssertionError e) {
            throw new AssertionError(story(plan, e, planted), e);
        }
    }

    private static List<Long> seeds(List<Long> kept, int newSeeds) {
        Long only = Long.getLong("sdds.seed");
        if (only != null) {
            return List.of(only);
        }
        List<Long> seeds = new ArrayList<>(kept);
        SecureRandom random = new SecureRandom();
        for (int k = Integer.getInteger("sdds.seeds", newSeeds); k > 0; k--) {
            seeds.add(random.nextLong(1L << 40));
        }
        return seeds;
    }

    /** Runs it again, remembering its last lines: it is the same run. */
    private static String story(ClusterPlan plan, Throwable failure, Consumer<SimCluster> planted) {
        List<Trace> traces = new ArrayList<>();
        String again = "it did not fail again: the run is not deterministic";
        try {
            ClusterRun.of(plan, cluster -> {
                cluster.simulation().trace().keepLines(Integer.getInteger("sdds.trace", TRACE_LINES));
                traces.add(cluster.simulation().trace());
                planted.accept(cluster);
            });
        } catch (RuntimeException | AssertionError e) {
            again = String.valueOf(e.getMessage()).equals(String.valueOf(failure.getMessage()))
                    ? "it fails the same way each time"
                    : "it failed in another way the second time: the run is not deterministic";
        }
        return String.format(
                Locale.ROOT,
                "%s%n%n%s%nlast lines of the trace:%n%s%n%nreplay with -Dsdds.seed=%d (%s)",
                failure.getMessage(),
                plan,
                String.join("\n", traces.get(0).lines()),
                plan.seed(),
                again);
    }
}
