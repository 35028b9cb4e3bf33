package io.sdds.brick.query;

import io.sdds.core.query.Instruction;
import io.sdds.core.query.LikePattern;
import io.sdds.core.query.Op;
import io.sdds.core.query.Program;
import io.sdds.core.query.RowShape;
import io.sdds.core.row.RowLayout;
import io.sdds.core.row.ValueType;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Prepares the instructions of one program: their lanes and kernels. */
final class Kernels {
    private final Program program;
    private final Map<Integer, ConstantTable> tables;
    private final RowBatch batch;
    private final Scratch scratch;
    final RowHeaders rows;
    final KeyColumns keys;
    final Kernel[] kernels;
    final Lane[] lanes;
    private final @Nullable Lane[] keyLanes;

    /** Memory of constants, which the garbage collector frees with the program. */
    private final Arena constants = Arena.ofAuto();

    /** @param tables of lists by the number of their instruction, as far as they are ready */
    Kernels(Program program, Map<Integer, ConstantTable> tables, RowBatch batch, Scratch scratch) {
        this.program = program;
        this.tables = tables;
        this.batch = batch;
        this.scratch = scratch;
        RowShape shape = program.shape();
        this.rows = new RowHeaders(batch, new RowLayout(shape.values(), shape.defaults()));
        this.keyLanes = new Lane[shape.keys().size()];
        this.keys = new KeyColumns(batch, scratch, shape.keys(), keyLanes);
        int count = program.instructions().size();
        this.kernels = new Kernel[count];
        this.lanes = new Lane[count];
        for (int k = 0; k < count; k++) {
            kernels[k] = prepare(k, program.instructions().get(k));
            lanes[k] = kernels[k].out;
        }
    }

    private Kernel prepare(int number, Instruction instruction) {
        return switch (instruction.op()) {
            case KEY_COLUMN -> new Sources.Ready(keyLane(instruction));
            case VALUE_COLUMN -> column(instruction);
            case KEY ->
                new Sources.Ready(Lane.part(instruction.type(), batch.segments, batch.keyOffsets, batch.keyLengths));
            case VALUE ->
                new Sources.Ready(
                        Lane.part(instruction.type(), batch.segments, batch.valueOffsets, batch.valueLengths));
            case RECORD_VERSION -> new Sources.Version(batch, Lane.of(instruction.type()));
            case CONSTANT ->
                new Sources.Ready(
                        constant(instruction.type(), instruction.constants().get(0)));
            default -> compute(number, instruction, Lane.of(instruction.type()));
        };
    }

    private Lane keyLane(Instruction instruction) {
        Lane lane = keyLanes[instruction.a()];
        if (lane == null) {
            lane = Lane.of(instruction.type());
            keyLanes[instruction.a()] = lane;
        }
        return lane;
    }

    private Kernel column(Instruction instruction) {
        int number = instruction.a();
        ValueType type = instruction.type();
        Lane out = Lane.of(type);
        Lane defaults = constant(type, program.shape().defaults().get(number));
        return switch (type.kind()) {
            case BOOLEAN -> new Sources.BooleanColumn(batch, rows, number, defaults, out);
            case INTEGER, DATE -> new Sources.IntColumn(batch, rows, number, defaults, out);
            case DOUBLE -> new Sources.DoubleColumn(batch, rows, number, defaults, out);
            case DECIMAL, UUID -> new Sources.WideColumn(batch, rows, number, defaults, out);
            case VARCHAR, VARBINARY -> new Sources.TextColumn(batch, rows, number, defaults, scratch, out);
            default -> new Sources.LongColumn(batch, rows, number, defaults, out);
        };
    }

    private Lane constant(ValueType type, byte @Nullable [] stored) {
        Lane lane = Lane.constant(type);
        Sources.fill(lane, stored, memory(stored));
        return lane;
    }

    private MemorySegment memory(byte @Nullable [] stored) {
        if (stored == null) {
            return MemorySegment.NULL;
        }
        MemorySegment memory = constants.allocate(Math.max(1, stored.length));
        MemorySegment.copy(MemorySegment.ofArray(stored), 0, memory, 0, stored.length);
        return memory;
    }

    private Kernel compute(int number, Instruction instruction, Lane out) {
        Op op = instruction.op();
        Lane a = lanes[instruction.a()];
        return switch (op) {
            case NOT -> new Logic.Not(a, out);
            case IS_NULL -> new Logic.IsNull(a, out);
            case IS_TRUE -> new Logic.IsTrue(a, out);
            case IN -> new InList(a, table(number, a, instruction), scratch, out);
            case BLOOM -> new Bloom(a, filter(instruction), scratch, out);
            case NEGATE -> Arithmetic.negate(a, out);
            case LIKE -> new Like(a, LikePattern.of(instruction.constants()), scratch, out);
            case SUBSTRING -> {
                Lane count = instruction.c() < 0 ? null : lanes[instruction.c()];
                yield new TextFunctions.Substring(a, lanes[instruction.b()], count, scratch, out);
            }
            case LOWER, UPPER -> new TextFunctions.ChangeCase(op, a, scratch, out);
            case CHAR_LENGTH -> new TextFunctions.CharLength(a, scratch, out);
            case OCTET_LENGTH -> new TextFunctions.OctetLength(a, out);
            case TRIM -> new TextFunctions.Trim(a, scratch, out);
            case CAST -> Casts.of(a, out, scratch);
            default -> compute(instruction, a, lanes[instruction.b()], out);
        };
    }

    private Kernel compute(Instruction instruction, Lane a, Lane b, Lane out) {
        Op op = instruction.op();
        return switch (op) {
            case AND -> new Logic.Both(a, b, true, out);
            case OR -> new Logic.Both(a, b, false, out);
            case CASE -> new Logic.Case(a, b, lanes[instruction.c()], out);
            case EQUAL -> Comparisons.of(Comparisons.Question.EQUAL, a, b, scratch, out);
            case LESS -> Comparisons.of(Comparisons.Question.LESS, a, b, scratch, out);
            case LESS_OR_EQUAL -> Comparisons.of(Comparisons.Question.LESS_OR_EQUAL, a, b, scratch, out);
            case ADD, SUBTRACT, MULTIPLY, DIVIDE, REMAINDER -> Arithmetic.of(op, a, b, out);
            case CONTAINS, STARTS_WITH, ENDS_WITH -> new TextTests(op, a, b, scratch, out);
            case CONCAT -> new TextFunctions.Concat(a, b, scratch, out);
            default -> throw new IllegalArgumentException("no instruction " + op);
        };
    }

    /** The table of a list, which a program that is kept brings ready. */
    private ConstantTable table(int number, Lane a, Instruction instruction) {
        ConstantTable ready = tables.get(number);
        if (ready != null) {
            return ready;
        }
        ConstantTable table = new ConstantTable(a.type, instruction.constants());
        while (!table.fill(Integer.MAX_VALUE)) {}
        return table;
    }

    private static byte[] filter(Instruction instruction) {
        byte[] filter = instruction.constants().get(0);
        if (filter == null) {
            throw new IllegalStateException("a valid program has a filter");
        }
        return filter;
    }
}
