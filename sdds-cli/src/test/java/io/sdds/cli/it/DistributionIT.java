package io.sdds.cli.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The distribution holds the product; the test kit and the benchmarks lie beside it. */
class DistributionIT {
    private static final String TOOLS = ".*/(sdds-testkit|sdds-bench|HdrHistogram|xchart)-[^/]*\\.jar";
    private static final String SQL = ".*/(sdds-sql|jline|calcite|avatica)-[^/]*\\.jar";

    @TempDir
    private Path directory;

    @Test
    void theProductsFolderHasNoTools() {
        List<String> product = SddsProcess.jars(SddsProcess.LIB);
        assertThat(product).noneMatch(jar -> jar.matches(TOOLS));
        assertThat(product).anyMatch(jar -> jar.contains("/sdds-brick-")).anyMatch(jar -> jar.contains("/sdds-cli-"));
        assertThat(SddsProcess.jars(SddsProcess.LIB.resolve("tools")))
                .hasSize(4)
                .allMatch(jar -> jar.matches(TOOLS));
    }

    @Test
    void onlyTheFolderOfSqlHasWhatSqlNeeds() {
        List<String> product = SddsProcess.jars(SddsProcess.LIB);
        List<String> sql = SddsProcess.jars(SddsProcess.LIB.resolve("sql"));
        assertThat(product).noneMatch(jar -> jar.matches(SQL));
        assertThat(sql).anyMatch(jar -> jar.matches(SQL));
        assertThat(names(sql)).doesNotContainAnyElementsOf(names(product));
    }

    private static List<String> names(List<String> jars) {
        return jars.stream()
                .map(jar -> Path.of(jar).getFileName().toString().replaceAll("-[0-9].*", ""))
                .toList();
    }

    @Test
    void bricksCoordinatorsAndClientsHaveTheProductAloneOnTheirClassPath() throws IOException {
        try (UpProcess up = UpProcess.start(directory, 1)) {
            assumeThat(Files.isReadable(environment(up.pid("b1"))))
                    .as("a system with /proc")
                    .isTrue();
            for (String id : List.of("b1", "c1")) {
                assertThat(classPath(up.pid(id)).split(java.io.File.pathSeparator))
                        .as(id)
                        .containsExactlyInAnyOrderElementsOf(SddsProcess.jars(SddsProcess.LIB));
            }
            assertThat(SddsProcess.run("--connect", up.address(), "table", "create", "t", "--kind", "range")
                            .ok()
                            .out())
                    .contains("t");
            SddsProcess.run("--connect", up.address(), "put", "t", "a", "1").ok();
            assertThat(SddsProcess.run("--connect", up.address(), "scan", "t")
                            .ok()
                            .out())
                    .contains("a");
        }
    }

    @Test
    void commandsThatNeedTheToolsFindThem() {
        assertThat(SddsProcess.run("bench", "put", "--help").ok().out()).contains("bench");
        assertThat(SddsProcess.run("help").ok().out()).contains("bench", "chaos", "demo");
    }

    private static Path environment(long pid) {
        return Path.of("/proc/" + pid + "/environ");
    }

    private static String classPath(long pid) throws IOException {
        String variables = Files.readString(environment(pid), StandardCharsets.UTF_8);
        return Arrays.stream(variables.split("\0"))
                .filter(each -> each.startsWith("CLASSPATH="))
                .map(each -> each.substring("CLASSPATH=".length()))
                .findFirst()
                .orElse("");
    }
}
