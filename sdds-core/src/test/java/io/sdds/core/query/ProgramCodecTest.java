package io.sdds.core.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.Unpooled;
import io.sdds.core.Seeds;
import io.sdds.core.protocol.Limits;
import io.sdds.core.protocol.ProtocolViolation;
import io.sdds.core.row.Schema;
import io.sdds.core.row.ValueType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ProgramCodecTest {
    private static final Output COUNT =
            new Output.Aggregate(List.of(), List.of(new Output.Aggregation(Output.AggregateFunction.COUNT_ROWS, -1)));

    private final SplittableRandom random = Seeds.random("ProgramCodecTest");
    private final RandomPrograms programs = new RandomPrograms(random);

    private static Program decode(byte[] bytes) {
        return ProgramCodec.decode(Unpooled.wrappedBuffer(bytes));
    }

    private static Instruction instruction(Op op, ValueType type, int a, int b, int c, byte[]... constants) {
        return new Instruction(op, type, a, b, c, List.of(constants));
    }

    private static Program program(Instruction... instructions) {
        return new Program(RowShape.BYTES, List.of(instructions), -1, COUNT);
    }

    private Program random() {
        return programs.program(programs.shape());
    }

    @Test
    void comesBackAsItWas() {
        for (int k = 0; k < 3_000; k++) {
            Program program = random();
            assertThat(decode(ProgramCodec.encode(program))).isEqualTo(program);
        }
    }

    private static Program update(Output output) {
        RowShape shape = new RowShape(
                List.of(), List.of(ValueType.INTEGER, ValueType.VARCHAR), Arrays.asList(null, new byte[] {'x'}));
        List<Instruction> instructions = List.of(
                instruction(Op.VALUE_COLUMN, ValueType.INTEGER, 0, -1, -1),
                instruction(Op.VALUE, ValueType.VARBINARY, -1, -1, -1));
        return new Program(shape, instructions, -1, output);
    }

    private static Output write(Output.Assignment... assignments) {
        return new Output.Write(List.of(assignments));
    }

    @Test
    void updatesComeBackAsTheyWere() {
        List<Output> outputs = List.of(
                new Output.Remove(),
                write(new Output.Assignment(0, 0, true)),
                write(new Output.Assignment(0, 0, false)),
                write(new Output.Assignment(Output.Assignment.WHOLE_VALUE, 1, true)));
        for (Output output : outputs) {
            Program program = update(output);
            assertThat(decode(ProgramCodec.encode(program))).isEqualTo(program);
            assertThat(program.tuple()).isEmpty();
        }
    }

    @Test
    void refusesAssignmentsThatFitNoColumn() {
        assertThat(ProgramValidator.problem(update(write()))).contains("0 assignments");
        assertThat(ProgramValidator.problem(update(write(new Output.Assignment(1, 0, false)))))
                .isEqualTo("instruction 0 is no value for column 1");
        assertThat(ProgramValidator.problem(update(write(new Output.Assignment(0, 2, false)))))
                .isEqualTo("instruction 2 is no value for column 0");
        assertThat(ProgramValidator.problem(update(write(new Output.Assignment(2, 0, false)))))
                .isEqualTo("no assignment to column 2 can stand here");
        assertThat(ProgramValidator.problem(
                        update(write(new Output.Assignment(0, 0, false), new Output.Assignment(0, 0, false)))))
                .isEqualTo("no assignment to column 0 can stand here");
        assertThat(ProgramValidator.problem(
                        update(write(new Output.Assignment(-1, 1, false), new Output.Assignment(0, 0, false)))))
                .isEqualTo("no assignment to column -1 can stand here");
    }

    @Test
    void refusesEveryTruncationAndEveryExcess() {
        for (int k = 0; k < 30; k++) {
            byte[] bytes = ProgramCodec.encode(random());
            for (int length = 0; length < bytes.length; length++) {
                byte[] shorter = Arrays.copyOf(bytes, length);
                assertThatThrownBy(() -> decode(shorter)).isInstanceOf(ProtocolViolation.class);
            }
            byte[] longer = Arrays.copyOf(bytes, bytes.length + 1);
            assertThatThrownBy(() -> decode(longer)).isInstanceOf(ProtocolViolation.class);
        }
    }

    @Test
    void everyMutationIsAProgramOrUnsupportedOrAViolation() {
        int[] outcomes = new int[3];
        for (int k = 0; k < 10_000; k++) {
            byte[] bytes = ProgramCodec.encode(random());
            for (int edits = 1 + random.nextInt(3); edits > 0; edits--) {
                bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(random.nextBoolean() ? 256 : 8);
            }
            outcomes[outcome(bytes)]++;
        }
        assertThat(outcomes).doesNotContain(0);
    }

    @Test
    void bytesByChanceAreUnsupportedOrAViolation() {
        for (int k = 0; k < 10_000; k++) {
            byte[] bytes = new byte[random.nextInt(200)];
            random.nextBytes(bytes);
            if (bytes.length > 0 && random.nextInt(4) > 0) {
                bytes[0] = Program.VERSION;
            }
            outcome(bytes);
        }
    }

    /** 0: a program, which encodes to the same bytes; 1: unsupported; 2: a violation. */
    private static int outcome(byte[] bytes) {
        try {
            assertThat(ProgramCodec.encode(decode(bytes))).isEqualTo(bytes);
            return 0;
        } catch (UnsupportedProgram e) {
            assertThat(e).hasMessageNotContaining("null");
            return 1;
        } catch (ProtocolViolation e) {
            assertThat(e).hasMessageNotContaining("null");
            return 2;
        }
    }

    @Test
    void programsOfLaterVersionsAreUnsupportedAndNoViolation() {
        byte[] version = ProgramCodec.encode(random());
        version[0] = Program.VERSION + 1;
        assertThatThrownBy(() -> decode(version))
                .isInstanceOf(UnsupportedProgram.class)
                .hasMessageContaining("version 2");

        byte[] bytes = ProgramCodec.encode(program(instruction(Op.KEY, ValueType.VARBINARY, -1, -1, -1)));
        int operation = 1 + 2 + 2 + 2;
        byte[] op = bytes.clone();
        op[operation] = (byte) Op.UNKNOWN.ordinal();
        assertThatThrownBy(() -> decode(op))
                .isInstanceOf(UnsupportedProgram.class)
                .hasMessageContaining("operation");
        byte[] kind = bytes.clone();
        kind[operation + 1] = (byte) ValueType.Kind.UNKNOWN.ordinal();
        assertThatThrownBy(() -> decode(kind))
                .isInstanceOf(UnsupportedProgram.class)
                .hasMessageContaining("kind");
        byte[] function = bytes.clone();
        function[bytes.length - 3] = (byte) Output.AggregateFunction.UNKNOWN.ordinal();
        assertThatThrownBy(() -> decode(function))
                .isInstanceOf(UnsupportedProgram.class)
                .hasMessageContaining("aggregate");
    }

    private static Program list(int constants) {
        List<byte @Nullable []> list = new ArrayList<>();
        for (int k = 0; k < constants; k++) {
            list.add(k % 1000 == 7 ? null : RandomPrograms.fixed(k, Long.BYTES));
        }
        return program(
                instruction(Op.RECORD_VERSION, ValueType.BIGINT, -1, -1, -1),
                new Instruction(Op.IN, ValueType.BOOLEAN, 0, -1, -1, list));
    }

    @Test
    void listsOfAnyLengthComeBackFromPartsOfAnySize() {
        for (int constants : new int[] {1, 65_534, 65_535, 65_536, 100_000}) {
            Program program = list(constants);
            for (int part : new int[] {1_000, 100_000, Integer.MAX_VALUE}) {
                assertThat(decode(ProgramCodec.encode(program), part)).isEqualTo(program);
            }
        }
    }

    private static Program decode(byte[] bytes, int part) {
        ProgramDecoder decoder = new ProgramDecoder(Unpooled.wrappedBuffer(bytes));
        Program program = null;
        while (program == null) {
            program = decoder.advance(part);
        }
        return program;
    }

    @Test
    void longProgramsThatAreDamagedAreRefused() {
        byte[] bytes = ProgramCodec.encode(list(70_000));
        SplittableRandom random = Seeds.random("ProgramCodecTest.longProgramsThatAreDamagedAreRefused");
        for (int run = 0; run < 200; run++) {
            byte[] cut = Arrays.copyOf(bytes, random.nextInt(bytes.length));
            assertThatThrownBy(() -> decode(cut, 10_000)).isInstanceOf(ProtocolViolation.class);
        }
        byte[] shortCount = bytes.clone();
        int count = bytes.length - 10 - 70_000 * 9 + 70 * 8 - 4;
        assertThat(Unpooled.wrappedBuffer(shortCount).getIntLE(count)).isEqualTo(70_000);
        Unpooled.wrappedBuffer(shortCount).setIntLE(count, 65_534);
        assertThatThrownBy(() -> decode(shortCount, 10_000)).hasMessageContaining("65534 constants in the long form");
        Unpooled.wrappedBuffer(shortCount).setIntLE(count, Integer.MAX_VALUE);
        assertThatThrownBy(() -> decode(shortCount, 10_000)).isInstanceOf(ProtocolViolation.class);
    }

    @Test
    void refusesWhatIsBeyondTheLimits() {
        Instruction version = instruction(Op.RECORD_VERSION, ValueType.BIGINT, -1, -1, -1);
        Program longest =
                new Program(RowShape.BYTES, Collections.nCopies(Program.INSTRUCTIONS_MAX, version), -1, COUNT);
        assertThat(decode(ProgramCodec.encode(longest))).isEqualTo(longest);
        Program longer =
                new Program(RowShape.BYTES, Collections.nCopies(Program.INSTRUCTIONS_MAX + 1, version), -1, COUNT);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ProgramCodec.encode(longer))
                .withMessageContaining("1025");

        byte[] constant = new byte[Limits.FILTER_BYTES_MAX];
        Instruction value = instruction(Op.CONSTANT, ValueType.VARBINARY, -1, -1, -1, constant);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ProgramCodec.encode(
                        new Program(RowShape.BYTES, List.of(value), -1, write(new Output.Assignment(-1, 0, false)))))
                .withMessage("program of 65570 bytes, 65536 are allowed");
        assertThat(problem(value, instruction(Op.CONSTANT, ValueType.VARBINARY, -1, -1, -1, new byte[1])))
                .isEqualTo("constants of more than 65536 bytes beside lists and filters");
        assertThatThrownBy(() -> decode(new byte[Limits.FILTER_BYTES_MAX + 1])).isInstanceOf(ProtocolViolation.class);

        Output wide = new Output.Project(Collections.nCopies(Program.TUPLE_MAX + 1, 0), 1);
        assertThat(ProgramValidator.problem(new Program(RowShape.BYTES, List.of(version), -1, wide)))
                .contains("257");
        Output top = new Output.Top(List.of(new Output.SortKey(0, false, false)), List.of(), Program.TOP_ROWS_MAX + 1);
        assertThat(ProgramValidator.problem(new Program(RowShape.BYTES, List.of(version), -1, top)))
                .contains("10001");

        List<ValueType> columns = Collections.nCopies(Schema.COLUMNS_MAX + 1, ValueType.BIGINT);
        RowShape broad = new RowShape(List.of(), columns, Collections.nCopies(columns.size(), null));
        assertThat(ProgramValidator.problem(new Program(broad, List.of(version), -1, top)))
                .contains("1001");
    }

    @Test
    void refusesOperandsThatAreNotEarlierOrOfOtherTypes() {
        Instruction key = instruction(Op.KEY, ValueType.VARBINARY, -1, -1, -1);
        Instruction version = instruction(Op.RECORD_VERSION, ValueType.BIGINT, -1, -1, -1);
        assertThat(problem(key, version, instruction(Op.ADD, ValueType.BIGINT, 1, 2, -1)))
                .contains("operand 2");
        assertThat(problem(key, version, instruction(Op.ADD, ValueType.BIGINT, 1, -1, -1)))
                .contains("operand -1");
        assertThat(problem(key, version, instruction(Op.NOT, ValueType.BOOLEAN, 1, -1, -1)))
                .contains("do not give");
        assertThat(problem(key, version, instruction(Op.EQUAL, ValueType.BOOLEAN, 0, 1, -1)))
                .contains("do not give");
        assertThat(problem(key, version, instruction(Op.ADD, ValueType.INTEGER, 1, 1, -1)))
                .contains("do not give");
        assertThat(problem(key, version, instruction(Op.IS_NULL, ValueType.BOOLEAN, 0, 1, -1)))
                .contains("operand 1");
        assertThat(problem(key, version, instruction(Op.CAST, ValueType.BIGINT, 0, -1, -1)))
                .contains("do not give");
        assertThat(problem(instruction(Op.KEY_COLUMN, ValueType.BIGINT, 0, -1, -1)))
                .contains("operand 0 of 0");
        assertThat(problem(key, version, instruction(Op.ADD, ValueType.BIGINT, 1, 1, -1)))
                .isEqualTo("null");
    }

    @Test
    void refusesConstantsThatAreNoValuesOfTheirTypes() {
        assertThat(problem(constant(ValueType.BOOLEAN, new byte[] {2}))).contains("constant");
        assertThat(problem(constant(ValueType.INTEGER, new byte[3]))).contains("constant");
        assertThat(problem(constant(ValueType.VARCHAR, new byte[] {(byte) 0xff})))
                .contains("constant");
        assertThat(problem(constant(ValueType.DOUBLE, RandomPrograms.fixed(Long.MIN_VALUE, 8))))
                .contains("constant");
        assertThat(problem(constant(ValueType.TIME, RandomPrograms.fixed(-1, 8))))
                .contains("constant");
        assertThat(problem(constant(ValueType.decimal(2, 1), Int128.write(java.math.BigInteger.valueOf(100)))))
                .contains("constant");
        assertThat(problem(constant(new ValueType(ValueType.Kind.DECIMAL, 39, 1), new byte[16])))
                .contains("type");
        assertThat(problem(constant(ValueType.VARCHAR, new byte[] {'a'}), like("a!b", "!")))
                .contains("escape");
        assertThat(problem(constant(ValueType.VARCHAR, new byte[] {'a'}), like("a!!", "!")))
                .isEqualTo("null");
    }

    private static String problem(Instruction... instructions) {
        return String.valueOf(ProgramValidator.problem(program(instructions)));
    }

    private static Instruction constant(ValueType type, byte[] value) {
        return instruction(Op.CONSTANT, type, -1, -1, -1, value);
    }

    private static Instruction like(String pattern, String escape) {
        return instruction(Op.LIKE, ValueType.BOOLEAN, 0, -1, -1, pattern.getBytes(), escape.getBytes());
    }
}
