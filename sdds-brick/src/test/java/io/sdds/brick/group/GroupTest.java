package io.sdds.brick.group;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.sdds.brick.erasure.KernelType;
import io.sdds.brick.map.BrickMap;
import io.sdds.brick.memory.ArenaMemorySource;
import io.sdds.brick.memory.MemoryBudget;
import io.sdds.brick.memory.RecordStore;
import io.sdds.brick.parity.stage.ParityStage;
import io.sdds.brick.partition.Applied;
import io.sdds.brick.partition.Gate;
import io.sdds.brick.partition.HashPartition;
import io.sdds.brick.partition.Operations;
import io.sdds.brick.partition.Partition;
import io.sdds.brick.partition.Replies;
import io.sdds.brick.partition.Request;
import io.sdds.brick.partition.Tables;
import io.sdds.brick.stage.Peers;
import io.sdds.brick.stage.StageContext;
import io.sdds.core.control.ControlMessage;
import io.sdds.core.control.ControlMessage.MapUpdate;
import io.sdds.core.model.Place;
import io.sdds.core.model.Place.Member;
import io.sdds.core.model.TableDefinition;
import io.sdds.core.model.TableKind;
import io.sdds.core.model.TableMap;
import io.sdds.core.model.TableSpec;
import io.sdds.core.node.FakeWorld;
import io.sdds.core.node.Link;
import io.sdds.core.protocol.Hello;
import io.sdds.core.protocol.Opcode;
import io.sdds.core.protocol.RequestFrame;
import io.sdds.core.query.Instruction;
import io.sdds.core.query.Op;
import io.sdds.core.query.Output;
import io.sdds.core.query.Program;
import io.sdds.core.query.ProgramCodec;
import io.sdds.core.query.RowShape;
import io.sdds.core.row.ValueType;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A replica group at one member, with the other members' frames made by the test. */
class GroupTest {
    private static final int TABLE = 1;
    private static final long ROUND = 5;
    private static final long SESSION = 3;
    private static final long TTL_MILLIS = 1_000;
    private static final int LOG_BYTES_MAX = Groups.CREDIT_MIN;

    /** Longer than the log and than the credit of the members. */
    private static final int LONG_BYTES = 2 * LOG_BYTES_MAX;

    private static final long LEASE_NANOS = 640_000_000;
    private static final Member SELF = new Member(0, 1);
    private static final Member BACKUP = new Member(1, 1);
    private static final Member LEARNER = new Member(2, 1);

    private final FakeWorld world = new FakeWorld(1);
    private final MemoryBudget budget = new MemoryBudget(1 << 20);
    private final ArenaMemorySource memory = new ArenaMemorySource(budget);
    private final RecordStore store = new RecordStore(memory, budget);
    private final Tables tables = new Tables();
    private final Partition partition = new HashPartition(TABLE, 0, 0, 0, store);
    private final Link link = Link.view(world.newEnv(), null, Hello.of(Hello.Role.BRICK, "b", 1), null);
    private final Replies replies = new Replies();
    private final OnePeer peer = new OnePeer();
    private final Reruns reruns = new Reruns();
    private final FakeWorld.FakeEnv env = world.newEnv();
    private final StageContext context =
            new StageContext(env, null, new BrickMap(), tables, store, budget, replies, peer, partition -> true, 2);
    private final Groups groups =
            new ParityStage(context, 0, LOG_BYTES_MAX, KernelType.REED_SOLOMON.open(), () -> SELF, reruns).groups();
    private final Operations operations =
            new Operations(store, replies, session -> false, session -> false, env::nowNanos, 2);

    @AfterEach
    void close() {
        groups.release();
        link.claim(0).release();
        memory.close();
    }

    @Test
    void aPrimaryConfirmsItsEpochUntilAJoinerThatItReportedMayBeTheNextOne() {
        Group group = begin(SELF, BACKUP);
        assertThat(confirms(1)).isTrue();
        group.keepLogFor(LEARNER, 0);
        assertThat(confirms(1)).isTrue();
        letVote(group);
        assertThat(confirms(1))
                .as("all of this epoch may have been left behind")
                .isFalse();
        group.become(Place.of(List.of(SELF, BACKUP, LEARNER), 7, 2));
        assertThat(confirms(2)).isTrue();
    }

    @Test
    void aPrimaryGoesOnToConfirmWhenThereWillBeNoJoiner() {
        Group group = begin(SELF, BACKUP);
        group.keepLogFor(LEARNER, 0);
        letVote(group);
        group.forgetLearner(LEARNER);
        assertThat(confirms(1)).isTrue();
    }

    @Test
    void theOnlyMemberAnswersNoReadWithoutALeaseOnceAJoinerMayLeadAlone() {
        Group group = begin(SELF);
        Request read = read();
        assertThat(admits(read)).isTrue();
        group.shutGateForCopy();
        group.keepLogFor(LEARNER, group.last());
        letVote(group);
        assertThat(admits(read)).isFalse();
        group.become(Place.of(List.of(SELF), 0, 2));
        assertThat(admits(read)).isTrue();
    }

    @Test
    void aReadThatCameUnderALeaseGoesOnWhenTheOthersHaveConfirmedAfterTheLeaseEnded() {
        Group group = inheritsAnUndecidedWrite();
        groups.lease(env.nowNanos() + LEASE_NANOS);
        assertThat(admits(read())).as("the write is uncommitted").isFalse();
        world.clockOnly(Duration.ofNanos(2 * LEASE_NANOS));
        groups.onDrained();
        vote(group, group.last());
        groups.onDrained();
        assertThat(reruns.count).as("nobody has confirmed the epoch").isZero();
        group.onConfirmed(group.epoch(), 1, BACKUP);
        assertThat(reruns.count).isOne();
    }

    @Test
    void aReadThatStillWaitsForAWriteAsksTheOthersOnce() {
        Group group = inheritsAnUndecidedWrite();
        peer.link = link;
        assertThat(admits(read())).isFalse();
        groups.onDrained();
        assertThat(framesOf(Opcode.CONFIRM)).isOne();
        for (int round = 1; round < 10; round++) {
            group.onConfirmed(group.epoch(), round, BACKUP);
            groups.onDrained();
        }
        assertThat(reruns.count).as("the write is uncommitted").isZero();
        assertThat(framesOf(Opcode.CONFIRM)).isOne();
        vote(group, group.last());
        assertThat(reruns.count).isOne();
    }

    @Test
    void aNewPrimaryKnowsThatItIsFollowedOnceTheOthersHaveItsLogUpToTheEpochsStart() {
        Group group = begin(SELF, BACKUP);
        vote(group, 0);
        write(Opcode.PUT, 1, new byte[10]);
        group.become(Place.of(List.of(SELF, BACKUP), 0, 2));
        vote(group, 0);
        assertThat(group.isSettledLeader())
                .as("the backup may have an entry of an earlier primary in its log")
                .isFalse();
        vote(group, 1);
        assertThat(group.isSettledLeader()).isTrue();
    }

    @Test
    void aLongWriteFindsRoomBesideShortOnesWhichGoOn() {
        Group group = begin(SELF, BACKUP);
        vote(group, 0);
        for (int seq = 1; seq <= 20; seq += 2) {
            write(Opcode.PUT, seq, "short", new byte[10]);
            write(Opcode.PUT, seq + 1, "long", new byte[LONG_BYTES]);
            assertThat(group.last()).as("beside an uncommitted entry").isEqualTo(seq + 1);
            vote(group, seq);
            vote(group, seq + 1);
        }
        write(Opcode.PUT, 21, "long", new byte[LONG_BYTES]);
        for (int seq = 22; seq < 30; seq++) {
            write(Opcode.PUT, seq, "short", new byte[10]);
            assertThat(group.last()).as("behind an uncommitted long entry").isEqualTo(seq);
        }
    }

    /** The primary appends an entry of the logical time at each tick, so that the log is never empty. */
    @Test
    void aLongWriteFindsRoomThoughTheLogicalTimeIsInTheLog() {
        Group group = begin(SELF, BACKUP);
        vote(group, 0);
        write(Opcode.PUT, 1, new byte[10]);
        write(Opcode.TOUCH, 2, new byte[0]);
        vote(group, 2);
        world.clockOnly(Duration.ofMillis(100));
        group.tickTime();
        assertThat(group.last()).isEqualTo(3);
        write(Opcode.PUT, 3, "long", new byte[LONG_BYTES]);
        assertThat(group.last()).isEqualTo(4);
    }

    @Test
    void aWriteOfMiddleLengthFindsRoomThoughShortOnesLeaveLessCreditThanItNeeds() {
        Group group = begin(SELF, BACKUP);
        vote(group, 0);
        int seq = 0;
        long last = -1;
        while (group.last() > last) {
            last = group.last();
            write(Opcode.PUT, ++seq, "short", new byte[10]);
        }
        vote(group, 1);
        write(Opcode.PUT, ++seq, "middle", new byte[Groups.CREDIT_MIN / 2]);
        assertThat(group.last()).isEqualTo(last + 1);
        write(Opcode.PUT, ++seq, "middle", new byte[Groups.CREDIT_MIN / 2]);
        assertThat(group.last()).as("the credit is used up").isEqualTo(last + 1);
    }

    /** The request is short, but its entry has the whole value. */
    @Test
    void aTouchOfALongValueWaitsForOtherLongEntriesAsAPutOfItDoes() {
        Group group = begin(SELF, BACKUP);
        vote(group, 0);
        write(Opcode.PUT, 1, new byte[LONG_BYTES]);
        vote(group, 1);
        group.tick();
        write(Opcode.PUT, 2, "other", new byte[LONG_BYTES]);
        write(Opcode.TOUCH, 3, new byte[0]);
        assertThat(group.last()).as("there is room for a short entry only").isEqualTo(2);
        vote(group, 2);
        write(Opcode.TOUCH, 3, new byte[0]);
        assertThat(group.last()).isEqualTo(3);
    }

    /** The same of an UPDATE, whose program is short. */
    @Test
    void anUpdateOfALongValueWaitsForOtherLongEntriesAsAPutOfItDoes() {
        byte[] program = ProgramCodec.encode(new Program(
                RowShape.BYTES,
                List.of(new Instruction(Op.VALUE, ValueType.VARBINARY, -1, -1, -1, List.of())),
                -1,
                new Output.Write(List.of(new Output.Assignment(Output.Assignment.WHOLE_VALUE, 0, true)))));
        Group group = begin(SELF, BACKUP);
        vote(group, 0);
        write(Opcode.PUT, 1, new byte[LONG_BYTES]);
        vote(group, 1);
        group.tick();
        write(Opcode.PUT, 2, "other", new byte[LONG_BYTES]);
        write(Opcode.UPDATE, 3, program);
        assertThat(group.last()).as("there is room for a short entry only").isEqualTo(2);
        vote(group, 2);
        write(Opcode.UPDATE, 3, program);
        assertThat(group.last()).isEqualTo(3);
    }

    @Test
    void aSoleMemberWritesPastTheLogAndHoldsNone() {
        Group group = begin(SELF);
        write(Opcode.PUT, 1, new byte[10]);
        assertThat(partition.records()).isOne();
        assertThat(partition.gate().isOpen()).isTrue();
        assertThat(group.replicationIfAny()).isNull();
        assertThat(group.last()).isZero();
        assertThat(group.isSettledLeader()).isTrue();
    }

    /** Writes past the log have no seq. No earlier log may be taken for equal to the log that begins. */
    @Test
    void theLogGoesOnBehindAnEntryThatStandsForAllThatWasWrittenPastIt() {
        Group group = begin(SELF);
        write(Opcode.PUT, 1, new byte[10]);
        group.shutGateForCopy();
        assertThat(partition.gate().isOpen()).isFalse();
        assertThat(group.last()).isEqualTo(1);
        assertThat(group.isDecided()).isTrue();
        write(Opcode.PUT, 2, "other", new byte[10]);
        assertThat(group.last()).isEqualTo(2);
        assertThat(group.committed()).isEqualTo(2);
        group.tick();
        assertThat(partition.gate().isOpen()).as("nobody takes the log").isTrue();
        write(Opcode.PUT, 3, "third", new byte[10]);
        assertThat(group.last()).isEqualTo(2);
        group.shutGateForCopy();
        assertThat(group.last()).isEqualTo(3);
        assertThat(partition.records()).isEqualTo(3);
    }

    /** The sole member commits each write at once, so a vote that needs a round trip always comes too late. */
    @Test
    void aLearnerCatchesUpThoughAnotherWriteIsCommittedBeforeEachOfItsVotes() {
        Group group = begin(SELF);
        AtomicBoolean caughtUp = learns(group);
        int ticks = 0;
        for (; ticks < 20 && !caughtUp.get(); ticks++) {
            writeBeforeVote(group, ticks);
            group.tick();
        }
        assertThat(caughtUp).isTrue();
        assertThat(ticks).as("a little more than a second").isEqualTo(12);
        long committed = group.committed();
        write(Opcode.PUT, 20, "last", new byte[10]);
        assertThat(group.committed()).as("the learner's vote counts").isEqualTo(committed);
    }

    @Test
    void writesWaitHalfASecondAtMostForALearnerThatFallsSilent() {
        Group group = begin(SELF);
        AtomicBoolean caughtUp = learns(group);
        for (int k = 0; k < 11; k++) {
            writeBeforeVote(group, k);
            group.tick();
        }
        long committed = group.committed();
        write(Opcode.PUT, 20, "waits", new byte[10]);
        for (int k = 0; k < 4; k++) {
            group.tick();
            assertThat(group.committed()).isEqualTo(committed);
        }
        group.tick();
        assertThat(group.committed()).isEqualTo(group.last()).isGreaterThan(committed);
        assertThat(caughtUp).isFalse();
    }

    @Test
    void noWriteWaitsForALearnerThatDoesNotFollow() {
        Group group = begin(SELF);
        AtomicBoolean caughtUp = learns(group);
        for (int k = 0; k < 20; k++) {
            write(Opcode.PUT, k + 1L, "k" + k, new byte[10]);
            group.tick();
            assertThat(group.committed()).isEqualTo(group.last());
        }
        assertThat(caughtUp).isFalse();
    }

    /** A learner that has the log up to the last entry but one. */
    private AtomicBoolean learns(Group group) {
        AtomicBoolean caughtUp = new AtomicBoolean();
        group.shutGateForCopy();
        group.keepLogFor(LEARNER, group.last());
        write(Opcode.PUT, 0, "first", new byte[10]);
        group.letVote(LEARNER, () -> caughtUp.set(true), () -> {});
        assertThat(caughtUp).isFalse();
        return caughtUp;
    }

    /** The learner's vote is about the log before a write. */
    private void writeBeforeVote(Group group, int number) {
        long before = group.last();
        write(Opcode.PUT, number + 1L, "k" + number, new byte[10]);
        assertThat(group.last()).isGreaterThan(before);
        group.replication().leader().onVote(LEARNER, before, before, 0, Groups.CREDIT_MIN);
    }

    private void vote(Group group, Member learner, int flags) {
        long last = group.last();
        group.replication().leader().onVote(learner, last, group.committed(), flags, Groups.CREDIT_MIN);
    }

    @Test
    void aLearnerWhoseMemoryIsShortMakesNoGroupRefusePuts() {
        Group group = begin(SELF);
        group.keepLogFor(LEARNER, group.last());
        vote(group, LEARNER, GroupFrame.FLAG_SHORT);
        long before = group.last();
        write(Opcode.PUT, 1, new byte[10]);
        assertThat(group.last()).as("the put has an entry").isGreaterThan(before);
        AtomicBoolean caughtUp = new AtomicBoolean();
        AtomicBoolean dropped = new AtomicBoolean();
        group.letVote(LEARNER, () -> caughtUp.set(true), () -> dropped.set(true));
        vote(group, LEARNER, GroupFrame.FLAG_SHORT);
        assertThat(caughtUp).isFalse();
        assertThat(dropped).isTrue();
        assertThat(group.replication().leader().haveMemory()).isTrue();
    }

    @Test
    void theGateStaysShutWhileSomebodyJoins() {
        Group group = begin(SELF);
        group.keepLogFor(LEARNER, group.last());
        group.tick();
        assertThat(partition.gate().isOpen()).isFalse();
        group.forgetLearner(LEARNER);
        group.tick();
        assertThat(partition.gate().isOpen()).isTrue();
    }

    @Test
    void theGateIsShutWhenAnotherMemberIsAddedAndAfterTheCopyIsGivenUp() {
        Group group = begin(SELF);
        write(Opcode.PUT, 1, new byte[10]);
        group.become(Place.of(List.of(SELF, BACKUP), 0, 2));
        assertThat(partition.gate().isOpen()).isFalse();
        assertThat(group.last()).as("the entry is of the epoch before").isEqualTo(1);
        group.become(Place.of(List.of(SELF), 0, 3));
        group.tick();
        assertThat(partition.gate().isOpen()).isTrue();
        assertThat(group.leave(3)).isTrue();
        assertThat(admits(read())).isFalse();
    }

    @Test
    void aCopyThatTakesTheLogKeepsTheGateShutUntilItEnds() {
        Group group = begin(SELF);
        group.shutGateForCopy();
        partition.mover(new CopyByLog());
        group.tick();
        assertThat(partition.gate().isOpen()).isFalse();
        partition.mover(null);
        group.tick();
        assertThat(partition.gate().isOpen()).isTrue();
    }

    @Test
    void anEpochOfMoreMembersBeginsBehindAnEntryOfNoEffect() {
        Group group = begin(SELF);
        write(Opcode.PUT, 1, new byte[10]);
        group.become(Place.of(List.of(SELF, BACKUP), 0, 2));
        GroupLog log = group.replication().log();
        assertThat(log.last()).isEqualTo(1);
        assertThat(log.epochOf(1)).isEqualTo(1);
        assertThat(log.memory().get(ValueLayout.JAVA_BYTE, log.index(1) + Entry.KIND))
                .isEqualTo(Entry.NOTHING);
        write(Opcode.PUT, 2, "other", new byte[10]);
        assertThat(partition.records()).as("the backup has not voted").isOne();
        vote(group, 2);
        assertThat(partition.records()).isEqualTo(2);
    }

    @Test
    void aGateThatWasNeverOpenIsShutWithoutAnEntry() {
        Group group = begin(SELF, BACKUP);
        assertThat(partition.gate().isOpen()).isFalse();
        assertThat(group.last()).isZero();
    }

    @Test
    void thePrimaryOfALaterEpochShutsTheGate() {
        Group group = begin(SELF);
        write(Opcode.PUT, 1, new byte[10]);
        group.adopt(2);
        assertThat(group.leads()).isFalse();
        assertThat(partition.gate().isOpen()).isFalse();
        assertThat(group.last())
                .as("this member's log differs from one without that write")
                .isEqualTo(1);
    }

    @Test
    void aMemberThatIsLeftAloneOpensTheGateOnceItsLogIsDecided() {
        Group group = begin(SELF, BACKUP);
        write(Opcode.PUT, 1, new byte[10]);
        assertThat(partition.records()).as("the backup has not voted").isZero();
        group.become(Place.of(List.of(SELF), 0, 2));
        assertThat(partition.gate().isOpen()).isFalse();
        group.tick();
        assertThat(partition.gate().isOpen()).isTrue();
        assertThat(partition.records()).isOne();
        assertThat(group.committed()).isEqualTo(group.last()).isEqualTo(1);
    }

    @Test
    void theGateStaysShutInATableThatAsksForReplicas() {
        TableDefinition table = new TableDefinition(
                TABLE,
                "t",
                TableSpec.of(TableKind.HASH).capacity(10).replicas(2).build());
        context.map()
                .apply(
                        new MapUpdate(
                                0,
                                1,
                                List.of(),
                                List.of(new TableMap(table, 1, 1)),
                                List.of(),
                                List.of(),
                                List.of(),
                                0,
                                List.of()),
                        dropped -> {});
        Group group = begin(SELF);
        group.tick();
        assertThat(partition.gate().isOpen()).isFalse();
        write(Opcode.PUT, 1, new byte[10]);
        assertThat(group.last()).isEqualTo(1);
    }

    /** T does not jump when the gate is shut, and not when the gate is opened again. */
    @Test
    void theLogicalTimeGoesOnWhenTheGateMoves() {
        Group group = begin(SELF);
        group.tickTime();
        world.clockOnly(Duration.ofMillis(5));
        group.tickTime();
        long before = partition.bucket().timeNanos();
        assertThat(before).isEqualTo(5_000_000);
        group.shutGateForCopy();
        assertThat(partition.time().nanos()).isEqualTo(before);
        world.clockOnly(Duration.ofMillis(1));
        write(Opcode.TOUCH, 1, new byte[0]);
        assertThat(partition.bucket().timeNanos()).isEqualTo(6_000_000);
        group.tick();
        world.clockOnly(Duration.ofMillis(1));
        group.tickTime();
        assertThat(partition.bucket().timeNanos()).isEqualTo(7_000_000);
    }

    /** The member led, followed, and leads again. Its uncommitted entries may be committed at other members. */
    private Group inheritsAnUndecidedWrite() {
        Group group = begin(SELF, BACKUP);
        write(Opcode.PUT, 1, new byte[10]);
        group.become(Place.of(List.of(BACKUP, SELF), 0, 2));
        group.become(Place.of(List.of(SELF, BACKUP), 0, 3));
        return group;
    }

    private void vote(Group group, long verified) {
        group.replication().leader().onVote(BACKUP, verified, verified, 0, Groups.CREDIT_MIN);
    }

    private void write(byte opcode, long seq, byte[] value) {
        write(opcode, seq, "k", value);
    }

    private void write(byte opcode, long seq, String key, byte[] value) {
        ByteBuf frame = env.allocate(RequestFrame.WRITE_BODY + 100 + value.length);
        int flags = opcode == Opcode.TOUCH ? RequestFrame.FLAG_TTL : 0;
        RequestFrame.writeHeader(frame, 0, opcode, flags, 1, TABLE, 0, 1_000, 1, key.length());
        RequestFrame.writeRequestId(frame, SESSION, seq, 1);
        frame.writeCharSequence(key, StandardCharsets.US_ASCII);
        if (flags != 0) {
            frame.writeLongLE(TTL_MILLIS);
        }
        frame.writeBytes(value);
        frame.setIntLE(RequestFrame.LENGTH, frame.writerIndex());
        Request request = new Request();
        request.read(link, frame, Request.memoryOf(frame), 0, frame.writerIndex());
        operations.run(partition, request);
        frame.release();
    }

    private int framesOf(byte opcode) {
        ByteBuf out = link.claim(0);
        int frames = 0;
        for (int at = out.readerIndex(); at < out.writerIndex(); at += out.getIntLE(at)) {
            frames += out.getByte(at + 4) == opcode ? 1 : 0;
        }
        return frames;
    }

    private Group begin(Member... members) {
        tables.add(partition);
        groups.begin(partition, Place.of(List.of(members), 0, 1));
        return partition.group();
    }

    private void letVote(Group group) {
        boolean[] reported = new boolean[1];
        group.letVote(LEARNER, () -> reported[0] = true, () -> {});
        assertThat(reported[0])
                .as("the learner has not told whether its memory is short")
                .isFalse();
        vote(group, LEARNER, 0);
        assertThat(reported[0]).isTrue();
    }

    /** Whether this member answers another member's CONFIRM. */
    private boolean confirms(long epoch) {
        ByteBuf out = link.claim(0);
        int asked = out.writerIndex();
        GroupFrame.confirm(link, partition, 0, epoch, ROUND);
        int answered = out.writerIndex();
        groups.onFrame(link, out, asked, answered - asked);
        return out.writerIndex() > answered && out.getByte(answered + 4) == Opcode.CONFIRMED;
    }

    private boolean admits(Request request) {
        Gate gate = partition.gate();
        return gate.admits(request);
    }

    private Request read() {
        ByteBuf frame = link.claim(0).alloc().directBuffer();
        RequestFrame.writeHeader(frame, RequestFrame.READ_BODY + 1, Opcode.GET, 0, 1, TABLE, 0, 1_000, 1, 1);
        frame.writeByte('k');
        Request request = new Request();
        request.read(link, frame, Request.memoryOf(frame), 0, frame.writerIndex());
        return request;
    }

    private static final class OnePeer implements Peers {
        private @Nullable Link link;

        @Override
        public @Nullable Link protocol(int brick) {
            return link;
        }

        @Override
        public Link bulk(int brick) {
            return null;
        }

        @Override
        public void ask(Link asked, ControlMessage request, Consumer<ControlMessage> answer) {}

        @Override
        public void touched(Link touched) {}
    }

    /** A mover that is told of the entries of the log. */
    private static final class CopyByLog implements Partition.Mover {
        @Override
        public boolean admits(Request request) {
            return true;
        }

        @Override
        public boolean holds(Request request) {
            return false;
        }

        @Override
        public boolean park(Request request) {
            return false;
        }

        @Override
        public void applied(Applied applied) {}

        @Override
        public boolean takesLog() {
            return true;
        }

        @Override
        public void changed(long hash, MemorySegment key) {}
    }

    private static final class Reruns extends NoRequests {
        private int count;

        @Override
        public void rerun(Link from, ByteBuf frame) {
            count++;
        }
    }
}
