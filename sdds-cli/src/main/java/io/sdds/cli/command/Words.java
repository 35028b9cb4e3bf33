package io.sdds.cli.command;

import io.sdds.core.protocol.RecordCodec;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** Constants as words on the command line. */
final class Words {
    private Words() {}

    /** @throws IllegalArgumentException naming the words that there are */
    static <E extends Enum<E>> E constant(Class<E> type, String word) {
        for (E constant : known(type)) {
            if (word(constant).equals(word.toLowerCase(Locale.ROOT))) {
                return constant;
            }
        }
        String known = known(type).stream().map(Words::word).collect(Collectors.joining(" or "));
        throw new IllegalArgumentException("'" + word + "' is not " + known);
    }

    /** All constants but the one that stands for those of later versions. */
    static <E extends Enum<E>> List<E> known(Class<E> type) {
        return Arrays.stream(type.getEnumConstants())
                .filter(constant -> !constant.name().equals(RecordCodec.UNKNOWN))
                .toList();
    }

    static String word(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }
}
