package io.sdds.client;

/** The cluster is overloaded and the retry budget is spent, or this client's window is full where nobody may wait for it. */
public final class OverloadedException extends SddsException {
    private static final long serialVersionUID = 1;

    OverloadedException(String message, boolean outcomeUnknown) {
        super(message, outcomeUnknown);
    }
}
