package io.sdds.coordinator.control;

import io.sdds.coordinator.control.base.CommandLog;
import io.sdds.coordinator.control.base.InMemoryLog;
import io.sdds.coordinator.state.ClusterSnapshot;
import io.sdds.coordinator.state.Command;
import io.sdds.coordinator.state.Result;
import io.sdds.core.control.ControlMessage.CoordinatorStatus;
import io.sdds.core.node.Env;
import io.sdds.core.protocol.ClusterId;
import java.util.List;
import java.util.function.Consumer;

/** A log in memory that shows each newly committed command to a test, before and after it is applied. */
public final class WatchedLog implements CommandLog {
    private final InMemoryLog log;
    private final Watcher watcher;
    private boolean replays;

    public WatchedLog(long commitDelayNanos, Watcher watcher) {
        log = new InMemoryLog(commitDelayNanos);
        this.watcher = watcher;
    }

    /** Sees commands. */
    public interface Watcher {
        /** Called before a command is applied; the result is called after it. */
        Runnable before(Command command);
    }

    @Override
    public void open(Env env, Listener listener) {
        replays = true;
        log.open(env, new Watched(listener));
        replays = false;
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
            Runnable after = replays ? () -> {} : watcher.before(command);
            Result result = listener.onCommitted(command);
            after.run();
            return result;
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
