package io.sdds.cli.terminal;

/** Colours and weights of text, as escape sequences of terminals. */
public enum Style {
    BOLD("1"),
    DIM("2"),
    RED("31"),
    GREEN("32"),
    YELLOW("33"),
    BLUE("34"),
    CYAN("36");

    private static final String ESCAPE = "\u001b[";

    private final String code;

    Style(String code) {
        this.code = code;
    }

    /** The text in this style if {@code wanted}; otherwise the plain text. */
    public String on(String text, boolean wanted) {
        return wanted ? ESCAPE + code + "m" + text + ESCAPE + "0m" : text;
    }
}
