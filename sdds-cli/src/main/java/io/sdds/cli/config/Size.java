package io.sdds.cli.config;

/** A number of bytes, written {@code 64m}. */
public record Size(long bytes) {
    public static Size parse(String text) {
        return new Size(Quantities.size(text));
    }

    @Override
    public String toString() {
        return Quantities.sizeText(bytes);
    }
}
