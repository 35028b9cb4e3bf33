package io.sdds.coordinator.control;

import io.sdds.coordinator.control.base.CommandLog;
import io.sdds.coordinator.state.ClusterSnapshot;
import io.sdds.coordinator.state.ClusterState;
import io.sdds.coordinator.state.Command;
import io.sdds.coordinator.state.Result;
import io.sdds.core.protocol.ClusterId;

/** A node that only applies the commands and snapshots of a log. */
public final class StateKeeper implements CommandLog.Listener {
    private final ClusterState state = new ClusterState();
    private boolean leading;
    private int commands;
    private int snapshots;

    @Override
    public void onSnapshot(ClusterSnapshot snapshot) {
        snapshots++;
        state.restore(snapshot);
    }

    @Override
    public Result onCommitted(Command command) {
        commands++;
        return state.apply(command);
    }

    @Override
    public ClusterSnapshot snapshot() {
        return state.snapshot();
    }

    @Override
    public ClusterId cluster() {
        return state.cluster();
    }

    @Override
    public void onLeading(boolean now) {
        leading = now;
    }

    public ClusterState state() {
        return state;
    }

    public boolean leading() {
        return leading;
    }

    /** Number of commands applied. */
    public int commands() {
        return commands;
    }

    /** Number of snapshots taken. */
    public int snapshots() {
        return snapshots;
    }
}
