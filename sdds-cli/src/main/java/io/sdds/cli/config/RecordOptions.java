package io.sdds.cli.config;

import io.sdds.core.model.Parity;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.StringJoiner;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/**
 * The options of a command for a record of settings. A component whose option has a text, such as {@code --rows N: Set
 * the number of rows.}, is set by this option: its name, the label of its values if it has any, a colon, and the
 * description.
 *
 * @param <S> type of the settings
 */
public final class RecordOptions<S extends Record> {
    private static final String BYTES = "BYTES";

    private final S defaults;
    private final Map<RecordComponent, String> texts = new LinkedHashMap<>();
    /** By the names of components: those of one record are not equal. */
    private final Map<String, OptionSpec> options = new LinkedHashMap<>();

    /**
     * @param defaults settings that have the default of each option
     * @param text of the option of a component; null for none. The help adds the default, unless the text names it
     */
    public RecordOptions(S defaults, Function<RecordComponent, @Nullable String> text) {
        this.defaults = defaults;
        for (RecordComponent component : defaults.getClass().getRecordComponents()) {
            String found = text.apply(component);
            if (found != null) {
                texts.put(component, found);
            }
        }
    }

    /** The name of an option with a text. */
    public static String name(String text) {
        return text.substring(0, text.indexOf(text.indexOf(' ') < text.indexOf(": ") ? ' ' : ':'));
    }

    public void addTo(CommandSpec command) {
        texts.forEach((component, text) -> {
            OptionSpec option = option(component, text);
            options.put(component.getName(), option);
            command.addOption(option);
        });
    }

    private OptionSpec option(RecordComponent component, String text) {
        String name = name(text);
        int colon = text.indexOf(": ");
        String label = text.substring(name.length(), colon).trim();
        OptionSpec.Builder option = OptionSpec.builder(name).paramLabel(label).type(component.getType());
        if (component.getGenericType() instanceof ParameterizedType list) {
            option.auxiliaryTypes((Class<?>) list.getActualTypeArguments()[0]).splitRegex(",");
        } else if (label.equals(BYTES)) {
            option.converters(Converters.of(RecordOptions::bytes));
        } else if (component.getType() == Size.class) {
            option.converters(Converters.of(Size::parse));
        }
        Object initial = value(defaults, component);
        if (initial != null) {
            option.defaultValue(text(initial));
        }
        boolean namesDefault = initial == null || text.contains("Default: ");
        return option.description(text.substring(colon + 2) + (namesDefault ? "" : " Default: ${DEFAULT-VALUE}."))
                .build();
    }

    /**
     * The settings of the command line.
     *
     * @param others values of components that have no option here, by name
     */
    public S settings(Map<String, ?> others) {
        return made(defaults, component -> {
            OptionSpec option = options.get(component.getName());
            if (option == null) {
                return others.containsKey(component.getName())
                        ? others.get(component.getName())
                        : value(defaults, component);
            }
            Object value = option.getValue();
            return value instanceof List<?> list
                    ? list.stream().filter(Objects::nonNull).toList() // null is the word none
                    : value;
        });
    }

    /**
     * Settings of texts and sizes, without the parser of the command line.
     *
     * @param given values by the names of options
     * @throws IllegalArgumentException if there is no such option, or a value is wrong
     */
    public S parsed(Map<String, String> given) {
        Map<String, Object> values = new LinkedHashMap<>();
        texts.forEach((component, text) -> {
            String value = given.get(name(text));
            if (value != null) {
                values.put(component.getName(), parsed(component.getType(), value));
            }
        });
        if (values.size() < given.size()) {
            throw new IllegalArgumentException("an option is unknown: " + given.keySet());
        }
        return settings(values);
    }

    private static Object parsed(Class<?> type, String value) {
        if (type == List.class) {
            return List.of(value.split(",", -1));
        }
        if (type == Size.class) {
            return Size.parse(value);
        }
        if (type != String.class) {
            throw new IllegalArgumentException("'" + value + "' is for the parser");
        }
        return value;
    }

    /** Settings whose missing components are those of others. */
    public static <S extends Record> S merged(S first, S others) {
        return made(first, component -> {
            Object own = value(first, component);
            return own == null ? value(others, component) : own;
        });
    }

    private static @Nullable Object value(Record settings, RecordComponent component) {
        try {
            return component.getAccessor().invoke(settings);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("cannot read " + component, e);
        }
    }

    /** A record of the type of another one. */
    private static <S extends Record> S made(S like, Function<RecordComponent, @Nullable Object> value) {
        RecordComponent[] components = like.getClass().getRecordComponents();
        List<Class<?>> types = new ArrayList<>();
        List<@Nullable Object> values = new ArrayList<>();
        for (RecordComponent component : components) {
            types.add(component.getType());
            values.add(value.apply(component));
        }
        try {
            @SuppressWarnings("unchecked")
            Constructor<S> constructor =
                    (Constructor<S>) like.getClass().getDeclaredConstructor(types.toArray(new Class<?>[0]));
            return constructor.newInstance(values.toArray());
        } catch (InvocationTargetException e) {
            throw e.getCause() instanceof RuntimeException wrong ? wrong : new IllegalStateException(e);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    // ---- as typed

    /** All options of a command that have a value, as they are typed; those of the settings with other settings. */
    public String asTyped(CommandSpec command, S settings) {
        Map<String, RecordComponent> components = new HashMap<>();
        texts.forEach((component, text) -> components.put(name(text), component));
        StringJoiner typed = new StringJoiner(" ");
        for (OptionSpec option : command.options()) {
            RecordComponent component = components.get(option.longestName());
            Object value = component == null ? option.getValue() : value(settings, component);
            if (!option.inherited() && value != null && !value.equals(false) && !Parity.NONE.equals(value)) {
                typed.add(option.longestName() + (value instanceof Boolean ? "" : " " + text(value)));
            }
        }
        return typed.toString();
    }

    /** A value as it is typed. */
    public static String text(Object value) {
        return switch (value) {
            case Duration time -> Quantities.timeText(time);
            case Double number when number == Math.rint(number) -> Long.toString(number.longValue());
            case Enum<?> constant -> EnumNames.name(constant);
            case Parity parity -> String.valueOf(parity.asked());
            case List<?> list ->
                list.isEmpty() ? "none" : list.stream().map(RecordOptions::text).collect(Collectors.joining(","));
            default -> value.toString();
        };
    }

    /** A number of bytes that fits into an array. */
    public static int bytes(String size) {
        return (int) Math.min(Integer.MAX_VALUE, Quantities.size(size));
    }
}
