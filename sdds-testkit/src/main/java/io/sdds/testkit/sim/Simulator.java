package io.sdds.testkit.sim;

import java.lang.management.ManagementFactory;
import java.util.Locale;
import java.util.stream.LongStream;

/**
 * The simulator as a program: runs seeds one after the other, tells what they cost and what happened in them, and the story of the first that fails.
 * System properties as in {@link ClusterSeeds}, and {@code sdds.first}: the first of {@code sdds.seeds} seeds in a row.
 */
public final class Simulator {
    private static final int OPERATIONS = 2000;
    private static final int WARM_UP = 20;

    private Simulator() {}

    public static void main(String[] args) {
        long first = Long.getLong("sdds.first", 1);
        long count = Long.getLong("sdds.seeds", 100);
        int operations = Integer.getInteger("sdds.operations", OPERATIONS);
        String severity = System.getProperty("sdds.severity");
        ClusterSeeds seeds =
                new ClusterSeeds(severity == null ? null : ClusterPlan.Severity.valueOf(severity), operations);
        String only = System.getProperty("sdds.shape"); // bricks x clients
        Coverage coverage = new Coverage();
        var threads = ManagementFactory.getThreadMXBean();
        long runs = 0, nanos = 0, events = 0, worst = 0, failed = 0;
        for (long seed : LongStream.range(first, first + count).toArray()) {
            ClusterPlan plan = seeds.plan(seed);
            if (only != null && !only.equals(plan.bricks() + "x" + plan.clients())) {
                continue;
            }
            long began = threads.getCurrentThreadCpuTime();
            try {
                ClusterRun.Outcome outcome = ClusterRun.of(plan);
                coverage.add(outcome.coverage());
                events += outcome.events();
            } catch (RuntimeException | AssertionError e) {
                failed++;
                System.out.println("FAILED seed " + seed + " " + ClusterPlan.Severity.of(seed) + ": " + String.valueOf(e.getMessage()).lines().limit(3).toList());
            }
            long took = threads.getCurrentThreadCpuTime() - began;
            runs++;
            nanos += runs > WARM_UP ? took : 0;
            worst = Math.max(worst, runs > WARM_UP ? took : 0);
        }
        System.out.print(coverage);
        System.out.printf(Locale.ROOT, "%d runs, %d failed, %.1f ms of CPU a run, worst %.1f, %d events a run%n", runs, failed, nanos / 1e6 / Math.max(1, runs - WARM_UP), worst / 1e6, events / Math.max(1, runs));
    }
}
