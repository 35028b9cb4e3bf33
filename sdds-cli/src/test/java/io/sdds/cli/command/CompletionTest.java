package io.sdds.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What bash proposes once it has read the script. */
class CompletionTest {
    @TempDir
    private Path directory;

    @ParameterizedTest
    @CsvSource({
        "ta, table",
        "sta, status",
        "table cr, create",
        "table drop --y, --yes",
        "table create t --ki, --kind",
        "get --tim, --timeout",
        "table create t --kind ra, range",
        "table create t --routing image+, image+multicast",
        "bench hash --mode re, read",
        "completion z, zsh"
    })
    void bashCompletesTheLastWord(String typed, String completed) throws IOException, InterruptedException {
        assertThat(proposals(typed)).contains(completed);
    }

    @Test
    void neitherHiddenCommandsNorConstantsAreProposed() throws IOException, InterruptedException {
        assertThat(proposals("table create t --kind ")).containsExactlyInAnyOrder("hash", "range");
        String script = Sdds.run("completion", "bash").out();
        assertThat(script).doesNotContain("aot-training", "chaos-client", "attached", "MULTICAST", "NDJSON");
    }

    @Test
    void zshTakesTheSameScript() {
        assertThat(Sdds.run("completion", "zsh").out())
                .isEqualTo(Sdds.run("completion", "bash").out())
                .contains("bashcompinit");
    }

    private List<String> proposals(String typed) throws IOException, InterruptedException {
        Sdds run = Sdds.run("completion", "bash");
        assertThat(run.exitCode()).as(run.err()).isZero();
        Path script = Files.writeString(directory.resolve("completion"), run.out());
        String words = "sdds " + typed + (typed.endsWith(" ") ? "''" : "");
        String commands = "source '" + script + "'; COMP_WORDS=(" + words
                + "); COMP_CWORD=$((${#COMP_WORDS[@]}-1)); _complete_sdds; printf '%s\\n' \"${COMPREPLY[@]}\"";
        Process bash = new ProcessBuilder("bash", "--norc", "-c", commands)
                .redirectError(ProcessBuilder.Redirect.DISCARD) // compopt complains: this is no completion in a shell
                .start();
        String out = new String(bash.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(bash.waitFor()).as(out).isZero();
        return out.lines().map(String::strip).toList();
    }
}
