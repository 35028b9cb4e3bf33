package io.sdds.core.node;

/** A timer that was set. */
public interface Timer {
    /** Cancels the timer. A timer that has fired is not changed. */
    void cancel();
}
