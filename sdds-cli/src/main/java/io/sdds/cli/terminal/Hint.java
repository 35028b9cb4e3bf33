package io.sdds.cli.terminal;

/** Commands that messages propose to the user, ready to be copied. */
public final class Hint {
    private static final String LAUNCHER = System.getProperty("sdds.launcher", "sdds");

    private Hint() {}

    /** A command line with these arguments, with the same launcher as the current command. */
    public static String sdds(String arguments) {
        return LAUNCHER + " " + arguments;
    }
}
