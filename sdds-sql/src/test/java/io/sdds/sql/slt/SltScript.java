package io.sdds.sql.slt;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.jar.JarFile;
import org.jspecify.annotations.Nullable;

/**
 * A script of sqllogictest, without what it keeps for other databases. The format is described at <a
 * href="https://www.sqlite.org/sqllogictest/doc/trunk/about.wiki">sqlite.org</a>.
 */
final class SltScript {
    /** The name of this database in {@code onlyif} and {@code skipif}. */
    private static final String DATABASE = "sdds";

    private static final String FOLDER = "test/";

    /** One statement or query of a script. */
    sealed interface Step permits Command, Question {
        String sql();

        int line();
    }

    /** A statement that gives no rows. */
    record Command(String sql, int line, boolean isError) implements Step {}

    /**
     * A query.
     *
     * @param types a letter for each column: I, R or T
     * @param sort nosort, rowsort or valuesort
     * @param expected the values, or a line that tells their number and their hash
     */
    record Question(String sql, int line, String types, String sort, List<String> expected) implements Step {}

    private final List<Step> steps = new ArrayList<>();
    private int line;

    private SltScript() {}

    /** The names of all scripts, in order. */
    static List<String> names() {
        try {
            Path jar = Path.of(
                    Objects.requireNonNull(SltScript.class.getResource("/net/hydromatic/sqllogictest/Main.class"))
                            .getPath()
                            .replaceFirst("^file:", "")
                            .replaceFirst("!.*$", ""));
            try (JarFile file = new JarFile(jar.toFile())) {
                return file.stream()
                        .map(entry -> entry.getName())
                        .filter(name -> name.startsWith(FOLDER) && name.endsWith(".test"))
                        .map(name -> name.substring(FOLDER.length()))
                        .sorted()
                        .toList();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The steps of a script. */
    static List<Step> steps(String name) {
        String resource = "/" + FOLDER + name;
        try (InputStream file = Objects.requireNonNull(SltScript.class.getResourceAsStream(resource), name);
                BufferedReader lines = new BufferedReader(new InputStreamReader(file, StandardCharsets.UTF_8))) {
            SltScript script = new SltScript();
            script.read(lines.lines().iterator());
            return script.steps;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void read(Iterator<String> lines) {
        List<String> block;
        while ((block = block(lines)) != null) {
            int first = line - block.size();
            List<String> rest = mine(block);
            if (rest == null || rest.isEmpty()) {
                continue;
            }
            String[] words = rest.get(0).split("\\s+");
            List<String> body = rest.subList(1, rest.size());
            switch (words[0]) {
                case "halt" -> {
                    return;
                }
                case "statement" -> steps.add(new Command(String.join("\n", body), first, words[1].equals("error")));
                case "query" -> steps.add(question(words, body, first));
                case "hash-threshold" -> {}
                default -> throw new IllegalStateException("line " + line + ": unknown record " + rest.get(0));
            }
        }
    }

    /** The next lines up to an empty one, without comments; null at the end. */
    private @Nullable List<String> block(Iterator<String> lines) {
        List<String> block = new ArrayList<>();
        while (lines.hasNext()) {
            String next = lines.next().stripTrailing();
            line++;
            if (next.isEmpty()) {
                if (!block.isEmpty()) {
                    return block;
                }
            } else if (!next.startsWith("#")) {
                block.add(next);
            }
        }
        return block.isEmpty() ? null : block;
    }

    /** The lines without conditions; null: the block is for other databases. */
    private static @Nullable List<String> mine(List<String> block) {
        int from = 0;
        for (; from < block.size(); from++) {
            String[] words = block.get(from).split("\\s+");
            boolean isMine = words.length > 1 && words[1].equals(DATABASE);
            if (words[0].equals("onlyif") && !isMine || words[0].equals("skipif") && isMine) {
                return null;
            }
            if (!words[0].equals("onlyif") && !words[0].equals("skipif")) {
                break;
            }
        }
        return block.subList(from, block.size());
    }

    private static Question question(String[] words, List<String> body, int line) {
        int end = body.indexOf("----");
        List<String> sql = end < 0 ? body : body.subList(0, end);
        List<String> expected = end < 0 ? List.of() : List.copyOf(body.subList(end + 1, body.size()));
        return new Question(String.join("\n", sql), line, words[1], words.length > 2 ? words[2] : "nosort", expected);
    }
}
