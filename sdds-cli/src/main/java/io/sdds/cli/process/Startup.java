package io.sdds.cli.process;

import io.sdds.cli.config.HostPort;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Lets {@code sdds status} know of an {@code sdds up} on this machine whose processes are not all ready yet: a file for each of their ports
 * that is there until they are, with the number of the process that will remove it. The coordinator can't know how many bricks are to come.
 */
public final class Startup implements AutoCloseable {
    private final List<Path> files;

    private Startup(List<Path> files) {
        this.files = files;
    }

    /** Says that a cluster with processes at these ports is starting. */
    static Startup begin(List<Integer> ports) throws IOException {
        List<Path> files = ports.stream().map(Startup::file).toList();
        Files.createDirectories(directory());
        for (Path file : files) {
            Files.writeString(file, Long.toString(ProcessHandle.current().pid()));
        }
        return new Startup(files);
    }

    /** Whether a cluster with a process at that address is being started by a process that lives. */
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

    private static Path directory() {
        String user = System.getProperty("user.name", "").replaceAll("\\W", "_");
        return Path.of(System.getProperty("java.io.tmpdir"), "sdds-" + user);
    }

    private static Path file(int port) {
        return directory().resolve("up-" + port + ".starting");
    }

    @Override
    public void close() {
        for (Path file : files) {
            try {
                Files.deleteIfExists(file);
            } catch (IOException e) {
                // what it says ends with this process
            }
        }
    }
}
