package io.sdds.cli.config;

import io.sdds.core.protocol.RecordCodec;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** Names of enum constants on the command line: the constant in lower case. */
public final class EnumNames {
    private EnumNames() {}

    /**
     * Finds the constant with a name, upper or lower case.
     *
     * @throws IllegalArgumentException if no constant has this name; the message lists the names
     */
    public static <E extends Enum<E>> E constant(Class<E> type, String name) {
        for (E constant : known(type)) {
            if (name(constant).equals(name.toLowerCase(Locale.ROOT))) {
                return constant;
            }
        }
        String known = known(type).stream().map(EnumNames::name).collect(Collectors.joining(" or "));
        throw new IllegalArgumentException("'" + name + "' is not " + known);
    }

    /** All constants except the constant that stands for unknown constants of later versions. */
    public static <E extends Enum<E>> List<E> known(Class<E> type) {
        return Arrays.stream(type.getEnumConstants())
                .filter(constant -> !constant.name().equals(RecordCodec.UNKNOWN))
                .toList();
    }

    public static String name(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }
}
