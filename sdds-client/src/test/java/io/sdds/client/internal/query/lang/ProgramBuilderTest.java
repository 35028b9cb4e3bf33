package io.sdds.client.internal.query.lang;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.sdds.core.Seeds;
import io.sdds.core.query.EvaluationFailure;
import io.sdds.core.query.Instruction;
import io.sdds.core.query.Op;
import io.sdds.core.row.ValueType;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProgramBuilderTest {
    private static final String SCHEMA =
            "id bigint key, name varchar, age integer, pay decimal(10,2), score double, born date,"
                    + " raw varbinary, active boolean";

    private static QueriedRows people() {
        return new QueriedRows(SCHEMA)
                .add(
                        1L,
                        "Ada",
                        36,
                        new BigDecimal("10.50"),
                        1.5,
                        LocalDate.of(1815, 12, 10),
                        "Ada".getBytes(StandardCharsets.UTF_8),
                        true)
                .add(2L, "Žofie", 20, new BigDecimal("-0.01"), null, null, new byte[] {(byte) 0xff}, false);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '→',
            quoteCharacter = '`',
            value = {
                "age + id                                   → 37",
                "age + pay                                  → 46.50",
                "age * 2.5                                  → 90.0",
                "pay / 3                                    → 3.500000",
                "7 / 2                                      → 3",
                "-7 % 3                                     → -1",
                "age + score                                → 37.5",
                "pay * pay                                  → 110.2500",
                "abs(-age), abs(pay - 11)                   → 36 ~ 0.50",
                "name || '/' || age || '/' || born          → Ada/36/1815-12-10",
                "raw || x'21'                               → x41646121",
                "raw || '!'                                 → Ada!",
                "raw = 'Ada'                                → true",
                "raw like 'A_a' and raw contains 'd'        → true",
                "upper(raw), lower(name), length(raw)       → ADA ~ ada ~ 3",
                "born < '1900-01-01'                        → true",
                "born = timestamp '1815-12-10 00:00:00'     → true",
                "born between '1815-01-01' and '1815-12-31' → true",
                "cast(pay as integer), cast(score as bigint)→ 11 ~ 2",
                "cast(' 12 ' as integer) + 1                → 13",
                "case age when 36 then 'x' else name end    → x",
                "coalesce(null, age, 1.5)                   → 36.0",
                "null, null + 1, active and null            → null ~ null ~ null",
                "active is true, not active is true         → true ~ false",
                "age in (1, 36, 2.5)                        → true",
                "id in (age, 1)                             → true",
                "trim('  a '), substring(name, 2)           → a ~ da",
                "starts_with(name, 'A'), ends_with(name,'A')→ true ~ false",
                "age > 35.9 and id < 1e3 and pay >= 10      → true"
            })
    void computesWhatTheTextSays(String columns, String values) {
        assertThat(people().select(columns, "id = 1")).containsExactly(values.replace("~", "|"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '→',
            quoteCharacter = '`',
            value = {
                "nmae = 'x'             → where, position 1: no column 'nmae'; did you mean 'name'?",
                "lenght(name) = 1       → where, position 1: no function 'lenght'; did you mean 'length'?",
                "age = '36'             → where, position 5: expected values of one type, found integer and varchar",
                "born = 'yesterday'     → where, position 8: the text is no date",
                "name + 1 = 2           → where, position 1: expected a number, found a value of type varchar",
                "age and active         → where, position 1: expected a condition, found a value of type integer",
                "name                   → where, position 1: expected a condition, found a value of type varchar",
                "lower(age) = 'x'       → where, position 7: expected a text, found a value of type integer",
                "substring(name) = 'x'  → where, position 1: substring takes 2 or 3 operands, found 1",
                "lower(name, name) = '' → where, position 1: lower takes 1 operands, found 2",
                "cast(active as date) = born → where, position 1: no cast of boolean to date",
                "count(*) > 1           → where, position 1: no aggregate can stand here",
                "name like name         → where, position 11: expected a pattern that is a constant text",
                "name like 'a' escape 'xy' → where, position 22: expected an escape of one character",
                "name like 'a!b' escape '!' → where, position 11: the escape character stands before a character that"
                        + " needs none",
                "score || name = ''     → where, position 1: expected a text, found a value of type double"
            })
    void namesThePositionOfWhatDoesNotFit(String where, String message) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> people().select("id", where))
                .withMessage(message);
    }

    @Test
    void computesEqualPartsOnce() {
        List<Instruction> instructions = people().instructions("age + 1 > 5 and age + 1 < 50 and AGE + 1 <> 7");
        assertThat(instructions).extracting(Instruction::op).containsOnlyOnce(Op.ADD, Op.VALUE_COLUMN);
    }

    @Test
    void computesConstantsBeforehand() {
        assertThat(people().instructions("id = 2 * (3 + 4)"))
                .extracting(Instruction::op)
                .containsExactly(Op.KEY_COLUMN, Op.CONSTANT, Op.EQUAL);
        assertThat(people().instructions("1 = 1 or 1 / 0 = 1"))
                .extracting(Instruction::op)
                .endsWith(Op.OR);
    }

    @Test
    void patternsWithSignsAtTheirEndsAreSearches() {
        assertThat(people().instructions("raw like '%CAT%'"))
                .extracting(Instruction::op)
                .containsExactly(Op.VALUE_COLUMN, Op.CONSTANT, Op.CONTAINS);
        assertThat(people().instructions("name like 'a!%%' escape '!'"))
                .extracting(Instruction::op)
                .endsWith(Op.STARTS_WITH);
        assertThat(people().instructions("name like 'ab'"))
                .extracting(Instruction::op)
                .endsWith(Op.EQUAL);
        assertThat(people().select("id", "raw like '%'")).hasSize(2);
    }

    @Test
    void todaysTextsKeepTheirMeaning() {
        QueriedRows rows = new QueriedRows("")
                .addBytes(utf8("U+1F600"), utf8("CAT FACE"))
                .addBytes(utf8("U+0041"), utf8("it's a CAT"))
                .addBytes(utf8("x"), new byte[] {(byte) 0xff});
        assertThat(rows.select("1", "value contains 'CAT' and not key prefix 'U+1F6'"))
                .hasSize(1);
        assertThat(rows.select("1", "not (key = 'x' or key = 'b') and value contains 'it''s'"))
                .hasSize(1);
        assertThat(rows.select("1", "value contains x'ff'")).hasSize(1);
        assertThat(rows.select("1", "true")).hasSize(3);
        assertThat(rows.select("1", "not (false)")).hasSize(3);
    }

    @Test
    void tooManyOperationsAreAnError() {
        StringBuilder text = new StringBuilder("age = 0");
        for (int k = 1; k < 150; k++) {
            text.append(" or age * ").append(k).append(" = 1");
        }
        assertThatIllegalArgumentException()
                .isThrownBy(() -> people().select("id", text.toString()))
                .withMessageMatching("where, position [0-9]+: more than 256 operations in one query");
    }

    @Test
    void expressionsOverAggregatesReadTheColumnsThatAreBoundToThem() {
        Scope scope = Scope.ofTuples(List.of(ValueType.VARCHAR, ValueType.BIGINT));
        scope.bind(ExpressionParser.expression("group by", "lower(city)"), 0);
        scope.bind(ExpressionParser.expression("select", "count(*)"), 1);
        ProgramBuilder builder = new ProgramBuilder(scope);
        int number = builder.add("select", ExpressionParser.expression("select", "LOWER( City ) || (COUNT(*) + 1)"));
        assertThat(builder.type(number).toString()).isEqualTo("varchar");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder.add("select", ExpressionParser.expression("select", "city || ''")))
                .withMessage("select, position 1: 'city' is neither in group by nor in an aggregate");
    }

    @Test
    void textsByChanceAreValidProgramsOrErrorsWithAPosition() {
        SplittableRandom random = Seeds.random("ProgramBuilderTest");
        QueriedRows rows = people();
        int values = 0;
        for (int k = 0; k < 5_000; k++) {
            String text = text(random, 4);
            try {
                assertThat(rows.select(text, "")).hasSize(2);
                values++;
            } catch (EvaluationFailure e) {
                values++;
            } catch (IllegalArgumentException e) {
                assertThat(e).as(text).hasMessageMatching("select, position [0-9]+: .*");
            }
        }
        assertThat(values).isGreaterThan(500);
    }

    /** An expression whose types may not fit. */
    private static String text(SplittableRandom random, int depth) {
        String[] leaves = {
            "id",
            "name",
            "age",
            "pay",
            "score",
            "born",
            "raw",
            "active",
            "_key",
            "_version",
            "1",
            "2.5",
            "1e1",
            "'a'",
            "'2026-01-31'",
            "x'61'",
            "null",
            "true",
            "date '2026-01-31'",
            "99999999999",
            "0"
        };
        if (depth == 0 || random.nextInt(5) == 0) {
            return leaves[random.nextInt(leaves.length)];
        }
        String[] forms = {
            "(# + #)",
            "(# - #)",
            "(# * #)",
            "(# / #)",
            "(# % #)",
            "(-#)",
            "(# || #)",
            "(# = #)",
            "(# < #)",
            "(# >= #)",
            "(# <> #)",
            "(not #)",
            "(# and #)",
            "(# or #)",
            "(# is null)",
            "(# in (#, #, null))",
            "(# between # and #)",
            "(# like 'a%_')",
            "(# contains #)",
            "case when # then # else # end",
            "case # when # then # end",
            "coalesce(#, #)",
            "lower(#)",
            "upper(#)",
            "length(#)",
            "octet_length(#)",
            "substring(#, #, #)",
            "trim(#)",
            "abs(#)",
            "cast(# as varchar)",
            "cast(# as bigint)",
            "cast(# as decimal(12,3))",
            "cast(# as double)",
            "cast(# as date)",
            "(# is not true)"
        };
        StringBuilder text = new StringBuilder();
        for (char sign : forms[random.nextInt(forms.length)].toCharArray()) {
            text.append(sign == '#' ? text(random, depth - 1) : String.valueOf(sign));
        }
        return text.toString();
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
