package io.sdds.core.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * Hellos, requests, replies, batches and datagrams are the bytes that this build of the protocol has, in
 * src/test/resources/protocol/frames.txt ({@link KeptBytes}).
 */
class FrameBytesTest {
    private static final Path FILE = Path.of("src/test/resources/protocol/frames.txt");

    private final KeptBytes kept = new KeptBytes(FILE, Limits.PROTOCOL_VERSION);

    /** All frames as this version writes them. */
    private static Map<String, byte[]> written() {
        Map<String, byte[]> frames = new LinkedHashMap<>();
        frames.put("hello of a client", hello(Hello.Role.CLIENT, "app", 0x0102030405060708L, 9, 10));
        frames.put("hello of a brick", hello(Hello.Role.BRICK, "b1", 7, -1, 1));
        frames.put("hello of a brick, bulk,", hello(Hello.Role.BRICK_BULK, "b1", 7, 0, 0));
        frames.put("hello of a coordinator", hello(Hello.Role.COORDINATOR, "c1", 0, 0, 0));
        RequestFrames.all().forEach(made -> frames.put("request, " + made, made.bytes()));
        frames.put(
                "reply, OK with a version and a value",
                reply(0, Status.OK, out -> out.writeLongLE(3).writeCharSequence("value", StandardCharsets.UTF_8)));
        frames.put("reply, ABSENT", reply(0, Status.ABSENT, out -> {}));
        frames.put("reply, BUSY with milliseconds", reply(0, Status.BUSY, out -> out.writeIntLE(20)));
        frames.put("reply, REDIRECT with a map version", reply(0, Status.REDIRECT, out -> out.writeLongLE(5)));
        frames.put(
                "reply, OK with an adjustment",
                reply(
                        ReplyFrame.FLAG_ADJUSTMENT,
                        Status.OK,
                        out -> adjustment(out).writeLongLE(3)));
        frames.put(
                "reply, OK with an adjustment and a span",
                reply(
                        ReplyFrame.FLAG_ADJUSTMENT | ReplyFrame.FLAG_SPAN,
                        Status.OK,
                        out -> adjustment(out)
                                .writeShortLE(1)
                                .writeShortLE(2)
                                .writeCharSequence("abc", StandardCharsets.US_ASCII)));
        frames.put("batch of two frames", batch());
        frames.put("datagram", datagram());
        return frames;
    }

    private static byte[] hello(Hello.Role role, String name, long incarnation, long high, long low) {
        ByteBuf out = Unpooled.buffer();
        HelloFrame.write(
                out, new Hello(1, 1, Features.CHECKSUMS, role, name, incarnation, high, low, "0.1.0 build 1a2b3c4d"));
        return ByteBufUtil.getBytes(out);
    }

    private static ByteBuf adjustment(ByteBuf out) {
        return out.writeIntLE(4).writeIntLE(11).writeLongLE(1L << 40).writeIntLE(2);
    }

    private static byte[] reply(int flags, byte status, java.util.function.Consumer<ByteBuf> body) {
        ByteBuf out = Unpooled.buffer();
        ReplyFrame.writeHeader(out, 0, flags, status, ReplyFrame.hops(1, 2), 0x10203);
        body.accept(out);
        out.setIntLE(0, out.readableBytes());
        return ByteBufUtil.getBytes(out);
    }

    private static byte[] batch() {
        ByteBuf out = Unpooled.buffer();
        BatchFrame.begin(out);
        out.writeIntLE(8).writeIntLE(Opcode.PING).writeBytes(reply(0, Status.ABSENT, body -> {}));
        BatchFrame.seal(out, 0, new Checksum());
        return ByteBufUtil.getBytes(out);
    }

    private static byte[] datagram() {
        ByteBuf out = Unpooled.buffer();
        DatagramFrame.writeHeader(out, 77);
        RequestFrame.writeHeader(
                out, RequestFrame.READ_BODY + 3, Opcode.GET, RequestFrame.FLAG_MULTICAST, -1, 1, 0, 1000, 5, 3);
        out.writeCharSequence("key", StandardCharsets.US_ASCII);
        DatagramFrame.seal(out);
        return ByteBufUtil.getBytes(out);
    }

    @Test
    void writesEveryFrameAsItIsKept() {
        kept.check(written());
    }

    @Test
    void readsTheHellosThatAreKept() {
        Hello brick = readHello("hello of a brick");
        assertThat(brick.role()).isEqualTo(Hello.Role.BRICK);
        assertThat(brick.name()).isEqualTo("b1");
        assertThat(brick.incarnation()).isEqualTo(7);
        assertThat(brick.clusterHigh()).isEqualTo(-1);
        assertThat(brick.clusterLow()).isEqualTo(1);
        assertThat(brick.build()).isEqualTo("0.1.0 build 1a2b3c4d");
        assertThat(readHello("hello of a client").commonVersion(brick)).isEqualTo(1);
    }

    private Hello readHello(String name) {
        ByteBuf frame = Unpooled.wrappedBuffer(kept.get(name));
        return HelloFrame.read(frame, 0, frame.readableBytes());
    }

    @Test
    void takesTheRequestsThatAreKept() {
        kept.all().forEach((name, bytes) -> {
            if (name.startsWith("request")) {
                ByteBuf frame = Unpooled.wrappedBuffer(bytes);
                assertThat(RequestFrame.problem(frame, 0, bytes.length))
                        .as(name)
                        .isNull();
                assertThat(frame.getIntLE(RequestFrame.CORRELATION)).isEqualTo(RequestFrames.CORRELATION);
            }
        });
    }

    @Test
    void findsTheBodiesOfTheRepliesThatAreKept() {
        assertThat(body("reply, OK with a version and a value")).isEqualTo(8 + 5);
        assertThat(body("reply, OK with an adjustment")).isEqualTo(8);
        assertThat(body("reply, OK with an adjustment and a span")).isZero();
    }

    private int body(String name) {
        ByteBuf frame = Unpooled.wrappedBuffer(kept.get(name));
        return frame.readableBytes() - ReplyFrame.body(frame, 0);
    }

    @Test
    void verifiesTheBatchAndTheDatagramThatAreKept() {
        ByteBuf batch = Unpooled.wrappedBuffer(kept.get("batch of two frames"));
        int length = BatchFrame.length(batch, 0);
        assertThat(length).isEqualTo(batch.readableBytes());
        BatchFrame.verify(batch, 0, length, new Checksum());
        assertThat(DatagramFrame.isWhole(Unpooled.wrappedBuffer(kept.get("datagram"))))
                .isTrue();
    }
}
