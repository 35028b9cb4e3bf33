package io.sdds.cli.sql;

/**
 * A statement of SQL, or a command of the prompt.
 *
 * @param text the statement without the semicolon at its end
 * @param line number of the line where the statement begins, from 1
 * @param column number of the column where the statement begins, from 1
 */
record SqlStatement(String text, int line, int column) {
    /** Whether this is a command of the prompt, such as {@code \d}. */
    boolean isCommand() {
        return text.startsWith("\\");
    }
}
