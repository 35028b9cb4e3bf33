package io.sdds.cli.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TemporaryDirectoryTest {
    @TempDir
    private Path parent;

    @Test
    void isDeletedWithItsContent() throws IOException {
        Path path;
        try (TemporaryDirectory directory = TemporaryDirectory.create(parent, "test")) {
            path = directory.path();
            Files.createDirectories(path.resolve("b1/log"));
            Files.writeString(path.resolve("b1/log/sdds.log"), "text");
        }
        assertThat(path).doesNotExist();
        assertThat(parent).isEmptyDirectory();
    }

    @Test
    void whatADeadProcessLeftIsDeletedByTheNextOne() throws IOException {
        Path left = Files.createDirectories(parent.resolve("sdds-up-123/b1/log"));
        Files.writeString(left.resolve("sdds.log"), "text");
        Files.writeString(parent.resolve("sdds-up-123/.lock"), "");
        TemporaryDirectory.create(parent, "test").close();
        assertThat(parent).isEmptyDirectory();
    }

    @Test
    void whatALivingProcessUsesStays() throws IOException {
        try (TemporaryDirectory first = TemporaryDirectory.create(parent, "test");
                TemporaryDirectory second = TemporaryDirectory.create(parent, "test")) {
            assertThat(first.path()).isDirectory();
            assertThat(second.path()).isDirectory().isNotEqualTo(first.path());
        }
    }

    @Test
    void whatIsKeptStays() throws IOException {
        TemporaryDirectory kept = TemporaryDirectory.create(parent, "test");
        Files.writeString(kept.path().resolve("log"), "text");
        kept.keep();
        TemporaryDirectory.create(parent, "test").close();
        assertThat(kept.path().resolve("log")).exists();
    }

    @Test
    void directoriesOfOthersStay() throws IOException {
        Path other = Files.createDirectories(parent.resolve("sdds-it-1"));
        Path named = Files.createDirectories(parent.resolve("other"));
        Files.writeString(named.resolve(".lock"), "");
        TemporaryDirectory.create(parent, "test").close();
        assertThat(other).isDirectory();
        assertThat(named).isDirectory();
    }
}
