package io.sdds.cli.sql;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class StatementScannerTest {
    private static List<String> texts(String script) {
        return StatementScanner.statements(script).stream()
                .map(SqlStatement::text)
                .toList();
    }

    @Test
    void semicolonEndsAStatement() {
        assertThat(texts("select 1; select\n 2;select 3")).containsExactly("select 1", "select\n 2", "select 3");
    }

    @Test
    void semicolonsInQuotesAndCommentsEndNothing() {
        assertThat(texts("select ';''' , \";\" -- ; it's\n, 1 /* ; ' */ /* \" */;"))
                .containsExactly("select ';''' , \";\" -- ; it's\n, 1 /* ; ' */ /* \" */");
    }

    @Test
    void statementsWithoutCodeAreNone() {
        assertThat(texts(";;  ; -- nothing\n/* nothing */;\n")).isEmpty();
    }

    @Test
    void statementBeginsAtItsFirstLine() {
        assertThat(StatementScanner.statements("\n\nselect\n1;\n -- two\n select 2; select 3"))
                .containsExactly(
                        new SqlStatement("select\n1", 3, 1),
                        new SqlStatement("-- two\n select 2", 5, 2),
                        new SqlStatement("select 3", 6, 12));
    }

    @Test
    void commandEndsWithItsLine() {
        assertThat(texts("\\d names\nselect 1;\n  \\timing off;\n"))
                .containsExactly("\\d names", "select 1", "\\timing off");
    }

    @Test
    void backslashInsideAStatementIsNoCommand() {
        assertThat(texts("select\n\\d\n;")).containsExactly("select\n\\d");
    }

    @Test
    void typedTextIsCompleteWithItsSemicolon() {
        assertThat(StatementScanner.isComplete("select 1")).isFalse();
        assertThat(StatementScanner.isComplete("select ';")).isFalse();
        assertThat(StatementScanner.isComplete("select 1; select")).isFalse();
        assertThat(StatementScanner.isComplete("/* select 1;")).isFalse();
        assertThat(StatementScanner.isComplete("select 1;")).isTrue();
        assertThat(StatementScanner.isComplete("select 1; -- done")).isTrue();
        assertThat(StatementScanner.isComplete("\\d")).isTrue();
        assertThat(StatementScanner.isComplete("")).isTrue();
    }

    @Test
    void wordsThatPeopleTryAreCommands() {
        assertThat(texts("help\nselect 1;\n Exit;\nselect\nquit\n;"))
                .containsExactly("\\?", "select 1", "\\q", "select\nquit");
        assertThat(StatementScanner.isComplete("quit")).isTrue();
        assertThat(StatementScanner.isComplete("quit x")).isFalse();
    }
}
