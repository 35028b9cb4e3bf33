package io.sdds.cli.format;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/** JSON in files of records. */
final class JsonText {
    static final ObjectMapper MAPPER =
            new ObjectMapper().enable(com.fasterxml.jackson.databind.DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

    private JsonText() {}

    /** An object of texts. */
    static String object(List<String> names, List<String> values) {
        ObjectNode object = MAPPER.createObjectNode();
        for (int k = 0; k < names.size(); k++) {
            object.put(names.get(k), values.get(k));
        }
        return text(object);
    }

    /** A text as it is, anything else as JSON. */
    static String text(JsonNode node) {
        try {
            return node.isTextual() ? node.textValue() : MAPPER.writeValueAsString(node);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }
}
