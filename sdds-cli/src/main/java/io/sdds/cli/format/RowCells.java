package io.sdds.cli.format;

import io.sdds.client.Row;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * The notation of the values in rows of a query.
 *
 * @param text the notation of bytes
 */
public record RowCells(Text text) {
    /** In place of NULL among texts. A text never begins so, because a backslash is escaped. */
    private static final String NULL = "\\N";

    /** A value as text without tabs and line ends, which {@link Escapes} replace. */
    public String cell(Row row, int column) {
        Object value = row.get(column);
        if (value == null) {
            return NULL;
        }
        if (value instanceof byte[] bytes) {
            return text.hex() ? text.print(bytes) : Escapes.of(bytes);
        }
        return Escapes.of(String.valueOf(row.getString(column)).getBytes(StandardCharsets.UTF_8));
    }

    /** A value for a JSON document. Decimal numbers are texts, so that they stay exact. */
    public @Nullable Object json(Row row, int column) {
        Object value = row.get(column);
        if (value instanceof byte[] bytes) {
            return text.json(bytes);
        }
        boolean isPlain =
                value == null || value instanceof Boolean || value instanceof Integer || value instanceof Long;
        return isPlain || value instanceof Double number && Double.isFinite(number) ? value : row.getString(column);
    }
}
