package io.sdds.brick.group;

/** A client's write: its session and its number there. */
public record WriteId(long session, long seq) {}
