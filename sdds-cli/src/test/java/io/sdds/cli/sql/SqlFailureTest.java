package io.sdds.cli.sql;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import org.junit.jupiter.api.Test;

class SqlFailureTest {
    @Test
    void caretsStandBelowTheWrongColumns() {
        SqlFailure failure =
                SqlFailure.of(new SQLException("From line 2, column 3 to line 2, column 5: no column 'nix'", "42703"));
        assertThat(failure.excerpt("select\n\t nix from t", 80)).containsExactly("    nix from t", "    ^^^");
    }

    @Test
    void placeOfOneColumnHasOneCaret() {
        SqlFailure failure = SqlFailure.of(new SQLException("syntax error at line 1, column 8", "42601"));
        assertThat(failure.excerpt("select ,", 80)).containsExactly("  select ,", "         ^");
    }

    @Test
    void longLinesShowTheSurroundingsOfThePlace() {
        SqlFailure failure = SqlFailure.of(new SQLException("line 1, column 201: bad", "42601"));
        assertThat(failure.excerpt("x".repeat(200) + "!" + "y".repeat(200), 43))
                .containsExactly("  " + "x".repeat(20) + "!" + "y".repeat(19), "  " + " ".repeat(20) + "^");
    }

    @Test
    void placesOutsideTheStatementHaveNoExcerpt() {
        assertThat(SqlFailure.of(new SQLException("line 7, column 1: bad")).excerpt("select 1", 80))
                .isEmpty();
        assertThat(SqlFailure.of(new SQLException("line 1, column 99: bad")).excerpt("select 1", 80))
                .isEmpty();
        assertThat(SqlFailure.of(new SQLException("bad")).excerpt("select 1", 80))
                .isEmpty();
    }

    @Test
    void messageOfManyLinesIsOneLine() {
        assertThat(SqlFailure.of(new SQLException("\n first\nsecond")).line()).isEqualTo("first");
        assertThat(SqlFailure.of(new SQLException((String) null)).line()).isEqualTo("the statement failed");
    }

    @Test
    void lostConnectionsAndDeadlinesHaveAnExitCodeOfTheirOwn() {
        assertThat(SqlFailure.of(new SQLException("gone", "08006")).exitCode()).isEqualTo(3);
        assertThat(SqlFailure.of(new SQLTimeoutException("late")).exitCode()).isEqualTo(3);
        assertThat(SqlFailure.of(new SQLException("wrong", "42000")).exitCode()).isEqualTo(1);
    }

    @Test
    void theReasonIsWithoutThePlace() {
        assertThat(SqlFailure.of(new SQLException("line 1, column 8: no x", "42000"))
                        .reason())
                .isEqualTo("no x");
        assertThat(SqlFailure.of(new SQLException("no x at line 1, column 8", "42000"))
                        .reason())
                .isEqualTo("no x at line 1, column 8");
    }
}
