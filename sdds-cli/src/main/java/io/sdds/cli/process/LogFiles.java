package io.sdds.cli.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Log directory of this process. Must be set before the first logger is created. */
public final class LogFiles {
    private static final String PROPERTY = "sdds.log.dir";

    private LogFiles() {}

    /** The folder of the log files of a process that has a directory. */
    public static Path in(Path directory) {
        return directory.resolve("log");
    }

    /** Makes this process log into its directory. */
    public static void use(Path directory) throws IOException {
        Files.createDirectories(in(directory));
        System.setProperty(PROPERTY, in(directory).toString());
    }
}
