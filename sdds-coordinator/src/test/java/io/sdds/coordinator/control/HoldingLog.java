package io.sdds.coordinator.control;

import io.sdds.coordinator.control.base.CommandLog;
import io.sdds.coordinator.control.base.InMemoryLog;
import io.sdds.coordinator.state.Command;
import io.sdds.coordinator.state.Result;
import io.sdds.core.control.ControlMessage.CoordinatorStatus;
import io.sdds.core.control.ControlMessage.Refusal;
import io.sdds.core.node.Env;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Consumer;

/**
 * A log that commits at once, or holds proposals until the test releases them, or rejects them as the log of a
 * coordinator that no longer leads.
 */
public final class HoldingLog implements CommandLog {
    private final InMemoryLog log = new InMemoryLog();
    private final List<Runnable> held = new ArrayList<>();
    private long featuresOfOthers = -1;
    private boolean holds;
    private boolean rejects;
    private boolean holdsConfirmations;
    private int rejected;

    public void hold() {
        holds = true;
    }

    /** Holds the confirmations of leadership, too. */
    void holdConfirmations() {
        holdsConfirmations = true;
    }

    /** Sets the features that the other coordinators support. */
    void featuresOfOthers(long features) {
        featuresOfOthers = features;
    }

    @Override
    public long featuresOfOthers() {
        return featuresOfOthers;
    }

    public void reject() {
        rejects = true;
    }

    public int rejected() {
        return rejected;
    }

    /** Reverses the order in which the held proposals are committed. */
    void reverse() {
        Collections.reverse(held);
    }

    public void goOn() {
        holds = false;
        rejects = false;
        holdsConfirmations = false;
        List<Runnable> next = List.copyOf(held);
        held.clear();
        next.forEach(Runnable::run);
    }

    @Override
    public void open(Env env, Listener listener) {
        log.open(env, listener);
    }

    @Override
    public void propose(Command command, Consumer<Result> done) {
        if (rejects) {
            rejected++;
            done.accept(new Result.Rejected(Refusal.NOT_LEADER, ""));
        } else if (holds) {
            held.add(() -> log.propose(command, done));
        } else {
            log.propose(command, done);
        }
    }

    @Override
    public void confirm(Consumer<Boolean> done) {
        if (holdsConfirmations) {
            held.add(() -> log.confirm(done));
        } else {
            log.confirm(done);
        }
    }

    @Override
    public boolean isLeader() {
        return log.isLeader();
    }

    @Override
    public String leaderAddress() {
        return log.leaderAddress();
    }

    @Override
    public String trouble() {
        return log.trouble();
    }

    @Override
    public List<CoordinatorStatus> members() {
        return log.members();
    }
}
