package io.sdds.sql.random;

import static org.assertj.core.api.Assertions.assertThat;

import io.sdds.sql.random.Answer.Failure;
import io.sdds.sql.random.Answer.Rows;
import java.math.BigDecimal;
import java.sql.SQLException;
import java.time.LocalDateTime;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The comparison of two answers, and how a statement with a fault is made shorter. */
class VerdictTest {
    private static final Rows TWO = rows(List.of("1", "a"), List.of("2", "b"));
    private static final Failure DIVISION = new Failure("22012", "division by zero");

    @SafeVarargs
    private static Rows rows(List<String>... rows) {
        return new Rows(-1, List.of(rows));
    }

    @Test
    void ordersMatterOnlyWhereTheStatementOrders() {
        Rows turned = rows(List.of("2", "b"), List.of("1", "a"));
        assertThat(Verdict.of(TWO, turned, false)).isEqualTo(Verdict.EQUAL);
        assertThat(Verdict.of(TWO, turned, true)).isEqualTo(Verdict.WRONG_ROWS);
    }

    @Test
    void anotherValueAnotherNumberOfEqualRowsAndAnotherCountAreWrong() {
        assertThat(Verdict.of(TWO, rows(List.of("1", "a"), List.of("2", "NULL")), false))
                .isEqualTo(Verdict.WRONG_ROWS);
        assertThat(Verdict.of(TWO, rows(List.of("1", "a"), List.of("2", "b"), List.of("2", "b")), false))
                .isEqualTo(Verdict.WRONG_ROWS);
        assertThat(Verdict.of(new Rows(1, TWO.values()), new Rows(2, TWO.values()), false))
                .isEqualTo(Verdict.WRONG_ROWS);
    }

    @Test
    void digitsBehindTheSixthDoNotMatter() {
        assertThat(Verdict.of(rows(List.of("0.3333333333333333")), rows(List.of("0.333333")), true))
                .isEqualTo(Verdict.EQUAL);
        assertThat(Verdict.of(rows(List.of("0.33334")), rows(List.of("0.333333")), true))
                .isEqualTo(Verdict.WRONG_ROWS);
    }

    @Test
    void aLargeAverageMayHaveNoFractionButOtherNumbersAreExact() {
        Rows average = rows(List.of("614891468980486147", "1"), List.of("614891468980486000", "2"));
        Rows withFraction = rows(List.of("614891468980486000", "2"), List.of("614891468980486146.6", "1"));
        assertThat(Verdict.of(average, withFraction, false)).isEqualTo(Verdict.EQUAL);
        assertThat(Verdict.of(rows(List.of("614891468980486147")), rows(List.of("614891468980486146")), false))
                .isEqualTo(Verdict.WRONG_ROWS);
        assertThat(Verdict.of(rows(List.of("15")), rows(List.of("14.6")), false))
                .isEqualTo(Verdict.WRONG_ROWS);
    }

    @Test
    void anErrorOfTheJudgeNeedsAnErrorThatAUserExpects() {
        assertThat(Verdict.of(DIVISION, new Failure("22003", "out of range"), false))
                .isEqualTo(Verdict.EQUAL);
        assertThat(Verdict.of(DIVISION, new Failure("HY000", "null"), false)).isEqualTo(Verdict.FAILED);
        assertThat(Verdict.of(DIVISION, TWO, false)).isEqualTo(Verdict.NO_ERROR);
        assertThat(Verdict.of(new Failure("42601", "syntax"), TWO, false)).isEqualTo(Verdict.NOT_JUDGED);
    }

    @Test
    void onlyRefusalsAndLimitsAreRefused() {
        assertThat(Verdict.of(TWO, new Failure("0A500", "not supported"), false))
                .isEqualTo(Verdict.REFUSED);
        assertThat(Verdict.of(TWO, new Failure("54000", "too large"), false)).isEqualTo(Verdict.REFUSED);
        assertThat(Verdict.of(TWO, new Failure("42000", "syntax"), false)).isEqualTo(Verdict.FAILED);
        assertThat(Verdict.of(TWO, DIVISION, false)).isEqualTo(Verdict.FAILED);
    }

    @Test
    void valuesOfDifferentDriversHaveOneText() {
        assertThat(SqlText.of(new BigDecimal("1.500"))).isEqualTo(SqlText.of(1.5));
        assertThat(SqlText.of(new BigDecimal("10"))).isEqualTo(SqlText.of(10L)).isEqualTo("10");
        assertThat(SqlText.of(-0.0)).isEqualTo("0");
        assertThat(SqlText.of(LocalDateTime.of(2024, 2, 29, 12, 0))).isEqualTo("2024-02-29 12:00:00");
        assertThat(SqlText.of(new byte[] {0, (byte) 0xff})).isEqualTo("x00ff");
    }

    @Test
    void oneSeedIsOneStatementAndTheShortestHasWhatMatters() throws SQLException {
        Generator generator = new Generator(Tables.of(0));
        for (long seed = 0; seed < 200; seed++) {
            Generator.Drawn drawn = generator.draw(seed);
            Statement statement = drawn.statement();
            assertThat(generator.draw(seed).statement()).hasToString(statement.toString());
            if (statement.text().contains(" IS NULL")) {
                Statement shortest = Shrinker.shrink(drawn, of -> of.text().contains(" IS NULL"));
                assertThat(shortest.text()).contains(" IS NULL");
                assertThat(shortest.text().length())
                        .isLessThanOrEqualTo(statement.text().length());
            }
        }
    }
}
