package io.sdds.core.shell;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/** Writes files that survive a power loss. */
public final class DurableFile {
    private DurableFile() {}

    /**
     * Writes a file. A power loss before the method returns leaves the earlier file, or none, or the whole new file. A
     * later one leaves the new file, because the directory is on disk, too.
     */
    public static void write(Path file, byte[] bytes) throws IOException {
        Path parent = file.toAbsolutePath().getParent();
        Path unfinished = file.resolveSibling("." + file.getFileName() + ".tmp");
        try (FileChannel channel = FileChannel.open(
                unfinished,
                StandardOpenOption.CREATE,
                StandardOpenOption.TRUNCATE_EXISTING,
                StandardOpenOption.WRITE)) {
            ByteBuffer left = ByteBuffer.wrap(bytes);
            while (left.hasRemaining()) {
                channel.write(left);
            }
            channel.force(true);
        }
        Files.move(unfinished, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        if (parent != null) {
            try (FileChannel directory = FileChannel.open(parent, StandardOpenOption.READ)) {
                directory.force(true);
            }
        }
    }
}
