package io.sdds.coordinator.shell;

import io.sdds.coordinator.raft.Position;
import io.sdds.core.shell.DurableFile;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A coordinator's directory. It belongs to one coordinator, and only one process uses it at a time.
 *
 * <pre>
 * coordinator   text, KEY=VALUE a line: format, id, peers (with commas), cluster (the identity of the group; before the
 *               coordinator is a member, the identity that it would begin), member (whether it takes part), term,
 *               last-term, last-index (the end of the other coordinators' log when this one joined with an empty
 *               directory, until it has caught up)
 * lock          locked by the running process
 * raft/         the log
 * </pre>
 */
final class CoordinatorDirectory implements AutoCloseable {
    private static final String FORMAT = "1";
    static final String IDENTITY = "coordinator";

    private final Path path;
    private final FileChannel lockFile;
    private final List<String> owner;
    private volatile UUID cluster;
    private volatile boolean member;
    private volatile Position behind = Position.NONE;

    private CoordinatorDirectory(Path path, CoordinatorConfig config, FileChannel lockFile) throws IOException {
        this.path = path;
        this.lockFile = lockFile;
        this.owner = List.of("format=" + FORMAT, "id=" + config.id(), "peers=" + String.join(",", peers(config)));
        this.cluster = UUID.randomUUID();
        this.member = config.peers().isEmpty();
        identify(config);
    }

    /**
     * Takes a directory for a coordinator. Makes the directory when it is missing.
     *
     * @throws WrongDirectoryException when the directory belongs to another coordinator, or is in use
     */
    static CoordinatorDirectory take(CoordinatorConfig config) throws IOException {
        Path path = config.directory().toAbsolutePath();
        FileChannel lockFile = make(path);
        try {
            return new CoordinatorDirectory(path, config, lockFile);
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

    private void identify(CoordinatorConfig config) throws IOException {
        String peers = String.join(",", peers(config));
        try {
            Map<String, String> found = read(path.resolve(IDENTITY));
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
            cluster = UUID.fromString(found.getOrDefault("cluster", ""));
            member = Boolean.parseBoolean(found.getOrDefault("member", "true"));
            behind = new Position(
                    Long.parseLong(found.getOrDefault("term", "0")),
                    Long.parseLong(found.getOrDefault("last-term", "0")),
                    Long.parseLong(found.getOrDefault("last-index", "-1")));
        } catch (NoSuchFileException e) {
            write();
        }
    }

    /**
     * Makes this coordinator a member of a cluster.
     *
     * @param others the end of the other coordinators' logs. This coordinator may have had these entries in an earlier
     *     life, so it must have them again before it votes
     */
    void join(UUID found, Position others) throws IOException {
        cluster = found;
        member = true;
        behind = others;
        write();
    }

    /**
     * This coordinator has caught up with the end of the others' logs. The directory keeps their term, because the
     * coordinator still does not know how it voted.
     */
    void caughtUp() throws IOException {
        behind = new Position(behind.term(), 0, -1);
        write();
    }

    private synchronized void write() throws IOException {
        List<String> lines = new ArrayList<>(owner);
        lines.add("cluster=" + cluster);
        lines.add("member=" + member);
        if (behind.term() > 0) {
            lines.add("term=" + behind.term());
        }
        if (behind.lastIndex() >= 0) {
            lines.addAll(List.of("last-term=" + behind.lastTerm(), "last-index=" + behind.lastIndex()));
        }
        write(path.resolve(IDENTITY), lines);
    }

    private static void require(boolean condition, Path path, String otherwise) throws WrongDirectoryException {
        if (!condition) {
            throw new WrongDirectoryException("directory " + path + " " + otherwise);
        }
    }

    private static List<String> peers(CoordinatorConfig config) {
        return config.peers().isEmpty()
                ? List.of(config.id())
                : config.peers().stream()
                        .map(peer -> peer.id() + "=" + peer.address())
                        .sorted()
                        .toList();
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
        DurableFile.write(file, (String.join("\n", lines) + "\n").getBytes(StandardCharsets.UTF_8));
    }

    /**
     * The identity of the group of coordinators. Before this coordinator is a member, the identity that it would begin
     * as the first coordinator.
     */
    UUID cluster() {
        return cluster;
    }

    /** Whether this coordinator is a member of a cluster; otherwise the directory was empty. */
    boolean isMember() {
        return member;
    }

    /** The position that this coordinator must reach before it votes; usually {@link Position#NONE}. */
    Position behind() {
        return behind;
    }

    Path path() {
        return path;
    }

    /** The directory of the log. */
    Path raft() {
        return path.resolve("raft");
    }

    @Override
    public void close() throws IOException {
        lockFile.close();
    }
}
