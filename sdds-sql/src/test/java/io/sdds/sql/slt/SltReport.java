package io.sdds.sql.slt;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Counts statements, and lists those that failed in {@code target/sqllogictest}. */
final class SltReport {
    private static final int SHOWN_MAX = 400;

    private final String name;
    private final List<String> ours = new ArrayList<>();
    private final List<String> shared = new ArrayList<>();
    private final Map<String, Long> skipped = new TreeMap<>();
    private long passed;
    private long scripts;
    private long statements;

    SltReport(String name) {
        this.name = name;
    }

    /** Counts a script, and the statements and queries that it has. */
    void drawn(int count) {
        scripts++;
        statements += count;
    }

    void passed(int count) {
        passed += count;
    }

    /** Counts statements about what we do not have. */
    void skipped(String what, int count) {
        skipped.merge(what, (long) count, Long::sum);
    }

    /** @param ofEngine why plain Calcite fails; null: it does not, so that the failure is ours */
    void failed(String place, String sql, String problem, @Nullable String ofEngine) {
        String text = place + "\n  " + sql.replace("\n", "\n  ") + "\n  -> " + cut(problem)
                + (ofEngine == null ? "" : "\n  plain Calcite: " + cut(ofEngine));
        (ofEngine == null ? ours : shared).add(text);
    }

    private static String cut(String text) {
        return text.length() <= SHOWN_MAX ? text : text.substring(0, SHOWN_MAX) + "...";
    }

    /** Statements and queries that ran. */
    long ran() {
        return passed + ours.size() + shared.size();
    }

    List<String> ours() {
        return ours;
    }

    List<String> shared() {
        return shared;
    }

    String summary() {
        return String.format(
                "sqllogictest, %s: %d statements ran of %d in %d scripts, %d failures that plain Calcite shares,"
                        + " %d of ours, skipped: %s",
                name, ran(), statements, scripts, shared.size(), ours.size(), skipped);
    }

    /** Writes the lists, and the summary to the console. */
    void write() throws IOException {
        System.out.println(summary() + "; " + save());
    }

    /** Writes the lists as they are now, so that a long run can be followed. */
    Path save() throws IOException {
        Path file = Path.of("target", "sqllogictest", name.replace(' ', '-') + ".txt");
        Files.createDirectories(file.getParent());
        Files.writeString(
                file,
                summary() + "\n\nOurs:\n\n" + String.join("\n\n", ours) + "\n\nShared with plain Calcite:\n\n"
                        + String.join("\n\n", shared) + "\n");
        return file;
    }
}
