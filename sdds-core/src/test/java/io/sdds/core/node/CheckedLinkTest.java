package io.sdds.core.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.sdds.core.protocol.BatchFrame;
import io.sdds.core.protocol.Checksum;
import io.sdds.core.protocol.Features;
import io.sdds.core.protocol.Hello;
import io.sdds.core.protocol.Opcode;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Tests of links whose frames are sent in batches with a checksum. */
class CheckedLinkTest {
    private static final Hello CLIENT = Hello.of(Hello.Role.CLIENT, "app", 0);
    private static final Hello BRICK = Hello.of(Hello.Role.BRICK, "b1", 7);

    private final FakeWorld world = new FakeWorld(1);
    private final FakeWorld.FakeEnv env = world.newEnv();
    private final End dialer = new End();
    private final End acceptor = new End();
    private Link dialed = Link.dialed(env, dialer, CLIENT);
    private Link accepted = Link.accepted(env, acceptor, () -> BRICK);
    private final FakeConnection dialedSide = new FakeConnection();
    private final FakeConnection acceptedSide = new FakeConnection();

    /** The bytes that one end has sent to the other: the hello and the batches. {@code frames} names the frames. */
    private record Recording(byte[] hello, byte[] batches, List<String> frames) {}

    private Recording requests() {
        connect();
        List<String> frames = sendSome(dialed);
        return new Recording(helloOf(Link.dialed(env, new End(), CLIENT)), bytes(dialedSide.take()), frames);
    }

    private Recording replies() {
        connect();
        List<String> frames = sendSome(accepted);
        return new Recording(bytes(hello(BRICK)), bytes(acceptedSide.take()), frames);
    }

    private static byte[] helloOf(Link link) {
        FakeConnection side = new FakeConnection();
        link.onOpened(side);
        return bytes(side.take());
    }

    private static List<String> sendSome(Link link) {
        SplittableRandom random = new SplittableRandom(3);
        List<String> sent = new ArrayList<>();
        for (int flush = 0; flush < 4; flush++) {
            for (int k = random.nextInt(1, 5); k > 0; k--) {
                sent.add(send(link, random.nextInt(12, 90), random));
            }
            link.flush();
        }
        return sent;
    }

    @Test
    void noBitOfARequestCanBeFlippedUnnoticed() {
        Recording recording = requests();
        for (int bit = 0; bit < 8 * recording.batches.length; bit++) {
            CheckedLinkTest fresh = new CheckedLinkTest();
            fresh.connect();
            fresh.assertNoticed(fresh.accepted, fresh.acceptor, recording, bit);
        }
    }

    @Test
    void noBitOfAReplyCanBeFlippedUnnoticed() {
        Recording recording = replies();
        for (int bit = 0; bit < 8 * recording.batches.length; bit++) {
            CheckedLinkTest fresh = new CheckedLinkTest();
            fresh.connect();
            fresh.assertNoticed(fresh.dialed, fresh.dialer, recording, bit);
        }
    }

    /** Delivers the bytes in one read, and byte by byte. */
    private void assertNoticed(Link receiver, End end, Recording recording, int bit) {
        byte[] flipped = recording.batches.clone();
        flipped[bit / 8] ^= (byte) (1 << bit % 8);
        int piece = bit % 3 == 0 ? 1 : bit % 3 == 1 ? 100 : flipped.length;
        for (int at = 0; at < flipped.length; at += piece) {
            receiver.onBytes(Unpooled.wrappedBuffer(flipped, at, Math.min(piece, flipped.length - at)));
        }
        assertThat(end.frames.size()).as("bit %d", bit).isLessThan(recording.frames.size());
        assertThat(end.frames).as("bit %d", bit).isEqualTo(recording.frames.subList(0, end.frames.size()));
        assertThat(receiver.isDown()).as("bit %d", bit).isTrue();
        assertThat(end.damages).as("bit %d", bit).isEqualTo(1);
        assertThat(env.buffersHeld()).as("bit %d", bit).isZero();
    }

    @Test
    void noBitOfAHelloCanBeFlippedUnnoticed() {
        byte[] hello = requests().hello;
        byte[] batches = requests().batches;
        for (int bit = 0; bit < 8 * hello.length; bit++) {
            byte[] flipped = hello.clone();
            flipped[bit / 8] ^= (byte) (1 << bit % 8);
            CheckedLinkTest fresh = new CheckedLinkTest();
            fresh.accepted.onOpened(fresh.acceptedSide);
            fresh.accepted.onBytes(
                    Unpooled.wrappedBuffer(Unpooled.wrappedBuffer(flipped), Unpooled.wrappedBuffer(batches)));
            assertThat(fresh.accepted.isUp()).as("bit %d", bit).isFalse();
            assertThat(fresh.acceptor.frames).as("bit %d", bit).isEmpty();
        }
    }

    @Test
    void framesArriveWholeAndInOrderHoweverTheBytesAreCut() {
        connect();
        SplittableRandom random = new SplittableRandom(11);
        List<String> sent = new ArrayList<>();
        for (int round = 0; round < 100; round++) {
            for (int k = random.nextInt(300); k > 0; k--) {
                int length = random.nextInt(100) == 0 ? 12 + random.nextInt(900_000) : 12 + random.nextInt(300);
                sent.add(send(dialed, length, random));
            }
            dialed.flush();
            deliver(dialedSide, accepted, random);
        }
        assertThat(acceptor.frames).isEqualTo(sent);
        accepted.onClosed("end");
        dialed.onClosed("end");
        assertThat(env.buffersHeld()).isZero();
    }

    /** A stage that writes to another one's link makes its own batches. */
    @Test
    void takesFramesThatViewsOfALinkHaveWritten() {
        connect();
        FakeConnection back = new FakeConnection();
        Link view = Link.view(env, acceptor, accepted, back);
        SplittableRandom random = new SplittableRandom(11);
        List<String> sent = new ArrayList<>();
        sent.add(send(accepted, 40, random));
        String ofView = send(view, 50, random);
        view.flush();
        accepted.append(back.take());
        sent.add(ofView);
        sent.add(send(accepted, 60, random));
        accepted.flush();
        deliver(acceptedSide, dialed, random);
        assertThat(dialer.frames).isEqualTo(sent);
        assertThat(dialed.isUp()).isTrue();
    }

    @Test
    void framesHaveNoChecksumWhenOneEndDoesNotSupportThem() {
        accepted = Link.accepted(env, acceptor, () -> BRICK.withFeatures(Features.ALL & ~Features.CHECKSUMS));
        connect();
        String sent = send(dialed, 40, new SplittableRandom(1));
        dialed.flush();
        ByteBuf bytes = dialedSide.take();
        assertThat(bytes.readableBytes()).isEqualTo(40);
        accepted.onBytes(bytes);
        assertThat(acceptor.frames).containsExactly(sent);
    }

    @Test
    void refusesFramesOutsideOfABatch() {
        connect();
        accepted.onBytes(Unpooled.buffer().writeIntLE(12).writeIntLE(Opcode.PUT).writeIntLE(1));
        assertThat(acceptor.down).isEqualTo("damaged header of a batch of frames");
        assertThat(acceptor.frames).isEmpty();
    }

    @Test
    void refusesABatchWithinABatchAndOneThatEndsWithinAFrame() {
        connect();
        accepted.onBytes(batch(batch(Unpooled.buffer().writeIntLE(8).writeIntLE(Opcode.PING))));
        assertThat(acceptor.down).contains("unknown opcode");
        CheckedLinkTest fresh = new CheckedLinkTest();
        fresh.connect();
        fresh.accepted.onBytes(batch(Unpooled.buffer().writeIntLE(20).writeIntLE(Opcode.PUT)));
        assertThat(fresh.acceptor.down).contains("ends within a frame");
        assertThat(fresh.acceptor.damages).isZero();
    }

    /** Only the bytes that have come are kept of a batch with a large length. */
    @Test
    void takesMemoryForBytesThatHaveComeAlone() {
        connect();
        ByteBuf header = batch(Unpooled.buffer().writeZero(400_000)).writerIndex(BatchFrame.HEADER);
        accepted.onBytes(header);
        assertThat(env.bytesHeld()).isLessThan(4096);
    }

    @Test
    void keepsNothingOfWhatFollowsAGoodbye() {
        connect();
        ByteBuf bytes = batch(Unpooled.buffer().writeIntLE(8).writeIntLE(Opcode.GOODBYE));
        bytes.writeBytes(
                batch(Unpooled.buffer().writeIntLE(12).writeIntLE(Opcode.PUT).writeIntLE(1)));
        accepted.onBytes(bytes.writeShort(1));
        assertThat(acceptor.down).isEqualTo("closed by the other end: ");
        assertThat(acceptor.frames).isEmpty();
        assertThat(env.buffersHeld()).isZero();
    }

    private static ByteBuf batch(ByteBuf frames) {
        ByteBuf batch = Unpooled.buffer();
        BatchFrame.begin(batch);
        batch.writeBytes(frames);
        BatchFrame.seal(batch, 0, new Checksum());
        return batch;
    }

    private static ByteBuf hello(Hello hello) {
        ByteBuf frame = Unpooled.buffer();
        io.sdds.core.protocol.HelloFrame.write(frame, hello);
        return frame;
    }

    private void connect() {
        if (!dialed.isUp()) {
            SplittableRandom random = new SplittableRandom(5);
            accepted.onOpened(acceptedSide);
            dialed.onOpened(dialedSide);
            deliver(dialedSide, accepted, random);
            deliver(acceptedSide, dialed, random);
        }
    }

    private static String send(Link link, int length, SplittableRandom random) {
        byte[] body = new byte[length - 8];
        random.nextBytes(body);
        ByteBuf out = link.claim(length);
        int start = out.writerIndex();
        out.writeIntLE(length).writeIntLE(Opcode.PUT).writeBytes(body);
        String hex = ByteBufUtil.hexDump(out, start, length);
        link.commit();
        return hex;
    }

    private static byte[] bytes(ByteBuf from) {
        byte[] bytes = ByteBufUtil.getBytes(from);
        from.release();
        return bytes;
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
        int damages;
        String down;

        @Override
        public void onLinkUp(Link link) {}

        @Override
        public void onFrames(Link link, ByteBuf run) {
            for (int at = run.readerIndex(); at < run.writerIndex(); at += run.getIntLE(at)) {
                frames.add(ByteBufUtil.hexDump(run, at, run.getIntLE(at)));
            }
        }

        @Override
        public void onDamagedBytes(Link link) {
            damages++;
        }

        @Override
        public void onLinkDown(Link link, String reason) {
            down = reason;
        }
    }
}
