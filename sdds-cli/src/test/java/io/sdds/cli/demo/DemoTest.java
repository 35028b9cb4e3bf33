package io.sdds.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.sdds.cli.terminal.Screen;
import io.sdds.client.Codec;
import io.sdds.client.HashTable;
import io.sdds.client.TableOptions;
import io.sdds.testkit.EmbeddedCluster;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DemoTest {
    @Test
    void namesEveryCharacterOfThisJdk() {
        Map<String, String> names = UnicodeNames.all();
        assertThat(names)
                .hasSizeBetween(140_000, 250_000)
                .containsEntry("U+000041", "LATIN CAPITAL LETTER A")
                .containsEntry("U+01F418", "ELEPHANT")
                .doesNotContainKey("U+00D800")
                .doesNotContainKey("U+00E000");
    }

    @Test
    void verificationSeesWhatIsWrongAndWhatIsMissing() {
        try (EmbeddedCluster cluster = EmbeddedCluster.start(1)) {
            HashTable<String, String> table =
                    cluster.client().createHashTable("names", TableOptions.defaults(), Codec.utf8(), Codec.utf8());
            Map<String, String> expected = Map.of("a", "1", "b", "2", "c", "3");
            table.putAll(expected);
            assertThat(Verification.of(table, expected)).isEqualTo(new Verification(3, 0, 0, 0));
            table.put("a", "other");
            table.remove("b");
            table.put("d", "4");
            Verification found = Verification.of(table, expected);
            assertThat(found).isEqualTo(new Verification(1, 2, 0, 1));
            assertThat(found.holds()).isFalse();
        }
    }

    @Test
    void theBricksCountCharactersByBlock(@TempDir Path directory) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        Screen screen = Screen.of(out, out);
        Map<String, Object> summary = new HashMap<>();
        Map<String, String> names = Map.of("U+000041", "A", "U+000042", "B", "U+01F600", "GRINNING FACE");
        BlockCounts blocks = new BlockCounts(new Narrator(screen), names, summary);
        try (EmbeddedCluster cluster = EmbeddedCluster.start(1)) {
            assertThat(blocks.show(cluster.client(), cluster.address(), TableOptions.defaults()))
                    .isTrue();
            assertThat(new BlockJoin(new Narrator(screen), blocks.blocks(), summary).show(cluster.address()))
                    .isTrue();
        }
        assertThat(out.toString(StandardCharsets.UTF_8))
                .contains("BASIC LATIN  2")
                .contains("EMOTICONS    1")
                .contains("plane 0  2")
                .contains("plane 1  1");
        assertThat(summary).containsEntry("blocks", 2);
        Path file = directory.resolve("characters.csv");
        blocks.export(file);
        assertThat(Files.readAllLines(file))
                .contains("code,name,block,script", "128512,GRINNING FACE,EMOTICONS,COMMON")
                .hasSize(4);
    }
}
