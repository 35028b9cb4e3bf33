package io.sdds.core.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * The frames of version 1 as they are kept in src/test/resources/protocol/version-1.txt: hellos, requests, replies,
 * batches and datagrams. Other programs write and read them, so these bytes never change.
 * {@code -Dsdds.frames.write=true} appends frames that the file does not have yet, and never changes one that it has.
 */
class FrozenFramesTest {
    private static final Path FILE = Path.of("src/test/resources/protocol/version-1.txt");
    private static final Hello CLIENT =
            new Hello(1, 1, Features.CHECKSUMS, Hello.Role.CLIENT, "app", 0x0102030405060708L, 9, 10);

    /** Earlier builds write the hellos of these names. They have no component {@code build}. */
    private static final List<String> EARLIER =
            List.of("hello of a client", "hello of a brick", "hello of a brick, bulk", "hello of a coordinator");

    private final Map<String, byte[]> kept = kept();

    private static Map<String, byte[]> kept() {
        Map<String, byte[]> frames = new LinkedHashMap<>();
        try {
            for (String line : Files.exists(FILE) ? Files.readAllLines(FILE) : List.<String>of()) {
                if (!line.startsWith("#") && !line.isBlank()) {
                    int colon = line.lastIndexOf(':');
                    frames.put(
                            line.substring(0, colon),
                            ByteBufUtil.decodeHexDump(line.substring(colon + 1).strip()));
                }
            }
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
        return frames;
    }

    /** All frames as this version writes them. */
    private static Map<String, byte[]> written() {
        Map<String, byte[]> frames = new LinkedHashMap<>();
        frames.put("hello of a client with its build", hello(Hello.Role.CLIENT, "app", 0x0102030405060708L, 9, 10));
        frames.put("hello of a brick with its build", hello(Hello.Role.BRICK, "b1", 7, -1, 1));
        frames.put("hello of a brick, bulk, with its build", hello(Hello.Role.BRICK_BULK, "b1", 7, 0, 0));
        frames.put("hello of a coordinator with its build", hello(Hello.Role.COORDINATOR, "c1", 0, 0, 0));
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
    void writesEveryFrameAsItIsKept() throws IOException {
        Map<String, byte[]> written = written();
        if (Boolean.getBoolean("sdds.frames.write")) {
            append(written);
        }
        List<String> names = new ArrayList<>(written.keySet());
        names.addAll(EARLIER);
        assertThat(kept.keySet()).containsExactlyInAnyOrderElementsOf(names);
        written.forEach((name, bytes) ->
                assertThat(ByteBufUtil.hexDump(bytes)).as(name).isEqualTo(ByteBufUtil.hexDump(kept.get(name))));
    }

    private void append(Map<String, byte[]> written) throws IOException {
        List<String> lines = new ArrayList<>(
                Files.exists(FILE)
                        ? Files.readAllLines(FILE)
                        : List.of("# Frames of version 1 of the protocol, by name, as hex. Never change a line."));
        written.forEach((name, bytes) -> {
            if (kept.putIfAbsent(name, bytes) == null) {
                lines.add(name + ": " + ByteBufUtil.hexDump(bytes));
            }
        });
        Files.write(FILE, lines);
    }

    @Test
    void readsTheHellosThatAreKept() {
        assertThat(readHello("hello of a client")).isEqualTo(CLIENT);
        Hello brick = readHello("hello of a brick");
        assertThat(brick.role()).isEqualTo(Hello.Role.BRICK);
        assertThat(brick.name()).isEqualTo("b1");
        assertThat(brick.incarnation()).isEqualTo(7);
        assertThat(brick.clusterHigh()).isEqualTo(-1);
        assertThat(brick.clusterLow()).isEqualTo(1);
        assertThat(brick.build()).isEmpty();
        assertThat(CLIENT.commonVersion(brick)).isEqualTo(1);
        assertThat(readHello("hello of a brick with its build").build()).isEqualTo("0.1.0 build 1a2b3c4d");
    }

    private Hello readHello(String name) {
        ByteBuf frame = Unpooled.wrappedBuffer(kept.get(name));
        return HelloFrame.read(frame, 0, frame.readableBytes());
    }

    @Test
    void takesTheRequestsThatAreKept() {
        kept.forEach((name, bytes) -> {
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
