package io.sdds.core.shell;

import io.sdds.core.node.ClusterIdentity;
import io.sdds.core.protocol.ClusterId;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/**
 * The file {@code cluster-id} in a process's directory. It contains the id of the cluster as a line of text. An
 * operator who wants the directory to serve in another cluster removes the file.
 */
public final class ClusterIdFile {
    /** The name of the file. */
    public static final String NAME = "cluster-id";

    private ClusterIdFile() {}

    /**
     * The cluster that a directory belongs to. A directory without the file gets it when the process learns its
     * cluster. Until then nothing is written, and the directory need not exist.
     *
     * @throws IOException when the file can't be read, or contains no id
     */
    public static ClusterIdentity in(Path directory) throws IOException {
        Path file = directory.resolve(NAME);
        return new ClusterIdentity(read(file), learnt -> write(file, learnt));
    }

    private static ClusterId read(Path file) throws IOException {
        try {
            return ClusterId.parse(Files.readString(file).strip());
        } catch (NoSuchFileException e) {
            return ClusterId.UNKNOWN;
        } catch (IllegalArgumentException e) {
            throw new IOException("file " + file + " holds no id of a cluster", e);
        }
    }

    private static void write(Path file, ClusterId id) {
        try {
            DurableFile.write(file, (id + "\n").getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException("can't keep the id of the cluster in " + file, e);
        }
    }
}
