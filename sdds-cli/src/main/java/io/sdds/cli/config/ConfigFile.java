package io.sdds.cli.config;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonMappingException.Reference;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.deser.std.StdScalarDeserializer;
import com.fasterxml.jackson.databind.exc.MismatchedInputException;
import com.fasterxml.jackson.databind.exc.UnrecognizedPropertyException;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLParser;
import java.io.IOException;
import java.lang.reflect.RecordComponent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.TreeSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Reads a YAML file into a record. The components of the record are the keys; a missing key leaves null. */
public final class ConfigFile {
    private static final PropertyNamingStrategies.NamingBase NAMING = new PropertyNamingStrategies.KebabCaseStrategy();
    private static final YAMLMapper MAPPER = YAMLMapper.builder()
            .propertyNamingStrategy(NAMING)
            .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .enable(DeserializationFeature.FAIL_ON_READING_DUP_TREE_KEY)
            .enable(com.fasterxml.jackson.core.StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .enable(YAMLParser.Feature.EMPTY_STRING_AS_NULL)
            .disable(MapperFeature.ALLOW_COERCION_OF_SCALARS)
            .disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT)
            .addModule(new SimpleModule()
                    .addDeserializer(Size.class, new Quantity<>(Size.class, Size::parse))
                    .addDeserializer(Duration.class, new Quantity<>(Duration.class, Quantities::time)))
            .build();

    private ConfigFile() {}

    /**
     * Reads a file.
     *
     * @throws IllegalArgumentException if the file is wrong; the message names file, line, key and the expected value
     */
    public static <T> T read(Path file, Class<T> type) {
        String content;
        try {
            content = Files.readString(file);
        } catch (java.nio.file.NoSuchFileException e) {
            throw new IllegalArgumentException(file + ": no such configuration file", e);
        } catch (IOException e) {
            throw new IllegalArgumentException(file + ": cannot be read: " + e.getMessage(), e);
        }
        try {
            T read = MAPPER.readerFor(type).readValue(content);
            return Objects.requireNonNullElseGet(read, () -> empty(type));
        } catch (MismatchedInputException e) {
            if (e.getPath().isEmpty() && String.valueOf(e.getMessage()).contains("end-of-input")) {
                return empty(type);
            }
            Place place = Place.of(content, e);
            throw new IllegalArgumentException(file + ":" + place + problem(e, place), e);
        } catch (JsonMappingException e) {
            throw new IllegalArgumentException(
                    file + ":" + Place.of(content, e) + firstLine(e.getOriginalMessage()), e);
        } catch (JacksonException e) {
            int line = e.getLocation() == null ? 1 : e.getLocation().getLineNr();
            throw new IllegalArgumentException(
                    file + ":" + line + ": invalid YAML: " + firstLine(e.getOriginalMessage()), e);
        }
    }

    /**
     * Adds file and line of the wrong value to a failure, if the value comes from the file and not from a flag.
     *
     * @param file the file that was read; null for none
     * @param flags settings that flags override
     * @param failure failure whose message begins with a key and a colon
     */
    public static IllegalArgumentException located(
            @Nullable Path file, Record flags, IllegalArgumentException failure) {
        String message = String.valueOf(failure.getMessage());
        String key = message.substring(0, Math.max(0, message.indexOf(':')));
        if (file == null || key.isEmpty() || saysOtherwise(flags, key)) {
            return failure;
        }
        try {
            int line = lineOf(Files.readString(file), key);
            return line == 0 ? failure : new IllegalArgumentException(file + ":" + line + ": " + message, failure);
        } catch (IOException e) {
            return failure;
        }
    }

    private static boolean saysOtherwise(Record flags, String key) {
        for (RecordComponent component : flags.getClass().getRecordComponents()) {
            try {
                if (NAMING.translate(component.getName()).equals(key)) {
                    return component.getAccessor().invoke(flags) != null;
                }
            } catch (ReflectiveOperationException e) {
                throw new IllegalStateException(e);
            }
        }
        return false;
    }

    /** The line number of a key, from 1; 0 for a missing key. */
    private static int lineOf(String content, String key) {
        List<String> lines = content.lines().toList();
        for (int k = 0; k < lines.size(); k++) {
            String line = lines.get(k).strip();
            if (line.startsWith(key) && line.substring(key.length()).strip().startsWith(":")) {
                return k + 1;
            }
        }
        return 0;
    }

    private static <T> T empty(Class<T> type) {
        return MAPPER.convertValue(java.util.Map.of(), type);
    }

    /**
     * Place of an error. The parser only knows its own position, which may be some lines later, so the line of the key
     * is searched.
     *
     * @param key key of the wrong value; empty if the error is elsewhere
     * @param value text of the value in the file
     */
    private record Place(int line, String key, String value) {
        static Place of(String content, JsonMappingException e) {
            String key = e.getPath().stream()
                    .map(Reference::getFieldName)
                    .filter(Objects::nonNull)
                    .findFirst()
                    .orElse("");
            int line = key.isEmpty() ? 0 : lineOf(content, key);
            if (line > 0) {
                String text = content.lines().skip(line - 1).findFirst().orElse("");
                return new Place(
                        line, key, text.substring(text.indexOf(':') + 1).strip());
            }
            return new Place(e.getLocation() == null ? 1 : e.getLocation().getLineNr(), key, "");
        }

        @Override
        public String toString() {
            return line + ": " + (key.isEmpty() ? "" : key + ": ");
        }
    }

    private static String problem(MismatchedInputException e, Place place) {
        if (e instanceof UnrecognizedPropertyException unknown) {
            Collection<Object> known = unknown.getKnownPropertyIds();
            return "unknown key; known keys are "
                    + String.join(
                            ", ",
                            new TreeSet<>(known.stream().map(String::valueOf).toList()));
        }
        if (place.key.isEmpty()) {
            return "expected keys with values, such as id: b1";
        }
        return "'" + place.value + "' is not " + expected(e.getTargetType());
    }

    private static String expected(@Nullable Class<?> type) {
        if (type == null) {
            return "what is expected here";
        }
        if (type == Integer.class) {
            return "a whole number";
        }
        if (type == Double.class) {
            return "a number";
        }
        if (type == Boolean.class) {
            return "true or false";
        }
        if (Collection.class.isAssignableFrom(type)) {
            return "a list, such as [127.0.0.1:7400]";
        }
        if (type == Size.class) {
            return "a size such as 512k, 64m or 2g";
        }
        if (type == Duration.class) {
            return "a time such as 250ms, 5s or 10m";
        }
        return type == String.class ? "a text" : "what is expected here";
    }

    private static String firstLine(String text) {
        return text.lines().findFirst().orElse(text);
    }

    /** Reads a value written as text with a unit. */
    private static final class Quantity<T> extends StdScalarDeserializer<T> {
        private static final long serialVersionUID = 1;

        private final transient Function<String, T> parser;

        Quantity(Class<T> type, Function<String, T> parser) {
            super(type);
            this.parser = parser;
        }

        @Override
        public T deserialize(JsonParser in, DeserializationContext context) throws IOException {
            String text = in.getValueAsString();
            if (text == null) {
                throw JsonMappingException.from(in, "expected a number with a unit");
            }
            try {
                return parser.apply(text);
            } catch (IllegalArgumentException e) {
                throw JsonMappingException.from(in, e.getMessage(), e);
            }
        }
    }
}
