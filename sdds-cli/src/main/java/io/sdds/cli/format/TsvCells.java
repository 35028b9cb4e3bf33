package io.sdds.cli.format;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The cells of lines of {@link Format#TSV} as text. */
final class TsvCells {
    private TsvCells() {}

    /**
     * The cells of the present line; null for {@code \N}, which is NULL.
     *
     * @throws IllegalArgumentException if an escape is wrong
     */
    static List<@Nullable String> of(LineReader lines) {
        List<@Nullable String> cells = new ArrayList<>();
        byte[] bytes = lines.bytes();
        int from = lines.start();
        for (int k = from; k <= lines.end(); k++) {
            if (k == lines.end() || bytes[k] == '\t') {
                cells.add(cell(bytes, from, k));
                from = k + 1;
            }
        }
        return cells;
    }

    private static @Nullable String cell(byte[] bytes, int from, int to) {
        boolean isNull = to - from == 2 && bytes[from] == '\\' && bytes[from + 1] == 'N';
        return isNull ? null : new String(Escapes.read(bytes, from, to), StandardCharsets.UTF_8);
    }

    /**
     * The names of columns in the first line of a file.
     *
     * @throws IllegalArgumentException if one is NULL, or an escape is wrong
     */
    static List<String> header(LineReader lines) {
        List<String> names = new ArrayList<>();
        for (String cell : of(lines)) {
            if (cell == null) {
                throw new IllegalArgumentException("line 1: \\N is no name of a column");
            }
            names.add(names.isEmpty() ? Text.withoutByteOrderMark(cell) : cell);
        }
        return names;
    }
}
