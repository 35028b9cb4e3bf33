package io.sdds.sim.cluster;

import io.sdds.coordinator.control.base.CommandLog;
import io.sdds.coordinator.state.ClusterSnapshot;
import io.sdds.coordinator.state.Command;
import io.sdds.coordinator.state.Result;
import io.sdds.coordinator.state.Result.Rejected;
import io.sdds.coordinator.state.StateCodec;
import io.sdds.core.control.ControlMessage.CoordinatorStatus;
import io.sdds.core.control.ControlMessage.Refusal;
import io.sdds.core.node.Env;
import io.sdds.sim.world.RareEvent;
import io.sdds.sim.world.SimEnv;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The replica of a {@link SimLog} at one coordinator. Outlives the processes of the coordinator, as a disk does. */
final class SimReplica implements CommandLog {
    private static final long MILLI = 1_000_000L;
    private static final long RETRY_NANOS = 20 * MILLI;
    private static final long HEARD_NANOS_MAX = 20 * MILLI;
    private static final long BEHIND_NANOS_MAX = 400 * MILLI;
    private static final long TROUBLE_NANOS = 1_000 * MILLI;

    /** Number of missing commands from which on a member may get a snapshot. */
    private static final int SNAPSHOT_BEHIND = 20;

    private final SimLog log;
    private final String name;
    private int life;
    private @Nullable SimEnv env;
    private @Nullable Listener listener;
    private long applied;
    private long durable;
    private boolean hearing;

    private boolean leading;
    private long reign;
    private long staleUntilNanos;
    private long cutOffNanos;
    private String leader = "";
    private long leaderlessNanos;
    private final ArrayDeque<Proposal> proposals = new ArrayDeque<>();
    private final Map<Long, Consumer<Result>> committed = new HashMap<>();
    private final List<Consumer<Boolean>> confirmations = new ArrayList<>();
    private final Set<Long> toldEarly = new HashSet<>();

    private record Proposal(byte[] command, Consumer<Result> done, long dueNanos, boolean told) {}

    SimReplica(SimLog log, String name) {
        this.log = log;
        this.name = name;
    }

    String name() {
        return name;
    }

    boolean isLeading() {
        return leading;
    }

    /** Number of commands that the process has applied. */
    long applied() {
        return applied;
    }

    /** The term in which the member leads, or believes that it leads. */
    long reign() {
        return leading ? reign : 0;
    }

    /** Whether the process of the member runs and is not paused. */
    boolean runs() {
        SimEnv at = env;
        return at != null && !at.isPaused();
    }

    private long now() {
        return log.simulation().nowNanos();
    }

    // ---- its process

    @Override
    public void open(Env newEnv, Listener newListener) {
        life++;
        env = (SimEnv) newEnv;
        listener = newListener;
        applied = 0;
        long known = log.random().nextBoolean() ? durable : log.random().nextLong(durable + 1);
        if (known == log.size() && log.random().nextBoolean()) {
            takeSnapshot(log.snapshot(), known);
        }
        applyUpTo(known);
        hear();
    }

    void crashed() {
        life++;
        env = null;
        listener = null;
        durable = applied;
        hearing = false;
        leading = false;
        leader = "";
        proposals.clear();
        committed.clear();
        confirmations.clear();
        toldEarly.clear();
    }

    /** Runs a task on the thread of the process, unless the process has ended by then. */
    private void onNode(Consumer<Listener> task) {
        SimEnv at = env;
        int born = life;
        if (at != null) {
            at.execute(() -> {
                if (life == born && listener != null) {
                    task.accept(listener);
                }
            });
        }
    }

    /** Runs a task in world time after a delay, unless the process has ended by then. */
    private void later(long nanos, Runnable task) {
        int born = life;
        log.simulation().after(nanos, () -> {
            if (life == born) {
                task.run();
            }
        });
    }

    // ---- proposals

    @Override
    public void propose(Command command, Consumer<Result> done) {
        if (!leading) {
            done.accept(notLeader());
        } else if (proposals.size() >= PENDING_MAX) {
            done.accept(new Rejected(Refusal.NOT_READY, PENDING_MAX + " commands are waiting for the log"));
        } else {
            byte[] bytes = StateCodec.encode(command);
            long nanos = log.roundNanos();
            boolean told = log.rules().tellsBeforeCommit();
            proposals.add(new Proposal(bytes, done, now() + nanos, told));
            later(nanos, this::settle);
            if (told && listener != null) {
                done.accept(listener.onCommitted(StateCodec.decodeCommand(bytes)));
            }
        }
    }

    /** Commits due proposals in order, or waits for a majority as long as the member believes that it leads. */
    private void settle() {
        while (leading && !proposals.isEmpty() && proposals.getFirst().dueNanos() <= now()) {
            if (!log.leadsNow(this)) {
                later(RETRY_NANOS, this::settle);
                return;
            }
            Proposal first = proposals.removeFirst();
            commit(first, log.append(first.command()));
        }
    }

    private void commit(Proposal proposal, long index) {
        if (proposal.told()) {
            toldEarly.add(index);
        } else {
            committed.put(index, proposal.done());
        }
    }

    private Rejected notLeader() {
        return new Rejected(Refusal.NOT_LEADER, leaderAddress());
    }

    // ---- delivery of committed commands

    /** A command was committed. The proposer learns of it at once, other members after a delay. */
    void hear() {
        if (env == null || hearing) {
            return;
        }
        if (log.leadsNow(this) && !log.rules().leadsBehind()) {
            deliver();
        } else {
            hearing = true;
            later(log.random().nextLong(log.rules().leadsBehind() ? BEHIND_NANOS_MAX : HEARD_NANOS_MAX), this::heard);
        }
    }

    private void heard() {
        hearing = false;
        SimReplica from = log.serving();
        if (from != null && log.reach(from, this)) {
            deliver();
        } else if (applied < log.size()) {
            hearing = true;
            later(RETRY_NANOS, this::heard);
        }
    }

    private void deliver() {
        long upTo = log.size();
        if (upTo - applied > SNAPSHOT_BEHIND && log.random().nextBoolean()) {
            log.simulation().coverage().hit(RareEvent.SNAPSHOT_TAKEN);
            ClusterSnapshot snapshot = log.snapshot();
            onNode(to -> takeSnapshot(snapshot, upTo));
        } else {
            onNode(to -> applyUpTo(upTo));
        }
    }

    private void takeSnapshot(ClusterSnapshot snapshot, long upTo) {
        if (applied < upTo && listener != null) {
            listener.onSnapshot(snapshot);
            applied = upTo;
        }
    }

    private void applyUpTo(long upTo) {
        while (applied < upTo && listener != null) {
            long index = applied++;
            Consumer<Result> done = committed.remove(index);
            if (!toldEarly.remove(index)) {
                Result result = listener.onCommitted(StateCodec.decodeCommand(log.command(index)));
                if (done != null) {
                    done.accept(result);
                }
            }
        }
    }

    // ---- leading

    /** The member was elected, and leads after it has applied all earlier committed commands. */
    void elected(long term) {
        cutOffNanos = 0;
        later(log.random().nextLong(HEARD_NANOS_MAX), () -> {
            if (log.term() == term) {
                long upTo = log.rules().leadsBehind() ? applied : log.size();
                onNode(to -> {
                    stepDown();
                    applyUpTo(upTo);
                    leading = true;
                    reign = term;
                    to.onLeading(true);
                });
            }
        });
    }

    /**
     * Another member was elected. This member believes for a while that it still leads.
     *
     * @return the proposals of this member that the new leader also has in its log
     */
    List<byte[]> replaced(long staleNanos) {
        staleUntilNanos = now() + staleNanos;
        List<byte[]> inherited = new ArrayList<>();
        for (int k = log.random().nextInt(proposals.size() + 1); k > 0; k--) {
            inherited.add(proposals.removeFirst().command());
            log.simulation().coverage().hit(RareEvent.COMMAND_INHERITED);
        }
        return inherited;
    }

    private void stepDown() {
        if (!leading) {
            return;
        }
        leading = false;
        List<Consumer<Result>> open = new ArrayList<>(committed.values());
        proposals.stream().filter(proposal -> !proposal.told()).forEach(proposal -> {
            log.simulation().coverage().hit(RareEvent.COMMAND_LOST);
            open.add(proposal.done());
        });
        proposals.clear();
        committed.clear();
        List<Consumer<Boolean>> asked = List.copyOf(confirmations);
        confirmations.clear();
        open.forEach(done -> done.accept(notLeader()));
        asked.forEach(done -> done.accept(false));
        if (listener != null) {
            listener.onLeading(false);
        }
    }

    @Override
    public void confirm(Consumer<Boolean> done) {
        if (log.rules().trustsItself() || log.rules().followersServe() || !leading) {
            done.accept(isLeader());
            return;
        }
        confirmations.add(done);
        later(log.roundNanos(), () -> confirmed(done));
    }

    private void confirmed(Consumer<Boolean> done) {
        if (!confirmations.contains(done)) {
            return; // reported already, when the member stepped down
        }
        if (log.leadsNow(this)) {
            onNode(to -> {
                if (confirmations.remove(done)) {
                    done.accept(leading);
                }
            });
        } else {
            log.simulation().coverage().hit(RareEvent.LEADER_UNCONFIRMED);
            later(RETRY_NANOS, () -> confirmed(done)); // until the member learns that it no longer leads
        }
    }

    /** Periodic checks of the member. */
    void tick(long nanos, @Nullable SimReplica elected) {
        cutOffNanos = log.hasMajority(this) ? 0 : cutOffNanos + nanos;
        boolean replaced = leading && reign != log.term();
        boolean hearsOfIt = now() >= staleUntilNanos
                && log.members().stream().anyMatch(other -> other != this && log.reach(this, other));
        if (replaced && hearsOfIt || leading && cutOffNanos >= 2 * SimLog.ELECTION_NANOS) {
            long lost = reign;
            onNode(to -> {
                if (leading && reign == lost) {
                    stepDown();
                    log.resigned(this, lost);
                }
            });
        }
        if (elected != null && elected.isLeading() && log.reach(elected, this)) {
            leader = elected.name();
            leaderlessNanos = 0;
        } else {
            leaderlessNanos += nanos;
            leader = leaderlessNanos >= SimLog.ELECTION_NANOS ? "" : leader;
        }
    }

    @Override
    public boolean isLeader() {
        return leading || log.rules().followersServe();
    }

    @Override
    public String leaderAddress() {
        return leader.isEmpty() || leader.equals(name) ? "" : SimCluster.address(leader);
    }

    @Override
    public String trouble() {
        return leaderlessNanos >= TROUBLE_NANOS ? "no coordinator has led for a while" : "";
    }

    @Override
    public List<CoordinatorStatus> members() {
        return log.members().stream()
                .map(member -> new CoordinatorStatus(
                        member.name, SimCluster.address(member.name), member == this, log.reach(this, member), 0))
                .toList();
    }
}
