package io.sdds.brick.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class NativePriorityTest {
    private static final Path STAT = Path.of("/proc/thread-self/stat");

    /** Index of the niceness, counted from the process' name on, which is in brackets. */
    private static final int NICE_FIELD = 17;

    private static final int NICENESS_MAX = 19;

    private static int niceness() {
        try {
            String stat = Files.readString(STAT);
            return Integer.parseInt(stat.substring(stat.lastIndexOf(')')).split(" ")[NICE_FIELD]);
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    @Test
    void threadThatGivesWayIsNicerAndOthersAreNot() throws Exception {
        assumeThat(STAT)
                .as("a system with the priorities of its threads in files")
                .exists();
        int before = niceness();
        CompletableFuture<Integer> after = new CompletableFuture<>();
        Thread.ofPlatform()
                .start(() -> {
                    NativePriority.giveWay();
                    after.complete(niceness());
                })
                .join();
        assertThat(after.join()).isEqualTo(Math.min(before + 10, NICENESS_MAX));
        assertThat(niceness()).isEqualTo(before);
    }
}
