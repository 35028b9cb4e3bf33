package io.sdds.bench.paper;

import io.sdds.testkit.EmbeddedCluster;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Runs clusters in this JVM. They start at once, but bricks and load share one heap. */
public final class EmbeddedSite implements Site {
    private @Nullable EmbeddedCluster cluster;
    private List<Double> weights = List.of();

    @Override
    public synchronized List<String> cluster(int bricks) {
        return cluster(Collections.nCopies(bricks, 1.0));
    }

    @Override
    public synchronized List<String> cluster(List<Double> wanted) {
        EmbeddedCluster running = cluster;
        if (running == null || !weights.equals(wanted)) {
            close();
            running = EmbeddedCluster.start(wanted);
            cluster = running;
            weights = List.copyOf(wanted);
        }
        return List.of(running.address());
    }

    @Override
    public synchronized String description() {
        return weights.size() + (weights.size() == 1 ? " brick" : " bricks") + " in this JVM";
    }

    @Override
    public synchronized void kill(String brick) {
        running().kill(number(brick));
    }

    @Override
    public synchronized void restart(String brick) {
        running().startBrick(number(brick));
    }

    private EmbeddedCluster running() {
        return Objects.requireNonNull(cluster, "a cluster");
    }

    private static int number(String brick) {
        return Integer.parseInt(brick.substring(1));
    }

    /** Processor time of the threads that have the name of the brick. */
    @Override
    public long cpuNanos(String brick) {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        return Arrays.stream(threads.getThreadInfo(threads.getAllThreadIds()))
                .filter(thread -> thread != null && thread.getThreadName().startsWith("sdds-" + brick + "-"))
                .mapToLong(thread -> Math.max(0, threads.getThreadCpuTime(thread.getThreadId())))
                .sum();
    }

    @Override
    public synchronized void close() {
        if (cluster != null) {
            cluster.close();
            cluster = null;
        }
    }
}
