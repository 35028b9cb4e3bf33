package io.sdds.cli.chaos;

import io.sdds.cli.process.LocalCluster.Member;
import io.sdds.client.ClusterStatus;
import io.sdds.client.ClusterStatus.BrickStatus;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Injects faults: kills, pauses and cuts off processes, one or several at the same moment. Injects only faults that all
 * acknowledged writes survive. After some faults the next fault follows at once, before the cluster has recovered. Runs
 * on its own thread until {@link #stop}; then all processes run again.
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

    /** After one fault in so many, the next fault does not wait until the cluster has recovered. */
    private static final int AT_ONCE_ONE_IN = 3;

    private static final int TWO_BRICKS_ONE_IN = 3;

    /** Kinds of faults. */
    enum Kind {
        KILL,
        PAUSE,
        PARTITION
    }

    private final Processes processes;
    private final NetworkPartition partition;
    private final Supplier<ClusterStatus> status;
    private final List<Kind> kinds;
    private final SplittableRandom random;

    /** By brick id, the incarnation of the process that was killed last. */
    private final Map<String, Long> killed = new HashMap<>();

    private final List<String> done = new CopyOnWriteArrayList<>();
    private final List<String> troubles = new CopyOnWriteArrayList<>();
    private boolean isWhole = true;

    /**
     * Whether a coordinator was silent since the cluster last was complete. Such a coordinator may not know yet that
     * another coordinator leads.
     */
    private boolean wasCoordinatorSilent;

    private volatile boolean stopping;

    /** @param status asks the leading coordinator for the state of the cluster with its partitions */
    Nemesis(
            Processes processes,
            NetworkPartition partition,
            Supplier<ClusterStatus> status,
            Set<Kind> kinds,
            long seed) {
        this.processes = processes;
        this.partition = partition;
        this.status = status;
        this.kinds = List.copyOf(new java.util.TreeSet<>(kinds));
        this.random = new SplittableRandom(seed);
    }

    /** Descriptions of the injected faults. */
    List<String> done() {
        return done;
    }

    /** Problems with faults, for example a cluster that did not recover. */
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
                }
                if (!isWhole && random.nextInt(AT_ONCE_ONE_IN) > 0) {
                    awaitWhole();
                }
            }
            if (!isWhole && troubles.isEmpty()) {
                awaitWhole();
            }
        } catch (IOException e) {
            troubles.add("a fault could not be injected: " + e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void fault() throws IOException, InterruptedException {
        isWhole = false;
        Kind kind = kinds.get(random.nextInt(kinds.size()));
        switch (random.nextInt(4)) {
            case 0 -> hitClient(kind);
            case 1 -> hitCoordinators(kind);
            case 2 -> hitBricks(kind, List.of());
            default -> hitBricks(kind, coordinators());
        }
    }

    private void hitClient(Kind kind) throws IOException, InterruptedException {
        ClientProcess client = any(processes.clients());
        if (kind == Kind.KILL) {
            done.add("kill " + client.name());
            processes.replace(client);
        } else if (kind == Kind.PAUSE) {
            pause(client.name(), List.of(client.pid()));
        }
    }

    private void hitCoordinators(Kind kind) throws IOException, InterruptedException {
        hit(kind, coordinators());
    }

    /** Chooses the coordinators to hit: one, often the leader, or all. */
    private List<Member> coordinators() {
        List<Member> all = processes.coordinators();
        Member one = random.nextBoolean() ? leader() : any(all);
        return random.nextInt(ALL_COORDINATORS_ONE_IN) == 0 ? all : List.of(one);
    }

    private Member leader() {
        String id = look() instanceof ClusterStatus seen ? seen.coordinator() : "";
        return processes.coordinators().stream()
                .filter(member -> member.id().equals(id))
                .findFirst()
                .orElseGet(() -> any(processes.coordinators()));
    }

    /**
     * Hits bricks whose failure the cluster survives. If there are no such bricks, or the state of the cluster is
     * unknown, hits only the coordinators.
     *
     * @param coordinators coordinators to hit at the same moment, together with a brick that leads groups if possible
     */
    private void hitBricks(Kind kind, List<Member> coordinators) throws IOException, InterruptedException {
        ClusterStatus seen = wasCoordinatorSilent ? null : look();
        Survival survival = seen == null ? null : new Survival(seen, killed);
        if (seen == null || survival == null || !survival.isAwareOfKills()) {
            hit(kind, coordinators);
            return;
        }
        List<Member> may = bricksThatMayBeHit(kind, survival);
        if (may.isEmpty()) {
            hit(kind, coordinators);
            return;
        }
        List<Member> leading =
                may.stream().filter(brick -> survival.leads(brick.id())).toList();
        Member brick = any(coordinators.isEmpty() || leading.isEmpty() ? may : leading);
        List<Member> bricks = new ArrayList<>(List.of(brick));
        if (random.nextInt(TWO_BRICKS_ONE_IN) == 0) {
            may.stream()
                    .filter(other -> !other.equals(brick) && survives(kind, survival, Set.of(brick.id(), other.id())))
                    .findFirst()
                    .ifPresent(bricks::add);
        }
        if (kind == Kind.PARTITION && coordinators.isEmpty() && may.size() > 1 && random.nextBoolean()) {
            separate(brick, may.get(may.getFirst().equals(brick) ? 1 : 0));
            return;
        }
        if (kind == Kind.KILL) {
            bricks.forEach(hit -> killed.put(hit.id(), incarnation(seen, hit.id())));
        }
        bricks.addAll(coordinators);
        hit(kind, bricks);
    }

    private List<Member> bricksThatMayBeHit(Kind kind, Survival survival) {
        List<Member> may = new ArrayList<>(processes.bricks());
        may.removeIf(brick -> !survives(kind, survival, Set.of(brick.id())));
        for (int k = may.size(); k > 1; k--) {
            Collections.swap(may, k - 1, random.nextInt(k));
        }
        return may;
    }

    private static boolean survives(Kind kind, Survival survival, Set<String> bricks) {
        return kind == Kind.KILL ? survival.survivesKillOf(bricks) : survival.survivesPauseOf(bricks);
    }

    /** Hits members of the cluster at the same moment. */
    private void hit(Kind kind, List<Member> members) throws IOException, InterruptedException {
        if (members.isEmpty()) {
            return;
        }
        wasCoordinatorSilent |= kind != Kind.KILL && members.stream().anyMatch(processes.coordinators()::contains);
        switch (kind) {
            case KILL -> kill(members);
            case PAUSE -> pause(members);
            case PARTITION -> cutOff(members);
        }
    }

    private static long incarnation(ClusterStatus seen, String brick) {
        return seen.bricks().stream()
                .filter(info -> info.id().equals(brick))
                .mapToLong(BrickStatus::incarnation)
                .findFirst()
                .orElse(0);
    }

    private void cutOff(List<Member> members) throws InterruptedException {
        int millis = random.nextInt(PAUSE_MILLIS_MAX);
        List<String> ids = members.stream().map(Member::id).toList();
        done.add("cut off " + String.join(", ", ids) + " for " + millis + " ms");
        partition.cutOff(Set.copyOf(ids));
        try {
            sleep(millis);
        } finally {
            partition.heal();
        }
    }

    /** Separates two bricks, sometimes for so long that each brick reports the other as missing. */
    private void separate(Member one, Member other) throws InterruptedException {
        int millis = random.nextInt(2 * PAUSE_MILLIS_MAX);
        done.add("separate " + one.id() + " from " + other.id() + " for " + millis + " ms");
        partition.separate(one.id(), other.id());
        try {
            sleep(millis);
        } finally {
            partition.heal();
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

    private void pause(List<Member> members) throws IOException, InterruptedException {
        String names = members.stream().map(Member::id).collect(Collectors.joining(", "));
        pause(names, members.stream().map(processes::pid).toList());
    }

    private void pause(String names, List<Long> pids) throws IOException, InterruptedException {
        int millis = random.nextInt(random.nextInt(LONG_PAUSE_ONE_IN) > 0 ? SHORT_PAUSE_MILLIS_MAX : PAUSE_MILLIS_MAX);
        done.add("pause " + names + " for " + millis + " ms");
        List<Long> stopped = new ArrayList<>();
        try {
            for (long pid : pids) {
                stopped.add(pid);
                Signal.STOP.to(pid);
            }
            sleep(millis);
        } finally {
            for (long pid : stopped) {
                Signal.CONT.to(pid);
            }
        }
    }

    private void awaitWhole() throws InterruptedException {
        long deadlineNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(PATIENCE_MILLIS);
        String trouble = "no coordinator tells the state of the cluster";
        while (System.nanoTime() < deadlineNanos) {
            if (look() instanceof ClusterStatus seen) {
                Survival survival = new Survival(seen, killed);
                if (survival.isWhole()) {
                    isWhole = true;
                    wasCoordinatorSilent = false;
                    return;
                }
                trouble = survival.trouble();
            }
            TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
        }
        String last = done.isEmpty() ? "the start" : "'" + done.getLast() + "'";
        troubles.add("not recovered " + PATIENCE_MILLIS / 1000 + " s after " + last + ": " + trouble);
    }

    private @Nullable ClusterStatus look() {
        try {
            return status.get();
        } catch (RuntimeException e) {
            return null; // no coordinator leads at present
        }
    }

    private <T> T any(List<T> all) {
        return new ArrayList<>(all).get(random.nextInt(all.size()));
    }

    /** Sleeps, but returns early after {@link #stop}. */
    private void sleep(int millis) throws InterruptedException {
        long deadlineNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        while (!stopping && System.nanoTime() < deadlineNanos) {
            TimeUnit.MILLISECONDS.sleep(Math.min(LOOK_MILLIS, millis));
        }
    }
}
