package io.sdds.client;

/**
 * A brick or coordinator sent an answer that does not fit the request, or refused the request as malformed. The cause
 * is a defect, or versions of client and cluster that do not work together.
 */
public final class ProtocolException extends SddsException {
    private static final long serialVersionUID = 1;

    /**
     * An exception for the client, or for a test of an application.
     *
     * @param message one line that says what failed, where, and whether there may have been an effect
     * @param outcomeUnknown as {@link #isOutcomeUnknown} answers
     */
    public ProtocolException(String message, boolean outcomeUnknown) {
        super(message, outcomeUnknown);
    }
}
