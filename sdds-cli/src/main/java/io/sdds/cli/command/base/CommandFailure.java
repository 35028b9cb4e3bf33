package io.sdds.cli.command.base;

import org.jspecify.annotations.Nullable;

/** Ends a command with an exit code and one line, which names the problem, the place and a remedy. */
public final class CommandFailure extends RuntimeException {
    private static final long serialVersionUID = 1;

    /** The command succeeded. */
    public static final int OK = 0;
    /** A record, table, brick or file does not exist, or an operation failed. */
    public static final int FAILED = 1;
    /** The arguments or the configuration are wrong. */
    public static final int USAGE = 2;
    /** The cluster cannot be reached, or the deadline has passed. */
    public static final int UNREACHABLE = 3;

    /** A brick or coordinator has stopped because one of its threads, or its log, failed. */
    public static final int STOPPED = 4;
    /** Another process of the same name has replaced a brick. */
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

    /** A failure that nobody has to be told about. */
    public static CommandFailure silent(Throwable cause) {
        return new CommandFailure(FAILED, "", cause);
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

    /** The line to print; empty to print nothing. */
    public String line() {
        return String.valueOf(getMessage());
    }
}
