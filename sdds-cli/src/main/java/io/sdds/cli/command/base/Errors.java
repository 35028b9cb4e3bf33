package io.sdds.cli.command.base;

import io.sdds.cli.connection.NobodyThereException;
import io.sdds.cli.terminal.Hint;
import io.sdds.cli.terminal.OutputClosedException;
import io.sdds.client.OverloadedException;
import io.sdds.client.SddsException;
import io.sdds.client.TimeoutException;
import io.sdds.client.UnavailableException;
import io.sdds.core.row.MalformedRowException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Maps exceptions to a line and an exit code. */
public final class Errors {
    private Errors() {}

    /** Maps an exception to a failure; returns null for an unexpected exception. */
    public static @Nullable CommandFailure known(Throwable failure) {
        return switch (failure) {
            case CommandFailure known -> known;
            case OutputClosedException e -> CommandFailure.silent(e);
            case NobodyThereException e ->
                CommandFailure.unreachable(e.getMessage() + "; is a cluster running? start one: " + Hint.sdds("up"), e);
            case UncheckedIOException e -> known(Objects.requireNonNull(e.getCause()));
            case SddsException e -> of(e);
            case MalformedRowException e -> CommandFailure.failed(String.valueOf(e.getMessage()), e);
            case IllegalArgumentException e -> CommandFailure.usage(String.valueOf(e.getMessage()), e);
            case NoSuchFileException e -> CommandFailure.failed("no such file: " + e.getFile(), e);
            case AccessDeniedException e -> CommandFailure.failed("not allowed to use " + e.getFile(), e);
            case FileSystemException e -> CommandFailure.failed(e.getFile() + ": " + reason(e), e);
            case IOException e -> CommandFailure.failed(reason(e), e);
            default -> null;
        };
    }

    /** Maps the failure to listen on a port. */
    public static CommandFailure of(BindException failure) {
        String text = String.valueOf(failure.getMessage());
        int reason = text.lastIndexOf(": ");
        boolean inUse = text.endsWith("in use") && reason > 0;
        String line = inUse ? text.substring(0, text.indexOf(": ")) + ": the port is in use" : text;
        return CommandFailure.usage(line + "; choose another port with --listen or --http", failure);
    }

    private static String reason(IOException failure) {
        if (failure instanceof FileSystemException e && e.getReason() != null) {
            return e.getReason();
        }
        return Objects.requireNonNullElse(failure.getMessage(), "reading or writing failed");
    }

    private static CommandFailure of(SddsException failure) {
        String line = String.valueOf(failure.getMessage());
        return switch (failure) {
            case TimeoutException e -> CommandFailure.unreachable(line + "; to wait longer, set --timeout", e);
            case UnavailableException e
            when e.isLost() ->
                CommandFailure.failed(
                        line + "; to give up the lost records, run " + Hint.sdds("table accept-loss")
                                + ", or drop the table",
                        e);
            case UnavailableException e -> CommandFailure.unreachable(line, e);
            case OverloadedException e -> CommandFailure.failed(line + "; try again with less load", e);
            default -> CommandFailure.failed(line, failure);
        };
    }
}
