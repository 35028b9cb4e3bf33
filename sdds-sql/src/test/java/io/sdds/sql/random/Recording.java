package io.sdds.sql.random;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;

/**
 * Statements with what PostgreSQL 15 answers to them, for builds without PostgreSQL. The resource
 * {@code random/recorded.json.gz} has a line of JSON for each.
 */
final class Recording {
    private static final String RESOURCE = "random/recorded.json.gz";
    private static final ObjectMapper JSON = JsonMapper.builder().build();

    private Recording() {}

    /** A statement and its answer. Parameters are written as their types and texts. */
    record Entry(
            long seed,
            String text,
            List<List<@Nullable String>> parameters,
            boolean ordered,
            @Nullable String changed,
            int count,
            @Nullable String state,
            @Nullable List<List<String>> rows) {

        static Entry of(long seed, Statement statement, Answer answer) {
            List<List<@Nullable String>> parameters = new ArrayList<>();
            for (Part.Constant parameter : statement.parameters()) {
                List<@Nullable String> pair = new ArrayList<>();
                pair.add(parameter.type().name());
                pair.add(parameter.type().write(parameter.value()));
                parameters.add(pair);
            }
            boolean isFailure = answer instanceof Answer.Failure;
            return new Entry(
                    seed,
                    statement.text(),
                    parameters,
                    statement.isOrdered(),
                    statement.changed(),
                    answer instanceof Answer.Rows rows ? rows.count() : -1,
                    isFailure ? ((Answer.Failure) answer).state() : null,
                    answer instanceof Answer.Rows rows ? rows.values() : null);
        }

        Statement statement() {
            List<Part.Constant> constants = parameters.stream()
                    .map(pair -> {
                        SqlType type = SqlType.valueOf(String.valueOf(pair.get(0)));
                        return new Part.Constant(type, type.read(pair.get(1)), Part.Style.PARAMETER);
                    })
                    .toList();
            return new Statement(text, constants, ordered, changed);
        }

        Answer answer() {
            return rows == null ? new Answer.Failure(String.valueOf(state), "recorded") : new Answer.Rows(count, rows);
        }
    }

    static void write(List<Entry> entries) throws IOException {
        Path file = Path.of("src/test/resources", RESOURCE);
        Files.createDirectories(file.getParent());
        try (BufferedWriter writer = new BufferedWriter(
                new OutputStreamWriter(new GZIPOutputStream(Files.newOutputStream(file)), StandardCharsets.UTF_8))) {
            for (Entry entry : entries) {
                writer.write(JSON.writeValueAsString(entry));
                writer.write('\n');
            }
        }
    }

    static List<Entry> read() throws IOException {
        List<Entry> entries = new ArrayList<>();
        try (InputStream resource = Recording.class.getResourceAsStream("/" + RESOURCE);
                BufferedReader reader = new BufferedReader(
                        new InputStreamReader(new GZIPInputStream(resource), StandardCharsets.UTF_8))) {
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                entries.add(JSON.readValue(line, Entry.class));
            }
        }
        return entries;
    }
}
