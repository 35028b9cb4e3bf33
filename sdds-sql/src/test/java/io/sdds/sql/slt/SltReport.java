package io.sdds.sql.slt;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Counts statements, and lists those that failed in {@code target/sqllogictest}. */
final class SltReport {
    private static final int SHOWN_MAX = 400;

    private final String name;
    private final List<String> failures = new ArrayList<>();
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

    void failed(String place, String sql, String problem) {
        failures.add(place + "\n  " + sql.replace("\n", "\n  ") + "\n  -> " + cut(problem));
    }

    private static String cut(String text) {
        return text.length() <= SHOWN_MAX ? text : text.substring(0, SHOWN_MAX) + "...";
    }

    /** Statements and queries that ran. */
    long ran() {
        return passed + failures.size();
    }

    List<String> failures() {
        return failures;
    }

    String summary() {
        return String.format(
                "sqllogictest, %s: %d statements ran of %d in %d scripts, %d failures, skipped: %s",
                name, ran(), statements, scripts, failures.size(), skipped);
    }

    /** Writes the lists, and the summary to the console. */
    void write() throws IOException {
        System.out.println(summary() + "; " + save());
    }

    /** Writes the lists as they are now, so that a long run can be followed. */
    Path save() throws IOException {
        Path file = Path.of("target", "sqllogictest", name.replace(' ', '-') + ".txt");
        Files.createDirectories(file.getParent());
        Files.writeString(file, summary() + "\n\n" + String.join("\n\n", failures) + "\n");
        return file;
    }
}
