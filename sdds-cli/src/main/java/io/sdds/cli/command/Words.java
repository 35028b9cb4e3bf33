package io.sdds.cli.command;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** Constants as words on the command line. */
final class Words {
    private Words() {}

    /** @throws IllegalArgumentException naming the words that there are */
    static <E extends Enum<E>> E constant(Class<E> type, String word) {
        for (E constant : type.getEnumConstants()) {
            if (word(constant).equals(word.toLowerCase(Locale.ROOT))) {
                return constant;
            }
        }
        String known = Arrays.stream(type.getEnumConstants()).map(Words::word).collect(Collectors.joining(" or "));
        throw new IllegalArgumentException("'" + word + "' is not " + known);
    }

    static String word(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }
}
