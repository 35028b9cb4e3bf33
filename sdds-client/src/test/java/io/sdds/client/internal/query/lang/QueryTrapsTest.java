package io.sdds.client.internal.query.lang;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import io.sdds.core.query.EvaluationError;
import io.sdds.core.query.EvaluationFailure;
import io.sdds.core.query.Output.AggregateFunction;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** What engines of queries get wrong, each with its rule. */
class QueryTrapsTest {
    private static final String EMOJI = "\uD83D\uDE00";
    private static final String FULL_WIDTH = "\uFF00";

    private static QueriedRows numbers() {
        return new QueriedRows("id integer key, a integer, b integer")
                .add(1, 1, 1)
                .add(2, 2, null)
                .add(3, null, 0);
    }

    private static void assertFails(QueriedRows rows, String columns, EvaluationError error) {
        assertThatThrownBy(() -> rows.select(columns, ""))
                .isInstanceOfSatisfying(
                        EvaluationFailure.class, e -> assertThat(e.error()).isEqualTo(error));
    }

    @Test
    void notInOfAListWithNullIsNeverTrue() {
        assertThat(numbers().select("id", "a not in (5, null)")).isEmpty();
        assertThat(numbers().select("a in (1, null)", "")).containsExactly("true", "null", "null");
        assertThat(numbers().select("id", "not (a = b)")).isEmpty();
        assertThat(numbers().select("id", "a = b or not (a = b)")).containsExactly("1");
        assertThat(numbers().select("id", "(a = b) is null")).containsExactly("2", "3");
    }

    @Test
    void textIsOrderedByCodePointsAndNotByUtf16() {
        QueriedRows rows =
                new QueriedRows("id varchar key, t varchar").add("1", EMOJI).add("2", FULL_WIDTH);
        assertThat(EMOJI.compareTo(FULL_WIDTH)).as("in Java").isNegative();
        assertThat(rows.select("id", "t > '" + FULL_WIDTH + "'")).containsExactly("1");
        assertThat(rows.top("t", 2)).containsExactly(FULL_WIDTH, EMOJI);
        assertThat(rows.aggregate("", AggregateFunction.MAX, "t")).containsExactly(EMOJI);
    }

    @Test
    void lengthAndSubstringCountCodePoints() {
        QueriedRows rows = new QueriedRows("id integer key, t varchar").add(1, "a" + EMOJI + "é");
        assertThat(rows.select("length(t), octet_length(t), substring(t, 2, 1), substring(t, 0, 2)", ""))
                .containsExactly("3 | 7 | " + EMOJI + " | a");
    }

    @Test
    void sumOfBigintDoesNotWrap() {
        QueriedRows rows = new QueriedRows("id integer key, n bigint")
                .add(1, Long.MAX_VALUE)
                .add(2, Long.MAX_VALUE);
        assertThat(rows.aggregate("", AggregateFunction.SUM, "n")).containsExactly("18446744073709551614");
        assertFails(rows, "n + n", EvaluationError.OVERFLOW);
    }

    @Test
    void decimalsHave38DigitsAndNoMore() {
        BigDecimal most = new BigDecimal("9".repeat(38));
        QueriedRows rows = new QueriedRows("id integer key, d decimal(38,0)").add(1, most);
        assertThat(rows.select("d - 1", "")).containsExactly("9".repeat(37) + "8");
        assertFails(rows, "d + 1", EvaluationError.OVERFLOW);
        assertFails(rows, "d * 10", EvaluationError.OVERFLOW);
        assertThat(new QueriedRows("").addBytes(new byte[1], new byte[1]).select("0.1 + 0.2, 1.00 * 2.50, 2.0 / 3", ""))
                .containsExactly("0.3 | 2.5000 | 0.666667");
    }

    @Test
    void zeroAndNanHaveOneFormInComparisonsGroupsAndOrders() {
        QueriedRows rows = new QueriedRows("id double key, d double")
                .add(-0.0, -0.0)
                .add(0.5, 0.0)
                .add(1.0, Double.NaN)
                .add(2.0, Double.longBitsToDouble(0x7ff8000000000001L))
                .add(3.0, Double.POSITIVE_INFINITY);
        assertThat(rows.select("id", "d = 0")).containsExactly("0.0", "0.5");
        assertThat(rows.select("id", "d = cast('nan' as double)")).containsExactly("1.0", "2.0");
        assertThat(rows.select("id", "d > 1e300")).containsExactly("1.0", "2.0", "3.0");
        assertThat(rows.aggregate("d", AggregateFunction.COUNT_ROWS, ""))
                .containsExactly("0.0 | 2", "NaN | 2", "Infinity | 1");
        assertThat(rows.top("d desc", 3)).containsExactly("NaN", "NaN", "Infinity");
        assertThat(rows.select("-d", "d = 0")).containsExactly("0.0", "0.0");
    }

    @Test
    void withoutRowsCountIsZeroSumIsNullAndThereAreNoGroups() {
        QueriedRows empty = new QueriedRows("id integer key, a integer");
        assertThat(empty.aggregate("", AggregateFunction.COUNT_ROWS, "")).containsExactly("0");
        assertThat(empty.aggregate("", AggregateFunction.COUNT, "a")).containsExactly("0");
        assertThat(empty.aggregate("", AggregateFunction.SUM, "a")).containsExactly("null");
        assertThat(empty.aggregate("", AggregateFunction.MIN, "a")).containsExactly("null");
        assertThat(empty.aggregate("a", AggregateFunction.COUNT_ROWS, "")).isEmpty();
        QueriedRows nulls = new QueriedRows("id integer key, a integer").add(1, (Object) null);
        assertThat(nulls.aggregate("", AggregateFunction.SUM, "a")).containsExactly("null");
        assertThat(nulls.aggregate("a", AggregateFunction.COUNT, "a")).containsExactly("null | 0");
    }

    @Test
    void likeHasEscapesAndCodePointsAndDoesNotBacktrack() {
        QueriedRows rows = new QueriedRows("id integer key, t varchar")
                .add(1, "50%")
                .add(2, "50x")
                .add(3, EMOJI + "x");
        assertThat(rows.select("id", "t like '50!%' escape '!'")).containsExactly("1");
        assertThat(rows.select("id", "t like '50_'")).containsExactly("1", "2");
        assertThat(rows.select("id", "t like '_x'")).containsExactly("3");
        assertThat(rows.select("id", "t like '%x' and t not like '5%'")).containsExactly("3");
        QueriedRows longText = new QueriedRows("id integer key, t varchar").add(1, "a".repeat(20_000));
        assertTimeoutPreemptively(
                Duration.ofSeconds(20),
                () -> assertThat(longText.select("id", "t like '" + "%a_".repeat(20) + "b'"))
                        .isEmpty());
    }

    @Test
    void caseGuardsADivision() {
        assertThat(numbers().select("case when b <> 0 then a / b end", "")).containsExactly("1", "null", "null");
        QueriedRows zero = new QueriedRows("id integer key, a integer, b integer").add(1, 1, 0);
        assertThat(zero.select("case when b <> 0 then a / b else -1 end", "b = 0"))
                .containsExactly("-1");
        assertThat(zero.select("id", "b <> 0 and a / b > 1")).isEmpty();
        assertThat(zero.select("id", "b = 0 or a / b > 1")).containsExactly("1");
        assertThat(zero.select("id", "coalesce(null, 1 / 1) = 1")).containsExactly("1");
        assertFails(zero, "a / b", EvaluationError.DIVISION_BY_ZERO);
        assertFails(zero, "a % b", EvaluationError.DIVISION_BY_ZERO);
        assertFails(zero, "1e0 / b", EvaluationError.DIVISION_BY_ZERO);
        assertFails(zero, "1 / 0", EvaluationError.DIVISION_BY_ZERO);
    }

    @Test
    void nullsStandWhereAnOrderSays() {
        assertThat(numbers().top("b", 3)).containsExactly("0", "1", "null");
        assertThat(numbers().top("b desc", 3)).containsExactly("null", "1", "0");
        assertThat(numbers().top("b nulls first", 2)).containsExactly("null", "0");
        assertThat(numbers().top("b desc nulls last", 3)).containsExactly("1", "0", "null");
    }

    @Test
    void keyAndValueAreThePartsOfTheRecordUnlessAColumnHasTheName() {
        byte[] text = "text".getBytes(StandardCharsets.UTF_8);
        assertThat(new QueriedRows("").addBytes(text, new byte[] {1}).select("key, value, _version", ""))
                .containsExactly("x74657874 | x01 | 7");
        QueriedRows rows = new QueriedRows("key integer key, value varchar").add(1, "v");
        assertThat(rows.select("key, value, octet_length(_key), octet_length(_value) > 1", ""))
                .containsExactly("1 | v | 4 | true");
    }

    @Test
    void namesMatchWithoutCaseAndQuotedNamesExactly() {
        QueriedRows rows = new QueriedRows("id integer key, City varchar").add(1, "Wien");
        assertThat(rows.select("CITY, city, \"City\"", "")).containsExactly("Wien | Wien | Wien");
        assertThatThrownBy(() -> rows.select("\"city\"", ""))
                .hasMessage("select, position 1: no column 'city'; did you mean 'City'?");
    }

    @Test
    void whatIsNoRowIsAnErrorOnlyForThoseWhoReadIt() {
        QueriedRows rows = new QueriedRows("id integer key, a integer").addBytes(new byte[] {1}, new byte[] {2});
        assertThat(rows.select("_key, octet_length(_value)", "")).containsExactly("x01 | 1");
        assertFails(rows, "a", EvaluationError.INVALID_ROW);
        assertFails(rows, "id", EvaluationError.INVALID_KEY);
    }
}
