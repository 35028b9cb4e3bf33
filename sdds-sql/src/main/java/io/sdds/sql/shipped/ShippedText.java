package io.sdds.sql.shipped;

import io.sdds.sql.schema.Literals;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import org.apache.calcite.rel.type.RelDataType;
import org.jspecify.annotations.Nullable;

/** A text of the language of bricks, with places for the values of parameters. */
public final class ShippedText {
    /** The place of a parameter: its number from 0 on. */
    private record Parameter(int index, RelDataType type) {}

    private final List<Object> parts = new ArrayList<>();

    public static ShippedText of(String text) {
        return new ShippedText().add(text);
    }

    public ShippedText add(String text) {
        parts.add(text);
        return this;
    }

    public ShippedText add(ShippedText text) {
        parts.addAll(text.parts);
        return this;
    }

    ShippedText parameter(int index, RelDataType type) {
        parts.add(new Parameter(index, type));
        return this;
    }

    /** The text with the values of parameters. */
    public String text(IntFunction<@Nullable Object> parameters) {
        return text((index, type) -> Literals.text(parameters.apply(index), type));
    }

    /** The text with a value of its own for each parameter. With other values the program is hardly longer. */
    public String sample() {
        return text(Literals::sample);
    }

    private String text(BiFunction<Integer, RelDataType, String> values) {
        if (parts.size() == 1 && parts.get(0) instanceof String whole) {
            return whole;
        }
        StringBuilder text = new StringBuilder();
        for (Object part : parts) {
            text.append(part instanceof Parameter p ? values.apply(p.index(), p.type()) : part.toString());
        }
        return text.toString();
    }

    /** The text as plans show it: parameters are {@code ?0}, {@code ?1}. */
    @Override
    public String toString() {
        return parts.stream()
                .map(part -> part instanceof Parameter p ? "?" + p.index() : part.toString())
                .collect(Collectors.joining());
    }
}
