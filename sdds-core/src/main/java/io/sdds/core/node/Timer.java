package io.sdds.core.node;

/** A timer that was set. */
public interface Timer {
    /** Takes it back; without effect when it has fired. */
    void cancel();
}
