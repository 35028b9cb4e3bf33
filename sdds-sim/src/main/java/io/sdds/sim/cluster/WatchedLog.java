package io.sdds.sim.cluster;

import io.sdds.coordinator.control.base.CommandLog;
import io.sdds.coordinator.state.ClusterSnapshot;
import io.sdds.coordinator.state.Command;
import io.sdds.coordinator.state.Result;
import io.sdds.core.control.ControlMessage.CoordinatorStatus;
import io.sdds.core.node.Env;
import io.sdds.core.protocol.ClusterId;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * A log with a listener of committed commands. The listener is not called when a process reads the log at its start.
 */
final class WatchedLog implements CommandLog {
    private final CommandLog log;
    private final Watch watch;
    private boolean opening;

    /** Is called for a committed command, and applies the command. */
    interface Watch {
        Result applied(Command command, Supplier<Result> applies);
    }

    WatchedLog(CommandLog log, Watch watch) {
        this.log = log;
        this.watch = watch;
    }

    @Override
    public void open(Env env, Listener listener) {
        opening = true;
        log.open(env, new Watched(listener));
        opening = false;
    }

    private final class Watched implements Listener {
        private final Listener listener;

        Watched(Listener listener) {
            this.listener = listener;
        }

        @Override
        public void onSnapshot(ClusterSnapshot snapshot) {
            listener.onSnapshot(snapshot);
        }

        @Override
        public Result onCommitted(Command command) {
            return opening
                    ? listener.onCommitted(command)
                    : watch.applied(command, () -> listener.onCommitted(command));
        }

        @Override
        public ClusterSnapshot snapshot() {
            return listener.snapshot();
        }

        @Override
        public ClusterId cluster() {
            return listener.cluster();
        }

        @Override
        public void onLeading(boolean leading) {
            listener.onLeading(leading);
        }
    }

    @Override
    public void propose(Command command, Consumer<Result> done) {
        log.propose(command, done);
    }

    @Override
    public void confirm(Consumer<Boolean> done) {
        log.confirm(done);
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
