package io.sdds.coordinator.shell;

import java.io.IOException;

/** The directory belongs to another coordinator, or another process uses it. Nothing in it was changed. */
public final class WrongDirectoryException extends IOException {
    private static final long serialVersionUID = 1;

    public WrongDirectoryException(String message) {
        super(message);
    }
}
