package io.sdds.cli.config;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonMappingException.Reference;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.deser.std.StdScalarDeserializer;
import com.fasterxml.jackson.databind.exc.InvalidFormatException;
import com.fasterxml.jackson.databind.exc.MismatchedInputException;
import com.fasterxml.jackson.databind.exc.UnrecognizedPropertyException;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLParser;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.TreeSet;
import java.util.function.Function;

/** Reads a YAML file into a record whose components are its keys; a key that is not there leaves null. */
public final class ConfigFile {
    private static final YAMLMapper MAPPER = YAMLMapper.builder()
            .propertyNamingStrategy(PropertyNamingStrategies.KEBAB_CASE)
            .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .enable(DeserializationFeature.FAIL_ON_READING_DUP_TREE_KEY)
            .enable(com.fasterxml.jackson.core.StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .enable(YAMLParser.Feature.EMPTY_STRING_AS_NULL)
            .disable(MapperFeature.ALLOW_COERCION_OF_SCALARS)
            .addModule(new SimpleModule()
                    .addDeserializer(Size.class, new Quantity<>(Size.class, Size::parse))
                    .addDeserializer(Duration.class, new Quantity<>(Duration.class, Quantities::time)))
            .build();

    private ConfigFile() {}

    /**
     * Reads a file.
     *
     * @throws IllegalArgumentException one line with file, line, key and what was expected
     */
    public static <T> T read(Path file, Class<T> type) {
        try {
            byte[] content = Files.readAllBytes(file);
            T read = MAPPER.readerFor(type).readValue(content);
            return Objects.requireNonNullElseGet(read, () -> empty(type));
        } catch (MismatchedInputException e) {
            if (e.getPath().isEmpty() && e.getMessage().contains("end-of-input")) {
                return empty(type);
            }
            throw new IllegalArgumentException(where(file, e) + key(e) + problem(e), e);
        } catch (JsonMappingException e) {
            throw new IllegalArgumentException(where(file, e) + key(e) + firstLine(e.getOriginalMessage()), e);
        } catch (JacksonException e) {
            throw new IllegalArgumentException(where(file, e) + "is no YAML: " + firstLine(e.getOriginalMessage()), e);
        } catch (java.nio.file.NoSuchFileException e) {
            throw new IllegalArgumentException(file + ": no such configuration file", e);
        } catch (IOException e) {
            throw new IllegalArgumentException(file + ": can't be read: " + e.getMessage(), e);
        }
    }

    private static <T> T empty(Class<T> type) {
        return MAPPER.convertValue(java.util.Map.of(), type);
    }

    private static String where(Path file, JacksonException e) {
        JsonLocation location = e.getLocation();
        return file + (location == null ? ": " : ":" + location.getLineNr() + ": ");
    }

    private static String key(JsonMappingException e) {
        List<Reference> path = e.getPath();
        for (Reference reference : path) {
            if (reference.getFieldName() != null) {
                return reference.getFieldName() + ": ";
            }
        }
        return "";
    }

    private static String problem(MismatchedInputException e) {
        if (e instanceof UnrecognizedPropertyException unknown) {
            Collection<Object> known = unknown.getKnownPropertyIds();
            return "unknown key; known are " + String.join(", ", new TreeSet<>(known.stream().map(String::valueOf).toList()));
        }
        if (e instanceof InvalidFormatException && e.getTargetType() == null) {
            return firstLine(e.getOriginalMessage());
        }
        String value = e instanceof InvalidFormatException invalid ? "'" + invalid.getValue() + "'" : "this";
        return value + " is not " + expected(e.getTargetType());
    }

    private static String expected(Class<?> type) {
        if (type == Integer.class) {
            return "a whole number";
        }
        if (type == Boolean.class) {
            return "true or false";
        }
        if (type == List.class) {
            return "a list, such as [127.0.0.1:7400]";
        }
        return type == String.class ? "a text" : "a list of keys with values";
    }

    private static String firstLine(String text) {
        return text.lines().findFirst().orElse(text);
    }

    /** A value written as text with a unit. */
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
                throw JsonMappingException.from(in, "a number with a unit was expected");
            }
            try {
                return parser.apply(text);
            } catch (IllegalArgumentException e) {
                throw JsonMappingException.from(in, e.getMessage(), e);
            }
        }
    }
}
