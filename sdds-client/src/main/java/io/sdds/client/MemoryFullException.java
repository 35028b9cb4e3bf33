package io.sdds.client;

/** The memory meant for records is full. Reads and removes go on; capacity or deletes help. */
public final class MemoryFullException extends SddsException {
    private static final long serialVersionUID = 1;

    MemoryFullException(String message, boolean outcomeUnknown) {
        super(message, outcomeUnknown);
    }
}
