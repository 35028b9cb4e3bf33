package io.sdds.sim;

import io.sdds.sim.plan.Scenario;
import io.sdds.sim.planted.Planted;
import io.sdds.sim.world.Coverage;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * The long form of the seeds: planted bugs from many starting points for half of the time, then new seeds until it has
 * passed, on all processors.
 */
final class Soak {
    static final int STARTS_MAX = 20;
    private static final int SEEDS_A_START_MAX = 2000;
    private static final int OUT_OF_TIME = 0;
    private static final int FAILURES_MAX = 3;
    private static final List<Scenario> SCENARIOS = List.of(Scenario.values());
    private static final long EVERY_BUG_NANOS = TimeUnit.MINUTES.toNanos(10);
    private static final long PROGRESS_NANOS = TimeUnit.MINUTES.toNanos(1);

    private final long beganNanos = System.nanoTime();
    private final long budgetNanos;
    private final List<Planted> bugs = Planted.all();
    private final Map<Planted, List<Integer>> seedsUntilCaught = new LinkedHashMap<>();
    private final NewSeeds starts = NewSeeds.of("planted bugs");
    private final NewSeeds newSeeds = NewSeeds.of("soak");
    private final Coverage coverage = new Coverage();
    private final List<String> failures = new ArrayList<>();
    private int startsBegun;
    private long plantedSeeds;
    private long seeds;
    private long operations;
    private long newSeedsBeganNanos;
    private long toldNanos = beganNanos;

    /** @param budget such as 90s, 10m or 2h */
    Soak(String budget) {
        Switches.check(System.getProperties().stringPropertyNames());
        this.budgetNanos = nanos(budget);
        for (Planted bug : bugs) {
            seedsUntilCaught.put(bug, new ArrayList<>());
        }
    }

    static long nanos(String budget) {
        String number = budget.substring(0, Math.max(0, budget.length() - 1));
        TimeUnit unit = budget.endsWith("s")
                ? TimeUnit.SECONDS
                : budget.endsWith("m") ? TimeUnit.MINUTES : budget.endsWith("h") ? TimeUnit.HOURS : null;
        if (unit == null || !number.matches("[0-9]{1,6}") || Integer.parseInt(number) == 0) {
            throw new IllegalArgumentException(
                    "-Dsdds.soak must be a time such as 90s, 10m or 2h, not '" + budget + "'");
        }
        return unit.toNanos(Integer.parseInt(number));
    }

    List<String> failures() {
        return failures;
    }

    Coverage coverage() {
        return coverage;
    }

    /** Those for which there was not even time for one start. */
    List<Planted> notCaught() {
        return bugs.stream().filter(bug -> seedsUntilCaught.get(bug).isEmpty()).toList();
    }

    boolean isLongEnoughForEveryBug() {
        return budgetNanos >= EVERY_BUG_NANOS;
    }

    long seeds() {
        return seeds;
    }

    /** By bug: how many seeds it took from each starting point, in ascending order. */
    Map<Planted, List<Integer>> seedsUntilCaught() {
        return seedsUntilCaught;
    }

    void run() {
        onAllProcessors(this::catchOne);
        newSeedsBeganNanos = System.nanoTime();
        onAllProcessors(this::runNewSeed);
        seedsUntilCaught.values().forEach(Collections::sort);
        System.out.print(this);
    }

    private static void onAllProcessors(BooleanSupplier step) {
        List<Thread> threads = new ArrayList<>();
        for (int k = Runtime.getRuntime().availableProcessors(); k > 0; k--) {
            threads.add(Thread.ofPlatform().name("soak-" + k).start(() -> {
                while (step.getAsBoolean()) {
                    // one after the other
                }
            }));
        }
        for (Thread thread : threads) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                throw new IllegalStateException("interrupted", e);
            }
        }
    }

    // ---- planted bugs

    private boolean catchOne() {
        int start;
        synchronized (this) {
            boolean firstRound = startsBegun < bugs.size();
            boolean inTime = System.nanoTime() - beganNanos < budgetNanos / 2;
            if (startsBegun == STARTS_MAX * bugs.size() || !firstRound && !inTime) {
                return false;
            }
            start = startsBegun++;
        }
        Planted bug = bugs.get(start % bugs.size());
        int until = seedsUntilCaught(bug, starts.next());
        synchronized (this) {
            if (until != OUT_OF_TIME) {
                seedsUntilCaught.get(bug).add(until);
            }
        }
        return until != OUT_OF_TIME;
    }

    private int seedsUntilCaught(Planted bug, long first) {
        for (int k = 1; k < SEEDS_A_START_MAX; k++) {
            if (System.nanoTime() - beganNanos > budgetNanos) {
                return OUT_OF_TIME;
            }
            boolean caught = false;
            try {
                caught = bug.isCaughtBy(first + k);
            } catch (AssertionError e) {
                if (!failed(e)) {
                    return OUT_OF_TIME;
                }
            }
            synchronized (this) {
                plantedSeeds++;
                tellProgress();
            }
            if (caught) {
                return k;
            }
        }
        return SEEDS_A_START_MAX;
    }

    /** The middle of a bug's numbers of seeds; the larger of two. */
    static int median(List<Integer> ascending) {
        return ascending.get(ascending.size() / 2);
    }

    // ---- new seeds

    private boolean runNewSeed() {
        if (System.nanoTime() - beganNanos > budgetNanos) {
            return false;
        }
        long seed = newSeeds.next();
        Scenario scenario = SCENARIOS.get((int) (seed % SCENARIOS.size()));
        try {
            return ran(new ClusterSeeds(scenario, null).run(seed, planted -> {}));
        } catch (AssertionError e) {
            return failed(e);
        }
    }

    private synchronized boolean ran(ClusterRun.Outcome outcome) {
        seeds++;
        operations += outcome.operations();
        coverage.add(outcome.coverage());
        tellProgress();
        return failures.size() < FAILURES_MAX;
    }

    private synchronized boolean failed(AssertionError e) {
        seeds++;
        failures.add(String.valueOf(e.getMessage()));
        System.out.println("FAILED: " + e.getMessage());
        return failures.size() < FAILURES_MAX;
    }

    // ---- what it tells

    private void tellProgress() {
        long now = System.nanoTime();
        if (now - toldNanos >= PROGRESS_NANOS) {
            toldNanos = now;
            System.out.println("soak: " + progress());
        }
    }

    private String progress() {
        long now = System.nanoTime();
        long found = seedsUntilCaught.values().stream()
                .filter(starts -> !starts.isEmpty())
                .count();
        double seconds = newSeedsBeganNanos == 0 ? 0 : (now - newSeedsBeganNanos) / 1e9;
        return String.format(
                Locale.ROOT,
                "%d of %d s; planted bugs: %d of %d found, in %d seeds; new seeds: %d, %.1f a second, %d operations, %d"
                        + " failed",
                TimeUnit.NANOSECONDS.toSeconds(now - beganNanos),
                TimeUnit.NANOSECONDS.toSeconds(budgetNanos),
                found,
                bugs.size(),
                plantedSeeds,
                seeds,
                seconds == 0 ? 0 : seeds / seconds,
                operations,
                failures.size());
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder("soak: " + progress() + "\n" + coverage + "seeds until caught:\n");
        seedsUntilCaught.forEach((bug, counts) -> text.append(
                counts.isEmpty()
                        ? String.format(Locale.ROOT, "%30s not caught in this time%n", bug)
                        : String.format(
                                Locale.ROOT,
                                "%30s median %4d of %2d starts: %s%n",
                                bug,
                                median(counts),
                                counts.size(),
                                counts)));
        return text.toString();
    }
}
