package io.sdds.brick.bucket;

/** What a put did. */
public enum PutResult {

    /** The key was absent; its record is new. */
    INSERTED,

    /** The key was present; its value is another. */
    REPLACED,

    /** There was no memory; nothing has changed, an old value is still there. */
    FULL
}
