package io.sdds.client;

/** Nobody who could do it can be reached, or what was asked for is lost; the message names what. */
public final class UnavailableException extends SddsException {
    private static final long serialVersionUID = 1;

    UnavailableException(String message, boolean outcomeUnknown) {
        super(message, outcomeUnknown);
    }
}
