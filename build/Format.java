import com.palantir.javaformat.java.Formatter;
import com.palantir.javaformat.java.JavaFormatterOptions;
import com.palantir.javaformat.java.JavaFormatterOptions.Style;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.stream.Stream;

/**
 * Checks or applies the format of the Java sources. Run by the root pom in a JDK 25, because the formatter parses with
 * the compiler of the JVM it runs in and Maven's own JVM may be older than the sources.
 *
 * <p>Arguments: {@code check|apply ROOT [PATH...]}. PATHs are folders or files below ROOT; none means every module.
 * Exit code 0 when all is formatted (or has been now), 1 when not, with the files on stderr and in
 * target/unformatted.txt.
 */
public final class Format {
    /** Digests of contents known to be formatted, so that an unchanged tree is checked without formatting it again. */
    private static final String KNOWN_FILE = "target/formatted.txt";

    /** The complaints of the last run; there is no such file when there are none. */
    private static final String COMPLAINTS_FILE = "target/unformatted.txt";

    private static final int COLUMNS_MAX = 120;

    private static final String TEXT_BLOCK = "\"\"\"";

    private final Path root;
    private final boolean apply;
    private final Set<String> knownBefore;
    private final Set<String> known = new ConcurrentSkipListSet<>();
    private final Set<String> complaints = new ConcurrentSkipListSet<>();

    private Format(Path root, boolean apply, Set<String> knownBefore) {
        this.root = root;
        this.apply = apply;
        this.knownBefore = knownBefore;
    }

    public static void main(String[] args) throws IOException {
        var apply = args[0].equals("apply");
        var root = Path.of(args[1]).toAbsolutePath().normalize();
        var paths = Stream.of(args)
                .skip(2)
                .flatMap(a -> Stream.of(a.split("[ ,]+")))
                .filter(a -> !a.isBlank())
                .toList();
        var knownFile = root.resolve(KNOWN_FILE);
        var knownBefore = Files.exists(knownFile) ? Set.copyOf(Files.readAllLines(knownFile)) : Set.<String>of();
        var format = new Format(root, apply, knownBefore);
        format.sources(paths).parallelStream().forEach(format::visit);
        // A partial run has not seen the other files: what was known of them stays known.
        if (!paths.isEmpty()) {
            format.known.addAll(knownBefore);
        }
        Files.createDirectories(knownFile.getParent());
        if (!format.known.equals(knownBefore)) {
            Files.write(knownFile, format.known);
        }
        Files.deleteIfExists(root.resolve(COMPLAINTS_FILE));
        if (!format.complaints.isEmpty()) {
            format.complaints.forEach(System.err::println);
            Files.write(root.resolve(COMPLAINTS_FILE), format.complaints);
            System.exit(1);
        }
    }

    private Set<Path> sources(List<String> paths) throws IOException {
        var starts = new ArrayList<Path>();
        if (paths.isEmpty()) {
            try (var children = Files.list(root)) {
                children.filter(p -> Files.exists(p.resolve("pom.xml")))
                        .map(p -> p.resolve("src"))
                        .forEach(starts::add);
            }
            starts.add(root.resolve("build"));
        } else {
            paths.forEach(p -> starts.add(root.resolve(p)));
        }
        var sources = new TreeSet<Path>();
        for (var start : starts) {
            if (!Files.exists(start)) {
                continue;
            }
            try (var found = Files.walk(start)) {
                found.filter(p -> p.toString().endsWith(".java") && Files.isRegularFile(p))
                        .filter(p -> !root.relativize(p).toString().contains("target/"))
                        .forEach(sources::add);
            }
        }
        return sources;
    }

    private void visit(Path file) {
        try {
            var source = Files.readString(file);
            if (knownBefore.contains(digest(source))) {
                known.add(digest(source));
                return;
            }
            var formatted = isFormatted(source) ? source : formatter().formatSourceAndFixImports(source);
            var hasLongLines = complainOfLongLines(file, formatted);
            if ((formatted.equals(source) || apply) && !hasLongLines) {
                known.add(digest(formatted));
            }
            if (!formatted.equals(source)) {
                report(file, formatted);
            }
        } catch (Exception e) {
            complaints.add("cannot format " + root.relativize(file) + ": " + e.getMessage());
        }
    }

    /**
     * Whether the formatter changes nothing of a source. To find that costs half of formatting it: behind lines of 120
     * columns the formatter looks for literals to break, and formats the source twice more. Sources with longer lines
     * and text blocks are left to it.
     */
    private static boolean isFormatted(String source) throws Exception {
        return source.lines().allMatch(line -> line.length() <= COLUMNS_MAX)
                && !source.contains(TEXT_BLOCK)
                && formatter().fixImports(source).equals(source)
                && formatter().formatSource(source).equals(source);
    }

    /** The formatter leaves lines that it cannot break: block comments, preformatted text, string literals. */
    private boolean complainOfLongLines(Path file, String text) {
        var lines = text.split("\n");
        var found = false;
        for (int k = 0; k < lines.length; k++) {
            if (lines[k].codePointCount(0, lines[k].length()) > COLUMNS_MAX) {
                complaints.add("longer than " + COLUMNS_MAX + " columns: " + root.relativize(file) + ":" + (k + 1));
                found = true;
            }
        }
        return found;
    }

    private void report(Path file, String formatted) throws IOException {
        if (apply) {
            Files.writeString(file, formatted);
            System.err.println("formatted " + root.relativize(file));
        } else {
            complaints.add("not formatted: " + root.relativize(file));
        }
    }

    private static Formatter formatter() {
        return Formatter.createFormatter(JavaFormatterOptions.builder()
                .style(Style.PALANTIR)
                .formatJavadoc(true)
                .build());
    }

    private static String digest(String text) throws Exception {
        var version = String.valueOf(
                Formatter.class.getProtectionDomain().getCodeSource().getLocation());
        var sha = MessageDigest.getInstance("SHA-256");
        sha.update(version.getBytes(StandardCharsets.UTF_8));
        return HexFormat.of().formatHex(sha.digest(text.getBytes(StandardCharsets.UTF_8)));
    }
}
