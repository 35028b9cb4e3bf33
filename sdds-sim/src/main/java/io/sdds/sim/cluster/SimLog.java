package io.sdds.sim.cluster;

import io.sdds.coordinator.control.base.CommandLog;
import io.sdds.coordinator.state.ClusterSnapshot;
import io.sdds.coordinator.state.ClusterState;
import io.sdds.coordinator.state.Command;
import io.sdds.coordinator.state.StateCodec;
import io.sdds.sim.world.RareEvent;
import io.sdds.sim.world.Simulation;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * The replicated log of several simulated coordinators, in place of a Raft library. Leaders change. Old leaders may not
 * know that they no longer lead. Proposed commands are lost, or are committed by the next leader. Members lag behind
 * and restart from their disks.
 *
 * <p>Runs in world time. Calls to a coordinator run on the thread of the coordinator.
 */
public final class SimLog {
    /*
     * Time is divided into terms with one leader each. A leader commits, and is confirmed, at an instant at which the
     * leader and a majority reach each other in both directions and no later term has begun. So two leaders of
     * different terms can never commit at the same time. A leader that was cut off or paused for the election timeout
     * is replaced by a member that a majority reaches. The old leader believes that it leads until it learns of the new
     * term, or has missed its majority for the election timeout. Its proposals are lost, except the first few, which
     * the new leader may have in its log and commits. Every member applies the same commands in the same order, each at
     * its own pace, from commands or a snapshot. A process that starts has the commands on its disk that it knew to be
     * committed.
     */
    private static final long MILLI = 1_000_000L;
    private static final long TICK_NANOS = 10 * MILLI;
    static final long ELECTION_NANOS = 200 * MILLI;
    private static final long DELAY_NANOS_MAX = 3 * MILLI;
    private static final int LONG_DELAY_ONE_IN = 20;
    private static final long LONG_DELAY_NANOS_MAX = 150 * MILLI;

    private final Simulation simulation;
    private final SplittableRandom random;
    private final long commitNanos;
    private final List<SimReplica> members = new ArrayList<>();
    private final List<byte[]> committed = new ArrayList<>();
    private final ClusterState truth = new ClusterState();
    private CommandLog.Watch watch = (command, applies) -> applies.get();
    private LogRules rules = LogRules.RIGHT;
    private long term;
    private @Nullable SimReplica leader;
    private long unledNanos;
    private long electionNanos = ELECTION_NANOS;

    /** @param commitNanos least duration of a commit */
    SimLog(Simulation simulation, List<String> names, long commitNanos) {
        this.simulation = simulation;
        this.random = simulation.fork("log");
        this.commitNanos = commitNanos;
        names.forEach(name -> members.add(new SimReplica(this, name)));
    }

    /** From now on the coordinators follow other rules: a planted bug. */
    public void rules(LogRules planted) {
        rules = planted;
    }

    /** Sets the listener of committed commands. */
    void watch(CommandLog.Watch seeing) {
        watch = seeing;
    }

    LogRules rules() {
        return rules;
    }

    Simulation simulation() {
        return simulation;
    }

    SplittableRandom random() {
        return random;
    }

    List<SimReplica> members() {
        return members;
    }

    /** The log of a coordinator, which outlives its processes. */
    CommandLog member(String name) {
        return replica(name);
    }

    /** The process of a coordinator has ended. */
    void crashed(String name) {
        SimReplica gone = replica(name);
        gone.crashed();
        leader = leader == gone ? null : leader;
    }

    private SimReplica replica(String name) {
        return members.stream()
                .filter(member -> member.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    boolean hasAppliedAll(String name) {
        return replica(name).applied() == committed.size();
    }

    /** The state after all committed commands. Replies must neither exceed nor lag behind this state. */
    public ClusterState truth() {
        return truth;
    }

    /** The serving leader; null if there is none. */
    @Nullable
    SimReplica serving() {
        SimReplica now = leader;
        return now != null && now.isLeading() ? now : null;
    }

    long term() {
        return term;
    }

    // ---- time goes on

    /** Starts to monitor the members. */
    void start() {
        simulation.after(TICK_NANOS, this::tick);
    }

    private void tick() {
        SimReplica now = leader;
        unledNanos = now != null && hasMajority(now) ? 0 : unledNanos + TICK_NANOS;
        if (unledNanos >= electionNanos) {
            List<SimReplica> candidates =
                    members.stream().filter(this::hasMajority).toList();
            if (!candidates.isEmpty()) {
                elect(candidates.get(random.nextInt(candidates.size())), random.nextLong(50 * MILLI));
            }
        }
        for (SimReplica member : members) {
            member.tick(TICK_NANOS, leader);
        }
        simulation.after(TICK_NANOS, this::tick);
    }

    /** Elects a new leader although the old leader may be healthy. The old leader does not learn of it for a time. */
    public void electAnother(long staleNanos) {
        List<SimReplica> others = members.stream()
                .filter(member -> member != leader && hasMajority(member))
                .toList();
        if (!others.isEmpty()) {
            elect(others.get(random.nextInt(others.size())), staleNanos);
        }
    }

    private void elect(SimReplica elected, long staleNanos) {
        SimReplica old = leader;
        term++;
        leader = elected;
        unledNanos = 0;
        electionNanos = random.nextLong(ELECTION_NANOS, 2 * ELECTION_NANOS);
        simulation.trace().line(() -> elected.name() + " is elected, term " + term);
        if (term > 1) {
            simulation.coverage().hit(RareEvent.LEADER_CHANGED);
        }
        if (old != null) {
            old.replaced(staleNanos).forEach(this::append);
        }
        elected.elected(term);
    }

    /** A member stops to lead. If no other member was elected, there is no leader. */
    void resigned(SimReplica member, long reign) {
        leader = leader == member && term == reign ? null : leader;
    }

    // ---- commands

    /** Commits a command, and returns its index in the log. */
    long append(byte[] command) {
        committed.add(command);
        Command decoded = StateCodec.decodeCommand(command);
        watch.applied(decoded, () -> truth.apply(decoded));
        members.forEach(SimReplica::hear);
        return committed.size() - 1L;
    }

    long size() {
        return committed.size();
    }

    byte[] command(long index) {
        return committed.get((int) index);
    }

    /** The state after all commands, encoded and decoded again. */
    ClusterSnapshot snapshot() {
        return StateCodec.decodeSnapshot(StateCodec.encode(truth.snapshot()));
    }

    // ---- reachability of members

    /** Whether a member leads, and a majority says so at this instant. */
    boolean leadsNow(SimReplica member) {
        return member == leader && member.reign() == term && hasMajority(member);
    }

    boolean hasMajority(SimReplica member) {
        long reached = members.stream().filter(other -> reach(member, other)).count();
        return 2 * reached > members.size();
    }

    /** Whether two members both run and what each sends arrives; each reaches itself. */
    boolean reach(SimReplica one, SimReplica other) {
        return one.runs()
                && other.runs()
                && (one == other || isOpen(one.name(), other.name()) && isOpen(other.name(), one.name()));
    }

    private boolean isOpen(String from, String to) {
        return simulation.network().path(from, to).heldUntilNanos() <= simulation.nowNanos();
    }

    /** Duration of a round trip to the other members. */
    long roundNanos() {
        long most = random.nextInt(LONG_DELAY_ONE_IN) == 0 ? LONG_DELAY_NANOS_MAX : DELAY_NANOS_MAX;
        return commitNanos + random.nextLong(most);
    }
}
