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
        return cell(value, value instanceof byte[] ? null : row.getString(column));
    }

    /**
     * A value as text without tabs and line ends, which {@link Escapes} replace.
     *
     * @param asText the text of a value that is not bytes
     */
    public String cell(@Nullable Object value, @Nullable String asText) {
        if (value == null) {
            return NULL;
        }
        if (value instanceof byte[] bytes) {
            return text.hex() ? text.print(bytes) : Escapes.of(bytes);
        }
        return Escapes.of(String.valueOf(asText).getBytes(StandardCharsets.UTF_8));
    }

    /**
     * A value as a cell of CSV. NULL is empty; a text without characters has quotes.
     *
     * @param asText the text of a value that is not bytes
     */
    public String csv(@Nullable Object value, @Nullable String asText) {
        if (value == null) {
            return "";
        }
        String cell = value instanceof byte[] bytes ? CsvText.print(text, bytes) : String.valueOf(asText);
        return cell.isEmpty() ? "\"\"" : csvCell(cell);
    }

    /** A text as a cell of CSV, in quotes if it needs them. */
    public static String csvCell(String cell) {
        return CsvWriter.cell(cell);
    }

    /** A value for a JSON document. Decimal numbers are texts, so that they stay exact. */
    public @Nullable Object json(Row row, int column) {
        Object value = row.get(column);
        return json(value, value instanceof byte[] ? null : row.getString(column));
    }

    /**
     * A value for a JSON document. Decimal numbers are texts, so that they stay exact.
     *
     * @param asText the text of a value that is not bytes
     */
    public @Nullable Object json(@Nullable Object value, @Nullable String asText) {
        if (value instanceof byte[] bytes) {
            return text.json(bytes);
        }
        boolean isPlain =
                value == null || value instanceof Boolean || value instanceof Integer || value instanceof Long;
        return isPlain || value instanceof Double number && Double.isFinite(number) ? value : asText;
    }
}
