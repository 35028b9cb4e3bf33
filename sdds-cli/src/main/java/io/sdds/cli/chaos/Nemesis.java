package io.sdds.cli.chaos;

import io.sdds.cli.process.LocalCluster.Member;
import io.sdds.core.control.ControlMessage.BrickStatus;
import io.sdds.core.control.ControlMessage.ClusterStatus;
import io.sdds.core.model.BrickInfo;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Kills and pauses processes, one fault after the other: each only when what is acknowledged survives it, and the next only when the cluster is whole again. On a thread of
 * its own, until it is told to stop; then everything runs again.
 */
final class Nemesis implements Runnable {
    private static final int CALM_MILLIS_MAX = 500;
    private static final int DOWN_MILLIS_MAX = 1_000;
    private static final int PAUSE_MILLIS_MAX = 4_000;
    private static final int SHORT_PAUSE_MILLIS_MAX = 800;
    private static final int LONG_PAUSE_ONE_IN = 4;
    private static final int PATIENCE_MILLIS = 30_000;
    private static final int LOOK_MILLIS = 50;
    private static final int ALL_COORDINATORS_ONE_IN = 5;

    /** What it may do. */
    enum Kind {
        KILL,
        PAUSE,
        PARTITION
    }

    private final Processes processes;
    private final Cuts cuts;
    private final Supplier<ClusterStatus> status;
    private final List<Kind> kinds;
    private final SplittableRandom random;

    /** Incarnations of the bricks' processes that were killed last. */
    private final Map<String, Long> killed = new HashMap<>();

    private final List<String> done = new CopyOnWriteArrayList<>();
    private final List<String> troubles = new CopyOnWriteArrayList<>();
    private volatile boolean stopping;

    /** @param status of the cluster with its partitions, from whoever leads */
    Nemesis(Processes processes, Cuts cuts, Supplier<ClusterStatus> status, Set<Kind> kinds, long seed) {
        this.processes = processes;
        this.cuts = cuts;
        this.status = status;
        this.kinds = List.copyOf(new java.util.TreeSet<>(kinds));
        this.random = new SplittableRandom(seed);
    }

    /** The faults that happened, in words. */
    List<String> done() {
        return done;
    }

    /** What went wrong with faults: the cluster did not become whole again, say. */
    List<String> troubles() {
        return troubles;
    }

    void stop() {
        stopping = true;
    }

    @Override
    public void run() {
        try {
            while (!stopping && !kinds.isEmpty() && troubles.isEmpty()) {
                sleep(random.nextInt(CALM_MILLIS_MAX));
                if (!stopping) {
                    fault();
                    awaitWhole();
                }
            }
        } catch (IOException e) {
            troubles.add("a fault could not be made: " + e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void fault() throws IOException, InterruptedException {
        Kind kind = kinds.get(random.nextInt(kinds.size()));
        switch (random.nextInt(3)) {
            case 0 -> hitClient(kind);
            case 1 -> hitCoordinators(kind);
            default -> hitBrick(kind);
        }
    }

    private void hitClient(Kind kind) throws IOException, InterruptedException {
        ClientProcess client = any(processes.clients());
        if (kind == Kind.KILL) {
            done.add("kill " + client.name());
            processes.replace(client);
        } else if (kind == Kind.PAUSE) {
            pause(client.name(), client.pid());
        }
    }

    private void hitCoordinators(Kind kind) throws IOException, InterruptedException {
        List<Member> all = processes.coordinators();
        Member one = random.nextBoolean() ? leader() : any(all);
        List<Member> some = random.nextInt(ALL_COORDINATORS_ONE_IN) == 0 ? all : List.of(one);
        switch (kind) {
            case KILL -> kill(some);
            case PAUSE -> pause(one.id(), processes.pid(one));
            case PARTITION -> cutOff(some);
        }
    }

    private Member leader() {
        String id = look() instanceof ClusterStatus seen ? seen.coordinator() : "";
        return processes.coordinators().stream()
                .filter(member -> member.id().equals(id))
                .findFirst()
                .orElseGet(() -> any(processes.coordinators()));
    }

    /** Of bricks those that may be hit; when there are none, another fault comes next. */
    private void hitBrick(Kind kind) throws IOException, InterruptedException {
        if (!(look() instanceof ClusterStatus seen)) {
            return;
        }
        Survival survival = new Survival(seen, killed);
        List<Member> hit = processes.bricks().stream()
                .filter(brick ->
                        kind == Kind.KILL ? survival.survivesKillOf(brick.id()) : survival.survivesPauseOf(brick.id()))
                .toList();
        if (hit.isEmpty()) {
            return;
        }
        Member brick = any(hit);
        switch (kind) {
            case KILL -> {
                killed.put(brick.id(), incarnation(seen, brick.id()));
                kill(List.of(brick));
            }
            case PAUSE -> pause(brick.id(), processes.pid(brick));
            case PARTITION -> {
                if (hit.size() > 1 && random.nextBoolean()) {
                    part(brick, hit.get(hit.getFirst().equals(brick) ? 1 : 0));
                } else {
                    cutOff(List.of(brick));
                }
            }
        }
    }

    private static long incarnation(ClusterStatus seen, String brick) {
        return seen.bricks().stream()
                .map(BrickStatus::brick)
                .filter(info -> info.id().equals(brick))
                .mapToLong(BrickInfo::incarnation)
                .findFirst()
                .orElse(0);
    }

    private void cutOff(List<Member> members) throws InterruptedException {
        int millis = random.nextInt(PAUSE_MILLIS_MAX);
        List<String> ids = members.stream().map(Member::id).toList();
        done.add("cut off " + String.join(", ", ids) + " for " + millis + " ms");
        cuts.cutOff(Set.copyOf(ids));
        try {
            sleep(millis);
        } finally {
            cuts.heal();
        }
    }

    /** Long enough, at times, for the one to miss the other. */
    private void part(Member one, Member other) throws InterruptedException {
        int millis = random.nextInt(2 * PAUSE_MILLIS_MAX);
        done.add("part " + one.id() + " from " + other.id() + " for " + millis + " ms");
        cuts.part(one.id(), other.id());
        try {
            sleep(millis);
        } finally {
            cuts.heal();
        }
    }

    private void kill(List<Member> members) throws IOException, InterruptedException {
        int millis = random.nextInt(DOWN_MILLIS_MAX);
        List<String> ids = members.stream().map(Member::id).toList();
        done.add("kill " + String.join(", ", ids) + ", back after " + millis + " ms");
        members.forEach(processes::kill);
        sleep(millis);
        for (Member member : members) {
            processes.restart(member);
        }
    }

    private void pause(String name, long pid) throws IOException, InterruptedException {
        int millis = random.nextInt(random.nextInt(LONG_PAUSE_ONE_IN) > 0 ? SHORT_PAUSE_MILLIS_MAX : PAUSE_MILLIS_MAX);
        done.add("pause " + name + " for " + millis + " ms");
        Signal.STOP.to(pid);
        try {
            sleep(millis);
        } finally {
            Signal.CONT.to(pid);
        }
    }

    private void awaitWhole() throws InterruptedException {
        long deadlineNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(PATIENCE_MILLIS);
        String trouble = "nobody tells the cluster's state";
        while (System.nanoTime() < deadlineNanos) {
            if (look() instanceof ClusterStatus seen) {
                Survival survival = new Survival(seen, killed);
                if (survival.isWhole()) {
                    return;
                }
                trouble = survival.trouble();
            }
            TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
        }
        String last = done.isEmpty() ? "the start" : "'" + done.getLast() + "'";
        troubles.add("not whole " + PATIENCE_MILLIS / 1000 + " s after " + last + ": " + trouble);
    }

    private @Nullable ClusterStatus look() {
        try {
            return status.get();
        } catch (RuntimeException e) {
            return null; // nobody leads at present
        }
    }

    private <T> T any(List<T> all) {
        return new ArrayList<>(all).get(random.nextInt(all.size()));
    }

    /** Sleeps, or less when it is to stop. */
    private void sleep(int millis) throws InterruptedException {
        long deadlineNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        while (!stopping && System.nanoTime() < deadlineNanos) {
            TimeUnit.MILLISECONDS.sleep(Math.min(LOOK_MILLIS, millis));
        }
    }
}
