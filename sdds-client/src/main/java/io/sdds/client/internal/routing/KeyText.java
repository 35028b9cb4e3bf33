package io.sdds.client.internal.routing;

import io.sdds.core.model.KeySpan;
import io.sdds.core.protocol.Printable;
import io.sdds.core.row.Column;
import io.sdds.core.row.KeyEncoding;
import io.sdds.core.row.MalformedRowException;
import io.sdds.core.row.Schema;
import io.sdds.core.row.ValueText;
import io.sdds.core.row.ValueType;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Keys in messages: the values of the key columns, or the bytes if a table has no schema. */
public final class KeyText {
    /** How a message ends of a brick, which has no schema and names a key by its bytes. */
    private static final Pattern AT_BYTES = Pattern.compile("(.* at key )x'([0-9a-f]+)'", Pattern.DOTALL);

    private static final int SHOWN_MAX = 200;

    private KeyText() {}

    /** A key such as {@code 17}, or {@code 'FR', 17} of two columns. */
    public static String of(Schema schema, byte[] key) {
        if (!schema.exists()) {
            return KeySpan.text(key);
        }
        List<ValueType> types = schema.keyColumns().stream().map(Column::type).toList();
        try {
            Object[] values = KeyEncoding.of(schema).decode(key);
            List<String> texts = new ArrayList<>();
            for (int k = 0; k < values.length; k++) {
                texts.add(ValueText.literal(types.get(k), values[k]));
            }
            return Printable.of(String.join(", ", texts), SHOWN_MAX);
        } catch (MalformedRowException e) {
            return KeySpan.text(key);
        }
    }

    /** The message of a brick, with the values of the key where it has the bytes of one. */
    public static String inMessage(Schema schema, String message) {
        Matcher matcher = AT_BYTES.matcher(message);
        return schema.exists() && matcher.matches()
                ? matcher.group(1) + of(schema, HexFormat.of().parseHex(matcher.group(2)))
                : message;
    }
}
