package io.sdds.cli.format;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;

/**
 * Reads {@link Format#NDJSON} of keys and values. One field is the key. A single other field is the value. With several
 * other fields, the value is a JSON object of these fields. A field that is not a text stands for its JSON.
 */
final class NdjsonReader extends LineRecordReader {
    private final Text text;
    private final String key;

    NdjsonReader(InputStream in, Text text, @Nullable String key) {
        super(in);
        this.text = text;
        this.key = key == null ? "key" : key;
    }

    @Override
    Entry entry() throws IOException {
        JsonNode read;
        try {
            read = JsonText.MAPPER.readTree(lines.bytes(), lines.start(), lines.end() - lines.start());
        } catch (JsonProcessingException e) {
            String reason = e.getOriginalMessage().lines().findFirst().orElse("?");
            throw new IllegalArgumentException("no JSON: " + reason, e);
        }
        if (!(read instanceof ObjectNode object)) {
            throw new IllegalArgumentException("no JSON object");
        }
        JsonNode keyNode = object.remove(key);
        if (keyNode == null || keyNode.isNull()) {
            throw new IllegalArgumentException("no field '" + key + "'");
        }
        if (object.isEmpty()) {
            throw new IllegalArgumentException("no other field than '" + key + "'");
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
}
