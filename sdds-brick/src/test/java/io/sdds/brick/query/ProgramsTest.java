package io.sdds.brick.query;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.sdds.brick.memory.ArenaMemorySource;
import io.sdds.brick.memory.MemoryBudget;
import io.sdds.brick.memory.RecordBatch;
import io.sdds.brick.memory.RecordStore;
import io.sdds.brick.range.KeyRange;
import io.sdds.brick.range.RangeBucket;
import io.sdds.core.query.Instruction;
import io.sdds.core.query.Op;
import io.sdds.core.query.Output;
import io.sdds.core.query.Program;
import io.sdds.core.query.ProgramCodec;
import io.sdds.core.query.RowShape;
import io.sdds.core.row.ValueType;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ProgramsTest {
    private final MemoryBudget budget = new MemoryBudget(64 << 20);
    private final ArenaMemorySource source = new ArenaMemorySource(budget);
    private final RecordStore store = new RecordStore(source, budget);
    private final Programs programs = new Programs(store, Unpooled::directBuffer);

    @AfterEach
    void close() {
        programs.release();
        source.close();
    }

    /** A program of as many instructions as there may be, each with a lane of texts. */
    private static ByteBuf large(int number) {
        List<Instruction> instructions = new ArrayList<>();
        for (int k = 0; k < Program.INSTRUCTIONS_MAX; k++) {
            byte[] text = {(byte) number};
            instructions.add(
                    new Instruction(Op.CONSTANT, ValueType.VARCHAR, -1, -1, -1, Collections.singletonList(text)));
        }
        Program program = new Program(RowShape.BYTES, instructions, -1, new Output.Project(List.of(0), 1));
        return Unpooled.wrappedBuffer(ProgramCodec.encode(program));
    }

    @Test
    void firstRowsOfManyMebibytesEndTheStepBehindEach() {
        RangeBucket bucket = new RangeBucket(store);
        MemorySegment value = MemorySegment.ofArray(new byte[5 << 20]);
        for (int k = 0; k < 6; k++) {
            byte[] key = {(byte) k};
            bucket.put(MemorySegment.ofArray(key), 0, 1, value, 0, (int) value.byteSize(), k, false);
        }
        Program program = new Program(
                RowShape.BYTES,
                List.of(new Instruction(Op.VALUE, ValueType.VARBINARY, -1, -1, -1, List.of())),
                -1,
                new Output.Top(List.of(new Output.SortKey(0, true, true)), List.of(0), 10));
        bucket.begin(new KeyRange(), false);
        RecordBatch batch = new RecordBatch();
        bucket.next(batch, 6);
        ProgramRun run = programs.begin(Unpooled.wrappedBuffer(ProgramCodec.encode(program)), null, 1 << 20, 10);
        assertThat(run.evaluate(batch, true, false)).isEqualTo(1);
        assertThat(run.isFull()).isTrue();
        assertThat(run.answer().readableBytes()).isBetween(10 << 20, 11 << 20);
        run.release();
    }

    @Test
    void thePreparedProgramsHaveBoundedBytes() {
        long one = 0;
        for (int k = 0; k < 40; k++) {
            programs.begin(large(k), null, 1, 1).release();
            one = k == 0 ? programs.preparedBytes() : one;
            assertThat(programs.preparedBytes()).isBetween(one, Programs.PREPARED_BYTES_MAX);
        }
        assertThat(one).isGreaterThan(1 << 20);
        assertThat(programs.preparedBytes()).isGreaterThan(Programs.PREPARED_BYTES_MAX / 2);
    }
}
