package io.sdds.sim.fault;

import io.sdds.core.query.Instruction;
import io.sdds.core.query.Op;
import io.sdds.core.query.Output;
import io.sdds.core.query.Output.AggregateFunction;
import io.sdds.core.query.Program;
import io.sdds.core.query.ProgramCodec;
import io.sdds.core.query.RowShape;
import io.sdds.core.row.ValueType;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/** Programs for bricks, as encoded, of which some bits are wrong. */
final class DamagedPrograms {
    private static final int BITS_MAX = 4;

    private DamagedPrograms() {}

    private static Instruction instruction(Op op, ValueType type, int a, int b, String... constants) {
        byte[][] bytes = Arrays.stream(constants)
                .map(text -> text.getBytes(StandardCharsets.UTF_8))
                .toArray(byte[][]::new);
        return new Instruction(op, type, a, b, -1, Arrays.asList(bytes));
    }

    /** A program of a query. */
    static byte[] ofQuery(SplittableRandom random) {
        List<Instruction> instructions = List.of(
                instruction(Op.KEY, ValueType.VARBINARY, -1, -1),
                instruction(Op.VALUE, ValueType.VARBINARY, -1, -1),
                instruction(Op.CONSTANT, ValueType.VARBINARY, -1, -1, "aab"),
                instruction(Op.CONTAINS, ValueType.BOOLEAN, 1, 2),
                instruction(Op.CONCAT, ValueType.VARBINARY, 0, 1),
                instruction(Op.OCTET_LENGTH, ValueType.INTEGER, 4, -1),
                instruction(Op.CAST, ValueType.VARCHAR, 0, -1),
                instruction(Op.LIKE, ValueType.BOOLEAN, 6, -1, "%a_b%", ""),
                instruction(Op.OR, ValueType.BOOLEAN, 3, 7));
        Output output = switch (random.nextInt(3)) {
            case 0 -> new Output.Project(List.of(0, 4), 100);
            case 1 ->
                new Output.Aggregate(
                        List.of(5),
                        List.of(
                                new Output.Aggregation(AggregateFunction.COUNT_ROWS, -1),
                                new Output.Aggregation(AggregateFunction.MAX, 1),
                                new Output.Aggregation(AggregateFunction.SUM, 5)));
            default -> new Output.Top(List.of(new Output.SortKey(1, true, true)), List.of(0), 10);
        };
        int filter = random.nextInt(3) == 0 ? 8 : -1;
        return damaged(new Program(RowShape.BYTES, instructions, filter, output), random);
    }

    /** A program of an update. */
    static byte[] ofUpdate(SplittableRandom random) {
        List<Instruction> instructions = List.of(
                instruction(Op.VALUE, ValueType.VARBINARY, -1, -1), instruction(Op.CONCAT, ValueType.VARBINARY, 0, 0));
        Output output = random.nextBoolean()
                ? new Output.Remove()
                : new Output.Write(List.of(new Output.Assignment(Output.Assignment.WHOLE_VALUE, 1, true)));
        return damaged(new Program(RowShape.BYTES, instructions, -1, output), random);
    }

    private static byte[] damaged(Program program, SplittableRandom random) {
        byte[] encoded = ProgramCodec.encode(program);
        for (int bits = random.nextInt(BITS_MAX); bits > 0; bits--) {
            encoded[random.nextInt(encoded.length)] ^= (byte) (1 << random.nextInt(Byte.SIZE));
        }
        return random.nextInt(8) == 0 ? Arrays.copyOf(encoded, random.nextInt(encoded.length + 3)) : encoded;
    }
}
