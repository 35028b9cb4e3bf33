package io.sdds.cli.format;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;

/**
 * Reads {@link Format#NDJSON}. One field is the key. A single other field is the value. With several other fields, the
 * value is a JSON object of these fields. A field that is not a text stands for its JSON.
 */
final class NdjsonReader implements RecordReader {
    private final LineReader lines;
    private final Text text;
    private final String key;

    NdjsonReader(InputStream in, Text text, @Nullable String key) {
        this.lines = new LineReader(in);
        this.text = text;
        this.key = key == null ? "key" : key;
    }

    @Override
    public @Nullable Item next() throws IOException {
        return lines.nextFilled() ? item() : null;
    }

    private Item item() throws IOException {
        String problem = lines.problem();
        if (problem != null) {
            return new Refused(lines.number(), problem);
        }
        try {
            JsonNode read = JsonText.MAPPER.readTree(lines.bytes(), lines.start(), lines.end() - lines.start());
            if (!(read instanceof ObjectNode object)) {
                return new Refused(lines.number(), "no JSON object");
            }
            return entry(object);
        } catch (JsonProcessingException e) {
            return new Refused(lines.number(), "no JSON: " + firstLine(e.getOriginalMessage()));
        } catch (IllegalArgumentException e) {
            return new Refused(lines.number(), String.valueOf(e.getMessage()));
        }
    }

    private Item entry(ObjectNode object) {
        JsonNode keyNode = object.remove(key);
        if (keyNode == null || keyNode.isNull()) {
            return new Refused(lines.number(), "no field '" + key + "'");
        }
        if (object.isEmpty()) {
            return new Refused(lines.number(), "no other field than '" + key + "'");
        }
        JsonNode value = object.size() == 1 ? object.elements().next() : object;
        return new Entry(lines.number(), bytes(keyNode), bytes(value));
    }

    private byte[] bytes(JsonNode node) {
        boolean isBytes = !text.hex()
                && node.isObject()
                && node.size() == 1
                && node.path(Text.HEX_FIELD).isTextual();
        return isBytes ? Text.digits(node.get(Text.HEX_FIELD).textValue()) : text.parse(JsonText.text(node));
    }

    private static String firstLine(String message) {
        return message.lines().findFirst().orElse("?");
    }

    @Override
    public long bytesRead() {
        return lines.bytesRead();
    }

    @Override
    public void close() throws IOException {
        lines.close();
    }
}
