package io.sdds.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NewSeedsTest {
    private static final List<String> MODULES =
            List.of("sdds-core", "sdds-client", "sdds-brick", "sdds-coordinator", "sdds-testkit", "sdds-sim");

    private static Path checkout(Path root, String lineEnd) throws IOException {
        for (String module : MODULES) {
            Path sources = Files.createDirectories(root.resolve(module + "/src/main/java/p"));
            Files.writeString(sources.resolve("A.java"), "class A {" + lineEnd + "}" + lineEnd);
            Files.writeString(sources.resolve("B.java"), "class B {}");
            Path built = Files.createDirectories(root.resolve(module + "/target"));
            Files.writeString(built.resolve("when"), root.toString());
        }
        return root;
    }

    @Test
    void theSameSourcesGiveTheSameBaseWhereverTheyAre(@TempDir Path one, @TempDir Path other) throws IOException {
        assertThat(NewSeeds.ofSources(checkout(one, "\n")))
                .isNotNegative()
                .isEqualTo(NewSeeds.ofSources(checkout(other, "\r\n")));
    }

    @Test
    void changedMovedAndAddedSourcesGiveOtherBases(@TempDir Path root) throws IOException {
        long before = NewSeeds.ofSources(checkout(root, "\n"));
        Path source = root.resolve("sdds-brick/src/main/java/p/B.java");
        Files.writeString(source, "class B { }");
        long changed = NewSeeds.ofSources(root);
        Files.move(source, source.resolveSibling("C.java"));
        long moved = NewSeeds.ofSources(root);
        Files.writeString(source.resolveSibling("D.java"), "");
        long added = NewSeeds.ofSources(root);
        assertThat(List.of(before, changed, moved, added)).doesNotHaveDuplicates();
    }

    @Test
    void eachPurposeHasItsOwnSeedsAlwaysInTheSameOrder() {
        NewSeeds one = NewSeeds.of("one");
        NewSeeds again = NewSeeds.of("one");
        List<Long> first = List.of(one.next(), one.next(), one.next());
        assertThat(first)
                .isEqualTo(List.of(again.next(), again.next(), again.next()))
                .doesNotHaveDuplicates()
                .doesNotContain(NewSeeds.of("other").next());
    }

    @Test
    void theBaseIsANumberOrDrawnByChance() {
        assertThat(NewSeeds.chosen("42")).isEqualTo(42);
        assertThat(NewSeeds.chosen("random")).isNotEqualTo(NewSeeds.chosen("random"));
        assertThatThrownBy(() -> NewSeeds.chosen("time"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("-Dsdds.seed.base must be 'random' or a whole number, not 'time'");
    }
}
