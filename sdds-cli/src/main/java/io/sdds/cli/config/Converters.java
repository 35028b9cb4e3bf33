package io.sdds.cli.config;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Converters of the parser of arguments, made of functions. */
public final class Converters {
    private Converters() {}

    /** Parses the text of an argument; an {@link IllegalArgumentException} says what is wrong with the text. */
    public interface Parser<T> {
        @Nullable
        T parse(String text);
    }

    public static <T> ITypeConverter<T> of(Parser<T> parser) {
        return text -> {
            try {
                return parser.parse(text);
            } catch (IllegalArgumentException e) {
                throw new TypeConversionException(e.getMessage());
            }
        };
    }
}
