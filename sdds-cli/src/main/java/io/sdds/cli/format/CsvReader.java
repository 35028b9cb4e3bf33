package io.sdds.cli.format;

import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads {@link Format#CSV} of keys and values. One column is the key. With two columns, the other column is the value.
 * With more columns, the value is a JSON object of all other columns.
 */
final class CsvReader extends CsvRecordReader {
    private final Text text;
    private final @Nullable String key;
    private int keyColumn;

    CsvReader(InputStream in, Text text, @Nullable String key) {
        super(in);
        this.text = text;
        this.key = key;
    }

    @Override
    void checkHeader(List<String> names) {
        String wanted = key == null ? "key" : key;
        keyColumn = Math.max(0, names.indexOf(wanted));
        if (key != null && !names.contains(key)) {
            throw new IllegalArgumentException("no column '" + key + "'; the columns are " + String.join(", ", names));
        }
        if (names.size() < 2) {
            throw new IllegalArgumentException(
                    "line 1: expected a header with a column for the key and a column for the value");
        }
    }

    @Override
    Entry entry(long line, List<String> names, List<String> cells) {
        return new Entry(line, CsvText.parse(text, cells.get(keyColumn)), value(names, cells));
    }

    private byte[] value(List<String> names, List<String> cells) {
        if (cells.size() == 2) {
            return CsvText.parse(text, cells.get(1 - keyColumn));
        }
        List<String> otherNames = new ArrayList<>(names);
        List<String> others = new ArrayList<>(cells);
        otherNames.remove(keyColumn);
        others.remove(keyColumn);
        return text.parse(JsonText.object(otherNames, others));
    }
}
