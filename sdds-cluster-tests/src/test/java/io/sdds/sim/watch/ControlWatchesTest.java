package io.sdds.sim.watch;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.sdds.coordinator.state.ClusterState;
import io.sdds.coordinator.state.Command;
import io.sdds.coordinator.state.Result.MigrationBegun;
import io.sdds.coordinator.state.Result.TableCreated;
import io.sdds.core.addressing.LinearHashing;
import io.sdds.core.control.ControlFrame;
import io.sdds.core.control.ControlMessage;
import io.sdds.core.control.ControlMessage.Done;
import io.sdds.core.control.ControlMessage.FindTable;
import io.sdds.core.control.ControlMessage.Refusal;
import io.sdds.core.control.ControlMessage.Refused;
import io.sdds.core.control.ControlMessage.SessionOpened;
import io.sdds.core.control.ControlMessage.TableFound;
import io.sdds.core.model.MigrationOrder;
import io.sdds.core.model.TableKind;
import io.sdds.core.model.TableMap;
import io.sdds.core.model.TableSpec;
import io.sdds.sim.world.NetworkModel;
import io.sdds.sim.world.ServiceTimes;
import io.sdds.sim.world.SimEnv;
import io.sdds.sim.world.SimNetwork;
import io.sdds.sim.world.Simulation;
import io.sdds.sim.world.SimulationFailure;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The checkers of control messages take what is right, and refuse it with one thing wrong. */
class ControlWatchesTest {
    private final Simulation simulation = new Simulation(1, NetworkModel.CALM);
    private final SimEnv client = simulation.env("client1", ServiceTimes.DEFAULT);
    private final SimEnv coordinator = simulation.env("c1", ServiceTimes.DEFAULT);
    private final ClusterState truth = new ClusterState();
    private final CoordinatorReplyCheck told = new CoordinatorReplyCheck(truth);
    private int table;

    @BeforeEach
    void commitATable() {
        truth.apply(new Command.RegisterBrick("b1", 1, "b1:1", 1 << 30, 0));
        table = ((TableCreated) truth.apply(new Command.CreateTable(
                        "t", TableSpec.of(TableKind.HASH).capacity(100).build(), List.of(new Command.Host(1, 1)))))
                .table()
                .definition()
                .id();
        truth.apply(new Command.CommitMigration(begin(1).id()));
    }

    @AfterEach
    void close() {
        simulation.close();
    }

    private Command split(int partitions) {
        long epoch = truth.place(table, LinearHashing.splitPointer(partitions)).epoch();
        return Command.BeginMigration.split(table, partitions, epoch, List.of(new Command.Host(1, 1)));
    }

    private MigrationOrder begin(int partitions) {
        return ((MigrationBegun) truth.apply(split(partitions))).order();
    }

    // ---- what coordinators tell

    @Test
    void aSessionIsToldOnceAndOnlyWhenItIsCommitted() {
        ask(1, new ControlMessage.OpenSession("client1"));
        assertRefused(() -> answer(1, new SessionOpened(1, 1000)), "opened session 1");
        truth.apply(new Command.OpenSession());
        ask(2, new ControlMessage.OpenSession("client1"));
        answer(2, new SessionOpened(1, 1000));
        ask(3, new ControlMessage.OpenSession("client1"));
        assertRefused(() -> answer(3, new SessionOpened(1, 1000)), "opened session 1");
    }

    @Test
    void aChangeIsToldOnlyWhenItIsCommitted() {
        ask(1, new ControlMessage.DropTable("t"));
        assertRefused(() -> answer(1, new Done(truth.version() + 1)), "a change of version");
        ask(2, new ControlMessage.DropTable("t"));
        answer(2, new Done(truth.version()));
    }

    @Test
    void aTableIsNotToldOlderThanWhenItWasAskedFor() {
        TableMap before = truth.table(table);
        truth.apply(new Command.CommitMigration(begin(2).id()));
        ask(1, new FindTable("t"));
        assertRefused(() -> answer(1, new TableFound(before)), "a table of version");
        ask(2, new FindTable("t"));
        answer(2, new TableFound(truth.table(table)));
    }

    @Test
    void aTableThatWasThereWhenItWasAskedForIsNotDenied() {
        Refused denial = new Refused(Refusal.NO_SUCH_TABLE, "t");
        ask(1, new FindTable("t"));
        assertRefused(() -> answer(1, denial), "denied a table");
        ask(2, new FindTable("u"));
        answer(2, denial);
        ask(3, new FindTable("t"));
        truth.apply(new Command.DropTable(table));
        answer(3, denial);
    }

    private void ask(int correlation, ControlMessage message) {
        see(told, client, coordinator, ControlFrame.REQUEST, correlation, message);
    }

    private void answer(int correlation, ControlMessage message) {
        see(told, coordinator, client, ControlFrame.ANSWER, correlation, message);
    }

    private static void assertRefused(Runnable seen, String why) {
        assertThatThrownBy(seen::run).isInstanceOf(SimulationFailure.class).hasMessageContaining(why);
    }

    private static void see(
            SimNetwork.FrameWatch watch, SimEnv from, SimEnv to, byte kind, int correlation, ControlMessage message) {
        ByteBuf frame = Unpooled.buffer();
        ControlFrame.write(frame, kind, correlation, message);
        watch.onFrame(1, from, to, frame, 0, frame.readableBytes());
    }
}
