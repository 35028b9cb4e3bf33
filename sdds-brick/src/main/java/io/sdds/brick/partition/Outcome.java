package io.sdds.brick.partition;

/**
 * What a write has come to: the status and the number of its reply, and the change that is to be made of it. A stage
 * uses one object for all writes.
 */
public final class Outcome {
    private final Change change = new Change();
    private byte status;
    private long value;

    /** The effect of the write; nothing if the write has taken effect already, at an open gate. */
    public Change change() {
        return change;
    }

    public byte status() {
        return status;
    }

    /** The number in the reply. */
    public long value() {
        return value;
    }

    Outcome is(byte itsStatus, long itsValue) {
        status = itsStatus;
        value = itsValue;
        return this;
    }
}
