package io.sdds.client;

/** Nobody who could do it can be reached, or what was asked for is lost: {@link #isLost} tells which; the message names what. */
public final class UnavailableException extends SddsException {
    private static final long serialVersionUID = 1;

    private final boolean lost;

    /** Nobody can be reached. */
    UnavailableException(String message, boolean outcomeUnknown) {
        this(message, outcomeUnknown, false);
    }

    UnavailableException(String message, boolean outcomeUnknown, boolean lost) {
        super(message, outcomeUnknown);
        this.lost = lost;
    }

    /**
     * Whether a partition that was needed is lost with the only memory that held it, which the message names: trying again does not help until an operator
     * accepts the loss or drops the table. False: nobody can be reached, or the client is closed; trying again later may help.
     */
    public boolean isLost() {
        return lost;
    }
}
