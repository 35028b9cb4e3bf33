package io.sdds.cli.command.table;

import io.sdds.cli.config.EnumNames;
import io.sdds.core.model.Routing;
import java.util.Locale;
import java.util.stream.Collectors;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Name of a routing on the command line, for example {@code image+multicast}. */
final class RoutingName implements ITypeConverter<Routing> {
    static String of(Routing routing) {
        return routing.name().toLowerCase(Locale.ROOT).replace('_', '+');
    }

    @Override
    public Routing convert(String name) {
        return EnumNames.known(Routing.class).stream()
                .filter(each -> of(each).equals(name))
                .findFirst()
                .orElseThrow(() -> new TypeConversionException("'" + name + "' is none of "
                        + EnumNames.known(Routing.class).stream()
                                .map(RoutingName::of)
                                .collect(Collectors.joining(", "))));
    }
}
