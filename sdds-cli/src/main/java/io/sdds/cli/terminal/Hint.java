package io.sdds.cli.terminal;

/** Commands that are proposed to people, ready to be copied. */
public final class Hint {
    private static final String LAUNCHER = System.getProperty("sdds.launcher", "sdds");

    private Hint() {}

    /** The command with these arguments, the way this one was called. */
    public static String sdds(String arguments) {
        return LAUNCHER + " " + arguments;
    }
}
