package io.sdds.core.query;

import static org.assertj.core.api.Assertions.assertThat;

import io.sdds.core.Seeds;
import io.sdds.core.row.ValueType;
import io.sdds.core.row.Values;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Each operation against plain Java on the classes of {@link Values}. */
class EvaluationPropertyTest {
    private static final int RUNS = 3_000;

    @ParameterizedTest
    @EnumSource(
            value = Op.class,
            mode = EnumSource.Mode.EXCLUDE,
            names = {"KEY_COLUMN", "VALUE_COLUMN", "KEY", "VALUE", "RECORD_VERSION", "CONSTANT", "BLOOM", "UNKNOWN"})
    void givesWhatPlainJavaGives(Op op) {
        SplittableRandom random = Seeds.random("EvaluationPropertyTest." + op);
        RandomPrograms programs = new RandomPrograms(random);
        int values = 0;
        for (int run = 0; run < RUNS; run++) {
            Instruction instruction = programs.instruction(op);
            List<ValueType> types = programs.operandTypes();
            List<byte @Nullable []> operands = new ArrayList<>();
            types.forEach(type -> operands.add(programs.value(type)));
            Object[] arguments = IntStream.range(0, types.size())
                    .mapToObj(k -> decoded(types.get(k), operands.get(k)))
                    .toArray();
            Object expected = PlainJava.result(instruction, types, arguments);
            if (expected != PlainJava.NOT_TOLD) {
                Object found = evaluated(instruction, types, operands);
                assertThat(comparable(found))
                        .as("%s of %s %s", instruction, types, Arrays.deepToString(arguments))
                        .isEqualTo(comparable(expected));
                values++;
            }
        }
        assertThat(values).isGreaterThan(RUNS / 4);
    }

    private static @Nullable Object decoded(ValueType type, byte @Nullable [] stored) {
        return stored == null ? null : Values.decode(type, stored);
    }

    private static @Nullable Object comparable(@Nullable Object value) {
        return value instanceof byte[] bytes ? Arrays.toString(bytes) : value;
    }

    /** The operands are columns, so that they have numbers from 0 on as the instruction wants them. */
    private static @Nullable Object evaluated(
            Instruction instruction, List<ValueType> types, List<byte @Nullable []> operands) {
        List<Instruction> instructions = new ArrayList<>();
        for (int k = 0; k < types.size(); k++) {
            instructions.add(new Instruction(Op.VALUE_COLUMN, types.get(k), k, -1, -1, List.of()));
        }
        instructions.add(instruction);
        Program program = new Program(
                new RowShape(List.of(), types, operands),
                instructions,
                -1,
                new Output.Project(List.of(types.size()), 1));
        assertThat(ProgramValidator.problem(program)).as("%s", instruction).isNull();
        Evaluation evaluation = new Evaluation(program);
        evaluation.begin(operands);
        try {
            return decoded(instruction.type(), evaluation.value(types.size()));
        } catch (EvaluationFailure e) {
            return e.error();
        }
    }
}
