package io.sdds.core.stage;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.sdds.core.Buffers;
import io.sdds.core.node.FakeConnection;
import io.sdds.core.node.FakeWorld;
import io.sdds.core.node.Link;
import io.sdds.core.node.SilentNode;
import io.sdds.core.protocol.Hello;
import io.sdds.core.protocol.HelloFrame;
import io.sdds.core.protocol.Opcode;
import io.sdds.core.protocol.ProtocolViolation;
import io.sdds.core.protocol.ReplyFrame;
import io.sdds.core.protocol.RequestFrame;
import io.sdds.core.protocol.Status;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class StageTest {
    private static final StageLimits LIMITS = new StageLimits(10, 4096, 1_000_000, 4, 3, 5);

    /** Number of a control frame that violates the protocol. */
    private static final int BROKEN = -1;

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
        stage.offer(link, requests(0, 2));
        stage.offer(brick(), controls(9, 1));
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
    void boundsTheBytesThatWait() {
        stage.offer(link, requests(0, 2, 3000));
        assertThat(stage.accepted()).isEqualTo(1);
        assertThat(stage.refused()).isEqualTo(1);
        assertThat(stage.mostWaitingBytes()).isLessThanOrEqualTo(LIMITS.queueBytesMax());
    }

    @Test
    void aFrameThatBreaksTheProtocolClosesItsLinkAndNothingBehindItRuns() {
        Link brick = brick();
        ByteBuf frames = Buffers.heap();
        for (int number : new int[] {1, BROKEN, 2}) {
            frames.writeIntLE(12).writeIntLE(Opcode.CONTROL).writeIntLE(number);
        }
        stage.offer(brick, frames);
        frames.release();
        world.run(Duration.ZERO);
        assertThat(ran).containsExactly("p1");
        assertThat(brick.isDown()).isTrue();
        assertThat(frames.refCnt()).isZero();
    }

    @Test
    void protocolTrafficIsNeverShedHoweverFullTheQueueIs() {
        stage.offer(link, requests(0, 20));
        stage.offer(brick(), controls(0, 1000));
        world.run(Duration.ZERO);
        assertThat(ran.subList(0, 1000)).allMatch(event -> event.startsWith("p"));
        assertThat(ran).hasSize(1010);
    }

    @Test
    void aTurnRunsFewControlRequestsOfAClient() {
        int most = ControlLimits.DEFAULT.turnEventsMax();
        stage.offer(link, controls(0, 50));
        stage.offer(link, requests(0, 2));
        world.runOnce();
        assertThat(ran).hasSize(most + 2).startsWith("c0").endsWith("r0", "r1");
        world.run(Duration.ZERO);
        assertThat(ran.stream().filter(event -> event.startsWith("c"))).hasSize(50);
    }

    @Test
    void controlRequestsOfAClientBeyondTheBoundAreRefusedAndItsConnectionIsNotReadMeanwhile() {
        stage.offer(link, controls(0, 5000));
        assertThat(stage.control().waitingEvents()).isEqualTo(ControlLimits.DEFAULT.eventsMax() / 9);
        assertThat(connection.reading).isFalse();
        world.run(Duration.ofSeconds(1));
        assertThat(ran).hasSize(ControlLimits.DEFAULT.eventsMax() / 9);
        assertThat(connection.reading).isTrue();
        assertThat(stage.control().isEmpty()).isTrue();
    }

    @Test
    void aClientThatSendsWhatOnlyBricksSendIsClosed() {
        ByteBuf slice = Buffers.heap();
        slice.writeIntLE(12).writeIntLE(Opcode.SLICE).writeIntLE(9);
        stage.offer(link, slice);
        assertThat(link.isDown()).isTrue();
        world.run(Duration.ZERO);
        assertThat(ran).isEmpty();
    }

    @Test
    void aForwardedRequestIsNotShedWhereANewOneIs() {
        stage.offer(link, requests(0, 10));
        ByteBuf forwarded = requests(10, 1);
        forwarded.setByte(RequestFrame.HOPS, 1);
        stage.offer(brick(), forwarded);
        assertThat(stage.refused()).isZero();
        stage.offer(link, requests(11, 1));
        assertThat(stage.refused()).isEqualTo(1);
    }

    @Test
    void aClientsCountOfForwardsIsNotBelieved() {
        stage.offer(link, requests(0, 10));
        ByteBuf lying = requests(10, 1);
        lying.setByte(RequestFrame.HOPS, 1);
        stage.offer(link, lying);
        assertThat(stage.refused()).isEqualTo(1);
    }

    @Test
    void whatAClientsRequestMeetsInTheQueueIsToldApartFromWhatIsForwarded() {
        stage.offer(link, requests(0, 2));
        ByteBuf forwarded = requests(2, 1);
        forwarded.setByte(RequestFrame.HOPS, 1);
        stage.offer(brick(), forwarded);
        assertThat(stage.mostWaitingEvents()).isEqualTo(3);
        assertThat(stage.mostWaitingEventsOfClients()).isEqualTo(2);
        assertThat(stage.mostWaitingBytesOfClients()).isLessThan(stage.mostWaitingBytes());
        stage.offer(link, requests(3, 1));
        assertThat(stage.mostWaitingEventsOfClients()).isEqualTo(4);
    }

    /** All connections share the time that refusing may take. */
    @Test
    void theMoreIsRefusedTheLongerAConnectionIsNotRead() {
        stage.offer(link, requests(0, 10));
        FakeConnection other = new FakeConnection();
        Link second = up(other);
        stage.offer(link, requests(10, 5000));
        stage.offer(second, requests(0, 5000));
        assertThat(connection.reading || other.reading).isFalse();
        assertThat(hint(connection)).isEqualTo(10);
        assertThat(hint(other)).isEqualTo(20);
    }

    /** Requests that are not read cannot be served. */
    @Test
    void connectionsThatAreNotReadAreReadOneByOneWhenTheQueueRunsLow() {
        List<FakeConnection> connections = new ArrayList<>();
        for (int k = 0; k < 4; k++) {
            FakeConnection next = new FakeConnection();
            connections.add(next);
            stage.offer(up(next), requests(0, 5000));
        }
        assertThat(connections).noneMatch(c -> c.reading);
        world.run(Duration.ofNanos(200_000));
        assertThat(connections.stream().map(c -> c.reading))
                .as("one a drain, of which there were two")
                .containsExactly(true, true, false, false);
        world.run(Duration.ofNanos(100_000));
        assertThat(connections.stream().map(c -> c.reading))
                .as("one a while, since nothing is drained")
                .containsExactly(true, true, true, false);
        world.run(Duration.ofMillis(100));
        assertThat(connections).allMatch(c -> c.reading);
    }

    @Test
    void aBurstWaitsAndAStandingQueueIsCutToTheTarget() {
        Standing standing = new Standing();
        assertThat(standing.offerAndRun(90, 4000))
                .as("a burst of 40 ms, again and again")
                .isZero();
        assertThat(standing.offerAndRun(60, 4000))
                .as("for longer than the interval")
                .isPositive();
        assertThat(standing.waiting()).isLessThanOrEqualTo(Standing.DRAIN + Standing.READ);
        assertThat(standing.offerAndRun(20, 50)).as("it is short now").isZero();
        world.run(Duration.ofNanos(200_000_000));
        assertThat(standing.offerAndRun(1, 4000)).as("a burst once more").isZero();
    }

    @Test
    void aStandingQueueIsSharedOutAmongTheLinksThatComeToIt() {
        Standing standing = new Standing();
        standing.offerAndRun(150, 4000);
        Link first = up(new FakeConnection());
        Link second = up(new FakeConnection());
        standing.offer(first, 400);
        standing.offer(second, 400);
        world.runOnce();
        assertThat(standing.waiting()).as("all of it ran in one drain").isZero();

        assertThat(standing.offer(first, 400)).isEqualTo(Standing.DRAIN / 2);
        assertThat(standing.offer(second, 40)).isEqualTo(40);
        assertThat(standing.offer(second, 40)).as("what is left of its share").isEqualTo(Standing.DRAIN / 2 - 40);
    }

    @Test
    void aLinkThatDoesNotReadItsAnswersIsNotReadAndItsRequestsWait() {
        park(requests(0, 4));
        assertThat(ran).isEmpty();
        assertThat(connection.reading).isFalse();
        Link other = up(new FakeConnection());
        stage.offer(other, requests(7, 2));
        world.run(Duration.ZERO);
        assertThat(ran).containsExactly("r7", "r8");

        connection.pendingBytes = 0;
        stage.writable(link);
        world.run(Duration.ZERO);
        assertThat(ran).containsExactly("r7", "r8", "r0", "r1", "r2", "r3");
        assertThat(connection.reading).isTrue();
    }

    @Test
    void requestsThatComeWhileEarlierOnesOfTheirLinkAreParkedRunBehindThem() {
        park(requests(0, 2));
        connection.pendingBytes = 0;
        link.flush();
        stage.offer(link, requests(2, 2));
        world.run(Duration.ZERO);
        assertThat(ran).as("until the stage is told that the link is writable").isEmpty();

        stage.writable(link);
        world.run(Duration.ZERO);
        assertThat(ran).containsExactly("r0", "r1", "r2", "r3");
    }

    @Test
    void theRequestsOfALinkThatIsDownTakeNoTurn() {
        Link other = up(new FakeConnection());
        stage.offer(link, writes(0, 5));
        stage.offer(other, writes(20, 1));
        List<Integer> seen = new ArrayList<>();
        stage.background(() -> {
            seen.add(ran.size());
            return stage.waitingEvents() > 0;
        });
        link.onClosed("gone");
        stage.linkDown(link);
        world.run(Duration.ZERO);
        assertThat(seen).as("requests that had run at the end of each drain").containsExactly(1);
    }

    @Test
    void whatWaitsForAReaderGoesWithItsLink() {
        ByteBuf frames = requests(0, 4);
        stage.offer(link, frames);
        frames.release();
        connection.pendingBytes = Link.PENDING_BYTES_FULL + 1;
        fill(link);
        world.run(Duration.ZERO);
        link.onClosed("gone");
        stage.linkDown(link);
        world.run(Duration.ZERO);
        assertThat(ran).isEmpty();
        assertThat(frames.refCnt()).isZero();
    }

    @Test
    void givesUpALinkThatDoesNotReadWhenTooMuchWaitsForIt() {
        connection.pendingBytes = Link.PENDING_BYTES_FULL + 1;
        fill(link);
        for (int k = 0; k < 3 && link.isUp(); k++) {
            stage.offer(link, requests(10 * k, 10));
            world.run(Duration.ZERO);
        }
        assertThat(link.isUp()).isFalse();
        assertThat(ran).isEmpty();
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
    void linksTakeTurnsAndAnswersOfATurnLeaveBeforeThoseOfTheNextLinkAreMade() {
        Answering answering = new Answering();
        Link other = up(new FakeConnection());
        answering.stage.offer(link, requests(0, 300));
        answering.stage.offer(other, requests(0, 40));
        world.run(Duration.ZERO);
        assertThat(answering.flushesBefore)
                .as("128 of the first, 40 of the second, 128, 44")
                .containsExactly(0L, 1L, 1L, 2L);
        assertThat(flushes(other)).isEqualTo(1);
    }

    @Test
    void writesRunInShorterDrainsThanReads() {
        stage.offer(link, requests(0, 6));
        world.runOnce();
        assertThat(ran).hasSize(LIMITS.drainEventsMax());
        world.run(Duration.ZERO);
        ran.clear();
        stage.offer(link, writes(0, 3));
        world.runOnce();
        assertThat(ran).as("a write counts as four reads").hasSize(1);
    }

    @Test
    void backgroundWaitsForAsManyRequestsAsADrainOfReadsHas() {
        List<Integer> seen = new ArrayList<>();
        stage.background(() -> {
            seen.add(ran.size());
            return seen.size() < 3;
        });
        stage.offer(link, writes(0, 9));
        world.run(Duration.ZERO);
        assertThat(seen).containsExactly(4, 8, 9);
    }

    @Test
    void theRequestsOfALinkThatHasWaitedTooLongDoNotRefuseThoseOfAnother() {
        stage.offer(link, requests(0, 1));
        world.clockOnly(Duration.ofMillis(2));
        stage.offer(up(new FakeConnection()), requests(1, 1));
        assertThat(stage.refused()).isZero();
    }

    @Test
    void fewAnswersLeaveAtTheEndOfTheDrain() {
        Answering answering = new Answering();
        answering.stage.offer(link, requests(0, 10));
        answering.stage.offer(up(new FakeConnection()), requests(0, 10));
        world.run(Duration.ZERO);
        assertThat(answering.flushesBefore).containsExactly(0L, 0L);
        assertThat(flushes(link)).isEqualTo(1);
    }

    @Test
    void answersLeaveBeforeTheBackgroundSliceAndItsOwnBehindIt() {
        Answering answering = new Answering();
        answering.stage.offer(link, requests(0, 1));
        List<Long> flushesBeforeSlice = new ArrayList<>();
        answering.stage.background(() -> {
            flushesBeforeSlice.add(flushes(link));
            link.claim(8).writeIntLE(8).writeIntLE(Opcode.REPLY);
            link.commit();
            answering.stage.touched(link);
            return false;
        });
        world.run(Duration.ZERO);
        assertThat(flushesBeforeSlice).containsExactly(1L);
        assertThat(flushes(link)).isEqualTo(2);
    }

    @Test
    void theAnswersOfTheOnlyLinkLeaveInPieces() {
        Answering answering = new Answering();
        answering.stage.offer(link, requests(0, 300));
        answering.stage.offer(link, requests(300, 40));
        world.run(Duration.ZERO);
        assertThat(answering.flushesBefore).containsExactly(0L, 1L, 2L, 2L);
        assertThat(flushes(link)).isEqualTo(3);
    }

    /** Frames with a checksum come in batches, each of which is a run. */
    @Test
    void theAnswersOfShortRunsOfTheOnlyLinkLeaveTogether() {
        Answering answering = new Answering();
        for (int k = 0; k < 4; k++) {
            answering.stage.offer(link, requests(80 * k, 80));
        }
        world.run(Duration.ZERO);
        assertThat(answering.flushesBefore).as("80, 48; 32, 80, 16; 64").containsExactly(0L, 0L, 1L, 1L, 1L, 2L);
        assertThat(flushes(link)).isEqualTo(3);
    }

    @Test
    void eachOfTwoLinksHasItsAnswersInOneFlush() {
        Answering answering = new Answering();
        Link other = up(new FakeConnection());
        answering.stage.offer(link, requests(0, 64));
        answering.stage.offer(other, requests(0, 128));
        answering.stage.offer(link, requests(64, 64));
        world.run(Duration.ZERO);
        assertThat(flushes(link)).isEqualTo(1);
        assertThat(flushes(other)).isEqualTo(1);
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

    /** Number of flushes of answers; the hello does not count. */
    private static long flushes(Link link) {
        return link.flushes() - 1;
    }

    private static ByteBuf controls(int first, int count) {
        ByteBuf frames = Buffers.heap();
        for (int k = first; k < first + count; k++) {
            frames.writeIntLE(12).writeIntLE(Opcode.CONTROL).writeIntLE(k);
        }
        return frames;
    }

    private static ByteBuf requests(int first, int count) {
        ByteBuf frames = Buffers.heap();
        for (int k = first; k < first + count; k++) {
            RequestFrame.writeHeader(frames, 37, Opcode.GET, 0, k, 1, 0, 100, 1, 1);
            frames.writeByte('k');
        }
        return frames;
    }

    private static ByteBuf writes(int first, int count) {
        ByteBuf frames = requests(first, count);
        for (int at = 0; at < frames.writerIndex(); at += frames.getIntLE(at)) {
            frames.setByte(at + RequestFrame.OPCODE, Opcode.PUT);
        }
        return frames;
    }

    private static ByteBuf requests(int first, int count, int valueBytes) {
        ByteBuf frames = Buffers.heap();
        for (int k = first; k < first + count; k++) {
            RequestFrame.writeHeader(frames, 36 + valueBytes, Opcode.GET, 0, k, 1, 0, 100, 1, 1);
            frames.writeZero(valueBytes);
        }
        return frames;
    }

    /** The hint of the first refusal sent since the last call. */
    private int hint(FakeConnection on) {
        world.run(Duration.ZERO);
        ByteBuf replies = on.take();
        int hint = replies.getIntLE(ReplyFrame.HEADER);
        replies.release();
        return hint;
    }

    /** The other end reads no answers, so these requests of its link are parked. */
    private void park(ByteBuf frames) {
        stage.offer(link, frames);
        connection.pendingBytes = Link.PENDING_BYTES_FULL + 1;
        fill(link);
        world.run(Duration.ZERO);
    }

    /** Sends many bytes that the other end does not read. */
    private static void fill(Link link) {
        ByteBuf out = link.claim((int) Link.PENDING_BYTES_FULL);
        out.writeIntLE((int) Link.PENDING_BYTES_FULL).writeIntLE(Opcode.REPLY);
        out.writeZero((int) Link.PENDING_BYTES_FULL - 8);
        link.commit();
        link.flush();
    }

    /** A stage whose requests take 10 µs each. The target of its admission is 1 ms, and a queue stands after 100 ms. */
    private final class Standing {
        static final int DRAIN = 100;

        /** Number of events that come at once. */
        static final int READ = 50;

        private final Stage slow = new Stage(
                env,
                new StageLimits(100_000, 64 << 20, 1_000_000_000, 1_000_000, 100_000_000, DRAIN, 2, 1 << 30),
                new Stage.Handler() {
                    @Override
                    public int onRequests(Link from, ByteBuf frames, int start, int end) {
                        for (int at = start; at < end; at += frames.getIntLE(at)) {
                            world.clockOnly(Duration.ofNanos(10_000));
                        }
                        return end;
                    }

                    @Override
                    public void onProtocol(Link from, ByteBuf frames, int index, int length) {}

                    @Override
                    public int onControl(Link from, ByteBuf frames, int index, int length) {
                        return 0;
                    }
                });

        /** Offers {@code events} events before each of {@code times} drains. Returns how many were refused. */
        long offerAndRun(int times, int events) {
            long before = slow.refused();
            for (int k = 0; k < times; k++) {
                for (int more = events - slow.waitingEvents(); more > 0; more -= READ) {
                    slow.offer(link, requests(0, Math.min(READ, more)));
                }
                world.runOnce();
                connection.take().release();
            }
            return slow.refused() - before;
        }

        /** Offers events at once. Returns how many were admitted. */
        int offer(Link from, int events) {
            long before = slow.accepted();
            slow.offer(from, requests(0, events));
            return (int) (slow.accepted() - before);
        }

        int waiting() {
            return slow.waitingEvents();
        }
    }

    /**
     * A stage that answers each request, and notes how often {@link #link} had sent answers when it began with a run.
     */
    private final class Answering implements Stage.Handler {
        final List<Long> flushesBefore = new ArrayList<>();
        private final Stage stage = new Stage(env, new StageLimits(1000, 1 << 20, 1_000_000_000L, 1000, 3, 5), this);

        @Override
        public int onRequests(Link from, ByteBuf frames, int start, int end) {
            flushesBefore.add(flushes(link));
            for (int at = start; at < end; at += frames.getIntLE(at)) {
                from.claim(8).writeIntLE(8).writeIntLE(Opcode.REPLY);
                from.commit();
            }
            return end;
        }

        @Override
        public void onProtocol(Link from, ByteBuf frames, int index, int length) {}

        @Override
        public int onControl(Link from, ByteBuf frames, int index, int length) {
            return 0;
        }
    }

    private Link brick() {
        return Link.view(env, new SilentNode(), Hello.of(Hello.Role.BRICK, "b2", 1), new FakeConnection());
    }

    private Link up() {
        return up(connection);
    }

    private Link up(FakeConnection connection) {
        Link made = Link.accepted(env, new SilentNode(), () -> Hello.of(Hello.Role.BRICK, "b1", 1));
        made.onOpened(connection);
        ByteBuf hello = Buffers.heap();
        HelloFrame.write(hello, Hello.of(Hello.Role.CLIENT, "t", 0).withFeatures(0));
        made.onBytes(hello);
        connection.take();
        return made;
    }

    private final class Recorder implements Stage.Handler {
        @Override
        public int onRequests(Link from, ByteBuf frames, int start, int end) {
            for (int at = start; at < end; at += frames.getIntLE(at)) {
                ran.add("r" + frames.getIntLE(at + RequestFrame.CORRELATION));
            }
            return end;
        }

        @Override
        public void onProtocol(Link from, ByteBuf frames, int index, int length) {
            int number = frames.getIntLE(index + 8);
            if (number == BROKEN) {
                throw new ProtocolViolation("a planned violation");
            }
            ran.add("p" + number);
        }

        @Override
        public int onControl(Link from, ByteBuf frames, int index, int length) {
            ran.add("c" + frames.getIntLE(index + 8));
            return 0;
        }
    }
}
