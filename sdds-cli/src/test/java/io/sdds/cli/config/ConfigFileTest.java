package io.sdds.cli.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ConfigFileTest {
    private static final Path CONF =
            Path.of(System.getProperty("sdds.home", "..")).resolve("conf");

    @TempDir
    private Path directory;

    @Test
    void theFileOfABrickSaysTheDefaults() {
        assertThat(ConfigFile.read(CONF.resolve("brick.yaml"), BrickOptions.class))
                .isEqualTo(BrickOptions.DEFAULTS);
    }

    @Test
    void theFileOfACoordinatorSaysTheDefaults() {
        assertThat(ConfigFile.read(CONF.resolve("coordinator.yaml"), CoordinatorOptions.class))
                .isEqualTo(CoordinatorOptions.DEFAULTS);
    }

    @Test
    void readsWhatIsSaidAndLeavesTheRestOpen() throws IOException {
        BrickOptions read = ConfigFile.read(
                file("id: b7\n"
                        + "memory: 512m\n"
                        + "coordinators: [h1:1, h2:2]\n"
                        + "http: 8080\n"
                        + "insecure: true\n"
                        + "erasure-kernel: vector\n"
                        + "weight: 2.5\n"),
                BrickOptions.class);
        assertThat(read)
                .isEqualTo(new BrickOptions(
                        "b7",
                        null,
                        null,
                        List.of("h1:1", "h2:2"),
                        new Size(512L << 20),
                        null,
                        null,
                        true,
                        8080,
                        null,
                        null,
                        "vector",
                        2.5));
        assertThat(ConfigFile.read(
                        file("silence: 2s\nsession-lease: 5m\npeers: [c1=h:1]\nelection-timeout: 1s\n"),
                        CoordinatorOptions.class))
                .isEqualTo(new CoordinatorOptions(
                        null,
                        null,
                        null,
                        List.of("c1=h:1"),
                        null,
                        Duration.ofSeconds(2),
                        Duration.ofMinutes(5),
                        Duration.ofSeconds(1),
                        null,
                        null));
    }

    @Test
    void anEmptyFileSaysNothing() throws IOException {
        BrickOptions nothing =
                new BrickOptions(null, null, null, null, null, null, null, null, null, null, null, null, null);
        assertThat(ConfigFile.read(file(""), BrickOptions.class)).isEqualTo(nothing);
        assertThat(ConfigFile.read(file("# only a comment\n"), BrickOptions.class))
                .isEqualTo(nothing);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "id: b1~memry: 2g | :2: memry: unknown key; known keys are advertise, clients, coordinators, dir,"
                        + " erasure-kernel, http,",
                "~memory: 2z | :2: memory: '2z' is not a size",
                "id: b1~~stages: many | :3: stages: 'many' is not a whole number",
                "stages: 1.5 | :1: stages: '1.5' is not a whole number",
                "weight: heavy | :1: weight: 'heavy' is not a number",
                "insecure: maybe | :1: insecure: 'maybe' is not true or false",
                "coordinators: h:1 | :1: coordinators: 'h:1' is not a list",
                "id: [a] | :1: id: '[a]' is not a text",
                "id: a~id: b | :2: invalid YAML: Duplicate field 'id'",
                "id: \"a | : invalid YAML",
                "hello | :1: expected keys with values"
            })
    void refusesWithFileLineKeyAndWhatWasExpected(String content, String message) throws IOException {
        Path file = file(content.replace('~', '\n'));
        assertThatThrownBy(() -> ConfigFile.read(file, BrickOptions.class))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(file.toString())
                .hasMessageContaining(message)
                .message()
                .doesNotContain("\n");
    }

    @Test
    void refusesAFileThatIsNotThere() {
        assertThatThrownBy(() -> ConfigFile.read(directory.resolve("none.yaml"), BrickOptions.class))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("none.yaml: no such configuration file");
    }

    @Test
    void aValueOutOfRangeIsLocatedWhereTheFileSaysIt() throws IOException {
        Path file = file("id: b1\nhttp: 70000\n");
        BrickOptions flags =
                new BrickOptions(null, null, null, null, null, null, null, null, null, null, null, null, null);
        BrickOptions options =
                flags.or(ConfigFile.read(file, BrickOptions.class)).or(BrickOptions.DEFAULTS);
        assertThatThrownBy(options::config)
                .isInstanceOfSatisfying(
                        IllegalArgumentException.class,
                        failure -> assertThat(ConfigFile.located(file, flags, failure))
                                .hasMessage(file + ":2: http: '70000' is not a port from 0 to 65535"));
    }

    @Test
    void anErasureKernelThatDoesNotExistIsRefused() throws IOException {
        BrickOptions options = ConfigFile.read(file("erasure-kernel: fast\n"), BrickOptions.class)
                .or(BrickOptions.DEFAULTS);
        assertThatThrownBy(options::config)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("erasure-kernel: 'fast' is not auto, isal, vector or reed-solomon");
    }

    @ParameterizedTest
    @CsvSource({"0.09", "0", "-1", "100.1"})
    void aWeightThatIsOutOfRangeIsRefused(String weight) throws IOException {
        BrickOptions options = ConfigFile.read(file("weight: " + weight + "\n"), BrickOptions.class)
                .or(BrickOptions.DEFAULTS);
        assertThatThrownBy(options::config)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageMatching("weight: '[-.0-9]+' is not a number from 0.1 to 100");
    }

    @Test
    void aSilenceThatNoHeartbeatCouldKeepIsRefusedWithWhatToDo() throws IOException {
        CoordinatorOptions options = ConfigFile.read(file("dir: x\nsilence: 10ms\n"), CoordinatorOptions.class)
                .or(CoordinatorOptions.DEFAULTS);
        assertThatThrownBy(options::config)
                .hasMessage("silence: 10ms is not within 300ms and 1d: a brick that is well may pause for longer than"
                        + " that; leave it at 1500ms");
    }

    @Test
    void aFlagThatIsOutOfRangeIsNotBlamedOnTheFile() throws IOException {
        Path file = file("http: 8080\n");
        BrickOptions flags =
                new BrickOptions(null, null, null, null, null, null, null, null, 70_000, null, null, null, null);
        BrickOptions options =
                flags.or(ConfigFile.read(file, BrickOptions.class)).or(BrickOptions.DEFAULTS);
        assertThatThrownBy(options::config)
                .isInstanceOfSatisfying(
                        IllegalArgumentException.class,
                        failure -> assertThat(ConfigFile.located(file, flags, failure))
                                .hasMessage("http: '70000' is not a port from 0 to 65535"));
    }

    @Test
    void flagsOverrideTheFileAndTheFileOverridesDefaults() throws IOException {
        BrickOptions flags =
                new BrickOptions("flag", null, null, null, null, null, null, null, null, null, null, null, null);
        BrickOptions merged = flags.or(ConfigFile.read(file("id: file\nstages: 3\n"), BrickOptions.class))
                .or(BrickOptions.DEFAULTS);
        assertThat(merged.id()).isEqualTo("flag");
        assertThat(merged.stages()).isEqualTo(3);
        assertThat(merged.listen()).isEqualTo("127.0.0.1:7401");
    }

    @Test
    void listensBeyondLoopbackOnlyWhenToldThatItIsInsecure() {
        BrickOptions open = new BrickOptions(
                null, "0.0.0.0:7401", null, null, null, null, null, null, null, null, null, null, null);
        assertThatThrownBy(() -> open.or(BrickOptions.DEFAULTS).config())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("--insecure");
        BrickOptions allowed =
                new BrickOptions(null, null, null, null, null, null, null, true, null, null, null, null, null);
        assertThat(open.or(allowed).or(BrickOptions.DEFAULTS).config().listenHost())
                .isEqualTo("0.0.0.0");
    }

    private Path file(String content) throws IOException {
        return Files.writeString(Files.createTempFile(directory, "c", ".yaml"), content);
    }
}
