package io.sdds.cli.format;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/** JSON in record files. */
final class JsonText {
    static final ObjectMapper MAPPER = new ObjectMapper().enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

    /** Reads numbers with a point as they are written, because a column may be decimal. */
    static final ObjectReader EXACT = MAPPER.reader().with(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS);

    private JsonText() {}

    /** A JSON object of texts. */
    static String object(List<String> names, List<String> values) {
        ObjectNode object = MAPPER.createObjectNode();
        for (int k = 0; k < names.size(); k++) {
            object.put(names.get(k), values.get(k));
        }
        return text(object);
    }

    /** The text of a text node; the JSON of any other node. */
    static String text(JsonNode node) {
        try {
            return node.isTextual() ? node.textValue() : MAPPER.writeValueAsString(node);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }
}
