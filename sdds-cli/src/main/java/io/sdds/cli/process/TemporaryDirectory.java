package io.sdds.cli.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A directory for the processes of one run, which is deleted after the run. A killed process cannot delete its
 * directory. So each process that creates such a directory first deletes the directories of dead processes.
 *
 * <p>The owner holds a lock on a file in the directory. The system releases the lock when the process ends.
 */
public final class TemporaryDirectory implements AutoCloseable {
    private static final String PREFIX = "sdds-";
    private static final String LOCK = ".lock";
    private static final int ATTEMPTS_MAX = 100;

    private final Path path;
    private final FileChannel lock;

    private TemporaryDirectory(Path path, FileChannel lock) {
        this.path = path;
        this.lock = lock;
    }

    /**
     * Creates a directory among the temporary files of the system, and deletes the directories of dead processes.
     *
     * @param purpose part of the name of the directory
     */
    public static TemporaryDirectory create(String purpose) throws IOException {
        return create(Path.of(System.getProperty("java.io.tmpdir")), purpose);
    }

    static TemporaryDirectory create(Path parent, String purpose) throws IOException {
        deleteAbandoned(parent);
        for (int attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
            Path path = Files.createTempDirectory(parent, PREFIX + purpose + "-");
            FileChannel lock = locked(path.resolve(LOCK), true);
            if (lock != null) {
                return new TemporaryDirectory(path, lock);
            }
        }
        throw new IOException("cannot lock a directory in " + parent);
    }

    public Path path() {
        return path;
    }

    /** Keeps the directory with its logs. */
    public void keep() throws IOException {
        lock.close();
        Files.deleteIfExists(path.resolve(LOCK));
    }

    /** Deletes the directory. */
    @Override
    public void close() throws IOException {
        delete(path);
        lock.close();
    }

    // ---- directories of dead processes

    private static void deleteAbandoned(Path parent) {
        try (DirectoryStream<Path> candidates = Files.newDirectoryStream(parent, PREFIX + "*")) {
            for (Path candidate : candidates) {
                deleteIfAbandoned(candidate);
            }
        } catch (IOException e) {
            // the parent cannot be listed, so abandoned directories stay
        }
    }

    private static void deleteIfAbandoned(Path directory) {
        if (!Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS)
                || !Files.isRegularFile(directory.resolve(LOCK), LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        try (FileChannel lock = locked(directory.resolve(LOCK), false)) {
            if (lock != null) {
                delete(directory);
            }
        } catch (IOException | UncheckedIOException e) {
            // another user owns the directory, or a process still writes; the next process tries again
        }
    }

    /** Locks a file. Returns null if another process has the lock, or has deleted the file meanwhile. */
    private static @Nullable FileChannel locked(Path file, boolean isNew) throws IOException {
        FileChannel channel = isNew
                ? FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE)
                : FileChannel.open(file, StandardOpenOption.WRITE);
        try {
            FileLock lock = channel.tryLock();
            if (lock != null && Files.exists(file)) {
                return channel;
            }
        } catch (OverlappingFileLockException e) {
            // this process has the lock
        } catch (IOException e) {
            channel.close();
            throw e;
        }
        channel.close();
        return null;
    }

    /**
     * Deletes the directory, the lock file last, so that a later attempt finds a directory that could not be deleted.
     */
    private static void delete(Path directory) throws IOException {
        Path lock = directory.resolve(LOCK);
        List<Path> files;
        try (Stream<Path> all = Files.walk(directory)) {
            files = all.filter(file -> !file.equals(directory) && !file.equals(lock))
                    .sorted(Comparator.reverseOrder())
                    .toList();
        }
        for (Path file : files) {
            Files.deleteIfExists(file);
        }
        Files.deleteIfExists(lock);
        Files.deleteIfExists(directory);
    }
}
