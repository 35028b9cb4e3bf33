package io.sdds.bench.load;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Locale;

/** What is done to keys drawn at random. */
public enum LoadMode {
    /** Gets. */
    READ,
    /** Puts of keys that are there. */
    WRITE,
    /** Half gets, half puts. */
    MIXED;

    /** Its name in options and reports. */
    @JsonValue
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }
}
