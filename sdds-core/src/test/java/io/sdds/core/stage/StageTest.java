package io.sdds.core.stage;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.sdds.core.Buffers;
import io.sdds.core.node.FakeConnection;
import io.sdds.core.node.FakeWorld;
import io.sdds.core.node.Link;
import io.sdds.core.node.Node;
import io.sdds.core.protocol.Hello;
import io.sdds.core.protocol.Opcode;
import io.sdds.core.protocol.ReplyFrame;
import io.sdds.core.protocol.RequestFrame;
import io.sdds.core.protocol.Status;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class StageTest {
    private static final StageLimits LIMITS = new StageLimits(10, 4096, 1_000_000, 4, 3, 5);

    private final FakeWorld world = new FakeWorld(1);
    private final FakeWorld.FakeEnv env = world.newEnv();
    private final FakeConnection connection = new FakeConnection();
    private final List<String> ran = new ArrayList<>();
    private final Stage stage = new Stage(env, LIMITS, new Recorder());
    private final Link link = up();

    @Test
    void runsRequestsInTheOrderTheyCame() {
        stage.offer(link, requests(0, 3));
        stage.offer(link, requests(3, 3));
        world.run(Duration.ZERO);
        assertThat(ran).containsExactly("r0", "r1", "r2", "r3", "r4", "r5");
    }

    @Test
    void runsProtocolFirst() {
        ByteBuf frames = requests(0, 2);
        frames.writeIntLE(12).writeIntLE(Opcode.CONTROL).writeIntLE(9);
        stage.offer(link, frames);
        world.run(Duration.ZERO);
        assertThat(ran).containsExactly("p9", "r0", "r1");
    }

    @Test
    void refusesWhatIsBeyondTheBoundBeforeAnyWork() {
        stage.offer(link, requests(0, 13));
        assertThat(stage.refused()).isEqualTo(3);
        assertThat(stage.accepted()).isEqualTo(10);
        world.run(Duration.ZERO);
        assertThat(ran).hasSize(10);
        ByteBuf replies = connection.take();
        assertThat(replies.getByte(ReplyFrame.STATUS)).isEqualTo(Status.BUSY);
        assertThat(replies.getIntLE(ReplyFrame.CORRELATION)).isEqualTo(10);
        assertThat(replies.getIntLE(ReplyFrame.HEADER)).isEqualTo(LIMITS.busyHintMillis());
        assertThat(replies.readableBytes()).isEqualTo(3 * 16);
    }

    @Test
    void stopsReadingAConnectionThatWasRefusedMuchAndGoesOnAfterTheHint() {
        stage.offer(link, requests(0, 20));
        assertThat(connection.reading).isFalse();
        world.run(Duration.ofMillis(LIMITS.busyHintMillis()));
        assertThat(connection.reading).isTrue();
    }

    @Test
    void refusesWhenTheOldestHasWaitedTooLong() {
        stage.offer(link, requests(0, 1));
        long before = stage.refused();
        world.clockOnly(Duration.ofMillis(2)); // the deferred drain stays deferred
        stage.offer(link, requests(1, 1));
        assertThat(stage.refused()).isEqualTo(before + 1);
    }

    @Test
    void runsOneBackgroundSliceADrainAndComesBackForTheNext() {
        int[] slices = new int[1];
        stage.background(() -> ++slices[0] < 3);
        world.run(Duration.ZERO);
        assertThat(slices[0]).isEqualTo(3);
    }

    @Test
    void drainsNoMoreThanItsBudgetAtATime() {
        stage.offer(link, requests(0, 10));
        List<Integer> seen = new ArrayList<>();
        stage.background(() -> {
            seen.add(ran.size());
            return ran.size() < 10;
        });
        world.run(Duration.ZERO);
        assertThat(seen).containsExactly(4, 8, 10);
    }

    @Test
    void letsGoOfEveryBuffer() {
        ByteBuf frames = requests(0, 10);
        stage.offer(link, frames);
        frames.release();
        assertThat(frames.refCnt()).isEqualTo(1);
        world.run(Duration.ZERO);
        assertThat(frames.refCnt()).isZero();
    }

    private static ByteBuf requests(int first, int count) {
        ByteBuf frames = Buffers.heap();
        for (int k = first; k < first + count; k++) {
            RequestFrame.writeHeader(frames, 37, Opcode.GET, k, 1, 0, 100, 1, 1);
            frames.writeByte('k');
        }
        return frames;
    }

    private Link up() {
        Link made = Link.accepted(env, new Silent(), () -> Hello.of(Hello.Role.BRICK, "b1", 1));
        made.onOpened(connection);
        ByteBuf hello = Buffers.heap();
        hello.writeIntLE(0).writeIntLE(Opcode.HELLO).writeIntLE(Hello.MAGIC);
        io.sdds.core.protocol.RecordCodec.write(hello, Hello.of(Hello.Role.CLIENT, "t", 0));
        hello.setIntLE(0, hello.readableBytes());
        made.onBytes(hello);
        connection.take();
        return made;
    }

    private final class Recorder implements Stage.Handler {
        @Override
        public void onRequests(Link from, ByteBuf frames, int start, int end) {
            for (int at = start; at < end; at += frames.getIntLE(at)) {
                ran.add("r" + frames.getIntLE(at + RequestFrame.CORRELATION));
            }
        }

        @Override
        public void onProtocol(Link from, ByteBuf frames, int index, int length) {
            ran.add("p" + frames.getIntLE(index + 8));
        }
    }

    private static final class Silent implements Node {
        @Override
        public void onLinkUp(Link link) {}

        @Override
        public void onFrames(Link link, ByteBuf frames) {}

        @Override
        public void onLinkDown(Link link, String reason) {}
    }
}
