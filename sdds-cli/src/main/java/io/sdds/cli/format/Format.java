package io.sdds.cli.format;

import java.io.InputStream;
import java.io.OutputStream;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** File formats of records. */
public enum Format {
    /** One record a line: key, tab, value, with {@link Escapes}; no header. */
    TSV,
    /** RFC 4180 with a header. The key is the column {@code key}, else the first column. */
    CSV,
    /** One JSON object a line. */
    NDJSON;

    /** The format for the extension of a file name; TSV for an unknown extension. */
    public static Format of(String file) {
        String name = file.toLowerCase(Locale.ROOT);
        if (name.endsWith(".csv")) {
            return CSV;
        }
        return name.endsWith(".ndjson") || name.endsWith(".jsonl") || name.endsWith(".json") ? NDJSON : TSV;
    }

    /**
     * Reads records.
     *
     * @param key the column of the key: a number from 1 in TSV, a name in other formats; null for the column
     *     {@code key}, else the first column
     * @throws IllegalArgumentException if there is no such column
     */
    public RecordReader reader(InputStream in, Text text, @Nullable String key) {
        return switch (this) {
            case TSV -> new TsvReader(in, text, key);
            case CSV -> new CsvReader(in, text, key);
            case NDJSON -> new NdjsonReader(in, text, key);
        };
    }

    /** Creates a writer whose output {@link #reader} reads. */
    public RecordWriter writer(OutputStream out, Text text) {
        return switch (this) {
            case TSV -> new TsvWriter(out, text);
            case CSV -> new CsvWriter(out, text);
            case NDJSON -> new NdjsonWriter(out, text);
        };
    }
}
