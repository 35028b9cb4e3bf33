package io.sdds.client;

/**
 * The memory that a brick has for records is full. The write had no effect. Reads and removes go on; more bricks, more
 * memory or removed records help.
 */
public final class MemoryFullException extends SddsException {
    private static final long serialVersionUID = 1;

    /**
     * An exception for the client, or for a test of an application.
     *
     * @param message one line that says what failed, where, and whether there may have been an effect
     * @param outcomeUnknown as {@link #isOutcomeUnknown} answers
     */
    public MemoryFullException(String message, boolean outcomeUnknown) {
        super(message, outcomeUnknown);
    }
}
