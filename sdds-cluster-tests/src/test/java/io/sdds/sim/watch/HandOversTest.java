package io.sdds.sim.watch;

import static org.assertj.core.api.Assertions.assertThat;
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
import io.sdds.core.control.ControlMessage.Activate;
import io.sdds.core.control.ControlMessage.BrickCounters;
import io.sdds.core.control.ControlMessage.Heartbeat;
import io.sdds.core.control.ControlMessage.MigrationReport;
import io.sdds.core.control.ControlMessage.MigrationState;
import io.sdds.core.control.ControlMessage.SnapshotAck;
import io.sdds.core.control.ControlMessage.SnapshotOpened;
import io.sdds.core.model.KeySpan;
import io.sdds.core.model.MigrationOrder;
import io.sdds.core.model.TableKind;
import io.sdds.core.model.TableSpec;
import io.sdds.core.protocol.Opcode;
import io.sdds.sim.frame.DecodedEntry;
import io.sdds.sim.frame.DecodedPrepare;
import io.sdds.sim.frame.DecodedSlice;
import io.sdds.sim.frame.DecodedVote;
import io.sdds.sim.frame.GroupHeader;
import io.sdds.sim.frame.SliceEntry;
import io.sdds.sim.frame.SliceHeader;
import io.sdds.sim.world.Coverage;
import io.sdds.sim.world.NetworkModel;
import io.sdds.sim.world.ServiceTimes;
import io.sdds.sim.world.SimEnv;
import io.sdds.sim.world.Simulation;
import io.sdds.sim.world.SimulationFailure;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The watch over hand-overs takes what is right, and refuses it with one thing wrong. */
class HandOversTest {
    private static final byte PUT = 1;
    private static final KeySpan ABOVE_M = KeySpan.ALL.above(bytes("m"));
    private static final SliceEntry SEAL = new SliceEntry.Sealed(1, 0, 1, 0);

    private final Simulation simulation = new Simulation(1, NetworkModel.CALM);
    private final List<SimEnv> bricks = new ArrayList<>();
    private final ClusterState truth = new ClusterState();
    private final HandOvers handOvers = new HandOvers(() -> truth, new Coverage());

    @BeforeEach
    void registerBricks() {
        for (int number = 1; number <= 4; number++) {
            truth.apply(new Command.RegisterBrick("b" + number, 1, "b" + number + ":1", 1 << 30, 0));
            bricks.add(simulation.env("b" + number, ServiceTimes.DEFAULT));
        }
    }

    @AfterEach
    void close() {
        simulation.close();
    }

    // ---- partitions of one copy

    @Test
    void splitsHandOverInTheirOrderThoughSeveralAreUnderWay() {
        int table = hashTable();
        MigrationOrder second = split(table, 2);
        MigrationOrder third = split(table, 3);
        slice(second, 2, 1, SEAL);
        slice(third, 2, 1, SEAL);
        acked(second, 2, 1);
        acked(third, 2, 1);
        assertRefused(() -> activate(third, 1, 2), "partition 3 was handed over before 2");
        activate(second, 1, 2);
        assertThat(handOvers.atOnceMost()).isEqualTo(2);
        truth.apply(new Command.CommitMigration(second.id()));
        activate(third, 1, 2);
        activate(second, 1, 2); // said again, long committed
    }

    @Test
    void aPartitionIsHandedOverOnlyWhenItsTargetHasAppliedEverySlice() {
        MigrationOrder order = split(hashTable(), 2);
        slice(order, 2, 1);
        slice(order, 2, 2, SEAL);
        acked(order, 2, 1);
        assertRefused(() -> activate(order, 1, 2), "after 2 slices, of which b2 has applied 1");
        acked(order, 2, 2);
        activate(order, 1, 2);
    }

    @Test
    void aPartitionIsHandedOverOnlyBehindASeal() {
        MigrationOrder order = split(hashTable(), 2);
        slice(order, 2, 1, SEAL);
        slice(order, 2, 2);
        acked(order, 2, 2);
        assertRefused(() -> activate(order, 1, 2), "the last of 2 slices for b2 has no SEAL");
        slice(order, 2, 3, SEAL);
        slice(order, 2, 2); // sent again over another link
        see(2, 1, ControlFrame.ANSWER, new SnapshotOpened(order.id(), 1, 1, 3, 0));
        activate(order, 1, 2);
    }

    @Test
    void aMigrationIsNotReportedAsHandedOverAndAsAbandoned() {
        MigrationReport handedOver = new MigrationReport(99, MigrationState.HANDED_OVER, 0, 0);
        MigrationReport abandoned = new MigrationReport(99, MigrationState.ABANDONED, 0, 0);
        heartbeat(1, handedOver);
        heartbeat(1, abandoned);
        assertRefused(() -> heartbeat(1, handedOver, abandoned), "as abandoned and as handed over");
    }

    // ---- splits of groups

    @Test
    void aGroupHandsOverWhenAllMembersOfTheChildAreCompleteAndItsOwnHaveVoted() {
        MigrationOrder order = groupSplit();
        prepare(0, 1, 1, 0, put("z", 1));
        vote(0, 1, 1, 2);
        seal(order);
        prepare(0, 1, 2, 1, put("a", 2), switchBy(DecodedEntry.HANDOVER, order));
        vote(0, 1, 3, 2);
        activate(order, 1, 3);
        heartbeat(1, new MigrationReport(order.id(), MigrationState.HANDED_OVER, 0, 0));
        prepare(1, order.target().epoch(), 1, 0, put("z", 3));
        prepare(0, 1, 4, 3, put("b", 4));
    }

    @Test
    void handoverIsProposedOnlyWhenEachMemberOfTheChildHasAppliedTheSeal() {
        MigrationOrder order = groupSplit();
        slice(order, 3, 1, SEAL);
        slice(order, 4, 1, SEAL);
        acked(order, 3, 1);
        assertRefused(
                () -> prepare(0, 1, 1, 0, switchBy(DecodedEntry.HANDOVER, order)),
                "after 1 slices, of which b4 has applied 0");
    }

    @Test
    void anAcknowledgementOfAnEarlierAttemptDoesNotCount() {
        MigrationOrder order = groupSplit();
        seal(order);
        slice(order, 2, 4, 1, SEAL);
        acked(order, 4, 1);
        assertRefused(() -> prepare(0, 1, 1, 0, switchBy(DecodedEntry.HANDOVER, order)), "b4 has applied 0");
    }

    @Test
    void aSealThatLeavesBeforeAWriteIsDecidedCountsForNothing() {
        MigrationOrder order = groupSplit();
        prepare(0, 1, 1, 0, put("z", 1));
        seal(order);
        vote(0, 1, 1, 2);
        assertRefused(
                () -> prepare(0, 1, 2, 1, switchBy(DecodedEntry.HANDOVER, order)), "though entry 1, of keys that move");
    }

    @Test
    void aWriteThatWasSentAfterTheSealIsMissedByTheTargets() {
        MigrationOrder order = groupSplit();
        seal(order);
        prepare(0, 1, 1, 0, put("z", 1));
        vote(0, 1, 1, 2);
        assertRefused(
                () -> prepare(0, 1, 2, 1, switchBy(DecodedEntry.HANDOVER, order)),
                "though the change by entry 1 was not sent to b3");
    }

    @Test
    void aWriteWhoseChangeIsInALaterSliceIsNotMissed() {
        MigrationOrder order = groupSplit();
        SliceEntry result = new SliceEntry.Kept(7, 1, 1, 0, (byte) 0, 1);
        slice(order, 3, 1);
        slice(order, 4, 1);
        prepare(0, 1, 1, 0, put("z", 1));
        vote(0, 1, 1, 2);
        for (int target = 3; target <= 4; target++) {
            slice(order, target, 2, result);
            slice(order, target, 3, SEAL);
            acked(order, target, 3);
        }
        prepare(0, 1, 2, 1, switchBy(DecodedEntry.HANDOVER, order));
    }

    @Test
    void nobodyActsOnHandoverBeforeAllMembersHaveVoted() {
        MigrationOrder order = groupSplit();
        seal(order);
        prepare(0, 1, 1, 0, put("a", 1), switchBy(DecodedEntry.HANDOVER, order));
        vote(0, 1, 1, 2);
        assertRefused(() -> activate(order, 1, 3), "the target was told to serve before all members of partition 0");
        assertRefused(
                () -> heartbeat(1, new MigrationReport(order.id(), MigrationState.HANDED_OVER, 0, 0)),
                "b1 reports HANDED_OVER before all members");
        assertRefused(() -> prepare(1, order.target().epoch(), 1, 0), "partition 1 began before all members");
        vote(0, 1, 2, 3); // of a brick that is no member
        assertRefused(() -> activate(order, 1, 3), "before all members");
        vote(0, 1, 2, 2);
        activate(order, 1, 3);
    }

    @Test
    void aMovedKeyIsNotWrittenBehindHandover() {
        MigrationOrder order = groupSplit();
        seal(order);
        prepare(0, 1, 1, 0, switchBy(DecodedEntry.HANDOVER, order));
        assertRefused(() -> prepare(0, 1, 2, 0, put("z", 1)), "entry 2 of partition 0 writes a key");
    }

    @Test
    void aHandoverThatTheNextPrimaryCutsOffIsNone() {
        MigrationOrder order = groupSplit();
        seal(order);
        prepare(0, 1, 1, 0, switchBy(DecodedEntry.HANDOVER, order));
        prepare(0, 2, 1, 0, put("z", 1));
        prepare(0, 2, 2, 0, put("z", 2));
    }

    @Test
    void whatAllHaveVotedForIsNotAbandoned() {
        MigrationOrder order = groupSplit();
        MigrationReport abandoned = new MigrationReport(order.id(), MigrationState.ABANDONED, 0, 0);
        seal(order);
        prepare(0, 1, 1, 0, switchBy(DecodedEntry.HANDOVER, order));
        heartbeat(2, abandoned);
        vote(0, 1, 1, 2);
        assertRefused(() -> heartbeat(2, abandoned), "b2 reports ABANDONED though all members of partition 0");
        heartbeat(3, abandoned); // a target whose source is lost
    }

    // ---- merges of groups

    @Test
    void aMergeEndsWithSubsumeAndThenAbsorb() {
        MigrationOrder order = groupMerge();
        sealForParent(order);
        prepare(1, order.sourceEpoch(), 1, 0, switchBy(DecodedEntry.SUBSUME, order));
        vote(1, order.sourceEpoch(), 1, 4);
        activate(order, 4, 1);
        prepare(0, 1, 1, 0, put("a", 1), switchBy(DecodedEntry.ABSORB, order));
        vote(0, 1, 2, 2);
        heartbeat(1, new MigrationReport(order.id(), MigrationState.HANDED_OVER, 0, 0));
        prepare(0, 1, 3, 2, put("z", 2));
    }

    @Test
    void absorbIsProposedAndReportedOnlyWhenItsTurnHasCome() {
        MigrationOrder order = groupMerge();
        sealForParent(order);
        prepare(1, order.sourceEpoch(), 1, 0, switchBy(DecodedEntry.SUBSUME, order));
        assertRefused(() -> activate(order, 3, 1), "the target was told to serve before all members of partition 1");
        assertRefused(
                () -> prepare(0, 1, 1, 0, switchBy(DecodedEntry.ABSORB, order)),
                "partition 0 proposes ABSORB before all members of partition 1");
        vote(1, order.sourceEpoch(), 1, 4);
        assertRefused(
                () -> heartbeat(1, new MigrationReport(order.id(), MigrationState.HANDED_OVER, 0, 0)),
                "had voted for ABSORB");
    }

    @Test
    void aParentWritesNoKeyOfTheChildBeforeAbsorb() {
        MigrationOrder order = groupMerge();
        prepare(0, 1, 1, 0, put("a", 1));
        assertRefused(() -> prepare(0, 1, 2, 0, put("z", 1)), "writes a key of partition 1, which it has not absorbed");
    }

    // ---- tables and orders

    private int hashTable() {
        int table = create(TableSpec.of(TableKind.HASH), List.of(new Command.Host(1, 1)));
        truth.apply(new Command.CommitMigration(split(table, 1).id()));
        return table;
    }

    private int create(TableSpec.Builder spec, List<Command.Host> hosts) {
        Command create = new Command.CreateTable("t", spec.capacity(100).build(), hosts);
        return ((TableCreated) truth.apply(create)).table().definition().id();
    }

    /** The split of the partition of a hash table that has the split token, to brick 2. */
    private MigrationOrder split(int table, int partitions) {
        long epoch = truth.place(table, LinearHashing.splitPointer(partitions)).epoch();
        return begin(Command.BeginMigration.split(table, partitions, epoch, List.of(new Command.Host(2, 1))));
    }

    private MigrationOrder begin(Command command) {
        return ((MigrationBegun) truth.apply(command)).order();
    }

    /** A range table of two replicas whose partition 0, at bricks 1 and 2, splits above m, to bricks 3 and 4. */
    private MigrationOrder groupSplit() {
        List<Command.Host> hosts = List.of(new Command.Host(1, 1), new Command.Host(2, 1));
        int table = create(TableSpec.of(TableKind.RANGE).replicas(2), hosts);
        List<Command.Host> target = List.of(new Command.Host(3, 1), new Command.Host(4, 1));
        return begin(Command.BeginMigration.rangeSplit(table, 0, 1, ABOVE_M, 1, target));
    }

    /** The merge of the two partitions into which {@link #groupSplit} divides. */
    private MigrationOrder groupMerge() {
        MigrationOrder split = groupSplit();
        truth.apply(new Command.CommitMigration(split.id()));
        long epoch = truth.place(split.table(), 1).epoch();
        return begin(Command.BeginMigration.rangeMerge(split.table(), 1, 0, ABOVE_M, epoch, 1));
    }

    // ---- frames

    private void seal(MigrationOrder order) {
        for (int target = 3; target <= 4; target++) {
            slice(order, target, 1, SEAL);
            acked(order, target, 1);
        }
    }

    private void sealForParent(MigrationOrder order) {
        for (int target = 1; target <= 2; target++) {
            slice(order, target, 1, SEAL);
            acked(order, target, 1);
        }
    }

    private void slice(MigrationOrder order, int to, long number, SliceEntry... entries) {
        slice(order, 1, to, number, entries);
    }

    private void slice(MigrationOrder order, int attempt, int to, long number, SliceEntry... entries) {
        SliceHeader header = new SliceHeader(order.id(), attempt, order.receiver(), number);
        see(1, to, new DecodedSlice(header, List.of(entries)).frame());
    }

    private void acked(MigrationOrder order, int by, long number) {
        see(by, 1, ControlFrame.NOTICE, new SnapshotAck(order.id(), 1, number, 1));
    }

    private void activate(MigrationOrder order, int from, int to) {
        Activate message = new Activate(order.id(), 1, order.table(), order.receiver(), order.level(), 1, 1);
        see(from, to, ControlFrame.REQUEST, message);
    }

    private void heartbeat(int brick, MigrationReport... reports) {
        List<MigrationReport> all = List.of(reports);
        Heartbeat message = new Heartbeat(
                brick, 1, 1, 0, BrickCounters.NONE, List.of(), List.of(), all, List.of(), 1, 0, List.of());
        see(brick, 1, ControlFrame.REQUEST, message);
    }

    private void prepare(int partition, long epoch, long first, long committed, DecodedEntry... entries) {
        GroupHeader header = new GroupHeader(Opcode.PREPARE, 0, 0, table(), partition, epoch);
        see(1, 2, new DecodedPrepare(header, first, 0, committed, 0, List.of(entries)).frame());
    }

    private void vote(int partition, long epoch, long verified, int brick) {
        GroupHeader header = new GroupHeader(Opcode.VOTE, 0, 0, table(), partition, epoch);
        see(brick, 1, new DecodedVote(header, verified, 0, brick, 1, 1).frame());
    }

    private int table() {
        return truth.table("t").definition().id();
    }

    private static DecodedEntry put(String key, long write) {
        return entry(PUT, 7, write, bytes(key), bytes("v"));
    }

    private static DecodedEntry switchBy(byte kind, MigrationOrder order) {
        return entry(kind, 0, 0, new byte[0], new byte[2 * Long.BYTES])
                .withMoving(new DecodedEntry.Moving(order.id(), 0, 0, order.span()));
    }

    private static DecodedEntry entry(byte kind, long session, long write, byte[] key, byte[] body) {
        return new DecodedEntry(kind, (byte) 0, 1, 1, 0, session, write, write, 0, 0, 0, key, body);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static void assertRefused(Runnable seen, String why) {
        assertThatThrownBy(seen::run).isInstanceOf(SimulationFailure.class).hasMessageContaining(why);
    }

    private void see(int from, int to, byte kind, ControlMessage message) {
        ByteBuf frame = Unpooled.buffer();
        ControlFrame.write(frame, kind, 1, message);
        see(from, to, frame);
    }

    private void see(int from, int to, ByteBuf frame) {
        handOvers.onFrame(1, bricks.get(from - 1), bricks.get(to - 1), frame, 0, frame.readableBytes());
    }
}
