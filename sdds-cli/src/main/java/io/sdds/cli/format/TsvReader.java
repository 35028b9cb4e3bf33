package io.sdds.cli.format;

import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads {@link Format#TSV} of keys and values. */
final class TsvReader extends LineRecordReader {
    private final Text text;
    private final int keyColumn;

    TsvReader(InputStream in, Text text, @Nullable String key) {
        super(in);
        this.text = text;
        if (key != null && !key.equals("1") && !key.equals("2")) {
            throw new IllegalArgumentException("'" + key + "' is not a column of a TSV file: it has two, 1 and 2");
        }
        this.keyColumn = "2".equals(key) ? 1 : 0;
    }

    @Override
    Entry entry() {
        List<byte[]> columns = columns(lines.bytes(), lines.start(), lines.end());
        if (columns.size() != 2) {
            throw new IllegalArgumentException(
                    columns.size() == 1 ? "no tab, expected KEY TAB VALUE" : columns.size() + " columns, expected 2");
        }
        return new Entry(lines.number(), decoded(columns.get(keyColumn)), decoded(columns.get(1 - keyColumn)));
    }

    private byte[] decoded(byte[] column) {
        return text.hex() ? text.parse(new String(column, StandardCharsets.UTF_8)) : column;
    }

    private static List<byte[]> columns(byte[] bytes, int start, int end) {
        List<byte[]> columns = new ArrayList<>(2);
        int from = start;
        for (int k = start; k <= end; k++) {
            if (k == end || bytes[k] == '\t') {
                columns.add(Escapes.read(bytes, from, k));
                from = k + 1;
            }
        }
        return columns;
    }
}
