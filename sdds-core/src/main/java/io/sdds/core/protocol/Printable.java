package io.sdds.core.protocol;

/**
 * Text from another process as it may stand in a log line: in one line, without characters that a terminal acts upon,
 * and bounded.
 */
public final class Printable {
    private Printable() {}

    /** The text with its control characters escaped, cut after so many characters. */
    public static String of(String text, int charactersMax) {
        int end = Math.min(text.length(), charactersMax);
        boolean plain = end == text.length();
        for (int k = 0; k < end && plain; k++) {
            plain = isPlain(text.charAt(k));
        }
        return plain ? text : escaped(text, end);
    }

    private static String escaped(String text, int end) {
        StringBuilder out = new StringBuilder(end + 16);
        for (int k = 0; k < end; k++) {
            char next = text.charAt(k);
            if (isPlain(next)) {
                out.append(next);
            } else if (next == '\n') {
                out.append("\\n");
            } else {
                out.append(String.format("\\u%04x", (int) next));
            }
        }
        return end < text.length() ? out.append("...").toString() : out.toString();
    }

    /**
     * Whether a character is plain. Control characters, line separators, and characters that change the direction of
     * the text are not.
     */
    private static boolean isPlain(char character) {
        return switch (Character.getType(character)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR,
                    Character.UNASSIGNED,
                    Character.PRIVATE_USE -> false;
            default -> true;
        };
    }
}
