package io.sdds.testkit.check;

import io.sdds.testkit.check.Operation.Kind;
import io.sdds.testkit.check.Operation.Result;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.Reader;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Writes and reads histories as lines of JSON, one operation a line, so that any checker can read them:
 *
 * <pre>
 * {"client":3,"op":"cas","key":"k1","value":"v7","expected":"v6","result":"ok","out":null,"start_ns":12,"end_ns":40}
 * </pre>
 *
 * {@code end_ns} is null if the outcome is unknown. {@code refused} means that the operation certainly had no effect.
 */
public final class HistoryFile {
    private HistoryFile() {}

    /** Appends an operation and an end of line. */
    public static void write(Appendable out, Operation operation) throws IOException {
        out.append("{\"client\":").append(Integer.toString(operation.client()));
        text(out, "op", operation.kind().json());
        text(out, "key", operation.key());
        text(out, "value", operation.value());
        text(out, "expected", operation.expected());
        text(out, "result", operation.result().json());
        text(out, "out", operation.out());
        out.append(",\"start_ns\":").append(Long.toString(operation.startNanos()));
        out.append(",\"end_ns\":")
                .append(operation.isOpen() ? "null" : Long.toString(operation.endNanos()))
                .append("}\n");
    }

    /**
     * Reads all lines. Skips empty lines.
     *
     * @throws IllegalArgumentException if a line is not an operation; the message names the line
     */
    public static List<Operation> read(Reader in) throws IOException {
        BufferedReader lines = new BufferedReader(in);
        List<Operation> operations = new ArrayList<>();
        int number = 0;
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            number++;
            if (!line.isBlank()) {
                try {
                    operations.add(operation(new Line(line).fields()));
                } catch (RuntimeException e) {
                    throw new IllegalArgumentException("line " + number + ": " + e.getMessage() + ": " + line, e);
                }
            }
        }
        return operations;
    }

    private static void text(Appendable out, String name, @Nullable String value) throws IOException {
        out.append(",\"").append(name).append("\":");
        if (value == null) {
            out.append("null");
            return;
        }
        out.append('"');
        for (int k = 0; k < value.length(); k++) {
            char c = value.charAt(k);
            if (c == '"' || c == '\\') {
                out.append('\\').append(c);
            } else if (c < ' ') {
                out.append(String.format("\\u%04x", (int) c));
            } else {
                out.append(c);
            }
        }
        out.append('"');
    }

    private static Operation operation(Map<String, @Nullable String> fields) {
        String end = fields.get("end_ns");
        return new Operation(
                Integer.parseInt(need(fields, "client")),
                kind(need(fields, "op")),
                need(fields, "key"),
                fields.get("value"),
                fields.get("expected"),
                Result.valueOf(need(fields, "result").toUpperCase(java.util.Locale.ROOT)),
                fields.get("out"),
                Long.parseLong(need(fields, "start_ns")),
                end == null ? Operation.OPEN : Long.parseLong(end));
    }

    private static String need(Map<String, @Nullable String> fields, String name) {
        String value = fields.get(name);
        if (value == null) {
            throw new IllegalArgumentException("no " + name);
        }
        return value;
    }

    private static Kind kind(String name) {
        for (Kind kind : Kind.values()) {
            if (kind.json().equals(name)) {
                return kind;
            }
        }
        throw new IllegalArgumentException("no operation is called " + name);
    }

    /** A flat JSON object: texts, numbers and nulls. */
    private static final class Line {
        private final String text;
        private int at;

        Line(String text) {
            this.text = text;
        }

        Map<String, @Nullable String> fields() {
            Map<String, @Nullable String> fields = new LinkedHashMap<>();
            expect('{');
            while (peek() != '}') {
                String name = string();
                expect(':');
                fields.put(name, value());
                if (peek() != '}') {
                    expect(',');
                }
            }
            return fields;
        }

        private @Nullable String value() {
            if (peek() == '"') {
                return string();
            }
            int from = at;
            while (at < text.length() && ",} \t".indexOf(text.charAt(at)) < 0) {
                at++;
            }
            String word = text.substring(from, at);
            return word.equals("null") ? null : word;
        }

        private String string() {
            expect('"');
            StringBuilder value = new StringBuilder();
            while (text.charAt(at) != '"') {
                char c = text.charAt(at++);
                value.append(c == '\\' ? escaped() : c);
            }
            at++;
            return value.toString();
        }

        private char escaped() {
            char c = text.charAt(at++);
            return switch (c) {
                case 'n' -> '\n';
                case 't' -> '\t';
                case 'r' -> '\r';
                case 'b' -> '\b';
                case 'f' -> '\f';
                case 'u' -> {
                    at += 4;
                    yield (char) Integer.parseInt(text.substring(at - 4, at), 16);
                }
                default -> c;
            };
        }

        private char peek() {
            while (Character.isWhitespace(text.charAt(at))) {
                at++;
            }
            return text.charAt(at);
        }

        private void expect(char c) {
            if (peek() != c) {
                throw new IllegalArgumentException("'" + c + "' expected at " + at);
            }
            at++;
        }
    }
}
