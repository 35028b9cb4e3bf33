package io.sdds.sim.watch;

import io.netty.buffer.ByteBuf;
import io.sdds.coordinator.state.ClusterState;
import io.sdds.core.control.ControlFrame;
import io.sdds.core.control.ControlMessage;
import io.sdds.core.control.ControlMessage.BlockFetched;
import io.sdds.core.control.ControlMessage.BrickRegistered;
import io.sdds.core.control.ControlMessage.ClusterStatus;
import io.sdds.core.control.ControlMessage.Done;
import io.sdds.core.control.ControlMessage.FetchBlock;
import io.sdds.core.control.ControlMessage.FindTable;
import io.sdds.core.control.ControlMessage.MapUpdate;
import io.sdds.core.control.ControlMessage.Refusal;
import io.sdds.core.control.ControlMessage.Refused;
import io.sdds.core.control.ControlMessage.SessionOpened;
import io.sdds.core.control.ControlMessage.TableFound;
import io.sdds.core.model.BrickInfo;
import io.sdds.core.model.TableMap;
import io.sdds.core.protocol.Opcode;
import io.sdds.sim.plan.ClusterPlan;
import io.sdds.sim.world.SimEnv;
import io.sdds.sim.world.SimNetwork;
import io.sdds.sim.world.SimulationFailure;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Checks that the replies of several coordinators are committed and not older than the request. So the map is
 * linearizable, no matter which coordinator leads or believes that it leads.
 */
public final class CoordinatorReplyCheck implements SimNetwork.FrameWatch {
    private final ClusterState truth;
    private final Map<Asked, Known> open = new HashMap<>();
    private final Set<Long> sessions = new HashSet<>();

    /** Connection, sender and correlation id of an open request. */
    private record Asked(long connection, int asker, int correlation) {}

    /**
     * The committed state at the time of a request.
     *
     * @param table the table of the request; null if there was none
     */
    private record Known(long version, @Nullable TableMap table) {}

    /** @param truth the state after all committed commands */
    public CoordinatorReplyCheck(ClusterState truth) {
        this.truth = truth;
    }

    @Override
    public void onFrame(long connection, SimEnv from, SimEnv to, ByteBuf frame, int index, int length) {
        boolean asks = ClusterPlan.isCoordinator(to.name());
        boolean tells = ClusterPlan.isCoordinator(from.name());
        if (frame.getByte(index + 4) != Opcode.CONTROL || !asks && !tells) {
            return;
        }
        ControlMessage message = ControlFrame.read(frame, index, length);
        int correlation = frame.getIntLE(index + ControlFrame.CORRELATION);
        if (asks) {
            open.put(new Asked(connection, from.index(), correlation), new Known(truth.version(), about(message)));
        } else if (frame.getByte(index + ControlFrame.KIND) == ControlFrame.NOTICE) {
            check(from, message, new Known(0, null));
        } else {
            Known known = open.remove(new Asked(connection, to.index(), correlation));
            if (known != null) {
                check(from, message, known);
            }
        }
    }

    private @Nullable TableMap about(ControlMessage question) {
        return switch (question) {
            case FindTable find -> truth.table(find.name());
            case FetchBlock fetch -> truth.table(fetch.table());
            default -> null;
        };
    }

    private void check(SimEnv from, ControlMessage told, Known known) {
        switch (told) {
            case MapUpdate update -> within(from, "a map", update.toVersion(), known.version());
            case ClusterStatus status -> within(from, "a state", status.mapVersion(), known.version());
            case TableFound found -> table(from, found.table(), known);
            case BlockFetched fetched -> table(from, fetched.table(), known);
            case Done done -> within(from, "a change", done.mapVersion(), 0);
            case SessionOpened opened ->
                require(
                        truth.isActive(opened.session()) && sessions.add(opened.session()),
                        from,
                        "opened session " + opened.session() + ", which is not committed, or another's");
            case BrickRegistered registered -> registered(from, registered.self());
            case Refused refused -> refused(from, refused, known);
            default -> {}
        }
    }

    private void within(SimEnv from, String what, long version, long least) {
        require(
                version >= least && version <= truth.version(),
                from,
                "told " + what + " of version " + version + ", when committed was " + truth.version()
                        + ", and when it was asked " + least);
    }

    private void table(SimEnv from, TableMap table, Known known) {
        TableMap before = known.table();
        within(from, "a table", table.version(), before == null ? 0 : before.version());
    }

    private void registered(SimEnv from, BrickInfo self) {
        BrickInfo committed = truth.brick(self.number());
        require(
                committed != null && self.incarnation() <= committed.incarnation(),
                from,
                "registered " + self + ", committed is " + committed);
    }

    private void refused(SimEnv from, Refused refused, Known known) {
        TableMap table = known.table();
        boolean denied = refused.reason() == Refusal.NO_SUCH_TABLE
                && table != null
                && truth.table(table.definition().id()) != null;
        require(!denied, from, "denied a table that was there when it was asked: " + table);
    }

    private static void require(boolean condition, SimEnv from, String otherwise) {
        if (!condition) {
            throw new SimulationFailure("coordinator " + from + " " + otherwise);
        }
    }
}
