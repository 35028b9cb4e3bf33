package io.sdds.cli.format;

import java.io.InputStream;
import java.io.OutputStream;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** How records stand in files. */
public enum Format {
    /** A line a record: key, tab, value, with {@link Escapes}; no header. */
    TSV,
    /** RFC 4180, with a header; the first column is the key unless another is named so. */
    CSV,
    /** A JSON object a line. */
    NDJSON;

    /** The format that a file's name tells: TSV unless it ends otherwise. */
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
     * @param key the column with the key: a number from 1 in TSV, a name else; null: the first, or the one named
     *     {@code key}
     * @throws IllegalArgumentException when there is no such column
     */
    public RecordReader reader(InputStream in, Text text, @Nullable String key) {
        return switch (this) {
            case TSV -> new TsvReader(in, text, key);
            case CSV -> new CsvReader(in, text, key);
            case NDJSON -> new NdjsonReader(in, text, key);
        };
    }

    /** Writes records that {@link #reader} reads. */
    public RecordWriter writer(OutputStream out, Text text) {
        return switch (this) {
            case TSV -> new TsvWriter(out, text);
            case CSV -> new CsvWriter(out, text);
            case NDJSON -> new NdjsonWriter(out, text);
        };
    }
}
