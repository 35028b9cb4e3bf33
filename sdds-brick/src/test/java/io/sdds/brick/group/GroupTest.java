package io.sdds.brick.group;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.sdds.brick.map.BrickMap;
import io.sdds.brick.memory.ArenaMemorySource;
import io.sdds.brick.memory.MemoryBudget;
import io.sdds.brick.memory.RecordStore;
import io.sdds.brick.partition.HashPartition;
import io.sdds.brick.partition.Partition;
import io.sdds.brick.partition.Replies;
import io.sdds.brick.partition.Request;
import io.sdds.brick.partition.Tables;
import io.sdds.brick.ship.Peers;
import io.sdds.core.control.ControlMessage;
import io.sdds.core.model.JoinOrder;
import io.sdds.core.model.Place;
import io.sdds.core.model.Place.Member;
import io.sdds.core.node.FakeWorld;
import io.sdds.core.node.Link;
import io.sdds.core.protocol.Hello;
import io.sdds.core.protocol.Opcode;
import io.sdds.core.protocol.RequestFrame;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a group's primary may say while it can't know whether it is still the primary. */
class GroupTest {
    private static final int TABLE = 1;
    private static final long ROUND = 5;
    private static final Member SELF = new Member(0, 1);
    private static final Member BACKUP = new Member(1, 1);
    private static final Member JOINER = new Member(2, 1);

    private final FakeWorld world = new FakeWorld(1);
    private final MemoryBudget budget = new MemoryBudget(1 << 20);
    private final ArenaMemorySource memory = new ArenaMemorySource(budget);
    private final RecordStore store = new RecordStore(memory, budget);
    private final Tables tables = new Tables();
    private final Partition partition = new HashPartition(TABLE, 0, 0, 0, store);
    private final Link link = Link.view(world.newEnv(), null, Hello.of(Hello.Role.BRICK, "b", 1), null);
    private final Groups groups = new Groups(
            world.newEnv(),
            new BrickMap(),
            tables,
            store,
            budget,
            0,
            new NoPeers(),
            new Replies(),
            2,
            () -> SELF,
            new Nobody());

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
        JoinOrder order = new JoinOrder(TABLE, 0, 1, 7, JOINER);
        group.keepLogFor(order, 0);
        assertThat(confirms(1)).isTrue();
        letVote(group, order);
        assertThat(confirms(1))
                .as("all of this epoch may have been left behind")
                .isFalse();
        group.become(Place.of(List.of(SELF, BACKUP, JOINER), 7, 2));
        assertThat(confirms(2)).isTrue();
    }

    @Test
    void aPrimaryGoesOnToConfirmWhenThereWillBeNoJoiner() {
        Group group = begin(SELF, BACKUP);
        JoinOrder order = new JoinOrder(TABLE, 0, 1, 7, JOINER);
        group.keepLogFor(order, 0);
        letVote(group, order);
        group.forgetJoiner(order);
        assertThat(confirms(1)).isTrue();
    }

    @Test
    void theOnlyMemberAnswersNoReadWithoutALeaseOnceAJoinerMayLeadAlone() {
        Group group = begin(SELF);
        Request read = read();
        assertThat(group.admits(read)).isTrue();
        JoinOrder order = new JoinOrder(TABLE, 0, 1, 7, JOINER);
        group.keepLogFor(order, 0);
        letVote(group, order);
        assertThat(group.admits(read)).isFalse();
        group.become(Place.of(List.of(SELF), 0, 2));
        assertThat(group.admits(read)).isTrue();
    }

    private Group begin(Member... members) {
        tables.add(partition);
        groups.begin(partition, Place.of(List.of(members), 0, 1));
        return groups.of(partition);
    }

    private static void letVote(Group group, JoinOrder order) {
        boolean[] reported = new boolean[1];
        group.letVote(order, () -> reported[0] = true, () -> {});
        assertThat(reported[0]).isTrue();
    }

    /** Whether another member that asks is answered. */
    private boolean confirms(long epoch) {
        ByteBuf out = link.claim(0);
        int asked = out.writerIndex();
        GroupFrame.confirm(link, TABLE, 0, epoch, ROUND);
        int answered = out.writerIndex();
        groups.onFrame(link, out, asked, answered - asked);
        return out.writerIndex() > answered && out.getByte(answered + 4) == Opcode.CONFIRMED;
    }

    private Request read() {
        ByteBuf frame = link.claim(0).alloc().directBuffer();
        RequestFrame.writeHeader(frame, RequestFrame.READ_BODY + 1, Opcode.GET, 0, 1, TABLE, 0, 1_000, 1, 1);
        frame.writeByte('k');
        Request request = new Request();
        request.read(link, frame, Request.memoryOf(frame), 0, frame.writerIndex());
        return request;
    }

    private static final class NoPeers implements Peers {
        @Override
        public Link protocol(int brick) {
            return null;
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

    private static final class Nobody implements Groups.Listener {
        @Override
        public void rerun(Link from, ByteBuf frame) {}

        @Override
        public void overdue(Link from, ByteBuf frame) {}

        @Override
        public void toPrimary(Request request) {}

        @Override
        public void reportSoon() {}

        @Override
        public void changedHands(Partition changed) {}

        @Override
        public void redirect(Request request) {}
    }
}
