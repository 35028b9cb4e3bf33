package io.sdds.cli.command;

import org.jspecify.annotations.Nullable;

/** Ends a command with one line that says what, where, and what to do, and an exit code. */
public final class CommandFailure extends RuntimeException {
    private static final long serialVersionUID = 1;

    /** Done as asked. */
    public static final int OK = 0;
    /** What was asked for is not there, or an operation failed. */
    public static final int FAILED = 1;
    /** Wrong usage or configuration. */
    public static final int USAGE = 2;
    /** The cluster can't be reached, or the deadline passed. */
    public static final int UNREACHABLE = 3;

    /** A brick or coordinator could not go on: one of its threads failed, or its log. */
    public static final int STOPPED = 4;
    /** A brick was replaced by another process of its name. */
    public static final int REPLACED = 5;

    private final int exitCode;

    private CommandFailure(int exitCode, String line, @Nullable Throwable cause) {
        super(line, cause);
        this.exitCode = exitCode;
    }

    public static CommandFailure failed(String line) {
        return new CommandFailure(FAILED, line, null);
    }

    public static CommandFailure failed(String line, Throwable cause) {
        return new CommandFailure(FAILED, line, cause);
    }

    public static CommandFailure usage(String line) {
        return new CommandFailure(USAGE, line, null);
    }

    public static CommandFailure usage(String line, Throwable cause) {
        return new CommandFailure(USAGE, line, cause);
    }

    public static CommandFailure unreachable(String line) {
        return new CommandFailure(UNREACHABLE, line, null);
    }

    public static CommandFailure unreachable(String line, Throwable cause) {
        return new CommandFailure(UNREACHABLE, line, cause);
    }

    public static CommandFailure stopped(String line) {
        return new CommandFailure(STOPPED, line, null);
    }

    public static CommandFailure replaced(String line) {
        return new CommandFailure(REPLACED, line, null);
    }

    public int exitCode() {
        return exitCode;
    }

    /** The line. */
    public String line() {
        return String.valueOf(getMessage());
    }
}
