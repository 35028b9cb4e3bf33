package io.sdds.core.node;

/**
 * How a process is.
 *
 * @param yes whether it does its work
 * @param text one line about it, for an operator
 */
public record Readiness(boolean yes, String text) {
    public static final Readiness OK = new Readiness(true, "ok");

    public static Readiness no(String text) {
        return new Readiness(false, text);
    }
}
