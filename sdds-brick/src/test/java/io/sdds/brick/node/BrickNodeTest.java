package io.sdds.brick.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.sdds.brick.memory.ArenaMemorySource;
import io.sdds.brick.memory.MemoryBudget;
import io.sdds.core.node.Env;
import io.sdds.core.node.FakeWorld;
import io.sdds.core.node.Link;
import io.sdds.core.node.Node;
import io.sdds.core.node.SilentConnection;
import io.sdds.core.node.SilentNode;
import io.sdds.core.node.Timer;
import io.sdds.core.protocol.Features;
import io.sdds.core.protocol.Hello;
import io.sdds.core.protocol.Opcode;
import io.sdds.core.protocol.ReplyFrame;
import io.sdds.core.protocol.RequestFrame;
import io.sdds.core.protocol.Status;
import io.sdds.core.stage.StageLimits;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A brick of one stage, without tables. */
class BrickNodeTest {
    private final FakeWorld world = new FakeWorld(1);
    private final FailingEnv env = new FailingEnv(world.newEnv());
    private final MemoryBudget budget = new MemoryBudget(16L << 20);
    private final ArenaMemorySource memory = new ArenaMemorySource(budget);
    private final BrickSettings settings =
            new BrickSettings("b1", "b1:7000", List.of("c1:7400"), BrickSettings.HEARTBEAT_NANOS, StageLimits.DEFAULT);
    private final BrickNode brick =
            new BrickNode(env, settings, memory, budget, new StageGroup(1), new SilentListener());
    private final Written written = new Written();
    private final Link client = Link.view(env, brick, Hello.of(Hello.Role.CLIENT, "app", 0), written);

    @AfterEach
    void close() {
        memory.close();
    }

    @Test
    void aRequestThatFailsBeforeItHasChangedAnythingIsAnsweredSoAndTheOthersAreServed() {
        env.failing = true; // the first buffer for answers can't be had
        brick.onFrames(client, gets(1, 2));
        world.run(Duration.ofMillis(1));
        assertThat(written.statuses()).containsExactly(Status.INTERNAL_ERROR, Status.NO_SUCH_TABLE);
        assertThat(env.failing).isFalse();
    }

    @Test
    void aRequestThatEndsTheBrickIsNamedToItsClientAndNoOtherRequestIsBlamed() {
        Link other = connect();
        env.failing = true;
        env.failure = new StackOverflowError("a planned error");
        brick.onFrames(Link.view(env, brick, other, written), gets(1, 2));
        assertThatThrownBy(() -> world.run(Duration.ofMillis(1))).isSameAs(env.failure);
        brick.fail();
        world.run(Duration.ofMillis(100));
        assertThat(written.statuses()).containsExactly(Status.FATAL);
        assertThat(other.isDown()).isTrue();
        assertThat(other.blamesRequests()).isFalse();
    }

    @Test
    void aBrickThatFailsWithoutAKnownCauseBlamesAllUnansweredRequests() {
        Link link = connect();
        brick.fail();
        world.run(Duration.ofMillis(100));
        assertThat(link.isDown()).isTrue();
        assertThat(link.blamesRequests()).isTrue();
    }

    private Link connect() {
        Hello hello = Hello.of(Hello.Role.CLIENT, "app", 0).withFeatures(Features.ALL & ~Features.CHECKSUMS);
        world.listen("b1:7000", env.env, brick::hello, brick);
        Link link = world.newEnv().dial("b1:7000", hello, new SilentNode());
        world.run(Duration.ofMillis(100));
        assertThat(link.isUp()).isTrue();
        return link;
    }

    private static ByteBuf gets(int... correlations) {
        ByteBuf frames = Unpooled.directBuffer();
        for (int correlation : correlations) {
            RequestFrame.writeHeader(frames, RequestFrame.READ_BODY + 1, Opcode.GET, 0, correlation, 1, 0, 1_000, 0, 1);
            frames.writeByte('k');
        }
        return frames;
    }

    /** The answers that were sent. */
    private static final class Written extends SilentConnection {
        private final ByteBuf bytes = Unpooled.buffer();

        Written() {
            super("test");
        }

        List<Byte> statuses() {
            List<Byte> statuses = new ArrayList<>();
            for (int at = 0; at < bytes.writerIndex(); at += bytes.getIntLE(at)) {
                statuses.add(bytes.getByte(at + ReplyFrame.STATUS));
            }
            return statuses;
        }

        @Override
        public void write(ByteBuf frames) {
            bytes.writeBytes(frames);
            frames.release();
        }
    }

    /** An environment whose next allocation fails, if the test says so. */
    private static final class FailingEnv implements Env {
        private final FakeWorld.FakeEnv env;
        private boolean failing;
        private Throwable failure = new IllegalStateException("a planned failure");

        FailingEnv(FakeWorld.FakeEnv env) {
            this.env = env;
        }

        @Override
        public ByteBuf allocate(int capacity) {
            if (failing) {
                failing = false;
                if (failure instanceof Error error) {
                    throw error;
                }
                throw (RuntimeException) failure;
            }
            return Unpooled.directBuffer(capacity);
        }

        @Override
        public long nowNanos() {
            return env.nowNanos();
        }

        @Override
        public Timer schedule(long delayNanos, Runnable task) {
            return env.schedule(delayNanos, task);
        }

        @Override
        public void defer(Runnable task) {
            env.defer(task);
        }

        @Override
        public void execute(Runnable task) {
            env.execute(task);
        }

        @Override
        public RandomGenerator random() {
            return env.random();
        }

        @Override
        public Link dial(String address, Hello hello, Node node) {
            return env.dial(address, hello, node);
        }
    }

    private static final class SilentListener implements BrickListener {
        @Override
        public void onReady() {}

        @Override
        public void onForeign(String line) {}

        @Override
        public void onReplaced(String line) {}
    }
}
