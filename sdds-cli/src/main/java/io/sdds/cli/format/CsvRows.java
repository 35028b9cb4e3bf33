package io.sdds.cli.format;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads rows of cells by RFC 4180: quoted cells may hold commas, line ends, and doubled quotes. A byte order mark at
 * the begin of the file does not count.
 *
 * <p>A missing quote would turn the rest of the file into one row. So if several lines together are not a valid row,
 * only the first line is refused, and reading continues with the second line. This class reads rows by itself, because
 * the libraries for CSV in Java read on to the end of the file behind a missing quote. A library for single rows would
 * replace only {@link #cells}.
 */
final class CsvRows implements AutoCloseable {
    private final LineReader lines;
    /** Lines that were read and are not part of a row yet. */
    private final ArrayDeque<Line> ahead = new ArrayDeque<>();

    CsvRows(InputStream in) {
        this.lines = new LineReader(in);
    }

    /**
     * A row, or a problem.
     *
     * @param line number of the first line of the row
     */
    record Row(long line, List<String> cells, @Nullable String problem) {}

    /** A line, or a problem. A carriage return at the end of the text may be part of a cell. */
    private record Line(long number, String text, @Nullable String problem) {
        boolean isEmpty() {
            return problem == null && (text.isEmpty() || text.equals("\r"));
        }
    }

    /**
     * The next row that is not empty; null at the end of the file.
     *
     * @param columns expected number of cells; 0 for any number
     */
    @Nullable
    Row next(int columns) throws IOException {
        Line first = line();
        while (first != null && first.isEmpty()) {
            first = line();
        }
        return first == null ? null : row(first, columns);
    }

    private Row row(Line first, int columns) throws IOException {
        if (first.problem != null) {
            return new Row(first.number, List.of(), first.problem);
        }
        List<Line> more = new ArrayList<>();
        StringBuilder content = new StringBuilder(first.text);
        boolean closed = gather(content, quotes(first.text), more);
        String problem;
        try {
            if (closed && content.charAt(content.length() - 1) == '\r') {
                content.setLength(content.length() - 1);
            }
            List<String> cells = closed ? cells(content) : List.of();
            if (closed && (columns == 0 || cells.size() == columns)) {
                return new Row(first.number, cells, null);
            }
            problem = closed ? cells.size() + " columns, expected " + columns : "a quote is never closed";
        } catch (IllegalArgumentException e) {
            problem = String.valueOf(e.getMessage());
        }
        for (int k = more.size() - 1; k >= 0; k--) {
            ahead.addFirst(more.get(k));
        }
        return new Row(first.number, List.of(), problem);
    }

    /** Appends lines while a quote is open. Returns whether all quotes are closed. */
    private boolean gather(StringBuilder content, long quotes, List<Line> more) throws IOException {
        long open = quotes;
        while (open % 2 != 0) {
            Line line = content.length() > LineReader.LINE_BYTES_MAX ? null : line();
            if (line == null) {
                return false;
            }
            more.add(line);
            if (line.problem != null) {
                return false;
            }
            content.append('\n').append(line.text);
            open += quotes(line.text);
        }
        return true;
    }

    private static long quotes(String line) {
        return line.chars().filter(c -> c == '"').count();
    }

    private @Nullable Line line() throws IOException {
        if (!ahead.isEmpty()) {
            return ahead.remove();
        }
        if (!lines.next()) {
            return null;
        }
        String problem = lines.problem();
        if (problem != null) {
            return new Line(lines.number(), "", problem);
        }
        try {
            ByteBuffer bytes = ByteBuffer.wrap(lines.bytes(), lines.start(), lines.rawEnd() - lines.start());
            String text = StandardCharsets.UTF_8.newDecoder().decode(bytes).toString();
            return new Line(lines.number(), lines.number() == 1 ? Text.withoutByteOrderMark(text) : text, null);
        } catch (CharacterCodingException e) {
            return new Line(lines.number(), "", "the line is not UTF-8 text");
        }
    }

    /** @throws IllegalArgumentException if quotes are wrong */
    static List<String> cells(CharSequence row) {
        List<String> cells = new ArrayList<>();
        StringBuilder cell = new StringBuilder();
        int at = 0;
        while (true) {
            cell.setLength(0);
            at = at < row.length() && row.charAt(at) == '"' ? quoted(row, at + 1, cell) : plain(row, at, cell);
            cells.add(cell.toString());
            if (at >= row.length()) {
                return cells;
            }
            if (row.charAt(at) != ',') {
                throw new IllegalArgumentException("text after a closing quote");
            }
            at++;
        }
    }

    /** Reads up to the closing quote. Returns the position behind the quote. */
    private static int quoted(CharSequence row, int from, StringBuilder cell) {
        int at = from;
        while (at < row.length()) {
            char c = row.charAt(at++);
            if (c != '"') {
                cell.append(c);
            } else if (at < row.length() && row.charAt(at) == '"') {
                cell.append('"');
                at++;
            } else {
                return at;
            }
        }
        throw new IllegalArgumentException("a quote is never closed");
    }

    private static int plain(CharSequence row, int from, StringBuilder cell) {
        int at = from;
        while (at < row.length() && row.charAt(at) != ',') {
            if (row.charAt(at) == '"') {
                throw new IllegalArgumentException("a quote in the middle of a cell");
            }
            cell.append(row.charAt(at++));
        }
        return at;
    }

    long bytesRead() {
        return lines.bytesRead();
    }

    @Override
    public void close() throws IOException {
        lines.close();
    }
}
