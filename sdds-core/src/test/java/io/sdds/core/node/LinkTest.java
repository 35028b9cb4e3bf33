package io.sdds.core.node;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.sdds.core.Buffers;
import io.sdds.core.LogLines;
import io.sdds.core.Seeds;
import io.sdds.core.protocol.BatchFrame;
import io.sdds.core.protocol.Build;
import io.sdds.core.protocol.Checksum;
import io.sdds.core.protocol.ClusterId;
import io.sdds.core.protocol.Hello;
import io.sdds.core.protocol.HelloFrame;
import io.sdds.core.protocol.Limits;
import io.sdds.core.protocol.Opcode;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class LinkTest {
    private static final Hello CLIENT = Hello.of(Hello.Role.CLIENT, "app", 0);

    private final FakeWorld world = new FakeWorld(1);
    private final FakeWorld.FakeEnv env = world.newEnv();
    private final End dialer = new End();
    private final End acceptor = new End();
    private final Link dialed = Link.dialed(env, dialer, Hello.of(Hello.Role.CLIENT, "app", 0));
    private final Link accepted = Link.accepted(env, acceptor, () -> Hello.of(Hello.Role.BRICK, "b1", 7));
    private final FakeConnection dialedSide = new FakeConnection();
    private final FakeConnection acceptedSide = new FakeConnection();
    private final List<FakeConnection> connections = new ArrayList<>();

    @Test
    void isUpOnceBothHellosCame() {
        connect();
        assertThat(dialed.isUp()).isTrue();
        assertThat(accepted.isUp()).isTrue();
        assertThat(dialed.peer().name()).isEqualTo("b1");
        assertThat(dialed.peer().incarnation()).isEqualTo(7);
        assertThat(accepted.peer().role()).isEqualTo(Hello.Role.CLIENT);
    }

    @Test
    void aDialThatIsNotWantedAnyMoreIsClosedWhenItIsAnswered() {
        dialed.close();
        assertThat(dialedSide.closed).isFalse();
        dialed.onOpened(dialedSide);
        assertThat(dialedSide.closed).isTrue();
        assertThat(dialedSide.take().isReadable()).as("a hello").isFalse();
    }

    @Test
    void framesArriveWholeAndInOrderHoweverTheBytesAreCut() {
        connect();
        SplittableRandom random = Seeds.random("LinkTest");
        List<String> sent = new ArrayList<>();
        for (int round = 0; round < 300; round++) {
            for (int k = random.nextInt(20); k > 0; k--) {
                int length = random.nextInt(20) == 0 ? 8 + random.nextInt(900_000) : 8 + random.nextInt(300);
                sent.add(send(dialed, length, sent.size()));
            }
            dialed.flush();
            deliver(dialedSide, accepted, random);
        }
        assertThat(acceptor.frames).isEqualTo(sent);
        assertThat(accepted.isUp()).isTrue();
        accepted.onClosed("end");
        dialed.onClosed("end");
        assertThat(env.buffersHeld()).isZero();
    }

    @Test
    void closesOnAFrameLengthBeyondTheBounds() {
        connect();
        for (int length : new int[] {-1, 0, 7, Limits.FRAME_BYTES_MAX + 1, Integer.MAX_VALUE}) {
            assertViolation(Buffers.heap().writeIntLE(length).writeIntLE(Opcode.GET));
        }
    }

    @Test
    void closesOnAnUnknownOpcode() {
        assertViolation(Buffers.heap().writeIntLE(8).writeIntLE(200));
    }

    @Test
    void closesOnAFragmentThatMakesNoMessage() {
        assertViolation(Buffers.heap()
                .writeIntLE(20)
                .writeIntLE(Opcode.FRAGMENT | 1 << 8)
                .writeZero(12));
    }

    @Test
    void answersAllPingsOfAReadAtOnce() {
        connect();
        ByteBuf pings = Buffers.heap();
        for (int k = 0; k < 1000; k++) {
            pings.writeIntLE(8).writeIntLE(Opcode.PING);
        }
        long before = accepted.flushes();
        accepted.onBytes(batch(pings));
        assertThat(accepted.flushes()).isEqualTo(before + 1);
    }

    @Test
    void closesOnASecondHello() {
        assertViolation(hello(CLIENT));
    }

    @Test
    void refusesAPeerWithoutACommonProtocolVersionAndNamesTheBuildsOfBoth() {
        Link brick = Link.accepted(env, acceptor, () -> Hello.of(Hello.Role.BRICK, "b1", 7));
        brick.onOpened(acceptedSide);
        brick.onBytes(hello(otherBuild(2, 9, "9.1.0 build 12345678")));
        assertThat(acceptor.down)
                .isEqualTo("brick b1 of version " + Build.text() + " speaks protocol " + Limits.PROTOCOL_VERSION + ", "
                        + "client app of version 9.1.0 build 12345678 speaks protocol 2 to 9: "
                        + "use builds with a common protocol version");
        assertThat(acceptedSide.closed).isTrue();
    }

    @Test
    void aViolationByAnotherBuildNamesBothBuilds() {
        Link brick = Link.accepted(env, acceptor, () -> Hello.of(Hello.Role.BRICK, "b1", 7));
        brick.onOpened(acceptedSide);
        brick.onBytes(hello(otherBuild(Limits.PROTOCOL_VERSION, Limits.PROTOCOL_VERSION, "")));
        brick.onBytes(hello(CLIENT));
        assertThat(acceptor.down)
                .isEqualTo("second hello (brick b1 of version " + Build.text() + ", client app of an unknown version)");
    }

    private static Hello otherBuild(int versionMin, int versionMax, String build) {
        return new Hello(versionMin, versionMax, 0, Hello.Role.CLIENT, "app", 0, 0, 0, build);
    }

    @Test
    void endsOfTwoClustersRefuseEachOtherAndNameBoth() {
        ClusterId one = new ClusterId(1, 2);
        ClusterId other = new ClusterId(3, 4);
        Link client = Link.dialed(env, dialer, CLIENT.withCluster(one));
        Link brick = Link.accepted(
                env, acceptor, () -> Hello.of(Hello.Role.BRICK, "b1", 7).withCluster(other));
        brick.onOpened(acceptedSide);
        client.onOpened(dialedSide);
        SplittableRandom random = new SplittableRandom(5);
        deliver(dialedSide, brick, random);
        assertThat(brick.isForeign()).isTrue();
        assertThat(acceptor.up).isZero();
        assertThat(acceptor.down).isEqualTo("it belongs to cluster " + one + ", this brick 'b1' to cluster " + other);
        deliver(acceptedSide, client, random);
        assertThat(client.isForeign()).as("it finds out by itself").isTrue();
        assertThat(dialer.up).isZero();
        assertThat(dialer.down).isEqualTo("it belongs to cluster " + other + ", this client 'app' to cluster " + one);
        assertThat(env.buffersHeld()).isZero();
    }

    @Test
    void anEndThatDoesNotKnowItsClusterIsLetIn() {
        Link brick = Link.accepted(
                env, acceptor, () -> Hello.of(Hello.Role.BRICK, "b1", 7).withCluster(new ClusterId(3, 4)));
        brick.onOpened(acceptedSide);
        brick.onBytes(hello(CLIENT));
        assertThat(brick.isUp()).isTrue();
        assertThat(brick.isForeign()).isFalse();
    }

    @Test
    void whoseClusterWasUnknownIsLookedAtOnceItIsLearnt() {
        UncheckedLinks unchecked = new UncheckedLinks();
        List<Link> links = new ArrayList<>();
        for (ClusterId named : List.of(ClusterId.UNKNOWN, new ClusterId(1, 2), new ClusterId(3, 4))) {
            Link link = Link.accepted(env, new End(), () -> Hello.of(Hello.Role.BRICK, "b1", 7));
            FakeConnection connection = new FakeConnection();
            link.onOpened(connection);
            link.onBytes(hello(CLIENT.withCluster(named)));
            unchecked.up(link, ClusterId.UNKNOWN);
            links.add(link);
            connections.add(connection);
        }
        unchecked.learnt(new ClusterId(3, 4));
        assertThat(connections.stream().map(each -> each.closed)).containsExactly(true, true, false);
        assertThat(links.stream().map(Link::isForeign)).containsExactly(false, true, false);
    }

    @Test
    void usesTheHighestVersionAndTheFeaturesThatBothEndsHave() {
        End older = new End();
        Link link = Link.accepted(
                env,
                older,
                () -> Hello.of(Hello.Role.BRICK, "b1", 7).withVersions(2, 5).withFeatures(0b1101));
        link.onOpened(acceptedSide);
        link.onBytes(hello(CLIENT.withVersions(1, 4).withFeatures(0b0110)));
        assertThat(link.isUp()).isTrue();
        assertThat(link.version()).isEqualTo(4);
        assertThat(link.has(0b0100)).isTrue();
        assertThat(link.has(0b1011)).isFalse();
        assertThat(link.has(0b0110)).as("one of two").isFalse();
    }

    @Test
    void refusesAHelloOfWhichAnyBitWasFlipped() {
        byte[] whole = wholeHello();
        for (int bit = 0; bit < 8 * whole.length; bit++) {
            byte[] flipped = whole.clone();
            flipped[bit / 8] ^= (byte) (1 << bit % 8);
            LinkTest fresh = new LinkTest();
            fresh.accepted.onOpened(fresh.acceptedSide);
            fresh.accepted.onBytes(Unpooled.wrappedBuffer(flipped));
            assertThat(fresh.accepted.isUp()).as("bit %d", bit).isFalse();
            fresh.accepted.onClosed("the end");
            assertThat(fresh.env.buffersHeld()).isZero();
        }
    }

    @Test
    void refusesWhatIsNoHello() {
        accepted.onOpened(acceptedSide);
        accepted.onBytes(Unpooled.copiedBuffer("GET / HTTP/1.1\r\n\r\n".getBytes()));
        assertThat(acceptor.down).isNotNull();
    }

    /** Each cut is in a buffer that ends where the frame ends. */
    @Test
    void refusesEveryCutOfAHello() {
        byte[] whole = wholeHello();
        for (int length = 8; length < whole.length; length++) {
            LinkTest fresh = new LinkTest();
            fresh.accepted.onOpened(fresh.acceptedSide);
            fresh.accepted.onBytes(
                    Unpooled.wrappedBuffer(Arrays.copyOf(whole, length)).setIntLE(0, length));
            assertThat(fresh.acceptor.down)
                    .as("cut to %d of %d bytes", length, whole.length)
                    .isNotNull();
            assertThat(fresh.acceptedSide.closed).isTrue();
            assertThat(fresh.env.buffersHeld()).isZero();
        }
    }

    @Test
    void takesOrRefusesAMutatedHello() {
        SplittableRandom random = Seeds.random("LinkTest.takesOrRefusesAMutatedHello");
        byte[] whole = wholeHello();
        for (int k = 0; k < 100; k++) {
            ByteBuf bytes = Buffers.heap().writeBytes(whole);
            bytes.setByte(8 + random.nextInt(whole.length - 8), random.nextInt());
            LinkTest fresh = new LinkTest();
            fresh.accepted.onOpened(fresh.acceptedSide);
            fresh.accepted.onBytes(bytes);
            assertThat(fresh.accepted.isUp()).isEqualTo(fresh.acceptor.down == null);
        }
    }

    private static byte[] wholeHello() {
        LinkTest fresh = new LinkTest();
        fresh.dialed.onOpened(fresh.dialedSide);
        ByteBuf hello = fresh.dialedSide.take();
        byte[] bytes = new byte[hello.readableBytes()];
        hello.readBytes(bytes).release();
        return bytes;
    }

    @Test
    void refusesFramesBeforeTheHello() {
        accepted.onOpened(acceptedSide);
        accepted.onBytes(Buffers.heap().writeIntLE(8).writeIntLE(Opcode.GET));
        assertThat(acceptor.down).contains("before the hello");
    }

    @Test
    void closesWhenNoHelloComes() {
        accepted.onOpened(acceptedSide);
        world.run(Duration.ofSeconds(6));
        assertThat(acceptor.down).contains("no hello");
    }

    /** The other end may have taken the hello by then, and waits for frames with checksums. */
    @Test
    void anEndThatDialedAndGotNoHelloClosesWithoutAGoodbye() {
        dialed.onOpened(dialedSide);
        assertThat(dialedSide.take().isReadable()).as("a hello").isTrue();
        world.run(Duration.ofSeconds(6));
        assertThat(dialer.down).contains("no hello");
        assertThat(dialedSide.closed).isTrue();
        assertThat(dialedSide.take().isReadable()).as("a goodbye").isFalse();
    }

    @Test
    void aSilentPeerIsAskedWhetherItIsThereAndGivenUpWhenItSaysNothing() {
        connect();
        for (int k = 0; k < 20; k++) {
            world.run(Duration.ofSeconds(5));
            talk();
        }
        assertThat(accepted.isUp()).as("answers the pings").isTrue();
        assertThat(acceptor.frames).isEmpty();
        dialed.onClosed("the machine is gone, and the other end hears nothing of it");
        world.run(Duration.ofSeconds(9));
        assertThat(accepted.isUp()).isTrue();
        world.run(Duration.ofSeconds(16));
        assertThat(acceptor.down).isEqualTo("nothing was heard for 20 s, not even an answer to a ping");
        assertThat(acceptedSide.closed).isTrue();
        assertThat(env.buffersHeld()).isZero();
    }

    @Test
    void aPeerThatIsNotReadIsNotGivenUpForItsSilence() {
        connect();
        dialed.onClosed("gone");
        accepted.pauseReading();
        world.run(Duration.ofSeconds(100));
        assertThat(accepted.isUp()).isTrue();
        accepted.resumeReading();
        world.run(Duration.ofSeconds(25));
        assertThat(accepted.isUp()).isFalse();
    }

    @Test
    void aPeerThatReadsNothingOfWhatWaitsForItIsGivenUp() {
        connect();
        acceptedSide.pendingBytes = 2 * Link.PENDING_BYTES_FULL;
        send(accepted, (int) Link.PENDING_BYTES_FULL + 1, 1);
        accepted.flush();
        for (int k = 0; k < 10; k++) {
            world.run(Duration.ofSeconds(5));
            acceptedSide.pendingBytes -= 1000;
            accepted.onBytes(batch(Buffers.heap().writeIntLE(8).writeIntLE(Opcode.PONG)));
            assertThat(accepted.isFull()).isTrue();
            assertThat(accepted.isUp()).as("it reads, if slowly").isTrue();
        }
        world.run(Duration.ofSeconds(15));
        assertThat(acceptor.down).contains("does not read its answers: " + acceptedSide.pendingBytes + " bytes");
    }

    /** The peer reads a megabyte between two checks, while a little more than a megabyte is sent to it. */
    @Test
    void aPeerThatReadsIsNotGivenUpThoughMoreAndMoreWaitsForIt() {
        connect();
        acceptedSide.pendingBytes = 2 * Link.PENDING_BYTES_FULL;
        for (int k = 0; k < 10; k++) {
            send(accepted, 1 << 20, k);
            accepted.flush();
            acceptedSide.pendingBytes += 1000;
            accepted.onBytes(batch(Buffers.heap().writeIntLE(8).writeIntLE(Opcode.PONG)));
            world.run(Duration.ofSeconds(5));
            assertThat(accepted.isUp()).isTrue();
        }
    }

    /** Networks count some bytes more for each answer than were sent. */
    @Test
    void aPeerThatReadsNothingIsGivenUpThoughMoreIsSentToIt() {
        connect();
        acceptedSide.pendingBytes = 2 * Link.PENDING_BYTES_FULL;
        for (int k = 0; k < 4 && accepted.isUp(); k++) {
            send(accepted, 100, k);
            accepted.flush();
            acceptedSide.pendingBytes += 100 + 96;
            accepted.onBytes(batch(Buffers.heap().writeIntLE(8).writeIntLE(Opcode.PONG)));
            world.run(Duration.ofSeconds(5));
        }
        assertThat(acceptor.down).contains("does not read its answers");
    }

    @Test
    void aPeerThatReadsNothingOfALittleIsGivenUpWhenItIsTheLastOfABudget() {
        connect();
        UnreadBudget budget = new UnreadBudget(1 << 20);
        accepted.holdWithin(budget);
        acceptedSide.pendingBytes = 1000;
        letLooksPass(8);
        assertThat(accepted.isUp()).as("it costs little").isTrue();
        budget.changed(1 << 20);
        letLooksPass(4);
        assertThat(acceptor.down).contains("does not read its answers: 1000 bytes");
    }

    private void letLooksPass(int looks) {
        for (int k = 0; k < looks && accepted.isUp(); k++) {
            accepted.onBytes(batch(Buffers.heap().writeIntLE(8).writeIntLE(Opcode.PONG)));
            world.run(Duration.ofSeconds(5));
        }
    }

    @Test
    void whoHasNotSaidHelloGetsNoMemoryForMore() {
        Link link = Link.accepted(env, acceptor, () -> Hello.of(Hello.Role.BRICK, "b", 1));
        FakeConnection connection = new FakeConnection();
        link.onOpened(connection);
        link.onBytes(Buffers.heap().writeIntLE(100_000).writeIntLE(Opcode.HELLO));
        assertThat(acceptor.down).contains("frame length 100000 is not within 8 to 4096");
    }

    @Test
    void whoClosesSaysWhy() {
        connect();
        accepted.giveUp("too many clients");
        deliver(acceptedSide, dialed, new SplittableRandom(1));
        assertThat(dialer.down).isEqualTo("closed by the other end: too many clients");
        assertThat(acceptor.down).isEqualTo("too many clients");
        assertThat(env.buffersHeld()).isZero();
    }

    /** A client's name with a line feed must not forge a line of its own. */
    @Test
    void namesAndReasonsOfOtherProcessesStayInTheirLine() {
        Link link = Link.accepted(env, acceptor, () -> Hello.of(Hello.Role.BRICK, "b", 1));
        link.onOpened(new FakeConnection());
        link.onBytes(hello(Hello.of(Hello.Role.CLIENT, "x\n12:00:00 ERROR all is lost", 0)));
        assertThat(link.remote()).startsWith("CLIENT x\\n12:00:00 ERROR all is lost at ");

        link.onBytes(batch(goodbye("bye\nforged")));
        assertThat(acceptor.down).isEqualTo("closed by the other end: bye\\nforged");
    }

    @Test
    void anEndThatFailsSaysWhetherUnansweredRequestsMayBeTheCause() {
        for (boolean blames : new boolean[] {false, true}) {
            LinkTest fresh = new LinkTest();
            fresh.connect();
            fresh.accepted.claim(100).writeIntLE(100).writeIntLE(Opcode.REPLY);
            fresh.accepted.fail("it failed", blames);
            deliver(fresh.acceptedSide, fresh.dialed, new SplittableRandom(1));
            assertThat(fresh.dialer.down).contains("it failed");
            assertThat(fresh.dialed.blamesRequests()).isEqualTo(blames);
        }
    }

    private static ByteBuf goodbye(String reason) {
        return Buffers.heap()
                .writeIntLE(8 + reason.length())
                .writeIntLE(Opcode.GOODBYE)
                .writeBytes(reason.getBytes(StandardCharsets.US_ASCII));
    }

    @Test
    void aFloodOfBrokenConnectionsCostsAFewLinesOfTheLog() {
        try (LogLines log = LogLines.of(Link.class.getName(), Level.WARN)) {
            for (int k = 0; k < 9000; k++) {
                Link link = Link.accepted(env, acceptor, () -> Hello.of(Hello.Role.BRICK, "b", 1));
                link.onOpened(new FakeConnection());
                link.onBytes(Buffers.heap().writeIntLE(100_000).writeIntLE(Opcode.HELLO));
            }
            assertThat(log.texts()).hasSizeLessThan(100);
        }
    }

    /**
     * Bytes that were not flushed may end in the middle of a message. The GOODBYE must not become a part of this
     * message.
     */
    @Test
    void whoClosesDropsWhatWasNotFlushed() {
        connect();
        accepted.claim(100).writeIntLE(100).writeIntLE(Opcode.REPLY);
        accepted.giveUp("it broke");
        deliver(acceptedSide, dialed, new SplittableRandom(1));
        assertThat(dialer.frames).isEmpty();
        assertThat(dialer.down).contains("it broke");
    }

    /** Delivers the bytes that both ends have sent. */
    private void talk() {
        SplittableRandom random = new SplittableRandom(9);
        deliver(dialedSide, accepted, random);
        deliver(acceptedSide, dialed, random);
        deliver(dialedSide, accepted, random);
        deliver(acceptedSide, dialed, random);
    }

    private void assertViolation(ByteBuf bytes) {
        LinkTest fresh = new LinkTest();
        fresh.connect();
        fresh.accepted.onBytes(batch(bytes));
        assertThat(fresh.acceptor.down).isNotNull().doesNotContain("batch");
        assertThat(fresh.acceptedSide.closed).isTrue();
        assertThat(fresh.accepted.isUp()).isFalse();
    }

    private void connect() {
        if (dialed.isUp()) {
            return;
        }
        SplittableRandom random = new SplittableRandom(5);
        accepted.onOpened(acceptedSide);
        dialed.onOpened(dialedSide);
        deliver(dialedSide, accepted, random);
        deliver(acceptedSide, dialed, random);
    }

    private static ByteBuf hello(Hello hello) {
        ByteBuf frame = Buffers.heap();
        HelloFrame.write(frame, hello);
        return frame;
    }

    @Test
    void keepsNoFragmentThatFollowsWhatClosedTheLink() {
        connect();
        acceptor.givesUp = true;
        ByteBuf bytes = Buffers.heap();
        bytes.writeIntLE(12).writeIntLE(Opcode.PUT).writeIntLE(1);
        bytes.writeIntLE(12).writeIntLE(Opcode.FRAGMENT).writeIntLE(1);
        accepted.onBytes(batch(bytes));
        assertThat(accepted.isDown()).isTrue();
        assertThat(env.buffersHeld()).isZero();
    }

    @Test
    void aMessageThatWasGivenUpLeavesNothingBehind() {
        connect();
        List<String> sent = new ArrayList<>();
        sent.add(send(dialed, 100, 1));
        for (int abandoned : new int[] {50, 3 * Limits.FRAME_BYTES_MAX}) {
            dialed.claim(abandoned).writeIntLE(abandoned);
            dialed.abandon();
        }
        dialed.abandon(); // bytes of a committed message are not taken back
        sent.add(send(dialed, 100, 2));
        dialed.flush();
        deliver(dialedSide, accepted, Seeds.random("LinkTest"));
        assertThat(acceptor.frames).isEqualTo(sent);
    }

    private static ByteBuf batch(ByteBuf frames) {
        ByteBuf batch = Buffers.heap();
        BatchFrame.begin(batch);
        batch.writeBytes(frames);
        BatchFrame.seal(batch, 0, new Checksum());
        return batch;
    }

    private static String send(Link link, int length, int tag) {
        ByteBuf out = link.claim(length);
        out.writeIntLE(length)
                .writeByte(Opcode.PUT)
                .writeByte(0)
                .writeShortLE(tag)
                .writeZero(length - 8);
        link.commit();
        return length + ":" + (tag & 0xffff);
    }

    private static void deliver(FakeConnection from, Link to, SplittableRandom random) {
        ByteBuf bytes = from.take();
        while (bytes.isReadable()) {
            int piece = 1 + random.nextInt(random.nextBoolean() ? 30 : 300_000);
            to.onBytes(bytes.readSlice(Math.min(piece, bytes.readableBytes())));
        }
        bytes.release();
    }

    private static final class End implements Node {
        final List<String> frames = new ArrayList<>();
        String down;
        int up;
        boolean givesUp;

        @Override
        public void onLinkUp(Link link) {
            up++;
        }

        @Override
        public void onFrames(Link link, ByteBuf run) {
            if (givesUp) {
                link.giveUp("a planned end");
            }
            for (int at = run.readerIndex(); at < run.writerIndex(); at += run.getIntLE(at)) {
                frames.add(run.getIntLE(at) + ":" + run.getUnsignedShortLE(at + 6));
            }
        }

        @Override
        public void onLinkDown(Link link, String reason) {
            down = reason;
        }
    }
}
