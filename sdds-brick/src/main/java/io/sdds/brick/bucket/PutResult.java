package io.sdds.brick.bucket;

/** The result of a put. */
public enum PutResult {

    /** The key was absent; its record is new. */
    INSERTED,

    /** The key was present; its value has been replaced. */
    REPLACED,

    /** The memory was refused. Nothing has changed, and an old value is still there. */
    FULL
}
