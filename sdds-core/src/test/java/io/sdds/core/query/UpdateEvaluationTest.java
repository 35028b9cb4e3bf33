package io.sdds.core.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.sdds.core.row.RowLayout;
import io.sdds.core.row.RowReader;
import io.sdds.core.row.RowWriter;
import io.sdds.core.row.Schema;
import io.sdds.core.row.SchemaText;
import io.sdds.core.row.ValueType;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Updates of rows with the columns {@code visits int not null, name varchar(3)}. */
class UpdateEvaluationTest {
    private static final Schema SCHEMA = SchemaText.parse("id int key, visits int not null, name varchar(3)");
    private static final byte[] KEY = {'k'};

    private static Instruction instruction(Op op, ValueType type, int a, int b, byte[]... constants) {
        return new Instruction(op, type, a, b, -1, Arrays.asList(constants));
    }

    private static Instruction constant(ValueType type, byte[] value) {
        return instruction(Op.CONSTANT, type, -1, -1, value);
    }

    /** Instruction 2 is visits + 1; instruction 3 says whether visits < 1. */
    private static Program program(int filter, Instruction more, Output output) {
        List<Instruction> instructions = List.of(
                instruction(Op.VALUE_COLUMN, ValueType.INTEGER, 0, -1),
                constant(ValueType.INTEGER, new byte[] {1, 0, 0, 0}),
                instruction(Op.ADD, ValueType.INTEGER, 0, 1),
                instruction(Op.LESS, ValueType.BOOLEAN, 0, 1),
                more);
        return new Program(RowShape.of(SCHEMA), instructions, filter, output);
    }

    private static Output write(int column, int value, boolean notNull) {
        return new Output.Write(List.of(new Output.Assignment(column, value, notNull)));
    }

    private static byte[] row(int visits, String name) {
        return new RowWriter(SCHEMA).write(new Object[] {visits, name});
    }

    private static UpdateEvaluation evaluation(int filter, Instruction more, Output output) {
        Program program = program(filter, more, output);
        assertThat(ProgramValidator.problem(program)).isNull();
        return new UpdateEvaluation(program);
    }

    private static final Instruction ANY = constant(ValueType.INTEGER, null);

    private static UpdateFailure failure(UpdateEvaluation evaluation, byte[] row) {
        try {
            evaluation.begin(KEY, row, 1);
            evaluation.value();
            throw new AssertionError("no failure");
        } catch (UpdateFailure e) {
            return e;
        }
    }

    @Test
    void columnsGetTheirValuesAndOthersStay() {
        UpdateEvaluation evaluation = evaluation(-1, ANY, write(0, 2, true));
        assertThat(evaluation.begin(KEY, row(41, "Ada"), 1)).isTrue();
        RowReader reader = new RowReader(RowLayout.of(SCHEMA));
        reader.read(evaluation.value());
        assertThat(reader.value(0)).isEqualTo(42);
        assertThat(reader.value(1)).isEqualTo("Ada");
    }

    @Test
    void theConditionIsOfTheRecordBefore() {
        UpdateEvaluation evaluation = evaluation(3, ANY, new Output.Remove());
        assertThat(evaluation.removes()).isTrue();
        assertThat(evaluation.begin(KEY, row(0, null), 1)).isTrue();
        assertThat(evaluation.begin(KEY, row(1, null), 1)).isFalse();
    }

    @Test
    void whatFailsNamesItsColumn() {
        UpdateFailure overflow = failure(evaluation(-1, ANY, write(0, 2, true)), row(Integer.MAX_VALUE, null));
        assertThat(overflow.error()).isEqualTo(EvaluationError.OVERFLOW);
        assertThat(overflow.column()).isZero();
        assertThat(failure(evaluation(-1, ANY, write(0, 4, true)), row(1, null)).error())
                .isEqualTo(EvaluationError.NULL_VALUE);
        Instruction text = constant(ValueType.VARCHAR, new byte[] {'a', 'b', 'c', 'd'});
        UpdateFailure tooLong = failure(evaluation(-1, text, write(1, 4, false)), row(1, null));
        assertThat(tooLong.error()).isEqualTo(EvaluationError.DOES_NOT_FIT);
        assertThat(tooLong.column()).isOne();
        UpdateFailure unreadable = failure(evaluation(3, ANY, new Output.Remove()), new byte[] {9});
        assertThat(unreadable.error()).isEqualTo(EvaluationError.INVALID_ROW);
        assertThat(unreadable.column()).isEqualTo(-1);
    }

    @Test
    void failuresComeBackFromTheirCodes() {
        for (EvaluationError error : EvaluationError.values()) {
            for (int column : new int[] {-1, 0, 999}) {
                UpdateFailure back = UpdateFailure.of(new UpdateFailure(error, column).code())
                        .orElseThrow();
                assertThat(back.error()).isEqualTo(error);
                assertThat(back.column()).isEqualTo(column);
            }
        }
        assertThat(UpdateFailure.of(255)).isEmpty();
    }

    @Test
    void anUpdateThatReadsTooMuchTextOfItsRecordIsRefused() {
        List<Instruction> instructions = List.of(
                instruction(Op.VALUE, ValueType.VARBINARY, -1, -1),
                constant(ValueType.VARBINARY, new byte[] {'a', 'b'}),
                instruction(Op.CONTAINS, ValueType.BOOLEAN, 0, 1));
        UpdateEvaluation evaluation =
                new UpdateEvaluation(new Program(RowShape.BYTES, instructions, 2, new Output.Remove()));
        assertThat(evaluation.begin(KEY, new byte[900_000], 1)).isFalse();
        assertThat(failure(evaluation, new byte[1_100_000]).code())
                .isEqualTo(new UpdateFailure(EvaluationError.TOO_COSTLY, -1).code());
        assertThat(evaluation.begin(KEY, new byte[900_000], 1)).isFalse();
    }

    @Test
    void neitherIsTakenForTheOther() {
        Program query = program(-1, ANY, new Output.Project(List.of(0), 1));
        Program update = program(-1, ANY, new Output.Remove());
        assertThatIllegalArgumentException().isThrownBy(() -> new UpdateEvaluation(query));
        assertThatIllegalArgumentException().isThrownBy(() -> new RowEvaluator(update));
    }
}
