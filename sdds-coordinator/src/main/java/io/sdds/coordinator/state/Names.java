package io.sdds.coordinator.state;

import io.sdds.core.protocol.Limits;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Checks the names of tables and the ids of bricks and coordinators. */
public final class Names {
    private static final Pattern CHARACTERS = Pattern.compile("[A-Za-z0-9._-]+");

    private Names() {}

    /** The fault of a table's name; null when there is none. */
    public static @Nullable String tableNameFault(String name) {
        return fault("a table's name", name, Limits.TABLE_NAME_MAX);
    }

    /** The fault of an id of a brick or coordinator; null when there is none. */
    public static @Nullable String idFault(String id) {
        return fault("an id", id, StateLimits.BRICK_ID_MAX);
    }

    private static @Nullable String fault(String what, String text, int lengthMax) {
        if (text.isEmpty()
                || text.length() > lengthMax
                || !CHARACTERS.matcher(text).matches()) {
            String shown = text.length() > lengthMax ? text.substring(0, lengthMax) + "…" : text;
            return what + " is 1 to " + lengthMax + " of A-Z a-z 0-9 . _ -; '" + shown + "' is not";
        }
        return null;
    }
}
