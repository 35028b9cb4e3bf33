package io.sdds.cli.terminal;

import java.io.PrintStream;

/**
 * The program that reads standard output has closed it, as {@code head} does when it has enough lines. The command ends
 * and prints nothing, because nobody asks for more.
 */
public final class OutputClosedException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private OutputClosedException() {
        super("the reader of the output is gone");
    }

    /**
     * Flushes the output, and checks that it has a reader.
     *
     * @throws OutputClosedException if an earlier write or this flush has failed; the print stream hides such failures
     */
    public static void check(PrintStream out) {
        if (out.checkError()) {
            throw new OutputClosedException();
        }
    }
}
