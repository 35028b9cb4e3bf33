package io.sdds.cli.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Changes of many records on processes, by the commands that users have. */
@Order(1)
class ChangeIT {
    private static final int RECORDS = 5_000;

    @TempDir
    private Path directory;

    @Test
    void recordsThatMeetAConditionAreUpdatedAndRemovedWhileTheTableHasManyPartitions() throws IOException {
        List<String> lines = IntStream.range(0, RECORDS)
                .mapToObj(k -> "%s\t%d\t0".formatted(k % 2 == 0 ? "even" : "odd", k))
                .toList();
        Path file = Files.write(directory.resolve("numbers.tsv"), lines);
        try (UpProcess up = UpProcess.start(directory.resolve("cluster"), 2)) {
            for (String kind : List.of("hash", "range")) {
                up.run(
                                "table",
                                "create",
                                kind,
                                "--kind",
                                kind,
                                "--capacity",
                                "500",
                                "--schema",
                                "parity varchar key, number integer key, visits integer not null")
                        .ok();
                up.run("load", kind, file.toString(), "--format", "tsv").ok();
                assertThat(up.run("update", kind, "--where", "parity = 'even'", "--set", "visits = visits + number")
                                .ok()
                                .out())
                        .isEqualTo("updated 2,500 records\n");
                assertThat(up.run("scan", kind, "--select", "sum(visits) as n")
                                .ok()
                                .out())
                        .isEqualTo(IntStream.range(0, RECORDS / 2)
                                        .mapToLong(k -> 2L * k)
                                        .sum() + "\n");
                assertThat(up.run("delete", kind, "--where", "parity = 'odd' and number >= 100", "--json")
                                .ok()
                                .json()
                                .get("removed")
                                .intValue())
                        .isEqualTo(RECORDS / 2 - 50);
                assertThat(up.count(kind)).isEqualTo(RECORDS / 2 + 50);
                up.run("update", kind, "odd,7", "--set", "visits = 1", "--if", "visits = 0")
                        .ok();
                assertThat(up.run("update", kind, "odd,7", "--set", "visits = 1", "--if", "visits = 0")
                                .exitCode())
                        .isEqualTo(1);
            }
        }
    }
}
