package io.sdds.core.stage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.sdds.core.Buffers;
import io.sdds.core.control.ControlFrame;
import io.sdds.core.control.ControlMessage.FindTable;
import io.sdds.core.control.ControlMessage.Refusal;
import io.sdds.core.control.ControlMessage.Refused;
import io.sdds.core.node.FakeConnection;
import io.sdds.core.node.FakeWorld;
import io.sdds.core.node.Link;
import io.sdds.core.node.Node;
import io.sdds.core.node.UnreadBudget;
import io.sdds.core.protocol.Hello;
import io.sdds.core.protocol.Opcode;
import io.sdds.core.protocol.ProtocolViolation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ControlQueueTest {
    private static final int EVENTS = 90;
    private static final int REQUEST_BYTES = 100;
    private static final int TURN_EVENTS = 4;
    private static final int TURN_BYTES = 1000;
    private static final int SHARE_PERCENT = 10;
    private static final Duration BURST = Duration.ofMillis(1);
    private static final ControlLimits LIMITS =
            new ControlLimits(EVENTS, 4096, REQUEST_BYTES, TURN_EVENTS, TURN_BYTES, SHARE_PERCENT, BURST.toNanos());

    private final FakeWorld world = new FakeWorld(1);
    private final FakeWorld.FakeEnv env = world.newEnv();
    private final List<String> ran = new ArrayList<>();
    private final ControlQueue queue = new ControlQueue(env, LIMITS, () -> ran.add("wake"));
    private final FakeConnection connection = new FakeConnection();
    private final Link link = link("a", connection);
    private int answerBytes;
    private Duration cost = Duration.ZERO;
    private Duration lost = Duration.ZERO;

    @Test
    void aLinkMayHaveAnEighthOfWhatIsLeftWaiting() {
        assertThat(offer(link, 0, 30)).isEqualTo(20);
        assertThat(queue.waitingEvents()).isEqualTo(10);
        assertThat(offer(link("b", new FakeConnection()), 0, 30)).isEqualTo(21);
        assertThat(queue.refused()).isEqualTo(41);
    }

    @Test
    void aLinkOfWhichNothingWaitsMayHaveOneHoweverManyWait() {
        for (int k = 0; k < 3 * EVENTS; k++) {
            offer(link("c" + k, new FakeConnection()), 0, 30);
        }
        assertThat(queue.waitingEvents()).isBetween(3 * EVENTS / 2, 4 * EVENTS);
        assertThat(offer(link, 0, 2)).isEqualTo(1);
    }

    @Test
    void theBytesThatWaitAreBounded() {
        for (int k = 0; k < 1000; k++) {
            offer(link("c" + k, new FakeConnection()), 0, 1, REQUEST_BYTES);
        }
        assertThat(queue.mostWaitingBytes()).isBetween(3 * 1024L, 4096L);
    }

    @Test
    void aRefusalSaysWhenToTryAgain() {
        offer(link, 0, 11);
        link.flush();
        ByteBuf sent = connection.take();
        assertThat(sent.getIntLE(ControlFrame.CORRELATION)).isEqualTo(10);
        Refused refused = (Refused) ControlFrame.read(sent, 0, sent.readableBytes());
        assertThat(refused.reason()).isEqualTo(Refusal.BUSY);
        assertThat(refused.retryMillis()).isPositive();
        sent.release();
    }

    @Test
    void linksTakeTurns() {
        offer(link, 0, 10);
        offer(link("b", new FakeConnection()), 50, 2);
        runAll();
        assertThat(ran).containsExactly("a0", "b50", "a1", "b51", "a2", "a3", "a4", "a5", "a6", "a7", "a8", "a9");
    }

    @Test
    void aTurnRunsFew() {
        offer(link, 0, 10);
        queue.run(this::run);
        assertThat(ran).hasSize(TURN_EVENTS);
        assertThat(queue.isReady()).isTrue();
    }

    @Test
    void aTurnEndsWhenItHasAnsweredEnoughBytes() {
        answerBytes = TURN_BYTES / 2;
        offer(link, 0, 10);
        queue.run(this::run);
        assertThat(ran).hasSize(2);
    }

    @Test
    void overTimeRequestsTakeNoMoreThanTheirShare() {
        cost = Duration.ofNanos(500_000);
        long start = env.nowNanos();
        int events = 0;
        for (int k = 0; k < 200; k++) {
            offer(link, 0, 10);
            queue.run(this::run);
            world.run(Duration.ofMillis(1));
        }
        events = (int) ran.stream().filter(event -> event.startsWith("a")).count();
        double share = (double) events * cost.toNanos() / (env.nowNanos() - start);
        assertThat(share).isBetween(0.08, 0.12);
    }

    @Test
    void aRequestDoesNotPayForTheTimeInWhichOthersHaveTheProcessor() {
        lost = BURST;
        offer(link, 0, 10);
        runAll();
        assertThat(ran).hasSize(10);
    }

    @Test
    void aPauseDelaysRequestsForABoundedTime() {
        cost = Duration.ofSeconds(10);
        offer(link, 0, 1);
        queue.run(this::run);
        cost = Duration.ZERO;
        offer(link, 1, 1);
        world.run(BURST.multipliedBy(100 / SHARE_PERCENT));
        queue.run(this::run);
        assertThat(ran).contains("a1");
    }

    @Test
    void whoWaitsForCreditIsWokenWhenThereIsSome() {
        cost = BURST.multipliedBy(2);
        offer(link, 0, 2);
        queue.run(this::run);
        assertThat(queue.isReady()).isFalse();
        world.run(Duration.ofMillis(9));
        assertThat(ran).containsExactly("a0");
        world.run(Duration.ofMillis(3));
        assertThat(ran).containsExactly("a0", "wake");
        queue.run(this::run);
        assertThat(ran).containsExactly("a0", "wake", "a1");
    }

    @Test
    void aLinkThatIsRefusedMuchIsNotReadForAWhile() {
        offer(link, 0, 50);
        assertThat(connection.reading).as("some refusals cost little").isTrue();
        offer(link, 50, 1000);
        assertThat(connection.reading).isFalse();
        world.run(Duration.ofMillis(20));
        assertThat(connection.reading).isFalse();
        world.run(Duration.ofMillis(2));
        assertThat(connection.reading).isTrue();
    }

    @Test
    void aLinkThatDoesNotReadItsAnswersTakesNoTurnsUntilItDoes() {
        UnreadBudget budget = new UnreadBudget(1 << 20);
        link.holdWithin(budget);
        connection.pendingBytes = 1 << 20;
        link.claim(8).writeIntLE(8).writeIntLE(0);
        link.commit();
        link.flush();
        offer(link, 0, 1);
        queue.run(this::run);
        assertThat(ran).isEmpty();
        assertThat(queue.isReady()).isFalse();
        connection.pendingBytes = 0;
        queue.goOn(link);
        queue.run(this::run);
        assertThat(ran).containsExactly("wake", "a0");
    }

    @Test
    void anAnswerThatNobodyHasMemoryForIsRefused() {
        UnreadBudget budget = new UnreadBudget(1 << 20);
        link.holdWithin(budget);
        FakeConnection slow = new FakeConnection();
        Link other = link("b", slow);
        other.holdWithin(budget);
        slow.pendingBytes = 2 << 20;
        other.claim(8).writeIntLE(8).writeIntLE(0);
        other.commit();
        other.flush();
        offer(link, 0, 1);
        queue.run(this::run);
        assertThat(ran).isEmpty();
        assertThat(queue.refused()).isEqualTo(1);
    }

    @Test
    void theRequestsOfALinkGoWithIt() {
        offer(link, 0, 5);
        offer(link("b", new FakeConnection()), 0, 1);
        link.onClosed("gone");
        queue.linkDown(link);
        assertThat(queue.waitingEvents()).isEqualTo(1);
        runAll();
        assertThat(ran).containsExactly("b0");
        assertThat(queue.isEmpty()).isTrue();
    }

    @Test
    void aViolationEndsItsLinkAlone() {
        offer(link, 0, 2);
        offer(link("b", new FakeConnection()), 0, 1);
        queue.run((from, frames, index, length) -> {
            if (from == link) {
                throw new ProtocolViolation("test");
            }
            return run(from, frames, index, length);
        });
        assertThat(link.isDown()).isTrue();
        assertThat(ran).containsExactly("b0");
        assertThat(queue.isEmpty()).isTrue();
    }

    @Test
    void aClientSendsControlRequestsAlone() {
        ByteBuf notice = Buffers.heap();
        ControlFrame.write(notice, ControlFrame.NOTICE, 1, new FindTable("t"));
        assertIsViolation(notice);
        assertIsViolation(Buffers.heap().writeIntLE(8).writeIntLE(Opcode.CONTROL));
        assertIsViolation(Buffers.heap().writeIntLE(12).writeIntLE(Opcode.SLICE).writeIntLE(0));
        assertIsViolation(frames(0, 1, REQUEST_BYTES + 1));
    }

    private void assertIsViolation(ByteBuf frames) {
        assertThatThrownBy(() -> queue.offer(link, frames, 0, frames.writerIndex()))
                .isInstanceOf(ProtocolViolation.class);
        assertThat(queue.isEmpty()).isTrue();
    }

    private void runAll() {
        while (queue.isReady()) {
            queue.run(this::run);
        }
    }

    private int run(Link from, ByteBuf frames, int index, int length) {
        ran.add(from.peer().name() + frames.getIntLE(index + ControlFrame.CORRELATION));
        world.clockOnly(cost);
        env.losesProcessor(lost);
        return answerBytes;
    }

    private int offer(Link from, int first, int count) {
        return offer(from, first, count, ControlFrame.BODY);
    }

    /** Offers requests. Returns how many were refused. */
    private int offer(Link from, int first, int count, int bytes) {
        ByteBuf frames = frames(first, count, bytes);
        return queue.offer(from, frames, 0, frames.writerIndex());
    }

    private static ByteBuf frames(int first, int count, int bytes) {
        ByteBuf frames = Buffers.heap();
        for (int k = first; k < first + count; k++) {
            frames.writeIntLE(bytes).writeIntLE(Opcode.CONTROL).writeIntLE(k).writeZero(bytes - ControlFrame.BODY);
        }
        return frames;
    }

    private Link link(String name, FakeConnection on) {
        return Link.view(
                env,
                new Node() {
                    @Override
                    public void onLinkUp(Link up) {}

                    @Override
                    public void onFrames(Link from, ByteBuf frames) {}

                    @Override
                    public void onLinkDown(Link down, String reason) {}
                },
                Hello.of(Hello.Role.CLIENT, name, 0),
                on);
    }
}
