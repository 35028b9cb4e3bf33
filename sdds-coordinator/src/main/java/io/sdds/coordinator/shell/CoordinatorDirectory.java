package io.sdds.coordinator.shell;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A coordinator's directory: whose it is, and that only one process uses it.
 *
 * <pre>
 * coordinator   text, KEY=VALUE a line: format, id, peers (ids, with commas), cluster (the identity of the group)
 * lock          held locked by the process that runs
 * raft/         the log
 * </pre>
 */
final class CoordinatorDirectory implements AutoCloseable {
    private static final String FORMAT = "1";
    private static final String IDENTITY = "coordinator";

    private final Path path;
    private final UUID cluster;
    private final FileChannel lockFile;

    private CoordinatorDirectory(Path path, UUID cluster, FileChannel lockFile) {
        this.path = path;
        this.cluster = cluster;
        this.lockFile = lockFile;
    }

    /**
     * Takes a directory for a coordinator, and makes it when it is missing.
     *
     * @throws WrongDirectoryException when it is another coordinator's, or in use
     */
    static CoordinatorDirectory take(CoordinatorConfig config) throws IOException {
        Path path = config.directory().toAbsolutePath();
        FileChannel lockFile = make(path);
        try {
            return new CoordinatorDirectory(path, identify(path, config), lockFile);
        } catch (IOException | RuntimeException e) {
            lockFile.close();
            throw e;
        }
    }

    private static FileChannel make(Path path) throws IOException {
        try {
            Files.createDirectories(path);
            return lock(path);
        } catch (FileSystemException e) {
            throw new IOException("can't use directory " + path + ": " + e, e);
        }
    }

    private static FileChannel lock(Path path) throws IOException {
        FileChannel file = FileChannel.open(path.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        @Nullable FileLock lock;
        try {
            lock = file.tryLock();
        } catch (OverlappingFileLockException e) {
            lock = null;
        }
        if (lock == null) {
            file.close();
            throw new WrongDirectoryException("directory " + path + " is in use by another process");
        }
        return file;
    }

    private static UUID identify(Path path, CoordinatorConfig config) throws IOException {
        Path file = path.resolve(IDENTITY);
        String peers = String.join(",", ids(config));
        try {
            Map<String, String> found = read(file);
            require(
                    FORMAT.equals(found.get("format")),
                    path,
                    "has format " + found.get("format") + ", this version reads " + FORMAT);
            require(
                    config.id().equals(found.get("id")),
                    path,
                    "belongs to coordinator '" + found.get("id") + "', not '" + config.id() + "'");
            require(
                    peers.equals(found.get("peers")),
                    path,
                    "belongs to a cluster with coordinators " + found.get("peers") + ", not " + peers);
            return UUID.fromString(found.getOrDefault("cluster", ""));
        } catch (NoSuchFileException e) {
            UUID cluster = newCluster(config);
            write(file, List.of("format=" + FORMAT, "id=" + config.id(), "peers=" + peers, "cluster=" + cluster));
            return cluster;
        }
    }

    private static void require(boolean condition, Path path, String otherwise) throws WrongDirectoryException {
        if (!condition) {
            throw new WrongDirectoryException("directory " + path + " " + otherwise);
        }
    }

    private static List<String> ids(CoordinatorConfig config) {
        return config.peers().isEmpty()
                ? List.of(config.id())
                : config.peers().stream()
                        .map(CoordinatorConfig.Peer::id)
                        .sorted()
                        .toList();
    }

    /** A coordinator alone draws its cluster's identity; several must come to the same one without having spoken. */
    private static UUID newCluster(CoordinatorConfig config) {
        if (config.peers().isEmpty()) {
            return UUID.randomUUID();
        }
        String names = "sdds "
                + config.peers().stream()
                        .map(peer -> peer.id() + "=" + peer.address())
                        .sorted()
                        .toList();
        return UUID.nameUUIDFromBytes(names.getBytes(StandardCharsets.UTF_8));
    }

    private static Map<String, String> read(Path file) throws IOException {
        Map<String, String> values = new LinkedHashMap<>();
        for (String line : Files.readAllLines(file)) {
            int equals = line.indexOf('=');
            if (equals > 0) {
                values.put(line.substring(0, equals), line.substring(equals + 1));
            }
        }
        return values;
    }

    private static void write(Path file, List<String> lines) throws IOException {
        Path unfinished = file.resolveSibling(file.getFileName() + ".tmp");
        Files.write(unfinished, lines);
        try (FileChannel channel = FileChannel.open(unfinished, StandardOpenOption.WRITE)) {
            channel.force(true);
        }
        Files.move(unfinished, file, StandardCopyOption.ATOMIC_MOVE);
    }

    /** The identity of the group of coordinators. */
    UUID cluster() {
        return cluster;
    }

    /** Where the log is. */
    Path raft() {
        return path.resolve("raft");
    }

    @Override
    public void close() throws IOException {
        lockFile.close();
    }
}
