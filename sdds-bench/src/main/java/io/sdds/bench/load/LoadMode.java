package io.sdds.bench.load;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Locale;

/** Kind of the operations on random keys. */
public enum LoadMode {
    /** Gets. */
    READ,
    /** Puts of existing keys. */
    WRITE,
    /** Half gets, half puts. */
    MIXED;

    /** Name of the mode in options and reports. */
    @JsonValue
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }
}
