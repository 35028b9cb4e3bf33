package io.sdds.core.node;

/**
 * Whether a process is ready or alive.
 *
 * @param yes whether the process does its work
 * @param text one line about the process, for an operator
 */
public record Readiness(boolean yes, String text) {
    public static final Readiness OK = new Readiness(true, "ok");

    public static Readiness no(String text) {
        return new Readiness(false, text);
    }
}
