package io.sdds.cli.command;

import io.sdds.core.model.Routing;
import java.util.Locale;
import java.util.stream.Collectors;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** A routing as it is typed: {@code image+multicast}. */
final class RoutingWord implements ITypeConverter<Routing> {
    static String of(Routing routing) {
        return routing.name().toLowerCase(Locale.ROOT).replace('_', '+');
    }

    @Override
    public Routing convert(String word) {
        return Words.known(Routing.class).stream()
                .filter(each -> of(each).equals(word))
                .findFirst()
                .orElseThrow(() -> new TypeConversionException("'" + word + "' is none of "
                        + Words.known(Routing.class).stream()
                                .map(RoutingWord::of)
                                .collect(Collectors.joining(", "))));
    }
}
