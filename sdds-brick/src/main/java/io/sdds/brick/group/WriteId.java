package io.sdds.brick.group;

/** Identifies a client's write by the session and the number of the write in the session. */
public record WriteId(long session, long seq) {}
