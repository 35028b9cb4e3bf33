package io.sdds.coordinator.control.base;

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
 * The replicated log of commands. The log has one order for all coordinators. Commands in the log survive; every answer
 * to a client or brick depends only on commands in the log. All methods and calls of the listener are on the node's
 * thread.
 */
public interface CommandLog {
    /** Largest number of commands proposed and not yet applied. Further commands are rejected. */
    int PENDING_MAX = 4096;

    /**
     * Attaches a node. The listener gets the committed commands first, as a snapshot and the commands after it, and
     * then every further one. After another node has opened the log, the log does not call the listener of the earlier
     * node.
     */
    void open(Env env, Listener listener);

    /**
     * Proposes a command. {@code done} gets the command's result after the command was committed and applied, or a
     * rejection. The rejection is NOT_LEADER when this coordinator does not lead, or stops leading; then the command
     * may still be committed later. {@code done} may be called before this method returns.
     */
    void propose(Command command, Consumer<Result> done);

    /**
     * Asks the other coordinators whether this coordinator still leads, because no coordinator can know this by itself.
     * {@code done} gets true when a majority has confirmed a question that was sent after this call, and all commands
     * committed before it have been applied; else false. {@code done} may be called before this method returns.
     */
    void confirm(Consumer<Boolean> done);

    /** Whether this coordinator believes that it leads, and has applied all commands committed before its term. */
    boolean isLeader();

    /** host:port of the coordinator that leads; empty if it is not known. */
    String leaderAddress();

    /** The reason why no coordinator leads, if none has led for longer than an election takes; else empty. */
    String trouble();

    /**
     * All coordinators. The times of their silence are known while this coordinator leads. Empty if this coordinator is
     * alone.
     */
    List<CoordinatorStatus> members();

    /** The features that all other coordinators support; 0 while one of them has not told its features. */
    default long featuresOfOthers() {
        return -1;
    }

    /** Is called for each command that is committed, but not for those that a node reads when it opens the log. */
    interface Watch {
        /** Applies the command. */
        Result applied(Command command, Supplier<Result> applies);
    }

    /** The node that applies the log. */
    interface Listener {
        /** Replaces the state by a snapshot. */
        void onSnapshot(ClusterSnapshot snapshot);

        /** Applies the next committed command. */
        Result onCommitted(Command command);

        /** A snapshot of the state after the command applied last. */
        ClusterSnapshot snapshot();

        /** The cluster that this coordinator belongs to, if it is known. */
        ClusterId cluster();

        /** The coordinator has begun or stopped to lead. */
        void onLeading(boolean leading);
    }
}
