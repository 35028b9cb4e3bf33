package io.sdds.core.shell;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sdds.core.node.ClusterIdentity;
import io.sdds.core.protocol.ClusterId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClusterIdFileTest {
    private static final ClusterId ONE = ClusterId.random(new SplittableRandom(1));

    @TempDir
    Path directory;

    @Test
    void aDirectoryWithoutAnIdAdoptsTheFirstOneForGood() throws IOException {
        ClusterIdentity first = ClusterIdFile.in(directory);
        assertThat(first.id().isKnown()).isFalse();
        assertThat(first.learn(ClusterId.UNKNOWN)).isFalse();
        assertThat(directory).isEmptyDirectory();
        assertThat(first.learn(ONE)).isTrue();
        assertThat(first.learn(new ClusterId(1, 2))).isFalse();
        assertThat(first.id()).isEqualTo(ONE);
        assertThat(ClusterIdFile.in(directory).id()).isEqualTo(ONE);
        assertThat(Files.readString(directory.resolve("cluster-id"))).isEqualTo(ONE + "\n");
        assertThat(directory.toFile().list()).containsExactly("cluster-id");
    }

    @Test
    void refusesAFileThatHoldsNoId() throws IOException {
        Files.writeString(directory.resolve("cluster-id"), "cut of");
        assertThatThrownBy(() -> ClusterIdFile.in(directory))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("cluster-id holds no id of a cluster");
    }
}
