package io.sdds.core.query;

/**
 * A program of a later version: its version, an operation, a kind of type, an aggregate or an output is not known here.
 * The client evaluates the program itself. Unlike a {@link io.sdds.core.protocol.ProtocolViolation} this is no fault of
 * the sender.
 */
public class UnsupportedProgram extends RuntimeException {
    private static final long serialVersionUID = 1;

    public UnsupportedProgram(String message) {
        super(message, null, false, false);
    }
}
