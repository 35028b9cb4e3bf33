package io.sdds.bench.load;

import java.io.Serial;

/** Load can't be put on: the records it is about could not be written. */
public final class LoadException extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1;

    LoadException(String message, Throwable cause) {
        super(message, cause);
    }
}
