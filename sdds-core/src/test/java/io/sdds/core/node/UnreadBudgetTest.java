package io.sdds.core.node;

import static io.sdds.core.node.UnreadBudget.SHARE_BYTES_MIN;
import static org.assertj.core.api.Assertions.assertThat;

import io.sdds.core.protocol.Hello;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class UnreadBudgetTest {
    private static final long BYTES_MAX = 64 << 20;
    private static final int MESSAGE_BYTES = 100_000;

    private final FakeWorld world = new FakeWorld(1);
    private final FakeWorld.FakeEnv env = world.newEnv();
    private final UnreadBudget budget = new UnreadBudget(BYTES_MAX);
    private final List<Link> writable = new ArrayList<>();

    @Test
    void aShareIsAnEighthOfWhatIsLeftWithinBounds() {
        assertThat(budget.shareBytes()).isEqualTo(Link.PENDING_BYTES_FULL);
        budget.changed(BYTES_MAX / 2 + (8 << 20));
        assertThat(budget.shareBytes()).isEqualTo(3 << 20);
        assertThat(budget.isUsedUp()).isFalse();
        budget.changed(BYTES_MAX / 2 - (8 << 20));
        assertThat(budget.shareBytes()).isEqualTo(SHARE_BYTES_MIN);
        assertThat(budget.isUsedUp()).isTrue();
    }

    @Test
    void howeverManyReadNothingTogetherTheyHoldNoMoreThanTheBudget() {
        List<Reader> readers = new ArrayList<>();
        for (int k = 0; k < 300; k++) {
            readers.add(new Reader());
        }
        for (int round = 0; round < 100; round++) {
            readers.forEach(Reader::answerIfItMay);
        }
        long held = readers.stream()
                .mapToLong(reader -> reader.connection.pendingBytes)
                .sum();
        assertThat(budget.heldBytes()).isEqualTo(held);
        assertThat(held).isBetween(BYTES_MAX / 2, BYTES_MAX + MESSAGE_BYTES);
        assertThat(readers).allMatch(reader -> reader.connection.pendingBytes > 0);
    }

    @Test
    void whatIsReadIsGivenBackAndTheLinkGoesOnThoughItsConnectionSaysNothing() {
        budget.changed(BYTES_MAX - (8 << 20));
        Reader reader = new Reader();
        reader.hold(2 << 20);
        assertThat(reader.link.isFull()).isTrue();
        world.run(Duration.ofSeconds(1));
        assertThat(writable).isEmpty();

        reader.connection.pendingBytes = 1000;
        world.run(Duration.ofNanos(Backlog.LOOK_NANOS));
        assertThat(writable).containsExactly(reader.link);
        assertThat(reader.link.isFull()).isFalse();
        assertThat(budget.heldBytes()).isEqualTo(BYTES_MAX - (8 << 20) + 1000);
    }

    @Test
    void whoFoundItFullHearsThatItIsNoMoreThoughAnotherHasSeenSoBefore() {
        budget.changed(BYTES_MAX);
        Reader reader = new Reader();
        reader.hold(1 << 20);
        assertThat(reader.link.isFull()).isTrue();
        reader.connection.pendingBytes = 0;
        assertThat(reader.link.isFull()).isFalse();
        world.run(Duration.ofNanos(Backlog.LOOK_NANOS));
        assertThat(writable).containsExactly(reader.link);
        world.run(Duration.ofSeconds(1));
        assertThat(writable).hasSize(1);
    }

    @Test
    void whatALinkHeldIsFreeWhenItIsDown() {
        Reader reader = new Reader();
        reader.hold(6 << 20);
        assertThat(budget.heldBytes()).isEqualTo(6 << 20);
        reader.link.onClosed("gone");
        assertThat(budget.heldBytes()).isZero();
        world.run(Duration.ofSeconds(1));
        assertThat(budget.heldBytes()).isZero();
    }

    @Test
    void onlyShortAnswersAreBegunWhenNothingIsLeft() {
        Reader reader = new Reader();
        assertThat(reader.link.admits(16 << 20)).isTrue();
        budget.changed(BYTES_MAX);
        assertThat(reader.link.admits(SHARE_BYTES_MIN + 1)).isFalse();
        assertThat(reader.link.admits(SHARE_BYTES_MIN)).isTrue();
    }

    @Test
    void aViewIsJudgedByTheBudgetAndCountsNothing() {
        Reader reader = new Reader();
        FakeConnection seen = new FakeConnection();
        Link view = Link.view(env, reader, reader.link.peer(), seen);
        view.holdWithBudgetOf(reader.link);
        budget.changed(BYTES_MAX);
        seen.pendingBytes = SHARE_BYTES_MIN + 1;
        reader.write(view);
        assertThat(view.isFull()).isTrue();
        assertThat(view.admits(1 << 20)).isFalse();
        assertThat(budget.heldBytes()).isEqualTo(BYTES_MAX);
    }

    /** A link whose other end reads nothing. */
    private final class Reader implements Node {
        final FakeConnection connection = new FakeConnection();
        final Link link = Link.view(env, this, Hello.of(Hello.Role.CLIENT, "c", 0), connection);

        Reader() {
            link.holdWithin(budget);
        }

        void answerIfItMay() {
            if (!link.isFull() && link.admits(MESSAGE_BYTES)) {
                hold(MESSAGE_BYTES);
            }
        }

        void hold(int bytes) {
            connection.pendingBytes += bytes;
            write(link);
        }

        void write(Link to) {
            to.claim(8).writeIntLE(8).writeIntLE(0);
            to.commit();
            to.flush();
        }

        @Override
        public void onLinkUp(Link up) {}

        @Override
        public void onFrames(Link from, io.netty.buffer.ByteBuf frames) {}

        @Override
        public void onLinkDown(Link down, String reason) {}

        @Override
        public void onWritable(Link now) {
            writable.add(now);
        }
    }
}
