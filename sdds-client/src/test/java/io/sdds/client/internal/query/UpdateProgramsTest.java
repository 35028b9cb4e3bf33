package io.sdds.client.internal.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.netty.buffer.Unpooled;
import io.sdds.client.internal.query.lang.Assignment;
import io.sdds.client.internal.query.lang.Expression;
import io.sdds.core.query.EvaluationError;
import io.sdds.core.query.ProgramCodec;
import io.sdds.core.query.UpdateEvaluation;
import io.sdds.core.query.UpdateFailure;
import io.sdds.core.row.RowLayout;
import io.sdds.core.row.RowReader;
import io.sdds.core.row.RowWriter;
import io.sdds.core.row.Schema;
import io.sdds.core.row.SchemaText;
import io.sdds.core.row.ValueType;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Texts of updates, compiled and evaluated for a row. */
class UpdateProgramsTest {
    private static final Schema PEOPLE =
            SchemaText.parse("id bigint key, name varchar(5) not null, visits int not null,"
                    + " pay decimal(6,2), born date, raw varbinary");
    private static final byte[] KEY = {0, 0, 0, 0, 0, 0, 0, 1};

    private final UpdatePrograms programs = new UpdatePrograms();

    private static byte[] ada() {
        return new RowWriter(PEOPLE)
                .write(new Object[] {"Ada", 1, new BigDecimal("10.50"), LocalDate.of(1815, 12, 10), null});
    }

    private static UpdateEvaluation evaluation(byte[] program) {
        return new UpdateEvaluation(ProgramCodec.decode(Unpooled.wrappedBuffer(program)));
    }

    /** The columns after an update, as text. */
    private String updated(String assignments, @Nullable Object... values) {
        return updatedBy(programs.update(PEOPLE, null, assignments, values));
    }

    private static String updatedBy(byte[] program) {
        UpdateEvaluation evaluation = evaluation(program);
        assertThat(evaluation.begin(KEY, ada(), 5)).isTrue();
        RowReader reader = new RowReader(RowLayout.of(PEOPLE));
        reader.read(evaluation.value());
        List<String> columns = new ArrayList<>();
        for (int k = 0; k < PEOPLE.valueColumns().size(); k++) {
            Object value = reader.value(k);
            columns.add(value instanceof byte[] bytes ? new String(bytes, StandardCharsets.UTF_8) : "" + value);
        }
        return String.join(" ", columns);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '→',
            quoteCharacter = '`',
            value = {
                "visits = visits + 1, name = 'Bob'   → Bob 2 10.50 1815-12-10 null",
                "visits = _version, pay = pay * 1.5  → Ada 5 15.75 1815-12-10 null",
                "pay = null, born = '2026-01-31'     → Ada 1 null 2026-01-31 null",
                "RAW = name || '!', visits = 1.6     → Ada 2 10.50 1815-12-10 Ada!",
                "visits = length(name), name = 'x'   → x 3 10.50 1815-12-10 null",
                "pay = 1 / 0.3                       → Ada 1 3.33 1815-12-10 null",
            })
    void columnsGetValuesThatAreComputedOfTheRowBefore(String assignments, String expected) {
        assertThat(updated(assignments)).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '→',
            quoteCharacter = '`',
            value = {
                "vists = 1               → set, position 1: no column 'vists'; did you mean 'visits'?",
                "id = 2                  → set, position 1: 'id' takes no value: it is no column of the value",
                "value = x'00'           → set, position 1: 'value' takes no value: it is no column of the value",
                "visits = 1, visits = 2  → set, position 13: 'visits' gets a value twice",
                "visits + 1              → set, position 8: expected '=', found '+'",
                "visits = 'a'            → set, position 10: column 'visits' takes integer, found a value of type"
                        + " varchar",
                "born = 'a'              → set, position 8: the text is no date",
                "visits = 1,             → set, position 12: expected a column, found the end",
                "visits = count(*)       → set, position 10: no aggregate can stand here",
            })
    void errorsPointAtTheirPositions(String assignments, String message) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> programs.update(PEOPLE, null, assignments))
                .withMessage(message);
    }

    @Test
    void aConditionIsPointedAtAsIf() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> programs.remove(PEOPLE, "visits"))
                .withMessageStartingWith("if, position 1: expected a condition");
        assertThat(evaluation(programs.remove(PEOPLE, "visits = 1 and _version = 5"))
                        .begin(KEY, ada(), 5))
                .isTrue();
        assertThat(evaluation(programs.remove(PEOPLE, "visits = 1 and _version = 5"))
                        .begin(KEY, ada(), 6))
                .isFalse();
        assertThat(evaluation(programs.update(PEOPLE, "raw = x'00'", "visits = 2"))
                        .begin(KEY, ada(), 5))
                .as("NULL is not true")
                .isFalse();
    }

    @Test
    void valuesThatDoNotFitFailWithTheirColumns() {
        assertThat(failure("name = 'Elisabeth'")).isEqualTo("DOES_NOT_FIT 0");
        assertThat(failure("name = null")).isEqualTo("NULL_VALUE 0");
        assertThat(failure("pay = 10000")).isEqualTo("DOES_NOT_FIT 2");
        assertThat(failure("visits = 1e10")).isEqualTo("OVERFLOW 1");
    }

    private String failure(String assignments) {
        try {
            return updated(assignments);
        } catch (UpdateFailure e) {
            return e.error() + " " + e.column();
        }
    }

    @Test
    void aTableWithoutASchemaHasOneColumnTheValue() {
        byte[] program = programs.update(Schema.NONE, "value prefix 'a'", "value = value || 'b'");
        UpdateEvaluation evaluation = evaluation(program);
        assertThat(evaluation.begin(KEY, "a".getBytes(StandardCharsets.UTF_8), 1))
                .isTrue();
        assertThat(evaluation.value()).isEqualTo("ab".getBytes(StandardCharsets.UTF_8));
        assertThat(evaluation.begin(KEY, new byte[0], 1)).isFalse();
        byte[] empty = programs.update(Schema.NONE, null, "value = null");
        UpdateEvaluation toNull = evaluation(empty);
        toNull.begin(KEY, KEY, 1);
        try {
            toNull.value();
            throw new AssertionError("a value cannot be NULL");
        } catch (UpdateFailure e) {
            assertThat(e.error()).isEqualTo(EvaluationError.NULL_VALUE);
        }
    }

    @Test
    void questionMarksStandForValuesThatNeedNoQuotes() {
        assertThat(updated("name = ?, visits = visits + ?", "a'?b", 41)).isEqualTo("a'?b 42 10.50 1815-12-10 null");
        assertThat(updated("name = '?', pay = ?", (Object) null)).isEqualTo("? 1 null 1815-12-10 null");
        assertThat(updated("pay = ?, born = ?", new BigDecimal("1.25"), LocalDate.of(2026, 1, 31)))
                .isEqualTo("Ada 1 1.25 2026-01-31 null");
        assertThat(updated("raw = ?, born = ?", "raw".getBytes(StandardCharsets.UTF_8), "2026-01-31"))
                .isEqualTo("Ada 1 10.50 2026-01-31 raw");
    }

    @Test
    void theConditionTakesTheFirstValuesAndTheAssignmentsTheOthers() {
        byte[] program = programs.update(PEOPLE, "name = ? and visits < ?", "visits = ?", "Ada", 2, 7);
        assertThat(updatedBy(program)).startsWith("Ada 7 ");
        assertThat(evaluation(programs.remove(PEOPLE, "name = ?", "' or true or name = '"))
                        .begin(KEY, ada(), 5))
                .as("a value is no part of the text")
                .isFalse();
    }

    @Test
    void eachCallWithValuesHasItsOwn() {
        assertThat(updatedBy(programs.update(PEOPLE, null, "visits = ?", 1))).startsWith("Ada 1 ");
        assertThat(updatedBy(programs.update(PEOPLE, null, "visits = ?", 2))).startsWith("Ada 2 ");
    }

    @Test
    void eachQuestionMarkNeedsOneValue() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> programs.update(PEOPLE, null, "name = ?, visits = ?", "Bob"))
                .withMessage("set, position 20: question mark 2 has no value");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> programs.update(PEOPLE, null, "visits = ?", 1, 2))
                .withMessage("set, position 11: found no question mark for value 2 of 2");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> programs.update(PEOPLE, "visits = ?", "visits = 1"))
                .withMessage("if, position 10: question mark 1 has no value");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> programs.update(PEOPLE, null, "name = ?", new StringBuilder()))
                .withMessageContaining("StringBuilder");
    }

    @Test
    void textsAreCompiledOnceForASchema() {
        byte[] first = programs.update(PEOPLE, null, "visits = 1");
        assertThat(programs.update(PEOPLE, null, "visits = 1")).isSameAs(first);
        assertThat(programs.update(PEOPLE, "visits = 0", "visits = 1")).isNotSameAs(first);
        Schema later = PEOPLE.add(SchemaText.parseColumn("city varchar"));
        assertThat(programs.update(later, null, "visits = 1")).isNotSameAs(first);
        for (int k = 0; k < 1_000; k++) {
            programs.update(PEOPLE, null, "visits = " + k);
        }
        assertThat(programs.update(PEOPLE, null, "visits = 1")).isEqualTo(first);
    }

    @Test
    void treesWithoutParametersAreCompiledOnceAndOthersForTheirValues() {
        Expression visits = new Expression.Name("visits", true, Expression.NOWHERE);
        Expression one = Expression.constant(ValueType.INTEGER, 1);
        UpdateTree plain = new UpdateTree(
                List.of(Expression.call(">", visits, Expression.constant(ValueType.INTEGER, 0))),
                List.of(new Assignment((Expression.Name) visits, Expression.call("+", visits, one))));
        byte[] program = plain.program(PEOPLE, place -> one).result();
        assertThat(plain.program(PEOPLE, place -> one).result()).isSameAs(program);
        assertThat(updatedBy(program)).isEqualTo("Ada 2 10.50 1815-12-10 null");

        UpdateTree open = new UpdateTree(
                List.of(),
                List.of(new Assignment((Expression.Name) visits, new Expression.Parameter(0, ValueType.INTEGER))));
        for (int value : new int[] {7, 8}) {
            byte[] of = open.program(PEOPLE, place -> Expression.constant(place.type(), value))
                    .result();
            assertThat(updatedBy(of)).isEqualTo("Ada " + value + " 10.50 1815-12-10 null");
        }
    }

    @Test
    void treesThatHaveNoProgramSayWhy() {
        Expression.Name name = new Expression.Name("name", true, Expression.NOWHERE);
        UpdateTree wrong =
                new UpdateTree(List.of(), List.of(new Assignment(name, Expression.constant(ValueType.BOOLEAN, true))));
        assertThat(wrong.program(PEOPLE, place -> name))
                .isEqualTo(new Attempt<>(null, "set: column 'name' takes varchar(5), found a value of type boolean"));
    }
}
