package io.sdds.coordinator.control;

import io.sdds.coordinator.state.ClusterSnapshot;
import io.sdds.coordinator.state.Command;
import io.sdds.coordinator.state.Result;
import io.sdds.core.control.ControlMessage.CoordinatorStatus;
import io.sdds.core.node.Env;
import io.sdds.core.protocol.ClusterId;
import java.util.List;
import java.util.function.Consumer;

/**
 * The log that makes commands facts, in one order for all coordinators. What is in it survives; what was told to
 * anybody is in it. All methods and calls of the listener are on the node's thread.
 */
public interface CommandLog {
    /** Commands proposed and not yet applied, after which more are rejected. */
    int PENDING_MAX = 4096;

    /**
     * Begins to tell a node what is in the log: what was committed before first, as a snapshot and the commands after
     * it. A node that is gone is told nothing once its successor opened the log.
     */
    void open(Env env, Listener listener);

    /**
     * Proposes a command. {@code done} hears its result once it is committed and applied, or a rejection: NOT_LEADER
     * when this is not the leader, or is no more; then the command may still come to be committed. May answer before
     * this returns.
     */
    void propose(Command command, Consumer<Result> done);

    /**
     * Asks the other coordinators whether this one still leads: nobody can know by itself. {@code done} hears true when
     * a majority has said so to a question that was put after this call, and all that was committed before it has been
     * applied; else false. May answer before this returns.
     */
    void confirm(Consumer<Boolean> done);

    /** Whether proposals are taken here, and all that was committed before has been applied, as far as known. */
    boolean isLeader();

    /** host:port of the coordinator that leads, as far as known; empty otherwise. */
    String leaderAddress();

    /** Why nobody leads, when that has been so for longer than an election takes; else empty. */
    String trouble();

    /**
     * All coordinators; how long they have been silent is known while this one leads. Empty when there is none but
     * this.
     */
    List<CoordinatorStatus> members();

    /** The features that all other coordinators support, as far as they have said; 0 while one has not. */
    default long featuresOfOthers() {
        return -1;
    }

    /** What hears of the log. */
    interface Listener {
        /** Becomes what a snapshot says. */
        void onSnapshot(ClusterSnapshot snapshot);

        /** Applies the next committed command. */
        Result onCommitted(Command command);

        /** What is now, after the command applied last. */
        ClusterSnapshot snapshot();

        /** The cluster that this coordinator belongs to, as far as it knows. */
        ClusterId cluster();

        /** Leads from now on, or no more. */
        void onLeading(boolean leading);
    }
}
