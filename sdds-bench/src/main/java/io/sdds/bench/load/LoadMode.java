package io.sdds.bench.load;

/** What is done to keys drawn at random. */
public enum LoadMode {
    /** Gets. */
    READ,
    /** Puts of keys that are there. */
    WRITE,
    /** Half gets, half puts. */
    MIXED;

    /** Its name in options and reports. */
    public String text() {
        return name().toLowerCase(java.util.Locale.ROOT);
    }
}
