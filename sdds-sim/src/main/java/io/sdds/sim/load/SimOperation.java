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

    private final Call call;

    /**
     * An operation of a client.
     *
     * @param ended hears how it ended
     */
    record Call(RoutedTable table, long deadlineNanos, Asked asked, Values values, Ended ended) {
        private byte[] key() {
            return bytes(asked.key());
        }
    }

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
    private SimOperation(Call call, byte opcode) {
        super(call.table(), opcode, call.deadlineNanos(), call.key());
        this.call = call;
    }

    /** With a value, or the program of an UPDATE. */
    private SimOperation(Call call, byte opcode, byte[] value) {
        super(call.table(), opcode, call.deadlineNanos(), call.key(), value);
        this.call = call;
    }

    /** COMPARE_AND_SET. */
    private SimOperation(Call call, byte[] expected, byte[] value) {
        super(call.table(), call.deadlineNanos(), call.key(), expected, value);
        this.call = call;
    }

    /** INCREMENT. */
    private SimOperation(Call call, long delta) {
        super(call.table(), call.deadlineNanos(), call.key(), delta);
        this.call = call;
    }

    static SimOperation of(Call call) {
        SimOperation operation = make(call);
        operation.options(call.asked().terms());
        return operation;
    }

    private static SimOperation make(Call call) {
        Asked asked = call.asked();
        if (asked.kind() == Kind.CAS && (asked.terms().flags() & RequestFrame.FLAG_VERSION) != 0) {
            return writing(call, Opcode.REPLACE);
        }
        return switch (asked.kind()) {
            case GET -> new SimOperation(call, Opcode.GET);
            case DELETE -> new SimOperation(call, Opcode.REMOVE);
            case PUT -> writing(call, Opcode.PUT);
            case PUT_IF_ABSENT -> writing(call, Opcode.PUT_IF_ABSENT);
            case REPLACE -> writing(call, Opcode.REPLACE);
            case CAS -> comparing(call);
            case INCREMENT -> new SimOperation(call, Long.parseLong(asked.needValue()));
            case ADD ->
                new SimOperation(call, Opcode.UPDATE, rows(call.values()).add(asked.needValue()));
            case TOUCH -> new SimOperation(call, Opcode.TOUCH);
            case CLEAR, EXPIRE -> throw new IllegalArgumentException("nobody asks for " + asked);
        };
    }

    private static SimOperation writing(Call call, byte opcode) {
        return new SimOperation(call, opcode, call.values().bytes(call.asked().needValue()));
    }

    /** A COMPARE_AND_SET, or an UPDATE that does the same. */
    private static SimOperation comparing(Call call) {
        Asked asked = call.asked();
        if (call.values() instanceof RowValues rows) {
            return new SimOperation(call, Opcode.UPDATE, rows.compareAndSet(asked.needExpected(), asked.needValue()));
        }
        byte[] expected = call.values().bytes(asked.needExpected());
        byte[] value = call.values().bytes(asked.needValue());
        boolean isUpdate = (asked.needValue().hashCode() & 1) == 0
                && asked.terms().flags() == 0
                && expected.length + value.length <= PROGRAM_VALUES_MAX;
        return isUpdate
                ? new SimOperation(call, Opcode.UPDATE, program(expected, value))
                : new SimOperation(call, expected, value);
    }

    private static RowValues rows(Values values) {
        if (values instanceof RowValues rows) {
            return rows;
        }
        throw new IllegalArgumentException("only rows have numbers to add to");
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

    static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Override
    protected void answered(byte status, ByteBuf frame, int body, int end) {
        switch (status) {
            case Status.OK -> answeredOk(frame, body, end);
            case Status.ABSENT -> call.ended().ended(Result.ABSENT, null, 0, null);
            case Status.CONDITION_FALSE, Status.NOT_A_NUMBER -> call.ended().ended(Result.FALSE, null, 0, null);
            default -> throw new SimulationFailure(call.asked() + " was answered with status " + status);
        }
    }

    private void answeredOk(ByteBuf frame, int body, int end) {
        switch (call.asked().kind()) {
            case GET -> {
                byte[] value = new byte[end - body - Long.BYTES];
                frame.getBytes(body + Long.BYTES, value);
                call.ended().ended(Result.VALUE, call.values().name(value), frame.getLongLE(body), null);
            }
            case INCREMENT -> call.ended().ended(Result.OK, Long.toString(frame.getLongLE(body)), 0, null);
            default -> call.ended().ended(Result.OK, null, frame.getLongLE(body), null);
        }
    }

    @Override
    protected void failed(Failure failure) {
        call.ended().ended(failure.outcomeUnknown() ? Result.UNKNOWN : Result.REFUSED, null, 0, failure);
    }
}
