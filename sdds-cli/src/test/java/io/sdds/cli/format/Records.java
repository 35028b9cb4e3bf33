package io.sdds.cli.format;

import io.sdds.cli.format.RecordReader.Entry;
import io.sdds.cli.format.RecordReader.Item;
import io.sdds.cli.format.RecordReader.Refused;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Records as tests write and read them. */
final class Records {
    private Records() {}

    /** Each item as a line: {@code 1 key=value}, or {@code 2 refused: reason}. */
    static List<String> read(Format format, String content) throws IOException {
        return read(format, content.getBytes(StandardCharsets.UTF_8), new Text(false), null);
    }

    static List<String> read(Format format, byte[] content, Text text, @Nullable String key) throws IOException {
        List<String> items = new ArrayList<>();
        try (RecordReader reader = format.reader(new ByteArrayInputStream(content), text, key)) {
            for (Item item = reader.next(); item != null; item = reader.next()) {
                items.add(item.line() + " "
                        + switch (item) {
                            case Entry entry -> utf8(entry.key()) + "=" + utf8(entry.value());
                            case Refused refused -> "refused: " + refused.reason();
                        });
            }
            if (reader.bytesRead() != content.length) {
                throw new AssertionError("read " + reader.bytesRead() + " of " + content.length + " bytes");
            }
        }
        return items;
    }

    static byte[] written(Format format, Text text, List<byte[][]> records) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        RecordWriter writer = format.writer(out, text);
        for (byte[][] record : records) {
            writer.write(record[0], record[1]);
        }
        writer.flush();
        return out.toByteArray();
    }

    private static String utf8(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
