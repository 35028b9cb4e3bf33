package io.sdds.client;

/**
 * A change of many records has ended before its end. Some records are changed; the others are as they were. The cause
 * says why. {@link #isOutcomeUnknown} tells whether further records may have been changed, whose answers did not come.
 */
public final class IncompleteChangeException extends SddsException {
    private static final long serialVersionUID = 1;

    private final long changed;
    private final long skipped;

    /**
     * An exception for the client, or for a test of an application.
     *
     * @param message one line that says what failed and what was changed
     * @param counted what was changed before
     * @param outcomeUnknown whether more may be changed
     * @param cause why the change has ended
     */
    public IncompleteChangeException(String message, ChangeCount counted, boolean outcomeUnknown, SddsException cause) {
        super(message, outcomeUnknown, cause, false);
        this.changed = counted.changed();
        this.skipped = counted.skipped();
    }

    /** What was changed before. */
    public ChangeCount counted() {
        return new ChangeCount(changed, skipped);
    }
}
