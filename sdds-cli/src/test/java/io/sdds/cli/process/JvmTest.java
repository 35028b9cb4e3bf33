package io.sdds.cli.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

@Isolated("it changes the system property of the JVM's class path")
class JvmTest {
    @Test
    void aServersClassPathHasNoToolsOfTheDistribution() {
        String product = String.join(File.pathSeparator, "/x/lib/sdds-core.jar", "/x/lib/sdds-client.jar");
        String all = String.join(
                File.pathSeparator,
                product,
                "/x/lib/tools/xchart.jar",
                "/x/lib/sql/calcite.jar",
                "/x/lib/peers/h2.jar");
        assertThat(Jvm.withoutTools(all)).isEqualTo(product);
        assertThat(Jvm.withoutTools(product)).isEqualTo(product);
        String classes = String.join(File.pathSeparator, "target/classes", "tools/a.jar", "b.jar");
        assertThat(Jvm.withoutTools(classes)).isEqualTo(classes);
    }

    @Test
    void bricksAndCoordinatorsAloneLeaveTheToolsOut() {
        String own = System.getProperty("java.class.path");
        String tool = "/x/lib/tools/sdds-bench.jar";
        System.setProperty("java.class.path", own + File.pathSeparator + tool);
        try {
            assertThat(classPath("brick", "--id", "b1")).isEqualTo(own);
            assertThat(classPath("coordinator")).isEqualTo(own);
            assertThat(classPath("chaos-client", "brick")).endsWith(tool);
            assertThat(classPath()).endsWith(tool);
        } finally {
            System.setProperty("java.class.path", own);
        }
    }

    @Test
    void aBrickWithTheVectorApiHasACacheOfItsOwn() {
        List<String> own = List.of("-Xmn32m", "-XX:AOTCache=a.aot", "-XX:AOTMode=auto", "-Dsdds.terminals=0");
        assertThat(Jvm.inherited(own, null)).containsExactly("-Xmn32m", "-XX:AOTCache=a.aot", "-XX:AOTMode=auto");
        List<String> expected =
                List.of("-Xmn32m", "-XX:AOTCache=b.aot", "-XX:AOTMode=auto", "--add-modules=jdk.incubator.vector");
        assertThat(Jvm.inherited(own, "b.aot")).isEqualTo(expected);
        assertThat(Jvm.inherited(expected, "b.aot")).isEqualTo(expected);
    }

    private static String classPath(String... arguments) {
        return Jvm.running(List.of(), List.of(arguments)).environment().get("CLASSPATH");
    }
}
