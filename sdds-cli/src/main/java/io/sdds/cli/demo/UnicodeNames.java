package io.sdds.cli.demo;

import io.sdds.cli.format.Format;
import io.sdds.cli.format.RecordWriter;
import io.sdds.cli.format.Text;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/** The names of all Unicode characters, real data that every JDK contains. */
final class UnicodeNames {
    private UnicodeNames() {}

    /** The key of a character. */
    static String key(int codePoint) {
        return String.format("U+%06X", codePoint);
    }

    /** The names of all assigned characters by key, without the characters for private use, which have no names. */
    static Map<String, String> all() {
        Map<String, String> names = new LinkedHashMap<>();
        for (int codePoint = 0; codePoint <= Character.MAX_CODE_POINT; codePoint++) {
            if (isNamed(codePoint)) {
                names.put(key(codePoint), Character.getName(codePoint));
            }
        }
        return names;
    }

    private static boolean isNamed(int codePoint) {
        int type = Character.getType(codePoint);
        return type != Character.UNASSIGNED && type != Character.PRIVATE_USE && type != Character.SURROGATE;
    }

    /** Writes the names to a file that {@code sdds load} reads. */
    static void export(Map<String, String> names, Path file) throws IOException {
        try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(file))) {
            RecordWriter writer = Format.TSV.writer(out, new Text(false));
            for (Map.Entry<String, String> name : names.entrySet()) {
                writer.write(
                        name.getKey().getBytes(StandardCharsets.US_ASCII),
                        name.getValue().getBytes(StandardCharsets.UTF_8));
            }
            writer.flush();
        }
    }
}
