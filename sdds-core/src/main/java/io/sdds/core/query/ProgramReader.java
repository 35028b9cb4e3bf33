package io.sdds.core.query;

import io.netty.buffer.ByteBuf;
import io.sdds.core.protocol.ProtocolViolation;
import io.sdds.core.row.ValueType;
import io.sdds.core.row.ValueType.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Reads the layout of {@link ProgramCodec}. */
final class ProgramReader {
    private final ByteBuf in;

    ProgramReader(ByteBuf in) {
        this.in = in;
    }

    /** A program that has been read, but not checked. */
    Program read() {
        byte version = need(1).readByte();
        if (version != Program.VERSION) {
            throw new UnsupportedProgram("program of version " + version + ", " + Program.VERSION + " is known");
        }
        List<ValueType> keys = list(this::readType);
        List<byte @Nullable []> defaults = new ArrayList<>();
        List<ValueType> values = list(() -> {
            ValueType type = readType();
            defaults.add(readValue());
            return type;
        });
        List<Instruction> instructions = list(this::readInstruction);
        int filter = readNumber();
        Output output = readOutput();
        if (in.isReadable()) {
            throw new ProtocolViolation(in.readableBytes() + " bytes too many after a program");
        }
        return new Program(new RowShape(keys, values, defaults), instructions, filter, output);
    }

    private ValueType readType() {
        Kind kind = constant(Kind.values(), "kind of type");
        if (kind == Kind.DECIMAL) {
            need(2);
            return new ValueType(kind, in.readUnsignedByte(), in.readUnsignedByte());
        }
        return new ValueType(kind, kind.bytes() == 0 ? need(4).readIntLE() : 0, 0);
    }

    private byte @Nullable [] readValue() {
        int number = TupleCodec.readVarint(in);
        if (number == 0) {
            return null;
        }
        need(number - 1);
        byte[] value = new byte[number - 1];
        in.readBytes(value);
        return value;
    }

    private Instruction readInstruction() {
        Op op = constant(Op.values(), "operation");
        ValueType type = readType();
        int a = readNumber();
        int b = readNumber();
        int c = readNumber();
        List<byte @Nullable []> constants = new ArrayList<>();
        for (int count = need(2).readUnsignedShortLE(); count > 0; count--) {
            constants.add(readValue());
        }
        return new Instruction(op, type, a, b, c, constants);
    }

    private Output readOutput() {
        byte code = need(1).readByte();
        return switch (code) {
            case ProgramCodec.PROJECT -> new Output.Project(list(this::readNumber), need(4).readIntLE());
            case ProgramCodec.AGGREGATE -> new Output.Aggregate(list(this::readNumber), list(this::readAggregation));
            case ProgramCodec.TOP ->
                new Output.Top(list(this::readSortKey), list(this::readNumber), need(4).readIntLE());
            case ProgramCodec.WRITE -> new Output.Write(list(this::readAssignment));
            case ProgramCodec.REMOVE -> new Output.Remove();
            default -> throw new UnsupportedProgram("no output has code " + code);
        };
    }

    private Output.Assignment readAssignment() {
        int column = readNumber();
        int value = readNumber();
        byte flags = need(1).readByte();
        if ((flags & ~ProgramCodec.NOT_NULL) != 0) {
            throw new UnsupportedProgram("assignment with flags " + flags);
        }
        return new Output.Assignment(column, value, flags == ProgramCodec.NOT_NULL);
    }

    private Output.Aggregation readAggregation() {
        Output.AggregateFunction function = constant(Output.AggregateFunction.values(), "aggregate");
        return new Output.Aggregation(function, readNumber());
    }

    private Output.SortKey readSortKey() {
        int value = readNumber();
        byte flags = need(1).readByte();
        if ((flags & ~(ProgramCodec.DESCENDING | ProgramCodec.NULLS_FIRST)) != 0) {
            throw new UnsupportedProgram("order with flags " + flags);
        }
        return new Output.SortKey(
                value, (flags & ProgramCodec.DESCENDING) != 0, (flags & ProgramCodec.NULLS_FIRST) != 0);
    }

    private int readNumber() {
        return need(2).readShortLE();
    }

    /** The list grows by what is there: its length alone takes no memory. */
    private <T> List<T> list(Supplier<T> element) {
        List<T> elements = new ArrayList<>();
        for (int count = need(2).readUnsignedShortLE(); count > 0; count--) {
            elements.add(element.get());
        }
        return elements;
    }

    /** The last constant stands for those of later versions. */
    private <E> E constant(E[] constants, String what) {
        int code = need(1).readUnsignedByte();
        if (code >= constants.length - 1) {
            throw new UnsupportedProgram("no " + what + " has code " + code);
        }
        return constants[code];
    }

    private ByteBuf need(int count) {
        if (in.readableBytes() < count) {
            throw new ProtocolViolation(
                    "program ends early: " + count + " bytes wanted, " + in.readableBytes() + " there");
        }
        return in;
    }
}
