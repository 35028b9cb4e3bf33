package io.sdds.client;

/**
 * No process that could do the operation can be reached, or the partition is lost. {@link #isLost} tells which, and the
 * message names the processes or the partition. {@link #isOutcomeUnknown} tells whether a write may have taken effect.
 */
public final class UnavailableException extends SddsException {
    private static final long serialVersionUID = 1;

    private final boolean lost;

    /**
     * An exception for the client, or for a test of an application: no process can be reached.
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
     * Whether the operation needed a partition that is lost with the only memory that held it. The message names the
     * partition. Then a retry does not help until an operator accepts the loss or drops the table. If false, no process
     * can be reached or the client is closed; a later retry may help.
     */
    public boolean isLost() {
        return lost;
    }
}
