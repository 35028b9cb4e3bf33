package io.sdds.cli.terminal;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.StreamWriteFeature;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Writes trees of maps, lists, texts, numbers and booleans as JSON. This class is loaded only for JSON output. */
public final class Json {
    private static final JsonFactory FACTORY =
            JsonFactory.builder().disable(StreamWriteFeature.AUTO_CLOSE_TARGET).build();

    private Json() {}

    /** A generator that leaves the stream open. */
    public static JsonGenerator generator(OutputStream out) {
        try {
            return FACTORY.createGenerator(out);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Writes one document and an end of line. */
    public static void print(OutputStream out, Object tree) {
        try (JsonGenerator json = generator(out)) {
            json.useDefaultPrettyPrinter();
            write(json, tree);
            json.writeRaw('\n');
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Writes a value: a map, list, text, number, boolean or null. */
    public static void write(JsonGenerator json, @Nullable Object value) throws IOException {
        switch (value) {
            case null -> json.writeNull();
            case Map<?, ?> map -> writeMap(json, map);
            case List<?> list -> {
                json.writeStartArray();
                for (Object element : list) {
                    write(json, element);
                }
                json.writeEndArray();
            }
            case String text -> json.writeString(text);
            case Integer number -> json.writeNumber(number);
            case Long number -> json.writeNumber(number);
            case Double number -> json.writeNumber(number);
            case Boolean truth -> json.writeBoolean(truth);
            default -> throw new IllegalArgumentException("no JSON for " + value.getClass());
        }
    }

    private static void writeMap(JsonGenerator json, Map<?, ?> map) throws IOException {
        json.writeStartObject();
        for (Map.Entry<?, ?> entry : map.entrySet()) {
            json.writeFieldName(String.valueOf(entry.getKey()));
            write(json, entry.getValue());
        }
        json.writeEndObject();
    }
}
