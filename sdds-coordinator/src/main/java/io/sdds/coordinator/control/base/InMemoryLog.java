package io.sdds.coordinator.control.base;

import io.sdds.coordinator.state.Command;
import io.sdds.coordinator.state.Result;
import io.sdds.coordinator.state.Result.Rejected;
import io.sdds.coordinator.state.StateCodec;
import io.sdds.core.control.ControlMessage.CoordinatorStatus;
import io.sdds.core.control.ControlMessage.Refusal;
import io.sdds.core.node.Env;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A log without a disk, for one coordinator of an embedded or simulated cluster. The log outlives its node: a new node
 * that opens the log gets all committed commands, as a restarted coordinator gets them from its disk. Commands pass
 * through their encoding, as in a real log.
 */
public final class InMemoryLog implements CommandLog {
    private static final int COMMANDS_KEPT_MAX = 1024;

    private final long commitDelayNanos;
    private final Watch watch;
    private byte @Nullable [] snapshot;
    private final List<byte[]> commands = new ArrayList<>();
    private int generation;
    private int pending;
    private @Nullable Env env;
    private @Nullable Listener listener;

    /** A log that commits at once. */
    public InMemoryLog() {
        this(0);
    }

    /** @param commitDelayNanos the time of a commit; a proposal is lost if its node ends in this time */
    public InMemoryLog(long commitDelayNanos) {
        this(commitDelayNanos, (command, applies) -> applies.get());
    }

    /** A log that shows a watch each command that is committed. */
    public InMemoryLog(long commitDelayNanos, Watch watch) {
        this.commitDelayNanos = commitDelayNanos;
        this.watch = watch;
    }

    @Override
    public void open(Env newEnv, Listener newListener) {
        generation++;
        pending = 0;
        env = newEnv;
        listener = newListener;
        if (snapshot != null) {
            newListener.onSnapshot(StateCodec.decodeSnapshot(snapshot));
        }
        for (byte[] command : commands) {
            newListener.onCommitted(StateCodec.decodeCommand(command));
        }
        newListener.onLeading(true);
    }

    @Override
    public void propose(Command command, Consumer<Result> done) {
        Env at = env;
        if (at == null) {
            throw new IllegalStateException("proposal to a log that no node has opened");
        }
        if (commitDelayNanos == 0) {
            done.accept(commit(command));
        } else if (pending >= PENDING_MAX) {
            done.accept(new Rejected(Refusal.NOT_READY, PENDING_MAX + " commands are waiting for the log"));
        } else {
            pending++;
            int proposedIn = generation;
            at.schedule(commitDelayNanos, () -> commitLater(proposedIn, command, done));
        }
    }

    private void commitLater(int proposedIn, Command command, Consumer<Result> done) {
        if (proposedIn == generation) {
            pending--;
            done.accept(commit(command));
        }
    }

    private Result commit(Command command) {
        Listener at = listener;
        if (at == null) {
            throw new IllegalStateException("commit without a node");
        }
        byte[] bytes = StateCodec.encode(command);
        commands.add(bytes);
        Command decoded = StateCodec.decodeCommand(bytes);
        Result result = watch.applied(decoded, () -> at.onCommitted(decoded));
        if (commands.size() > COMMANDS_KEPT_MAX) {
            snapshot = StateCodec.encode(at.snapshot());
            commands.clear();
        }
        return result;
    }

    @Override
    public void confirm(Consumer<Boolean> done) {
        done.accept(isLeader());
    }

    @Override
    public boolean isLeader() {
        return listener != null;
    }

    @Override
    public String leaderAddress() {
        return "";
    }

    @Override
    public String trouble() {
        return "";
    }

    @Override
    public List<CoordinatorStatus> members() {
        return List.of();
    }
}
