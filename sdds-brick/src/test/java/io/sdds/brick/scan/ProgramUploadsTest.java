package io.sdds.brick.scan;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.sdds.brick.group.IdleHandler;
import io.sdds.brick.partition.Replies;
import io.sdds.brick.partition.Request;
import io.sdds.brick.query.KeptPrograms;
import io.sdds.brick.stage.StageContext;
import io.sdds.core.Seeds;
import io.sdds.core.node.FakeWorld;
import io.sdds.core.node.Link;
import io.sdds.core.node.SilentConnection;
import io.sdds.core.node.SilentNode;
import io.sdds.core.protocol.Hello;
import io.sdds.core.protocol.Limits;
import io.sdds.core.protocol.Opcode;
import io.sdds.core.protocol.ReplyFrame;
import io.sdds.core.protocol.RequestFrame;
import io.sdds.core.protocol.Status;
import io.sdds.core.query.Instruction;
import io.sdds.core.query.Op;
import io.sdds.core.query.Output;
import io.sdds.core.query.Program;
import io.sdds.core.query.ProgramCodec;
import io.sdds.core.query.ProgramHash;
import io.sdds.core.query.RowShape;
import io.sdds.core.row.ValueType;
import io.sdds.core.row.Values;
import io.sdds.core.stage.Stage;
import io.sdds.core.stage.StageLimits;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Parts of programs that come in any order, from clients that do not keep to the protocol. */
class ProgramUploadsTest {
    private static final int PART = Limits.PROGRAM_PART_BYTES_MAX;
    private static final int BUSY_HINT_MILLIS = 3;
    private static final Duration LOADING = Duration.ofSeconds(1);

    private final FakeWorld world = new FakeWorld(1);
    private final FakeWorld.FakeEnv env = world.newEnv();
    private final Stage stage = new Stage(env, StageLimits.DEFAULT, new IdleHandler());
    private final KeptPrograms kept = new KeptPrograms();
    private final ProgramUploads uploads = new ProgramUploads(
            new StageContext(env, stage, null, null, null, null, new Replies(), null, number -> true, BUSY_HINT_MILLIS),
            kept);
    private final long buffersAtRest = env.buffersHeld();
    private final Sender sender = new Sender();

    @AfterEach
    void nothingIsLeft() {
        world.run(LOADING);
        uploads.tick();
        uploads.release();
        assertThat(uploads.bytes()).isZero();
        assertThat(env.buffersHeld()).isEqualTo(buffersAtRest);
    }

    private record Reply(byte status, long number, String text) {
        static Reply has(long bytes) {
            return new Reply(Status.OK, bytes, "");
        }
    }

    /** A client at the other end of a link. */
    private final class Sender extends SilentConnection {
        private final ByteBuf written = Unpooled.buffer();
        final Link link;

        Sender() {
            super("test");
            link = Link.view(env, new SilentNode(), Hello.of(Hello.Role.CLIENT, "test", 0), this);
        }

        @Override
        public void write(ByteBuf frames) {
            written.writeBytes(frames);
            frames.release();
        }

        void send(byte[] program, int offset, int length) {
            send(ProgramHash.of(program), program.length, offset, Arrays.copyOfRange(program, offset, offset + length));
        }

        void send(ProgramHash hash, int programLength, int offset, byte[] part) {
            ByteBuf frame = frame(hash, programLength, offset, part);
            assertThat(RequestFrame.problem(frame, 0, frame.readableBytes())).isNull();
            Request request = new Request();
            request.read(link, frame, Request.memoryOf(frame), 0, frame.readableBytes());
            uploads.take(request);
            link.flush();
            frame.release();
        }

        /** Sends a program as a client does: each part when the part before is answered. */
        void sendAll(byte[] program) {
            for (int offset = 0; offset < program.length; offset += PART) {
                send(program, offset, Math.min(PART, program.length - offset));
                if (offset + PART < program.length) {
                    assertThat(reply()).isEqualTo(Reply.has(offset + PART));
                }
            }
        }

        /** The next answer; null if there is none. */
        @Nullable
        Reply reply() {
            if (!written.isReadable()) {
                return null;
            }
            ByteBuf frame = written.readSlice(written.getIntLE(written.readerIndex()));
            byte status = frame.getByte(ReplyFrame.STATUS);
            frame.readerIndex(ReplyFrame.body(frame, 0));
            return switch (status) {
                case Status.OK -> Reply.has(frame.readLongLE());
                case Status.BUSY -> new Reply(status, frame.readIntLE(), "");
                default -> new Reply(status, 0, frame.toString(StandardCharsets.UTF_8));
            };
        }

        @Nullable
        Reply replyWhenRead() {
            assertThat(reply()).isNull();
            world.run(LOADING);
            return reply();
        }
    }

    private static ByteBuf frame(ProgramHash hash, int programLength, int offset, byte[] part) {
        ByteBuf frame = Unpooled.directBuffer();
        RequestFrame.writeHeader(frame, 0, Opcode.PROGRAM, 0, 1, 1, 0, 1_000_000, 0, 0);
        frame.writeBytes(hash.bytes()).writeIntLE(programLength).writeIntLE(offset);
        return frame.writeBytes(part)
                .setIntLE(RequestFrame.LENGTH, RequestFrame.READ_BODY + RequestFrame.PROGRAM_BODY + part.length);
    }

    /** A program with a list of numbers of nine bytes each. */
    private static byte[] program(int numbers) {
        List<byte @Nullable []> list = new ArrayList<>();
        for (long k = 0; k < numbers; k++) {
            list.add(Values.encode(ValueType.BIGINT, k, null));
        }
        Instruction version = new Instruction(Op.RECORD_VERSION, ValueType.BIGINT, -1, -1, -1, List.of());
        Instruction in = new Instruction(Op.IN, ValueType.BOOLEAN, 0, -1, -1, list);
        return ProgramCodec.encode(
                new Program(RowShape.BYTES, List.of(version, in), 1, new Output.Project(List.of(0), 1)));
    }

    /** Bytes that are no program, from which a prefix may come. */
    private static byte[] noise(int bytes, int seed) {
        byte[] noise = new byte[bytes];
        new SplittableRandom(seed).nextBytes(noise);
        return noise;
    }

    @Test
    void theLastPartIsAnsweredWhenTheProgramCanBeUsed() {
        byte[] program = program(50_000);
        sender.sendAll(program);
        assertThat(kept.use(ProgramHash.of(program), 0)).isNull();
        assertThat(sender.replyWhenRead()).isEqualTo(Reply.has(program.length));
        assertThat(kept.use(ProgramHash.of(program), env.nowNanos())).isNotNull();
        assertThat(uploads.bytes()).isZero();
        assertThat(uploads.size()).isZero();
        sender.send(program, 0, PART);
        assertThat(sender.reply()).isEqualTo(Reply.has(program.length));
    }

    @Test
    void partsOutOfTurnTwiceOrOverlappingAreAnsweredWithWhatIsThere() {
        byte[] program = program(50_000);
        sender.send(program, PART, PART);
        assertThat(sender.reply()).isEqualTo(Reply.has(0));
        sender.send(program, 0, PART);
        assertThat(sender.reply()).isEqualTo(Reply.has(PART));
        sender.send(program, 0, PART);
        assertThat(sender.reply()).isEqualTo(Reply.has(PART));
        sender.send(program, PART - 1, PART);
        assertThat(sender.reply()).isEqualTo(Reply.has(PART));
        sender.send(program, program.length - 1, 1);
        assertThat(sender.reply()).isEqualTo(Reply.has(PART));
        assertThat(uploads.bytes()).isEqualTo(PART);
        sender.send(program, PART, 1);
        assertThat(sender.reply()).isEqualTo(Reply.has(PART + 1));
        for (int offset = PART + 1; offset < program.length; offset += PART) {
            sender.reply();
            sender.send(program, offset, Math.min(PART, program.length - offset));
        }
        assertThat(sender.replyWhenRead()).isEqualTo(Reply.has(program.length));
    }

    @Test
    void partsBeyondTheProgramOrTheLimitsAreNoRequests() {
        ProgramHash hash = new ProgramHash(1, 2);
        byte[] part = new byte[10];
        int most = Limits.PROGRAM_BYTES_MAX;
        assertThat(problem(hash, 10, 0, part)).isNull();
        assertThat(problem(hash, most, most - 10, part)).isNull();
        assertThat(problem(hash, most, 0, new byte[PART])).isNull();
        for (ByteBuf bad : List.of(
                frame(hash, 10, 1, part),
                frame(hash, 9, 0, part),
                frame(hash, 0, 0, part),
                frame(hash, -1, 0, part),
                frame(hash, 10, -1, part),
                frame(hash, Integer.MIN_VALUE, Integer.MAX_VALUE, part),
                frame(hash, Integer.MAX_VALUE, 0, part),
                frame(hash, most + 1, 0, part),
                frame(hash, 10, 0, new byte[0]),
                frame(hash, most, 0, new byte[PART + 1]))) {
            assertThat(RequestFrame.problem(bad, 0, bad.readableBytes())).contains("part of a program");
            bad.release();
        }
    }

    private static @Nullable String problem(ProgramHash hash, int programLength, int offset, byte[] part) {
        ByteBuf frame = frame(hash, programLength, offset, part);
        try {
            return RequestFrame.problem(frame, 0, frame.readableBytes());
        } finally {
            frame.release();
        }
    }

    @Test
    void bytesWithAnotherHashAreRefusedWithTheLastPart() {
        byte[] program = program(50_000);
        byte[] other = program.clone();
        other[other.length / 2] ^= 1;
        ProgramHash hash = ProgramHash.of(program);
        for (int offset = 0; offset < other.length; offset += PART) {
            sender.send(
                    hash,
                    other.length,
                    offset,
                    Arrays.copyOfRange(other, offset, Math.min(other.length, offset + PART)));
            if (offset + PART < other.length) {
                assertThat(sender.reply()).isEqualTo(Reply.has(offset + PART));
            }
        }
        assertThat(sender.reply())
                .isEqualTo(new Reply(Status.BAD_REQUEST, 0, "the bytes of a program do not have its hash"));
        assertThat(uploads.size()).isZero();
        assertThat(kept.use(hash, env.nowNanos())).isNull();
        sender.sendAll(program);
        assertThat(sender.replyWhenRead()).isEqualTo(Reply.has(program.length));
    }

    @Test
    void bytesThatAreNoProgramAreRefusedWhenTheyAreRead() {
        sender.send(noise(1_000, 1), 0, 1_000);
        assertThat(sender.replyWhenRead().status()).isEqualTo(Status.UNSUPPORTED_PROGRAM);
        byte[] cut = Arrays.copyOf(program(50_000), PART);
        sender.send(cut, 0, PART);
        Reply early = sender.replyWhenRead();
        assertThat(early.status()).isEqualTo(Status.BAD_REQUEST);
        assertThat(early.text()).startsWith("program ends early: 8 bytes wanted");
        byte[] update = ProgramCodec.encode(new Program(RowShape.BYTES, List.of(), -1, new Output.Remove()));
        sender.send(update, 0, update.length);
        assertThat(sender.replyWhenRead())
                .isEqualTo(new Reply(Status.BAD_REQUEST, 0, "program: an update in the place of a query"));
        assertThat(uploads.size()).isZero();
        assertThat(kept.size()).isZero();
    }

    @Test
    void damagedProgramsUnderTheirOwnHashAreKeptOrRefused() {
        SplittableRandom random = Seeds.random("ProgramUploadsTest");
        byte[] program = program(200);
        int refused = 0;
        for (int run = 0; run < 2_000; run++) {
            byte[] damaged = Arrays.copyOf(
                    program, random.nextInt(4) == 0 ? 1 + random.nextInt(program.length) : program.length);
            for (int flips = random.nextInt(4); flips >= 0; flips--) {
                damaged[random.nextInt(damaged.length)] = (byte) random.nextInt();
            }
            sender.send(damaged, 0, damaged.length);
            Reply reply = sender.reply();
            if (reply == null) {
                world.run(Duration.ofMillis(10));
                reply = sender.reply();
            }
            assertThat(reply.status()).isIn(Status.OK, Status.BAD_REQUEST, Status.UNSUPPORTED_PROGRAM);
            refused += reply.status() == Status.OK ? 0 : 1;
        }
        assertThat(refused).isBetween(500, 1_999);
        assertThat(uploads.size()).isZero();
        assertThat(kept.bytes()).isLessThan(KeptPrograms.BYTES_MAX);
    }

    @Test
    void anotherProgramOfTheLinkTakesThePlaceOfAnUnfinishedOne() {
        byte[] first = program(50_000);
        byte[] second = program(50_001);
        sender.send(first, 0, PART);
        assertThat(sender.reply()).isEqualTo(Reply.has(PART));
        sender.send(second, 0, PART);
        assertThat(sender.reply()).isEqualTo(Reply.has(PART));
        assertThat(uploads.size()).isEqualTo(1);
        assertThat(uploads.bytes()).isEqualTo(PART);
        // Another length is another program
        sender.send(ProgramHash.of(second), second.length + 1, PART, new byte[PART]);
        assertThat(sender.reply()).isEqualTo(Reply.has(0));
        assertThat(uploads.bytes()).isZero();
    }

    @Test
    void aProgramThatWaitsToBeReadIsBusyWhenAnotherComes() {
        byte[] first = program(10_000);
        sender.send(first, 0, first.length);
        assertThat(sender.reply()).isNull();
        byte[] second = program(10_001);
        sender.send(second, 0, second.length);
        world.run(LOADING);
        assertThat(sender.reply()).isEqualTo(new Reply(Status.BUSY, BUSY_HINT_MILLIS, ""));
        assertThat(sender.reply()).isEqualTo(Reply.has(second.length));
        assertThat(sender.reply()).isNull();
    }

    @Test
    void copiesOfTheLastPartAreAllAnswered() {
        byte[] program = program(10_000);
        for (int copy = 0; copy < 6; copy++) {
            sender.send(program, 0, program.length);
        }
        assertThat(sender.reply().status()).isEqualTo(Status.BUSY);
        assertThat(sender.reply().status()).isEqualTo(Status.BUSY);
        for (int copy = 0; copy < 4; copy++) {
            world.run(LOADING);
            assertThat(sender.reply()).isEqualTo(Reply.has(program.length));
        }
        byte[] bad = noise(1_000, 2);
        sender.send(bad, 0, bad.length);
        sender.send(bad, 0, bad.length);
        world.run(LOADING);
        assertThat(sender.reply().status()).isEqualTo(Status.UNSUPPORTED_PROGRAM);
        assertThat(sender.reply().status()).isEqualTo(Status.UNSUPPORTED_PROGRAM);
    }

    @Test
    void moreProgramsThanFitGiveWayToThoseThatLackLess() {
        int length = Limits.PROGRAM_BYTES_MAX;
        List<Sender> senders = new ArrayList<>();
        for (int k = 0; k < 6; k++) {
            senders.add(new Sender());
        }
        int whole = 0;
        int begunAnew = 0;
        // Five send in turn, so that all lack about as much; one sends a byte, and holds almost nothing
        Sender lazy = senders.get(5);
        lazy.send(new ProgramHash(9, 9), length, 0, new byte[1]);
        int[] sent = new int[5];
        byte[] part = new byte[PART];
        for (int round = 0; round < length / PART + 1; round++) {
            for (int k = 0; k < 5; k++) {
                int bytes = Math.min(PART, length - sent[k]);
                if (bytes == 0) {
                    continue;
                }
                senders.get(k).send(new ProgramHash(k, k), length, sent[k], Arrays.copyOf(part, bytes));
                Reply reply = senders.get(k).reply();
                assertThat(uploads.bytes()).isLessThanOrEqualTo(ProgramUploads.BYTES_MAX);
                if (reply.status() == Status.BAD_REQUEST) {
                    whole++; // all parts came, and do not have the hash
                    sent[k] = length;
                } else {
                    int there = reply.status() == Status.BUSY ? 0 : (int) reply.number();
                    begunAnew += there < sent[k] ? 1 : 0;
                    sent[k] = there;
                }
            }
        }
        assertThat(whole).isGreaterThanOrEqualTo(3);
        assertThat(begunAnew).isPositive();
    }

    @Test
    void anUnfinishedProgramIsDroppedWhenItGetsNoPart() {
        byte[] program = program(50_000);
        sender.send(program, 0, PART);
        world.clockOnly(Duration.ofNanos(ProgramUploads.IDLE_NANOS - 1));
        uploads.tick();
        assertThat(uploads.bytes()).isEqualTo(PART);
        sender.send(program, 0, PART); // a copy is heard, too
        world.clockOnly(Duration.ofNanos(ProgramUploads.IDLE_NANOS - 1));
        uploads.tick();
        assertThat(uploads.bytes()).isEqualTo(PART);
        world.clockOnly(Duration.ofNanos(1));
        uploads.tick();
        assertThat(uploads.bytes()).isZero();
        assertThat(uploads.size()).isZero();
    }

    @Test
    void aProgramGoesWithItsLink() {
        byte[] program = program(50_000);
        Sender other = new Sender();
        other.send(program, 0, PART);
        byte[] small = program(1_000);
        sender.send(small, 0, small.length);
        sender.link.onClosed("gone");
        other.link.onClosed("gone");
        uploads.tick();
        assertThat(uploads.size()).isZero();
        world.run(LOADING);
        assertThat(sender.reply()).isNull();
        assertThat(kept.size()).isZero();
    }
}
