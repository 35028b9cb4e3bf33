package io.sdds.cli.connection;

import java.util.List;

/** No process listens at any of the given addresses. */
public final class NobodyThereException extends RuntimeException {
    private static final long serialVersionUID = 1;

    NobodyThereException(List<String> addresses, String reason) {
        super("no answer from " + String.join(", ", addresses) + " (" + reason + ")");
    }
}
