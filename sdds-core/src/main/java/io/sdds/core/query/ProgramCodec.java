package io.sdds.core.query;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.sdds.core.protocol.Limits;
import io.sdds.core.protocol.ProtocolViolation;
import io.sdds.core.row.ValueType;
import io.sdds.core.row.ValueType.Kind;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Layout of a program, little endian.
 *
 * <pre>
 * u8 version = 1
 * u16 count, types of the columns of the key
 * u16 count, for each column of the value its type and its default (a value)
 * u16 count, for each instruction:
 *     u8 code of the operation, type of the result, i16 a, i16 b, i16 c,
 *     u16 count, of 65,535 and more constants 65,535 and the i32 count, so many values (the constants)
 * i16 filter
 * u8 1 PROJECT:    u16 count, i16 columns; i32 limit
 * u8 2 AGGREGATE:  u16 count, i16 keys; u16 count, for each aggregate: u8 function, i16 operand
 * u8 3 TOP:        u16 count, for each part of the order: i16 value, u8 flags (1: descending, 2: NULL first);
 *                  u16 count, i16 columns; i32 limit
 * u8 4 WRITE:      u16 count, for each assignment: i16 column, i16 value, u8 flags (1: not null)
 * u8 5 REMOVE:     nothing
 *
 * type:   u8 code of the kind; of DECIMAL u8 precision, u8 scale; of VARCHAR and VARBINARY i32 precision
 * value:  varint 0: NULL; else the number of bytes + 1, then the bytes
 * </pre>
 *
 * Codes are the ordinals of {@link Op}, {@link Kind} and {@link Output.AggregateFunction}; varints are those of
 * {@link TupleCodec}. A program of an update, and one inside a request, is bounded by {@link Limits#FILTER_BYTES_MAX},
 * others by {@link Limits#PROGRAM_BYTES_MAX}, all by the limits of {@link Program}; both ends check.
 */
public final class ProgramCodec {
    /** Count of constants behind which the real count stands. */
    static final int MANY = 0xffff;

    static final byte PROJECT = 1;
    static final byte AGGREGATE = 2;
    static final byte TOP = 3;
    static final byte WRITE = 4;
    static final byte REMOVE = 5;
    static final int NOT_NULL = 1;
    static final int DESCENDING = 1;
    static final int NULLS_FIRST = 2;

    private final ByteBuf out = Unpooled.buffer();

    private ProgramCodec() {}

    /**
     * Encodes a program.
     *
     * @throws IllegalArgumentException when it is not valid or too large
     */
    public static byte[] encode(Program program) {
        String problem = ProgramValidator.problem(program);
        if (problem != null) {
            throw new IllegalArgumentException(problem);
        }
        ProgramCodec codec = new ProgramCodec();
        codec.write(program);
        byte[] bytes = new byte[codec.out.readableBytes()];
        int most = program.output().isUpdate() ? Limits.FILTER_BYTES_MAX : Limits.PROGRAM_BYTES_MAX;
        if (bytes.length > most) {
            throw new IllegalArgumentException(tooLarge(bytes.length, most));
        }
        codec.out.readBytes(bytes);
        return bytes;
    }

    /**
     * Reads a program that is short enough for a request. {@link ProgramDecoder} reads longer ones. It must end where
     * the buffer's readable bytes end. It is valid.
     *
     * @throws UnsupportedProgram when it is of a later version
     * @throws ProtocolViolation when the bytes are no program; memory is bounded by the bytes given
     */
    public static Program decode(ByteBuf in) {
        if (in.readableBytes() > Limits.FILTER_BYTES_MAX) {
            throw new ProtocolViolation(tooLarge(in.readableBytes(), Limits.FILTER_BYTES_MAX));
        }
        ProgramDecoder decoder = new ProgramDecoder(in);
        Program program = null;
        while (program == null) {
            program = decoder.advance(Limits.PROGRAM_BYTES_MAX);
        }
        return program;
    }

    private static String tooLarge(int bytes, int most) {
        return "program of " + bytes + " bytes, " + most + " are allowed";
    }

    private void write(Program program) {
        out.writeByte(Program.VERSION);
        RowShape shape = program.shape();
        out.writeShortLE(shape.keys().size());
        shape.keys().forEach(this::writeType);
        out.writeShortLE(shape.values().size());
        for (int k = 0; k < shape.values().size(); k++) {
            writeType(shape.values().get(k));
            writeValue(shape.defaults().get(k));
        }
        out.writeShortLE(program.instructions().size());
        program.instructions().forEach(this::writeInstruction);
        out.writeShortLE(program.filter());
        writeOutput(program.output());
    }

    private void writeType(ValueType type) {
        out.writeByte(type.kind().ordinal());
        if (type.kind() == Kind.DECIMAL) {
            out.writeByte(type.precision());
            out.writeByte(type.scale());
        } else if (type.bytes() == 0) {
            out.writeIntLE(type.precision());
        }
    }

    private void writeValue(byte @Nullable [] value) {
        TupleCodec.writeVarint(value == null ? 0 : value.length + 1, out);
        if (value != null) {
            out.writeBytes(value);
        }
    }

    private void writeInstruction(Instruction instruction) {
        out.writeByte(instruction.op().ordinal());
        writeType(instruction.type());
        out.writeShortLE(instruction.a());
        out.writeShortLE(instruction.b());
        out.writeShortLE(instruction.c());
        int count = instruction.constants().size();
        out.writeShortLE(Math.min(count, MANY));
        if (count >= MANY) {
            out.writeIntLE(count);
        }
        instruction.constants().forEach(this::writeValue);
    }

    private void writeOutput(Output output) {
        if (output instanceof Output.Project project) {
            out.writeByte(PROJECT);
            writeNumbers(project.columns());
            out.writeIntLE(project.limit());
        } else if (output instanceof Output.Aggregate aggregate) {
            out.writeByte(AGGREGATE);
            writeNumbers(aggregate.keys());
            out.writeShortLE(aggregate.aggregations().size());
            for (Output.Aggregation aggregation : aggregate.aggregations()) {
                out.writeByte(aggregation.function().ordinal());
                out.writeShortLE(aggregation.operand());
            }
        } else if (output instanceof Output.Top top) {
            out.writeByte(TOP);
            out.writeShortLE(top.order().size());
            for (Output.SortKey key : top.order()) {
                out.writeShortLE(key.value());
                out.writeByte((key.descending() ? DESCENDING : 0) | (key.nullsFirst() ? NULLS_FIRST : 0));
            }
            writeNumbers(top.columns());
            out.writeIntLE(top.limit());
        } else if (output instanceof Output.Write write) {
            out.writeByte(WRITE);
            out.writeShortLE(write.assignments().size());
            for (Output.Assignment assignment : write.assignments()) {
                out.writeShortLE(assignment.column());
                out.writeShortLE(assignment.value());
                out.writeByte(assignment.notNull() ? NOT_NULL : 0);
            }
        } else if (output instanceof Output.Remove) {
            out.writeByte(REMOVE);
        }
    }

    private void writeNumbers(List<Integer> numbers) {
        out.writeShortLE(numbers.size());
        numbers.forEach(out::writeShortLE);
    }
}
