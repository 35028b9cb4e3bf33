package io.sdds.bench.load;

import java.io.Serial;

/** A load cannot run, because its records could not be written or operations failed. */
public final class LoadException extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1;

    public LoadException(String message) {
        super(message);
    }

    public LoadException(String message, Throwable cause) {
        super(message, cause);
    }
}
