package io.sdds.client.internal.query.lang;

/** Expressions that have no program: they are wrong, or too large. The message is of one line. */
public final class NoProgramException extends IllegalArgumentException {
    private static final long serialVersionUID = 1;

    public NoProgramException(String message) {
        super(message);
    }
}
