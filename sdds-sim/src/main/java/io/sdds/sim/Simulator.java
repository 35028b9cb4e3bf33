package io.sdds.sim;

import io.sdds.sim.plan.ClusterPlan;
import io.sdds.sim.world.Coverage;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Locale;

/**
 * The simulator as a program. {@code Simulator [FIRST [COUNT [OPERATIONS]]]} runs consecutive seeds, and prints their
 * processor time, the counts of rare events, and the failed seeds. {@code -Dsdds.severity} sets the severity,
 * {@code -Dsdds.shape} the scenario. {@code -Dsdds.size=BRICKSxCLIENTS} selects plans of one size.
 */
public final class Simulator {
    private static final int WARM_UP = 20;
    private static final int SEEDS = 100;
    private static final int OPERATIONS = 2000;
    private static final double MILLI = 1e6;

    private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    private final Coverage coverage = new Coverage();
    private int runs;
    private int failed;
    private long nanos;
    private long worstNanos;
    private long events;

    private Simulator() {}

    /** Runs the seeds. The exit code is 1 if a seed failed, and 2 for wrong arguments. */
    public static void main(String[] args) {
        long first;
        long count;
        ClusterSeeds seeds;
        try {
            if (args.length > 3) {
                throw new IllegalArgumentException("too many arguments: Simulator [FIRST [COUNT [OPERATIONS]]]");
            }
            first = args.length > 0 ? Switches.number("FIRST", args[0], Long.MIN_VALUE, Long.MAX_VALUE) : 1;
            count = args.length > 1 ? Switches.number("COUNT", args[1], 1, Integer.MAX_VALUE) : SEEDS;
            int operations = args.length > 2 ? (int) Switches.number("OPERATIONS", args[2], 1, 1 << 24) : OPERATIONS;
            seeds = new ClusterSeeds(Switches.OF_JVM.scenario(), Switches.OF_JVM.severity(), operations);
            Switches.OF_JVM.size();
        } catch (IllegalArgumentException e) {
            System.err.println(e.getMessage());
            System.exit(2);
            return;
        }
        Simulator simulator = new Simulator();
        simulator.runAll(seeds, first, count);
        System.out.print(simulator.coverage);
        System.out.println(simulator.cost());
        System.exit(simulator.failed > 0 ? 1 : 0);
    }

    private void runAll(ClusterSeeds seeds, long first, long count) {
        String size = Switches.OF_JVM.size();
        for (long seed = first; seed < first + count; seed++) {
            ClusterPlan plan = seeds.plan(seed);
            if (size == null || size.equals(plan.bricks() + "x" + plan.clients())) {
                run(plan);
            }
        }
    }

    private void run(ClusterPlan plan) {
        long began = threads.getCurrentThreadCpuTime();
        try {
            ClusterRun.Outcome outcome = ClusterRun.of(plan);
            coverage.add(outcome.coverage());
            events += outcome.events();
        } catch (RuntimeException | AssertionError e) {
            failed++;
            String what = String.valueOf(e.getMessage()).lines().findFirst().orElse("");
            System.out.println("seed " + plan.seed() + " FAILED: " + what);
        }
        if (++runs > WARM_UP) {
            long took = threads.getCurrentThreadCpuTime() - began;
            nanos += took;
            worstNanos = Math.max(worstNanos, took);
        }
    }

    private String cost() {
        return String.format(
                Locale.ROOT,
                "%d runs, %d failed; without the first %d: %.1f ms of CPU a run, %.1f the most; %d events a run",
                runs,
                failed,
                WARM_UP,
                nanos / MILLI / Math.max(1, runs - WARM_UP),
                worstNanos / MILLI,
                events / Math.max(1, runs));
    }
}
