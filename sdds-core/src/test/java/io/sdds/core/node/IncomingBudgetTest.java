package io.sdds.core.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.sdds.core.Buffers;
import io.sdds.core.protocol.Hello;
import io.sdds.core.protocol.HelloFrame;
import io.sdds.core.protocol.Limits;
import io.sdds.core.protocol.Opcode;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class IncomingBudgetTest {
    private static final long BYTES_MAX = 40L << 20;
    private static final int PIECE = 200_000;

    private final FakeWorld world = new FakeWorld(1);
    private final FakeWorld.FakeEnv env = world.newEnv();
    private final IncomingBudget budget = new IncomingBudget(BYTES_MAX);

    @Test
    void howeverManyBeginMessagesTogetherTheyHoldNoMoreThanTheBudget() {
        List<Sender> senders = new ArrayList<>();
        for (int k = 0; k < 300; k++) {
            senders.add(new Sender());
        }
        for (int round = 0; round < 20; round++) {
            for (Sender sender : senders) {
                sender.send(5, 160);
                assertThat(budget.heldBytes()).isLessThanOrEqualTo(BYTES_MAX);
            }
        }
        assertThat(senders.stream().filter(sender -> sender.down == null)).hasSizeBetween(1, 40);
        assertThat(env.buffersHeld()).isLessThan(100);
    }

    @Test
    void theOneThatHoldsMostIsClosedAndTold() {
        Sender large = new Sender();
        large.send(110, 160);
        Sender small = new Sender();
        small.send(20, 21);
        Sender next = new Sender();
        next.send(95, 96);
        assertThat(large.down).contains("messages that are not whole hold more than " + BYTES_MAX);
        assertThat(large.connection.take().toString(java.nio.charset.StandardCharsets.UTF_8))
                .contains("of which this connection holds most");
        small.send(1, 21);
        next.send(1, 96);
        assertThat(small.messages).isEqualTo(1);
        assertThat(next.messages).isEqualTo(1);
        assertThat(budget.heldBytes()).isZero();
    }

    @Test
    void ofThoseThatHoldAsMuchTheOneThatBeganFirstIsClosed() {
        Sender first = new Sender();
        Sender second = new Sender();
        first.send(60, 80);
        second.send(60, 80);
        Sender third = new Sender();
        third.send(60, 80);
        assertThat(first.down).isNotNull();
        assertThat(second.down).isNull();
        assertThat(third.down).isNull();
    }

    @Test
    void theOneThatAsksIsClosedWhenItHoldsMost() {
        IncomingBudget small = new IncomingBudget(1 << 20);
        Sender other = new Sender(small);
        other.send(1, 160);
        Sender asking = new Sender(small);
        asking.send(10, 160);
        assertThat(asking.down).isNotNull();
        assertThat(other.down).isNull();
    }

    @Test
    void partOfALongFrameCounts() {
        Sender sender = new Sender();
        ByteBuf part = Buffers.heap();
        part.writeIntLE(Limits.FRAME_BYTES_MAX).writeIntLE(Opcode.PUT).writeZero(PIECE);
        sender.link.onBytes(part);
        assertThat(budget.heldBytes()).isBetween((long) PIECE, 3L * PIECE);
        sender.link.onClosed("gone");
        assertThat(budget.heldBytes()).isZero();
    }

    @Test
    void theEndOfAReadDoesNotCount() {
        Sender sender = new Sender();
        ByteBuf part = Buffers.heap();
        part.writeIntLE(10_000).writeIntLE(Opcode.PUT).writeZero(5000);
        sender.link.onBytes(part);
        assertThat(env.buffersHeld()).isEqualTo(1);
        assertThat(budget.heldBytes()).isZero();
    }

    /** A client that sends messages in fragments. */
    private final class Sender implements Node {
        final FakeConnection connection = new FakeConnection();
        final Link link = Link.accepted(env, this, () -> Hello.of(Hello.Role.BRICK, "b1", 1));
        private final IncomingBudget within;
        private int sent;
        int messages;
        String down;

        Sender() {
            this(budget);
        }

        Sender(IncomingBudget within) {
            this.within = within;
            link.onOpened(connection);
            ByteBuf hello = Buffers.heap();
            HelloFrame.write(hello, Hello.of(Hello.Role.CLIENT, "t", 0).withFeatures(0));
            link.onBytes(hello);
            connection.take().release();
        }

        /** Sends {@code count} pieces of a message of {@code of} pieces. */
        void send(int count, int of) {
            for (int k = 0; k < count; k++) {
                ByteBuf fragment = Buffers.heap();
                boolean last = sent + 1 == of;
                fragment.writeIntLE(8 + PIECE).writeIntLE(Opcode.FRAGMENT | (last ? 1 : 0) << 8);
                fragment.writeZero(PIECE);
                if (sent == 0) {
                    fragment.setIntLE(8, of * PIECE).setByte(12, Opcode.PUT);
                }
                sent = last ? 0 : sent + 1;
                link.onBytes(fragment);
            }
        }

        @Override
        public void onLinkUp(Link up) {
            up.receiveWithin(within);
        }

        @Override
        public void onFrames(Link from, ByteBuf frames) {
            messages++;
        }

        @Override
        public void onLinkDown(Link gone, String reason) {
            down = reason;
        }
    }
}
