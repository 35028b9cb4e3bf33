package io.sdds.cli.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.util.List;
import org.junit.jupiter.api.Test;

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
        String own = "/x/lib/sdds-core.jar";
        String all = own + File.pathSeparator + "/x/lib/tools/sdds-bench.jar";
        assertThat(Jvm.classPath(all, List.of("brick", "--id", "b1"))).isEqualTo(own);
        assertThat(Jvm.classPath(all, List.of("coordinator"))).isEqualTo(own);
        assertThat(Jvm.classPath(all, List.of("chaos-client", "brick"))).isEqualTo(all);
        assertThat(Jvm.classPath(all, List.of())).isEqualTo(all);
        assertThat(Jvm.running(List.of(), List.of()).environment())
                .containsEntry("CLASSPATH", System.getProperty("java.class.path"));
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
}
