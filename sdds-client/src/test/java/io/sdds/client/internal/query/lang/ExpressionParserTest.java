package io.sdds.client.internal.query.lang;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sdds.core.Seeds;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ExpressionParserTest {
    private static Expression parse(String text) {
        return ExpressionParser.expression("where", text);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '→',
            quoteCharacter = '`',
            value = {
                "a or b and not c = d           → (\"a\" or (\"b\" and (not (\"c\" = \"d\"))))",
                "a and b and c                  → (\"a\" and \"b\" and \"c\")",
                "A + b * -c - d                 → ((\"a\" + (\"b\" * (- \"c\"))) - \"d\")",
                "a || b = c                     → ((\"a\" || \"b\") = \"c\")",
                "a between b and c and d        → (between(\"a\", \"b\", \"c\") and \"d\")",
                "a not between b and c          → (not between(\"a\", \"b\", \"c\"))",
                "a in (b, c)                    → in(\"a\", \"b\", \"c\")",
                "a not in (b)                   → (not in(\"a\", \"b\"))",
                "a is null                      → (\"a\" is null)",
                "a is not null                  → (\"a\" is not null)",
                "a is not true                  → (\"a\" is not true)",
                "a is false                     → ((not \"a\") is true)",
                "a not like b escape c          → (not (\"a\" like \"b\" escape \"c\"))",
                "value Contains key             → contains(\"value\", \"key\")",
                "not key prefix value           → (not starts_with(\"key\", \"value\"))",
                "a != b                         → (\"a\" <> \"b\")",
                "case when a then b end         → (case when \"a\" then \"b\" else null end)",
                "case a when b then c else d end→ (case when (\"a\" = \"b\") then \"c\" else \"d\" end)",
                "cast(a as Decimal(10, 2))      → cast(\"a\" as decimal(10,2))",
                "Lower(\"Odd \"\"name\"\"\")    → lower(\"odd \"\"name\"\"\")",
                "count(*) + sum(a)              → (count(*) + sum(\"a\"))",
                "date = time                    → (\"date\" = \"time\")",
                "not not a                      → (not (not \"a\"))"
            })
    void readsOperatorsByTheirPrecedence(String text, String inBrackets) {
        assertThat(parse(text).text()).isEqualTo(inBrackets);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '→',
            quoteCharacter = '`',
            value = {
                "a =                 → where, position 4: expected an expression, found the end",
                "a = b c             → where, position 7: expected an operator or the end, found 'c'",
                "(a                  → where, position 3: expected an operator or ')', found the end",
                "a like 'x           → where, position 8: the text that begins here has no closing quote",
                "a = x'0'            → where, position 5: expected pairs of hexadecimal digits",
                "a = 12a             → where, position 5: no number begins like '12a'",
                "a not b             → where, position 7: expected 'between', 'in', 'like', 'contains' or 'prefix',"
                        + " found 'b'",
                "a in b              → where, position 6: expected '(', found 'b'",
                "a in (b             → where, position 8: expected ',' or ')', found the end",
                "a between b or c    → where, position 13: expected 'and', found 'or'",
                "a is b              → where, position 6: expected 'not', 'null', 'true' or 'false', found 'b'",
                "case a then b end   → where, position 8: expected 'when', found 'then'",
                "case when a then b  → where, position 19: expected an operator, 'when', 'else' or 'end', found the"
                        + " end",
                "cast(a as intger)   → where, position 11: unknown type 'intger'; did you mean 'integer'?",
                "born > date '31.1.' → where, position 13: '31.1.' is no date: expected YYYY-MM-DD",
                "sum(max(a))         → where, position 1: an aggregate of an aggregate",
                "a = and             → where, position 5: expected an expression, found 'and'",
                "a ; b               → where, position 3: expected an operator or the end, found ';'"
            })
    void namesThePositionAndWhatWasExpected(String text, String message) {
        assertThatIllegalArgumentException().isThrownBy(() -> parse(text)).withMessage(message);
    }

    @Test
    void numbersAreOfTheSmallestTypeThatHasThem() {
        assertThat(List.of(
                        "42",
                        "-2147483648",
                        "2147483648",
                        "-9223372036854775808",
                        "9223372036854775808",
                        "1.50",
                        ".5",
                        "1e3"))
                .extracting(
                        text -> parse(text) instanceof Expression.Literal literal ? literal.type() + "" : "no literal")
                .containsExactly(
                        "integer",
                        "integer",
                        "bigint",
                        "bigint",
                        "decimal(19,0)",
                        "decimal(3,2)",
                        "decimal(1,1)",
                        "double");
    }

    @Test
    void readsColumnsWithAndWithoutNames() {
        assertThat(ExpressionParser.selectList("select", "City, count(*), sum( a ) as total, a + 1 \"a one\", b x"))
                .extracting(SelectItem::name)
                .containsExactly("City", "count(*)", "total", "a one", "x");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ExpressionParser.selectList("select", "a as 1"))
                .withMessage("select, position 6: expected a name, found '1'");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ExpressionParser.selectList("select", "a, "))
                .withMessage("select, position 4: expected an expression, found the end");
    }

    @Test
    void nullsAreLargerThanValuesUnlessAnOrderSaysElse() {
        assertThat(ExpressionParser.orderList("order by", "a, b desc, c nulls first, d desc nulls last"))
                .extracting(item -> item.descending() + " " + item.nullsFirst())
                .containsExactly("false false", "true true", "false true", "true false");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ExpressionParser.orderList("order by", "a nulls"))
                .withMessage("order by, position 8: expected 'first' or 'last', found the end");
    }

    @Test
    void refusesWhatIsTooDeepWithoutRunningOutOfStack() {
        for (String part : new String[] {"(", "- ", "case when ", "abs(", "a + ", "a in ("}) {
            assertThatThrownBy(() -> parse(part.repeat(20_000) + "a")).isInstanceOf(IllegalArgumentException.class);
        }
        assertThat(parse("not ".repeat(20_001) + "a").text()).isEqualTo("(not \"a\")");
        assertThat(parse("(".repeat(60) + "a" + ")".repeat(60)).text()).isEqualTo("\"a\"");
    }

    /** Seed -5277321259987 of the test below found that a blank behind the end was outside of the text. */
    @Test
    void aCastWithoutATypeIsAnErrorWithAPosition() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> parse("cast(a as "))
                .withMessage("where, position 11: expected a type, found the end");
    }

    @Test
    void tokensByChanceAreAnExpressionOrAnErrorWithAPosition() {
        SplittableRandom random = Seeds.random("ExpressionParserTest");
        String[] parts = {
            "a",
            "b",
            "=",
            "<",
            "and",
            "or",
            "not",
            "(",
            ")",
            ",",
            "in",
            "like",
            "'x'",
            "1",
            "1.5",
            "case",
            "when",
            "then",
            "end",
            "is",
            "null",
            "between",
            "count",
            "*",
            "cast",
            "as",
            "integer",
            "x'00'",
            "||",
            "-",
            "date",
            "'2026-01-31'",
            "\"q\"",
            "é"
        };
        int expressions = 0;
        for (int k = 0; k < 50_000; k++) {
            StringBuilder text = new StringBuilder();
            for (int count = 1 + random.nextInt(8); count > 0; count--) {
                text.append(parts[random.nextInt(parts.length)]).append(random.nextInt(9) == 0 ? "" : " ");
            }
            try {
                parse(text.toString());
                expressions++;
            } catch (IllegalArgumentException e) {
                assertThat(e).as(text.toString()).hasMessageMatching("where, position [0-9]+: .*");
            }
        }
        assertThat(expressions).isGreaterThan(1_000);
    }
}
