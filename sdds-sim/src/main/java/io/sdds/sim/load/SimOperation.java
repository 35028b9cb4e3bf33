package io.sdds.sim.load;

import io.netty.buffer.ByteBuf;
import io.sdds.client.internal.routing.Failure;
import io.sdds.client.internal.routing.KeyRequest;
import io.sdds.client.internal.routing.RoutedTable;
import io.sdds.client.internal.routing.WriteOptions;
import io.sdds.core.protocol.Opcode;
import io.sdds.core.protocol.RequestFrame;
import io.sdds.core.protocol.Status;
import io.sdds.core.query.Instruction;
import io.sdds.core.query.Op;
import io.sdds.core.query.Output;
import io.sdds.core.query.Program;
import io.sdds.core.query.ProgramCodec;
import io.sdds.core.query.RowShape;
import io.sdds.core.row.ValueType;
import io.sdds.sim.world.SimulationFailure;
import io.sdds.testkit.check.Operation.Kind;
import io.sdds.testkit.check.Operation.Result;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One operation on a key, as the client's request and as what the history says of it. */
final class SimOperation extends KeyRequest<Void> {
    /** Longer values are compared by COMPARE_AND_SETs alone. */
    private static final int PROGRAM_VALUES_MAX = 10_000;

    private final Asked asked;
    private final Values values;
    private final Ended ended;

    /** What is asked, in the history's words. */
    record Asked(
            Kind kind,
            String key,
            @Nullable String value,
            @Nullable String expected,
            WriteOptions terms) {
        private String needValue() {
            if (value == null) {
                throw new IllegalArgumentException(this + " has no value");
            }
            return value;
        }

        private String needExpected() {
            if (expected == null) {
                throw new IllegalArgumentException(this + " expects nothing");
            }
            return expected;
        }
    }

    /** Hears how it ended. */
    interface Ended {
        /** @param version of the record read or written; 0: none was told */
        void ended(Result result, @Nullable String out, long version, @Nullable Failure failure);
    }

    /** GET, REMOVE or TOUCH. */
    private SimOperation(RoutedTable table, byte opcode, long deadlineNanos, Asked asked, Values values, Ended ended) {
        super(table, opcode, deadlineNanos, bytes(asked.key()));
        this.asked = asked;
        this.values = values;
        this.ended = ended;
    }

    /** With a value. */
    private SimOperation(
            RoutedTable table, byte opcode, long deadlineNanos, Asked asked, byte[] value, Values values, Ended ended) {
        super(table, opcode, deadlineNanos, bytes(asked.key()), value);
        this.asked = asked;
        this.values = values;
        this.ended = ended;
    }

    /** COMPARE_AND_SET. */
    private SimOperation(
            RoutedTable table,
            long deadlineNanos,
            Asked asked,
            byte[] expected,
            byte[] value,
            Values values,
            Ended ended) {
        super(table, deadlineNanos, bytes(asked.key()), expected, value);
        this.asked = asked;
        this.values = values;
        this.ended = ended;
    }

    /** INCREMENT. */
    private SimOperation(RoutedTable table, long deadlineNanos, Asked asked, long delta, Values values, Ended ended) {
        super(table, deadlineNanos, bytes(asked.key()), delta);
        this.asked = asked;
        this.values = values;
        this.ended = ended;
    }

    static SimOperation of(RoutedTable table, long deadlineNanos, Asked asked, Values values, Ended ended) {
        SimOperation operation = make(table, deadlineNanos, asked, values, ended);
        operation.options(asked.terms());
        return operation;
    }

    private static SimOperation make(RoutedTable table, long deadlineNanos, Asked asked, Values values, Ended ended) {
        if (asked.kind() == Kind.CAS && (asked.terms().flags() & RequestFrame.FLAG_VERSION) != 0) {
            return writing(table, Opcode.REPLACE, deadlineNanos, asked, values, ended);
        }
        return switch (asked.kind()) {
            case GET -> new SimOperation(table, Opcode.GET, deadlineNanos, asked, values, ended);
            case DELETE -> new SimOperation(table, Opcode.REMOVE, deadlineNanos, asked, values, ended);
            case PUT -> writing(table, Opcode.PUT, deadlineNanos, asked, values, ended);
            case PUT_IF_ABSENT -> writing(table, Opcode.PUT_IF_ABSENT, deadlineNanos, asked, values, ended);
            case REPLACE -> writing(table, Opcode.REPLACE, deadlineNanos, asked, values, ended);
            case CAS -> comparing(table, deadlineNanos, asked, values, ended);
            case INCREMENT ->
                new SimOperation(table, deadlineNanos, asked, Long.parseLong(asked.needValue()), values, ended);
            case ADD -> update(table, deadlineNanos, asked, rows(values).add(asked.needValue()), values, ended);
            case TOUCH -> new SimOperation(table, Opcode.TOUCH, deadlineNanos, asked, values, ended);
            case CLEAR, EXPIRE -> throw new IllegalArgumentException("nobody asks for " + asked);
        };
    }

    /** A COMPARE_AND_SET, or an UPDATE that does the same. */
    private static SimOperation comparing(
            RoutedTable table, long deadlineNanos, Asked asked, Values values, Ended ended) {
        if (values instanceof RowValues rows) {
            byte[] program = rows.compareAndSet(asked.needExpected(), asked.needValue());
            return update(table, deadlineNanos, asked, program, values, ended);
        }
        byte[] expected = values.bytes(asked.needExpected());
        byte[] value = values.bytes(asked.needValue());
        boolean isUpdate = (asked.needValue().hashCode() & 1) == 0
                && asked.terms().flags() == 0
                && expected.length + value.length <= PROGRAM_VALUES_MAX;
        return isUpdate
                ? update(table, deadlineNanos, asked, program(expected, value), values, ended)
                : new SimOperation(table, deadlineNanos, asked, expected, value, values, ended);
    }

    private static RowValues rows(Values values) {
        if (values instanceof RowValues rows) {
            return rows;
        }
        throw new IllegalArgumentException("only rows have numbers to add to");
    }

    private static SimOperation update(
            RoutedTable table, long deadlineNanos, Asked asked, byte[] program, Values values, Ended ended) {
        return new SimOperation(table, Opcode.UPDATE, deadlineNanos, asked, program, values, ended);
    }

    /** {@code value = (value) if value = (expected)}. */
    private static byte[] program(byte[] expected, byte[] value) {
        List<Instruction> instructions = List.of(
                new Instruction(Op.VALUE, ValueType.VARBINARY, -1, -1, -1, List.of()),
                new Instruction(Op.CONSTANT, ValueType.VARBINARY, -1, -1, -1, List.of(expected)),
                new Instruction(Op.EQUAL, ValueType.BOOLEAN, 0, 1, -1, List.of()),
                new Instruction(Op.CONSTANT, ValueType.VARBINARY, -1, -1, -1, List.of(value)));
        Output output = new Output.Write(List.of(new Output.Assignment(Output.Assignment.WHOLE_VALUE, 3, true)));
        return ProgramCodec.encode(new Program(RowShape.BYTES, instructions, 2, output));
    }

    private static SimOperation writing(
            RoutedTable table, byte opcode, long deadlineNanos, Asked asked, Values values, Ended ended) {
        byte[] value = values.bytes(asked.needValue());
        return new SimOperation(table, opcode, deadlineNanos, asked, value, values, ended);
    }

    static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Override
    protected void answered(byte status, ByteBuf frame, int body, int end) {
        switch (status) {
            case Status.OK -> answeredOk(frame, body, end);
            case Status.ABSENT -> ended.ended(Result.ABSENT, null, 0, null);
            case Status.CONDITION_FALSE, Status.NOT_A_NUMBER -> ended.ended(Result.FALSE, null, 0, null);
            default -> throw new SimulationFailure(asked + " was answered with status " + status);
        }
    }

    private void answeredOk(ByteBuf frame, int body, int end) {
        switch (asked.kind()) {
            case GET -> {
                byte[] value = new byte[end - body - Long.BYTES];
                frame.getBytes(body + Long.BYTES, value);
                ended.ended(Result.VALUE, values.name(value), frame.getLongLE(body), null);
            }
            case INCREMENT -> ended.ended(Result.OK, Long.toString(frame.getLongLE(body)), 0, null);
            default -> ended.ended(Result.OK, null, frame.getLongLE(body), null);
        }
    }

    @Override
    protected void failed(Failure failure) {
        ended.ended(failure.outcomeUnknown() ? Result.UNKNOWN : Result.REFUSED, null, 0, failure);
    }
}
