package io.sdds.sql;

import static org.assertj.core.api.Assertions.assertThat;

import io.sdds.testkit.EmbeddedCluster;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/** The JDBC program of the README, as it stands there but for the address. */
@Isolated("it reads what a program prints to System.out")
class ReadmeTest {
    private static final Pattern PROGRAM =
            Pattern.compile("```java\\n(import java\\.sql\\.\\*;\\n.*?)```", Pattern.DOTALL);

    @Test
    void theProgramOfTheReadmeWorks(@TempDir Path directory) throws Exception {
        Matcher program = PROGRAM.matcher(Files.readString(readme()));
        assertThat(program.find()).isTrue();
        try (EmbeddedCluster cluster = EmbeddedCluster.start(1)) {
            Path source = Files.writeString(
                    directory.resolve("People.java"), program.group(1).replace("127.0.0.1:7400", cluster.address()));
            int compiled = ToolProvider.getSystemJavaCompiler()
                    .run(null, null, null, "-proc:none", "-d", directory.toString(), source.toString());
            assertThat(compiled).isZero();
            assertThat(printed(directory)).isEqualTo("London 2\nUppsala 1\n");
        }
    }

    private static Path readme() throws IOException {
        Path folder = Path.of("").toAbsolutePath();
        while (!Files.exists(folder.resolve("README.md"))) {
            folder = folder.getParent();
        }
        return folder.resolve("README.md");
    }

    private static String printed(Path classes) throws Exception {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        PrintStream before = System.out;
        System.setOut(new PrintStream(out, true, StandardCharsets.UTF_8));
        try (URLClassLoader loader =
                new URLClassLoader(new URL[] {classes.toUri().toURL()}, ReadmeTest.class.getClassLoader())) {
            java.lang.reflect.Method main = loader.loadClass("People").getDeclaredMethod("main", String[].class);
            main.setAccessible(true);
            main.invoke(null, (Object) new String[0]);
        } finally {
            System.setOut(before);
        }
        return out.toString(StandardCharsets.UTF_8).replace("\r\n", "\n");
    }
}
