package io.sdds.cli.process;

import io.sdds.bench.paper.Site;
import io.sdds.cli.process.LocalCluster.Member;
import io.sdds.cli.process.LocalCluster.Plan;
import io.sdds.cli.terminal.ExitHook;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Starts clusters of processes on this machine for experiments, one cluster at a time, as {@code sdds up} does. Uses
 * free ports and a temporary directory. The processes end with this process, even if this process is killed.
 */
public final class ProcessSite implements Site {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String MEMORY = "1g";

    private final Consumer<String> notices;
    private final ExitHook atExit = new ExitHook(this::end);
    /** Processes that were killed on purpose. */
    private final Set<Long> killed = ConcurrentHashMap.newKeySet();

    private @Nullable LocalCluster cluster;
    private @Nullable TemporaryDirectory directory;
    private List<Double> weights = List.of();
    private volatile boolean interrupted;

    /** @param notices receives a line for each problem with a process */
    public ProcessSite(Consumer<String> notices) {
        this.notices = notices;
    }

    @Override
    public List<String> cluster(int bricks) throws InterruptedException {
        return cluster(Collections.nCopies(bricks, 1.0));
    }

    @Override
    public List<String> cluster(List<Double> wanted) throws InterruptedException {
        LocalCluster running = cluster;
        if (running == null || !weights.equals(wanted)) {
            stop();
            running = start(wanted);
            weights = List.copyOf(wanted);
        }
        return List.of(running.members().get(0).address());
    }

    private LocalCluster start(List<Double> wanted) throws InterruptedException {
        try {
            LocalCluster started;
            synchronized (this) {
                TemporaryDirectory own = TemporaryDirectory.create("paper");
                directory = own;
                int bricks = wanted.size();
                started = LocalCluster.of(
                        new Plan(own.path(), 1, bricks, LocalCluster.freePorts(1, bricks), MEMORY).withWeights(wanted));
                cluster = started;
            }
            started.tellCoordinatorsOfEnds(notices);
            started.start(PATIENCE, this::ended);
            return started;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void ended(Member member, long pid, int exitCode) {
        if (!killed.remove(pid)) {
            notices.accept(member.id() + " (process " + pid + ") ended with code " + exitCode);
        }
    }

    @Override
    public void kill(String brick) {
        Member member = member(brick);
        killed.add(running().pid(member));
        running().kill(member);
    }

    @Override
    public void restart(String brick) {
        try {
            running().restart(member(brick), this::ended);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public long cpuNanos(String brick) {
        return ProcessHandle.of(running().pid(member(brick)))
                .flatMap(process -> process.info().totalCpuDuration())
                .map(Duration::toNanos)
                .orElse(0L);
    }

    private LocalCluster running() {
        return Objects.requireNonNull(cluster, "a cluster");
    }

    private Member member(String id) {
        return running().members().stream()
                .filter(each -> each.id().equals(id))
                .findFirst()
                .orElseThrow();
    }

    @Override
    public String description() {
        return weights.size() + (weights.size() == 1 ? " brick" : " bricks") + ", one process each";
    }

    /** Waits forever if a signal is ending this process, so that resulting failures are not reported. */
    public void awaitEndOfInterrupted() throws InterruptedException {
        if (interrupted) {
            new CountDownLatch(1).await();
        }
    }

    private void end() {
        interrupted = true;
        stop();
    }

    private synchronized void stop() {
        if (cluster != null) {
            cluster.close();
            cluster = null;
        }
        if (directory != null) {
            delete(directory);
            directory = null;
        }
    }

    private void delete(TemporaryDirectory all) {
        try {
            all.close();
        } catch (IOException | UncheckedIOException e) {
            notices.accept("cannot delete " + all.path() + ": " + e.getMessage());
        }
    }

    @Override
    public void close() {
        stop();
        atExit.close();
    }
}
