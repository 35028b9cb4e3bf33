package io.sdds.brick.partition;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.sdds.brick.memory.ArenaMemorySource;
import io.sdds.brick.memory.MemoryBudget;
import io.sdds.brick.memory.RecordStore;
import io.sdds.core.node.FakeWorld;
import io.sdds.core.node.Link;
import io.sdds.core.protocol.Hello;
import io.sdds.core.protocol.Opcode;
import io.sdds.core.protocol.ReplyFrame;
import io.sdds.core.protocol.RequestFrame;
import io.sdds.core.protocol.RequestFrames;
import io.sdds.core.protocol.Status;
import io.sdds.core.query.EvaluationError;
import io.sdds.core.query.Instruction;
import io.sdds.core.query.Op;
import io.sdds.core.query.Output;
import io.sdds.core.query.Program;
import io.sdds.core.query.ProgramCodec;
import io.sdds.core.query.RowShape;
import io.sdds.core.query.UpdateFailure;
import io.sdds.core.row.RowLayout;
import io.sdds.core.row.RowReader;
import io.sdds.core.row.RowWriter;
import io.sdds.core.row.Schema;
import io.sdds.core.row.SchemaText;
import io.sdds.core.row.ValueType;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** UPDATEs of records with the columns {@code visits int not null, name varchar}. */
class UpdateTest {
    private static final long SESSION = 7;
    private static final long TTL_MILLIS = 1_000;
    private static final Schema SCHEMA = SchemaText.parse("id int key, visits int not null, name varchar");
    private static final byte[] COUNT = program(-1, new Output.Write(List.of(new Output.Assignment(0, 2, true))));
    private static final byte[] COUNT_TO_TEN = program(4, new Output.Write(List.of(new Output.Assignment(0, 2, true))));
    private static final byte[] REMOVE_BELOW_TEN = program(4, new Output.Remove());

    private final MemoryBudget budget = new MemoryBudget(1 << 20);
    private final ArenaMemorySource memory = new ArenaMemorySource(budget);
    private final RecordStore store = new RecordStore(memory, budget);
    private final Link link = Link.view(new FakeWorld(1).newEnv(), null, Hello.of(Hello.Role.CLIENT, "c", 0), null);
    private final Operations operations =
            new Operations(store, new Replies(), session -> false, session -> false, () -> 0, 2);
    private final Partition partition = new HashPartition(RequestFrames.TABLE, 0, 0, 0, store);

    private record Reply(byte status, long result) {}

    @AfterEach
    void close() {
        link.claim(0).release();
        memory.close();
    }

    /** Instruction 2 is visits + 1; instruction 4 says whether visits < 10. */
    private static byte[] program(int filter, Output output) {
        return ProgramCodec.encode(new Program(
                RowShape.of(SCHEMA),
                List.of(
                        instruction(Op.VALUE_COLUMN, ValueType.INTEGER, 0, -1),
                        instruction(Op.CONSTANT, ValueType.INTEGER, -1, -1, new byte[] {1, 0, 0, 0}),
                        instruction(Op.ADD, ValueType.INTEGER, 0, 1),
                        instruction(Op.CONSTANT, ValueType.INTEGER, -1, -1, new byte[] {10, 0, 0, 0}),
                        instruction(Op.LESS, ValueType.BOOLEAN, 0, 3)),
                filter,
                output));
    }

    private static Instruction instruction(Op op, ValueType type, int a, int b, byte[]... constants) {
        return new Instruction(op, type, a, b, -1, Arrays.asList(constants));
    }

    private static byte[] row(int visits, String name) {
        return new RowWriter(SCHEMA).write(new Object[] {visits, name});
    }

    private Reply write(byte opcode, long seq, byte[] rest) {
        ByteBuf frame = Unpooled.directBuffer();
        int flags = opcode == Opcode.PUT ? RequestFrame.FLAG_TTL : 0;
        RequestFrame.writeHeader(frame, 0, opcode, flags, 1, RequestFrames.TABLE, 0, 1_000, 1, 1);
        RequestFrame.writeRequestId(frame, SESSION, seq, 1);
        frame.writeByte('k');
        if (flags != 0) {
            frame.writeLongLE(TTL_MILLIS);
        }
        frame.writeBytes(rest);
        frame.setIntLE(RequestFrame.LENGTH, frame.writerIndex());
        Request request = new Request();
        request.read(link, frame, Request.memoryOf(frame), 0, frame.writerIndex());
        int reply = link.claim(0).writerIndex();
        operations.run(partition, request);
        frame.release();
        ByteBuf out = link.claim(0);
        return new Reply(out.getByte(reply + ReplyFrame.STATUS), out.getLongLE(ReplyFrame.body(out, reply)));
    }

    private long find() {
        ByteBuf frame = Unpooled.directBuffer();
        RequestFrame.writeHeader(frame, 0, Opcode.GET, 0, 1, RequestFrames.TABLE, 0, 1_000, 1, 1);
        frame.writeByte('k').setIntLE(RequestFrame.LENGTH, frame.writerIndex());
        Request request = new Request();
        request.read(link, frame, Request.memoryOf(frame), 0, frame.writerIndex());
        long found = partition.bucket().find(request.hash, request.frame, request.keyOffset, request.keyLength);
        frame.release();
        return found;
    }

    private RowReader record() {
        long found = find();
        RowReader reader = new RowReader(RowLayout.of(SCHEMA));
        reader.read(store.segment(found)
                .asSlice(store.valueOffset(found), store.valueLength(found))
                .toArray(ValueLayout.JAVA_BYTE));
        return reader;
    }

    @Test
    void anUpdateComputesTheValueAndKeepsTheExpiry() {
        write(Opcode.PUT, 1, row(41, "Ada"));
        long expiry = store.expiry(find());
        assertThat(expiry).isNotEqualTo(RecordStore.NO_EXPIRY);
        assertThat(write(Opcode.UPDATE, 2, COUNT)).isEqualTo(new Reply(Status.OK, 2));
        assertThat(record().value(0)).isEqualTo(42);
        assertThat(record().value(1)).isEqualTo("Ada");
        assertThat(store.version(find())).isEqualTo(2);
        assertThat(store.expiry(find())).isEqualTo(expiry);
    }

    @Test
    void anUpdateThatComesAgainIsAnsweredFromItsResult() {
        write(Opcode.PUT, 1, row(9, null));
        assertThat(write(Opcode.UPDATE, 2, COUNT_TO_TEN)).isEqualTo(new Reply(Status.OK, 2));
        assertThat(write(Opcode.UPDATE, 2, COUNT_TO_TEN)).isEqualTo(new Reply(Status.OK, 2));
        assertThat(record().value(0)).isEqualTo(10);
    }

    @Test
    void aConditionThatIsFalseHasNoEffect() {
        write(Opcode.PUT, 1, row(10, null));
        assertThat(write(Opcode.UPDATE, 2, COUNT_TO_TEN)).isEqualTo(new Reply(Status.CONDITION_FALSE, 1));
        assertThat(write(Opcode.UPDATE, 3, REMOVE_BELOW_TEN)).isEqualTo(new Reply(Status.CONDITION_FALSE, 1));
        assertThat(record().value(0)).isEqualTo(10);
        assertThat(partition.version()).isEqualTo(1);
    }

    @Test
    void aRecordOfWhichTheConditionIsTrueIsRemoved() {
        write(Opcode.PUT, 1, row(9, null));
        assertThat(write(Opcode.UPDATE, 2, REMOVE_BELOW_TEN)).isEqualTo(new Reply(Status.OK, 2));
        assertThat(find()).isZero();
        assertThat(write(Opcode.UPDATE, 3, REMOVE_BELOW_TEN).status()).isEqualTo(Status.ABSENT);
        assertThat(write(Opcode.UPDATE, 4, COUNT).status()).isEqualTo(Status.ABSENT);
    }

    @Test
    void aProgramThatFailsHasNoEffectAndFailsAgainWhenItComesAgain() {
        write(Opcode.PUT, 1, row(Integer.MAX_VALUE, null));
        Reply failed = write(Opcode.UPDATE, 2, COUNT);
        assertThat(failed)
                .isEqualTo(new Reply(Status.UPDATE_FAILED, new UpdateFailure(EvaluationError.OVERFLOW, 0).code()));
        assertThat(store.version(find())).isOne();
        write(Opcode.PUT, 3, row(1, null));
        assertThat(write(Opcode.UPDATE, 2, COUNT))
                .as("the client was told that this request has no effect")
                .isEqualTo(failed);
        assertThat(record().value(0)).isEqualTo(1);
    }

    @Test
    void whatIsNoProgramOfAnUpdateIsRefusedAndLeavesNoResult() {
        write(Opcode.PUT, 1, row(1, null));
        byte[] later = COUNT.clone();
        later[0]++;
        assertThat(write(Opcode.UPDATE, 2, later).status()).isEqualTo(Status.UNSUPPORTED_PROGRAM);
        assertThat(write(Opcode.UPDATE, 2, new byte[] {1}).status()).isEqualTo(Status.BAD_REQUEST);
        byte[] query = program(-1, new Output.Project(List.of(0), 1));
        assertThat(write(Opcode.UPDATE, 2, query).status()).isEqualTo(Status.BAD_REQUEST);
        assertThat(write(Opcode.UPDATE, 2, COUNT).status()).isEqualTo(Status.OK);
    }
}
