package io.sdds.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.sdds.cli.terminal.Screen;
import java.io.OutputStream;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ShortcutTest {
    private final SddsCommand sdds =
            new SddsCommand(Screen.of(OutputStream.nullOutputStream(), OutputStream.nullOutputStream()));

    @ParameterizedTest
    @ValueSource(
            strings = {
                "get t k",
                "--connect h:1 get t k",
                "get --connect=h:1 t --json k",
                "put t k v --timeout 250ms",
                "delete t k --hex",
                "status",
                "status --json",
                "sql commit",
                "sql --json commit",
                "brick-list --verbose",
                "brick --id b1 --dir d --listen h:1 --coordinators h:2,h:3 --memory 1g --attached",
                "up",
                "up --bricks 3 --port 7500 --dir d --memory 1g --respawn",
                "up --coordinators 3",
                "coordinator --id=c1 --dir d --listen h:1 --peers c1=h:1,c2=h:2,c3=h:3 --attached --bricks 4"
            })
    void takesWhatIsSimple(String arguments) {
        assertThat(Shortcut.find(sdds, arguments.split(" "))).isNotNull();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "get t",
                "get t k v",
                "get t k --help",
                "-h",
                "status --watch",
                "sql",
                "sql commit commit",
                "sql --csv commit",
                "sql -e commit",
                "get --nosuch t k",
                "get t -- k",
                "table list",
                "get t k --timeout soon",
                "get t k --connect",
                "get t k --connect --json",
                "help get",
                "statu",
                "get t -k",
                "brick --stages 2",
                "brick -c f",
                "brick --id",
                "brick --help",
                "brick --id b1 --id b2",
                "brick more",
                "coordinator --election-timeout 1s",
                "coordinator --bricks many",
                "get t k --attached",
                "get t --id k",
                "--id b1 brick",
                "up --bricks many",
                "up --coordinators three"
            })
    void leavesTheRestToTheParser(String arguments) {
        assertThat(Shortcut.find(sdds, arguments.split(" "))).isNull();
    }

    @Test
    void setsNothingWhenItLeavesTheRestToTheParser() {
        assertThat(Shortcut.find(sdds, "--json", "--connect", "h:1", "scan", "t"))
                .isNull();
        assertThat(sdds.json()).isFalse();
        assertThat(sdds.addresses()).containsExactly("127.0.0.1:7400");
    }

    @Test
    void takesSharedOptionsBeforeAndAfterTheCommand() {
        Shortcut.find(sdds, "--connect", "h:1,i:2", "get", "--timeout=250ms", "t", "k", "--json", "--hex");
        assertThat(sdds.addresses()).containsExactly("h:1", "i:2");
        assertThat(sdds.timeout()).isEqualTo(Duration.ofMillis(250));
        assertThat(sdds.json()).isTrue();
        assertThat(sdds.text().hex()).isTrue();
    }

    @ParameterizedTest
    @CsvSource({"get t k, true", "status, true", "sql commit, false", "up, false"})
    void onlyCommandsThatLeaveNoFileAndNoThreadMayHalt(String arguments, boolean isShort) {
        assertThat(Shortcut.find(sdds, arguments.split(" ")).isShort()).isEqualTo(isShort);
    }
}
