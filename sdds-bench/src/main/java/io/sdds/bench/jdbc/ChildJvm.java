package io.sdds.bench.jdbc;

import java.nio.file.Path;

/** The Java that runs this process. */
final class ChildJvm {
    private ChildJvm() {}

    static String program() {
        return Path.of(System.getProperty("java.home"), "bin", "java").toString();
    }
}
