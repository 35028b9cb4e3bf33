package io.sdds.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.source.tree.AnnotationTree;
import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.ImportTree;
import com.sun.source.tree.MethodInvocationTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.SourcePositions;
import com.sun.source.util.TreePath;
import com.sun.source.util.TreePathScanner;
import com.sun.source.util.Trees;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;

/**
 * Test classes overlap in a JVM. So a test changes what the whole JVM shares, such as a system property, only while it
 * is {@code @Isolated}, or has a {@code @ResourceLock} that all who look at it have too. Better it hands the value in.
 */
class SharedStateTest {
    private static final Pattern CHANGES = Pattern.compile("((java\\.lang\\.)?System\\."
            + "(setProperty|clearProperty|setProperties|setOut|setErr|setIn|setSecurityManager)"
            + "|System\\.getProperties\\(\\)\\.(set|put|remove|clear|replace|compute|merge|load).*"
            + "|(java\\.util\\.)?(Locale|TimeZone)\\.setDefault"
            + "|(java\\.security\\.)?Security\\.(setProperty|addProvider|insertProviderAt|removeProvider)"
            + "|Thread\\.setDefaultUncaughtExceptionHandler"
            + "|(Authenticator|ProxySelector|CookieHandler|ResponseCache|HttpsURLConnection)\\.setDefault.*"
            + "|URL\\.setURLStreamHandlerFactory"
            + "|DriverManager\\.(registerDriver|deregisterDriver|setLogWriter|setLoginTimeout|setLogStream)"
            + "|(ResourceLeakDetector|InternalLoggerFactory)\\.set(Level|DefaultFactory)"
            + "|(JvmSettings|LogFiles|Silence)\\.(ofNetty|ofNameLookups|use|keep)"
            + "|.*(?i:log(ger)?|getLogger\\(.*\\)|context)\\.(setLevel|addAppender|detachAppender|addTurboFilter))");

    /** It changes a level for the lines of one thread, and for no others. */
    private static final String LOG_LINES = "LogLines.java";

    private static final List<String> LOCKS = List.of("Isolated", "ResourceLock", "ResourceLocks");

    @Test
    void noTestOfAnyModuleChangesWhatTheJvmSharesWithoutALock() throws IOException {
        List<JavaFileObject> sources = new ArrayList<>();
        try (Stream<Path> modules = Files.list(checkout())) {
            for (Path module : modules.filter(each -> Files.exists(each.resolve("pom.xml")))
                    .toList()) {
                addSources(module.resolve("src/test/java"), sources);
                addSources(module.resolve("src/fixtures/java"), sources);
            }
        }
        assertThat(sources).hasSizeGreaterThan(300);
        assertThat(unlocked(sources))
                .as("changes without @Isolated or @ResourceLock")
                .isEmpty();
    }

    @Test
    void changesAreFoundUnlessTheirMethodOrClassHasALock() throws IOException {
        assertThat(unlocked(List.of(new Source("A.java", """
            import static java.lang.System.setErr;
            class A {
                @Test void a() { System.setProperty("a", "b"); }
                @Test @ResourceLock("zone") void b() { java.util.TimeZone.setDefault(null); }
                @Test void c() { run(() -> Locale.setDefault(Locale.ROOT)); }
                @Isolated class Inner { void d() { System.setOut(null); } }
                void e() { System.getProperties().put("a", "b"); logger.setLevel(null); System.getProperty("a"); }
            }
            """))))
                .containsExactly(
                        "A.java: import of java.lang.System.setErr",
                        "A.java:3: System.setProperty",
                        "A.java:5: Locale.setDefault",
                        "A.java:7: System.getProperties().put",
                        "A.java:7: logger.setLevel");
        assertThat(unlocked(List.of(new Source("B.java", "@Isolated class B { void a() { System.setIn(null); } }"))))
                .isEmpty();
    }

    /** The build skips tests of these modules: they are in sdds-cluster-tests, for which no module waits. */
    @Test
    void noTestIsWhereItDoesNotRun() {
        assertThat(checkout().resolve("sdds-testkit/src/test")).doesNotExist();
        assertThat(checkout().resolve("sdds-sim/src/test")).doesNotExist();
    }

    private static Path checkout() {
        Path at = Path.of("").toAbsolutePath();
        while (!Files.isDirectory(at.resolve("sdds-core/src"))) {
            at = at.getParent();
        }
        return at;
    }

    private static void addSources(Path folder, List<JavaFileObject> sources) throws IOException {
        if (Files.exists(folder)) {
            try (Stream<Path> files = Files.walk(folder)) {
                for (Path file : files.filter(each -> each.toString().endsWith(".java"))
                        .sorted()
                        .toList()) {
                    if (!file.endsWith(LOG_LINES)) {
                        sources.add(new Source(file.getFileName().toString(), Files.readString(file)));
                    }
                }
            }
        }
    }

    private static List<String> unlocked(List<JavaFileObject> sources) throws IOException {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        List<String> found = new ArrayList<>();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
            JavacTask task = (JavacTask) compiler.getTask(null, files, null, List.of(), null, sources);
            for (CompilationUnitTree unit : task.parse()) {
                new Scan(unit, Trees.instance(task).getSourcePositions(), found).scan(unit, null);
            }
        }
        return found;
    }

    /** Collects the changes in a source that are outside of classes and methods with a lock. */
    private static final class Scan extends TreePathScanner<Void, Void> {
        private final CompilationUnitTree unit;
        private final SourcePositions positions;
        private final String name;
        private final List<String> found;

        Scan(CompilationUnitTree unit, SourcePositions positions, List<String> found) {
            this.unit = unit;
            this.positions = positions;
            this.name = unit.getSourceFile().getName();
            this.found = found;
        }

        @Override
        public Void visitImport(ImportTree node, Void unused) {
            String imported = node.getQualifiedIdentifier().toString();
            if (node.isStatic() && CHANGES.matcher(imported).matches()) {
                found.add(name + ": import of " + imported);
            }
            return super.visitImport(node, unused);
        }

        @Override
        public Void visitMethodInvocation(MethodInvocationTree node, Void unused) {
            String called = node.getMethodSelect().toString();
            if (CHANGES.matcher(called).matches() && !isLocked()) {
                long line = unit.getLineMap().getLineNumber(positions.getStartPosition(unit, node));
                found.add(name + ":" + line + ": " + called);
            }
            return super.visitMethodInvocation(node, unused);
        }

        private boolean isLocked() {
            for (TreePath at = getCurrentPath(); at != null; at = at.getParentPath()) {
                List<? extends AnnotationTree> annotations = switch (at.getLeaf()) {
                    case ClassTree type -> type.getModifiers().getAnnotations();
                    case MethodTree method -> method.getModifiers().getAnnotations();
                    default -> List.of();
                };
                if (annotations.stream()
                        .anyMatch(
                                each -> LOCKS.contains(each.getAnnotationType().toString()))) {
                    return true;
                }
            }
            return false;
        }
    }

    /** A source as text. */
    private static final class Source extends SimpleJavaFileObject {
        private final String name;
        private final String text;

        Source(String name, String text) {
            super(URI.create("string:///" + name), Kind.SOURCE);
            this.name = name;
            this.text = text;
        }

        @Override
        public String getName() {
            return name;
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return text;
        }
    }
}
