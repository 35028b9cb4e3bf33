package io.sdds.core.query;

import io.netty.buffer.ByteBuf;
import io.sdds.core.protocol.Limits;
import io.sdds.core.protocol.ProtocolViolation;
import io.sdds.core.row.ValueType;
import io.sdds.core.row.ValueType.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Reads the layout of {@link ProgramCodec}, in parts, because constants may have megabytes. What a part costs is
 * bounded by the work that it is given, and by {@link Limits#FILTER_BYTES_MAX} for all that is no constant.
 */
final class ProgramReader {
    /** Work of a constant beside its bytes. */
    static final int CONSTANT_WORK = 32;

    private final ByteBuf in;
    private final List<Instruction> instructions = new ArrayList<>();
    private @Nullable RowShape shape;
    private int instructionsLeft;

    /** The instruction whose constants come next, without them; null: the next one begins. */
    private @Nullable Instruction head;

    private List<byte @Nullable []> constants = new ArrayList<>();
    private int constantsLeft;

    /** Number of the constants of all instructions so far. */
    private long constantsAll;

    /** A constant of which a part has been read. */
    private byte @Nullable [] partial;

    private int partialBytes;
    private int work;

    ProgramReader(ByteBuf in) {
        this.in = in;
    }

    /**
     * Reads on.
     *
     * @param most work to do, in about bytes
     * @return the program, which is not checked; null: there is more to read
     */
    @Nullable
    Program advance(int most) {
        work = most;
        if (shape == null) {
            shape = readShape();
            instructionsLeft = need(2).readUnsignedShortLE();
            if (instructionsLeft > Program.INSTRUCTIONS_MAX) {
                throw new ProtocolViolation(
                        "program: " + instructionsLeft + " instructions, " + Program.INSTRUCTIONS_MAX + " are allowed");
            }
        }
        while (head != null || instructionsLeft > 0) {
            Instruction next = head == null ? readHead() : head;
            head = next;
            while (constantsLeft > 0) {
                if (work <= 0 || !readConstant()) {
                    return null;
                }
            }
            instructions.add(new Instruction(next.op(), next.type(), next.a(), next.b(), next.c(), constants));
            head = null;
            instructionsLeft--;
        }
        int filter = readNumber();
        Output output = readOutput();
        if (in.isReadable()) {
            throw new ProtocolViolation(in.readableBytes() + " bytes too many after a program");
        }
        return new Program(shape, instructions, filter, output);
    }

    private RowShape readShape() {
        int start = in.readerIndex();
        byte version = need(1).readByte();
        if (version != Program.VERSION) {
            throw new UnsupportedProgram("program of version " + version + ", " + Program.VERSION + " is known");
        }
        List<ValueType> keys = list(this::readType);
        List<byte @Nullable []> defaults = new ArrayList<>();
        List<ValueType> values = list(() -> {
            ValueType type = readType();
            defaults.add(readValue());
            if (in.readerIndex() - start > Limits.FILTER_BYTES_MAX) {
                throw new ProtocolViolation("program: columns of more than " + Limits.FILTER_BYTES_MAX + " bytes");
            }
            return type;
        });
        return new RowShape(keys, values, defaults);
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

    private Instruction readHead() {
        Op op = constant(Op.values(), "operation");
        ValueType type = readType();
        int a = readNumber();
        int b = readNumber();
        int c = readNumber();
        constants = new ArrayList<>();
        constantsLeft = need(2).readUnsignedShortLE();
        if (constantsLeft == ProgramCodec.MANY) {
            constantsLeft = need(Integer.BYTES).readIntLE();
            if (constantsLeft < ProgramCodec.MANY) {
                throw new ProtocolViolation("program: " + constantsLeft + " constants in the long form");
            }
        }
        constantsAll += constantsLeft;
        if (constantsAll > Program.CONSTANTS_MAX) {
            throw new ProtocolViolation(
                    "program: " + constantsAll + " constants, " + Program.CONSTANTS_MAX + " are allowed");
        }
        work -= CONSTANT_WORK;
        return new Instruction(op, type, a, b, c, List.of());
    }

    /** Reads the next constant, or a part of it. Returns false if there is more of it to read. */
    private boolean readConstant() {
        byte[] value = partial;
        if (value == null) {
            work -= CONSTANT_WORK;
            int number = TupleCodec.readVarint(in);
            if (number > 0) {
                need(number - 1);
                value = new byte[number - 1];
                partialBytes = 0;
            }
        }
        if (value != null) {
            int part = Math.min(value.length - partialBytes, Math.max(work, CONSTANT_WORK));
            in.readBytes(value, partialBytes, part);
            partialBytes += part;
            work -= part;
            if (partialBytes < value.length) {
                partial = value;
                return false;
            }
        }
        partial = null;
        constants.add(value);
        constantsLeft--;
        return true;
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
