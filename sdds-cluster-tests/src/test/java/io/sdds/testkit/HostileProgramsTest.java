package io.sdds.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.sdds.client.Codec;
import io.sdds.client.HashTable;
import io.sdds.client.TableOptions;
import io.sdds.core.Seeds;
import io.sdds.core.control.ControlFrame;
import io.sdds.core.control.ControlMessage.OpenSession;
import io.sdds.core.control.ControlMessage.SessionOpened;
import io.sdds.core.netty.RawClient;
import io.sdds.core.protocol.Hello.Role;
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
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A client at a socket that ships damaged programs: as an update, to be kept, by a wrong hash, with a wrong bound. */
class HostileProgramsTest {
    private static final int DRAWS = 400;
    private static final int PATIENCE_MILLIS = 20_000;
    private static final int LIST = 2_000;
    private static final byte[] KEY = "victim".getBytes(StandardCharsets.UTF_8);

    private final EmbeddedCluster cluster = EmbeddedCluster.start(1, 256 << 20, 2);
    private final HashTable<String, String> table =
            cluster.client().createHashTable("t", TableOptions.defaults(), Codec.utf8(), Codec.utf8());
    private final SplittableRandom random = Seeds.random("HostileProgramsTest");
    private final byte[] update = update();
    private final byte[] query = query(new Output.Project(List.of(0), 100));
    private final byte[] ordered = query(new Output.Top(List.of(new Output.SortKey(0, false, false)), List.of(0), 100));
    private int correlation;
    private long seq;

    @AfterEach
    void stop() {
        cluster.close();
    }

    private static byte[] update() {
        Instruction value = new Instruction(Op.VALUE, ValueType.VARBINARY, -1, -1, -1, List.of());
        List<byte @Nullable []> sign = List.of("!".getBytes(StandardCharsets.UTF_8));
        Instruction more = new Instruction(Op.CONSTANT, ValueType.VARBINARY, -1, -1, -1, sign);
        Instruction both = new Instruction(Op.CONCAT, ValueType.VARBINARY, 0, 1, -1, List.of());
        Output write = new Output.Write(List.of(new Output.Assignment(Output.Assignment.WHOLE_VALUE, 2, true)));
        return ProgramCodec.encode(new Program(RowShape.BYTES, List.of(value, more, both), -1, write));
    }

    private static byte[] query(Output output) {
        List<byte @Nullable []> list = new ArrayList<>();
        for (long k = 0; k < LIST; k++) {
            list.add(Values.encode(ValueType.BIGINT, k, null));
        }
        Instruction version = new Instruction(Op.RECORD_VERSION, ValueType.BIGINT, -1, -1, -1, List.of());
        Instruction in = new Instruction(Op.IN, ValueType.BOOLEAN, 0, -1, -1, list);
        return ProgramCodec.encode(new Program(RowShape.BYTES, List.of(version, in), 1, output));
    }

    @Test
    void eachRequestIsAnsweredOrEndsItsOwnConnection() throws Exception {
        Map<String, String> others = new TreeMap<>();
        for (int k = 0; k < 500; k++) {
            others.put("key" + k, "value" + k);
        }
        table.putAll(others);
        int id = cluster.client().status(false).tables().get(0).id();
        long session = openSession();
        Map<String, Integer> outcomes = new TreeMap<>();
        RawClient client = client();
        try {
            for (int draw = 0; draw < DRAWS; draw++) {
                table.put("victim", "value");
                ByteBuf frame = draw(id, session);
                client.send(frame);
                ByteBuf answer = answer(client);
                if (answer == null) {
                    client.close();
                    client = client();
                }
                String outcome = answer == null ? "closed" : "status " + answer.getByte(ReplyFrame.STATUS);
                outcomes.merge(outcome, 1, Integer::sum);
                assertThat(table.get("key" + draw % 500)).isEqualTo("value" + draw % 500);
            }
        } finally {
            client.close();
        }
        System.out.println("HostileProgramsTest: " + outcomes);
        assertThat(outcomes)
                .containsKeys(
                        "closed",
                        "status " + Status.OK,
                        "status " + Status.BAD_REQUEST,
                        "status " + Status.UNSUPPORTED_PROGRAM,
                        "status " + Status.NO_PROGRAM)
                .doesNotContainKey("status " + Status.INTERNAL_ERROR);
        assertThat(cluster.failedBricks()).isEmpty();
        others.forEach((key, value) -> assertThat(table.get(key)).isEqualTo(value));
    }

    private long openSession() throws IOException {
        try (RawClient client = new RawClient(cluster.address(), Role.CLIENT)) {
            client.send(RawClient.controls(new OpenSession("hostile"), 1, 1));
            ByteBuf frame = client.receive(PATIENCE_MILLIS);
            while (RawClient.opcode(frame) != Opcode.CONTROL) {
                frame = client.receive(PATIENCE_MILLIS);
            }
            return ((SessionOpened) ControlFrame.read(frame, 0, frame.readableBytes())).session();
        }
    }

    private RawClient client() throws IOException {
        return new RawClient(cluster.brickAddresses().get(0), Role.CLIENT);
    }

    /** The answer to the last request; null if the connection ended. */
    private @Nullable ByteBuf answer(RawClient client) throws IOException {
        ByteBuf frame = client.receive(PATIENCE_MILLIS);
        while (frame != null && RawClient.opcode(frame) != Opcode.REPLY) {
            frame = client.receive(PATIENCE_MILLIS);
        }
        if (frame != null) {
            assertThat(frame.getIntLE(ReplyFrame.CORRELATION)).isEqualTo(correlation);
        }
        return frame;
    }

    private ByteBuf draw(int id, long session) {
        ByteBuf frame = Unpooled.buffer();
        boolean isUpdate = random.nextInt(3) == 0;
        byte opcode = isUpdate ? Opcode.UPDATE : random.nextBoolean() ? Opcode.PROGRAM : Opcode.SCAN;
        int keyLength = isUpdate ? KEY.length : 0;
        RequestFrame.writeHeader(frame, 0, opcode, 0, ++correlation, id, 0, 60_000, 0, keyLength);
        if (isUpdate) {
            RequestFrame.writeRequestId(frame, session, ++seq, seq);
            frame.writeBytes(KEY).writeBytes(damaged(update));
        } else if (opcode == Opcode.PROGRAM) {
            writePart(frame);
        } else {
            writeScan(frame);
        }
        int body = RequestFrame.body(opcode);
        if (random.nextInt(4) == 0) { // anything behind the header
            frame.setByte(body + random.nextInt(frame.writerIndex() - body), random.nextInt());
        }
        if (random.nextInt(8) == 0) {
            frame.writerIndex(body + random.nextInt(frame.writerIndex() - body));
        }
        return frame.setIntLE(RequestFrame.LENGTH, frame.writerIndex());
    }

    private void writePart(ByteBuf frame) {
        byte[] program = damaged(query);
        ProgramHash hash = ProgramHash.of(random.nextInt(4) == 0 ? query : program);
        boolean isWhole = random.nextBoolean();
        int offset = isWhole ? 0 : random.nextInt(program.length);
        int length = isWhole ? program.length : 1 + random.nextInt(program.length - offset);
        frame.writeBytes(hash.bytes()).writeIntLE(program.length + (random.nextInt(8) == 0 ? random.nextInt() : 0));
        frame.writeIntLE(offset).writeBytes(program, offset, length);
    }

    private void writeScan(ByteBuf frame) {
        boolean isKept = random.nextBoolean();
        boolean isBounded = random.nextInt(3) == 0;
        byte what = isKept ? RequestFrame.SCAN_KEPT_PROGRAM : RequestFrame.SCAN_PROGRAM;
        frame.writeLongLE(0).writeLongLE(0).writeIntLE(random.nextInt());
        frame.writeByte(isBounded ? what | RequestFrame.SCAN_BOUND : what);
        if (isBounded) {
            byte[] bound = new byte[random.nextInt(20)];
            random.nextBytes(bound);
            frame.writeShortLE(bound.length + (random.nextInt(8) == 0 ? 30_000 : 0))
                    .writeBytes(bound);
        }
        byte[] program = isBounded ? ordered : query;
        frame.writeBytes(
                isKept
                        ? ProgramHash.of(random.nextBoolean() ? program : damaged(program))
                                .bytes()
                        : damaged(program));
    }

    /** A copy with up to three other bytes, which may be cut or be longer. */
    private byte[] damaged(byte[] program) {
        byte[] copy = program.clone();
        for (int flips = random.nextInt(4); flips > 0; flips--) {
            // The first bytes and the last ones have the structure, the others are constants
            int range = Math.min(copy.length, 100);
            int at = random.nextInt(range);
            copy[random.nextBoolean() ? at : copy.length - 1 - at] = (byte) random.nextInt();
        }
        return switch (random.nextInt(8)) {
            case 0 -> Arrays.copyOf(copy, 1 + random.nextInt(copy.length));
            case 1 -> Arrays.copyOf(copy, copy.length + 1 + random.nextInt(10));
            default -> copy;
        };
    }
}
