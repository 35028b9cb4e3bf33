package io.sdds.client.internal.query.lang;

/** Errors of texts: one line that names the text, the position from 1 on, and what is wrong. */
final class LanguageErrors {
    private LanguageErrors() {}

    static IllegalArgumentException at(String what, int index, String problem) {
        return new IllegalArgumentException(what + ", position " + (index + 1) + ": " + problem);
    }
}
