package io.sdds.cli.terminal;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Locale;

/** A question that the user answers with yes or no. */
public final class Question {
    private static final int ANSWER_BYTES_MAX = 64;

    private Question() {}

    /** Whether the user can see a question and answer it. */
    public static boolean canBeAsked(Screen screen) {
        return screen.inIsTerminal() && screen.errIsTerminal();
    }

    /** Asks the question and reads a line. Only y and yes mean yes; an empty line and the end of the input mean no. */
    public static boolean isAnsweredYes(Screen screen, String question) {
        screen.out().flush();
        screen.err().print(question + " [y/N] ");
        screen.err().flush();
        String answer = line(screen.in()).strip().toLowerCase(Locale.ROOT);
        return answer.equals("y") || answer.equals("yes");
    }

    private static String line(InputStream in) {
        StringBuilder line = new StringBuilder();
        try {
            for (int b = in.read(); b >= 0 && b != '\n'; b = in.read()) {
                if (line.length() < ANSWER_BYTES_MAX) {
                    line.append((char) b);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return line.toString();
    }
}
