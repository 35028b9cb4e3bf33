package io.sdds.client;

/**
 * No process that could do the operation can be reached, or the partition is lost: {@link #isLost} tells which, and the
 * message names what. {@link #isOutcomeUnknown} tells whether a write may have taken effect.
 */
public final class UnavailableException extends SddsException {
    private static final long serialVersionUID = 1;

    private final boolean lost;

    /**
     * An exception for the client, or for a test of an application: nobody can be reached.
     *
     * @param message one line that says what failed, where, and whether there may have been an effect
     * @param outcomeUnknown as {@link #isOutcomeUnknown} answers
     */
    public UnavailableException(String message, boolean outcomeUnknown) {
        this(message, outcomeUnknown, false);
    }

    /**
     * An exception for the client, or for a test of an application.
     *
     * @param message one line that says what failed, where, and whether there may have been an effect
     * @param outcomeUnknown as {@link #isOutcomeUnknown} answers
     * @param lost as {@link #isLost} answers
     */
    public UnavailableException(String message, boolean outcomeUnknown, boolean lost) {
        super(message, outcomeUnknown);
        this.lost = lost;
    }

    /**
     * Whether a partition that was needed is lost with the only memory that held it, which the message names. Then
     * trying again does not help until an operator accepts the loss or drops the table. If false, nobody can be reached
     * or the client is closed; trying again later may help.
     */
    public boolean isLost() {
        return lost;
    }
}
