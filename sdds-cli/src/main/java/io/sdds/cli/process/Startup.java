package io.sdds.cli.process;

import io.sdds.cli.config.HostPort;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Lets {@code sdds status} know of an {@code sdds up} on this machine whose processes are not all ready yet: a file that is there until
 * they are, with the number of the process that will remove it. The coordinator cannot know how many bricks are to come.
 */
public final class Startup implements AutoCloseable {
    private final Path file;

    private Startup(Path file) {
        this.file = file;
    }

    /** Says that the cluster of that coordinator's port is starting. */
    static Startup begin(int port) throws IOException {
        Path file = file(port);
        Files.createDirectories(file.getParent());
        Files.writeString(file, Long.toString(ProcessHandle.current().pid()));
        return new Startup(file);
    }

    /** Whether a cluster at a loopback address is being started by a process that lives. */
    public static boolean isUnderWay(String address) {
        HostPort where = HostPort.parse("address", address);
        Path file = file(where.port());
        if (!Files.exists(file) || !where.isLoopback()) {
            return false;
        }
        try {
            return ProcessHandle.of(Long.parseLong(Files.readString(file).trim()))
                    .map(ProcessHandle::isAlive)
                    .orElse(false);
        } catch (IOException | NumberFormatException e) {
            return false; // it was removed meanwhile, or somebody wrote something else into it
        }
    }

    private static Path file(int port) {
        String user = System.getProperty("user.name", "");
        return Path.of(
                System.getProperty("java.io.tmpdir"),
                "sdds-" + user.replaceAll("\\W", "_"),
                "up-" + port + ".starting");
    }

    @Override
    public void close() {
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            // it ends with this process
        }
    }
}
