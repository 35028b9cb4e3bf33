package io.sdds.testkit;

import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.FileVisitOption;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A PostgreSQL server of a test or benchmark, in a temporary directory, on a free loopback port, without fsync. It does
 * not run as root: the user {@code postgres} of the package runs it there.
 */
public final class PostgresServer implements AutoCloseable {
    /** Where Debian's package has the programs of each version. */
    private static final Path DEBIAN = Path.of("/usr/lib/postgresql");

    private static final int START_ATTEMPTS = 150;
    private static final int START_WAIT_MILLIS = 100;
    private static final int STOP_SECONDS = 30;

    private final Path directory;
    private final Path programs;
    private final Process process;
    private final int port;

    private PostgresServer(Path programs) throws IOException, InterruptedException, SQLException {
        this.programs = programs;
        directory = Files.createTempDirectory("sdds-postgres");
        if (isRoot()) {
            run(List.of("chown", "postgres", directory.toString()));
        }
        run(asUser(
                "initdb",
                "-D",
                data(),
                "-U",
                "sdds",
                "-A",
                "trust",
                "-N",
                "-E",
                "UTF8",
                "--lc-collate=C",
                "--lc-ctype=C.UTF-8",
                "--lc-messages=C"));
        port = freePort();
        process = new ProcessBuilder(asUser(
                        "postgres", "-D", data(), "-p", Integer.toString(port), "-h", "127.0.0.1", "-k", "", "-F"))
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
        awaitStart();
    }

    /** Starts a server; empty if no server is installed here. */
    public static Optional<PostgresServer> start() throws IOException, InterruptedException, SQLException {
        Optional<Path> programs = programs();
        return programs.isEmpty() ? Optional.empty() : Optional.of(new PostgresServer(programs.get()));
    }

    /** The directory of the newest server that is installed. */
    private static Optional<Path> programs() throws IOException {
        List<Path> candidates = new ArrayList<>();
        for (String entry : System.getenv().getOrDefault("PATH", "").split(File.pathSeparator)) {
            candidates.add(Path.of(entry));
        }
        if (Files.isDirectory(DEBIAN)) {
            try (Stream<Path> versions = Files.list(DEBIAN)) {
                versions.sorted(Comparator.reverseOrder())
                        .map(version -> version.resolve("bin"))
                        .forEach(candidates::add);
            }
        }
        return candidates.stream()
                .filter(candidate -> Files.isExecutable(candidate.resolve("initdb")))
                .findFirst();
    }

    /** For the JDBC driver of PostgreSQL. */
    public String url() {
        return "jdbc:postgresql://127.0.0.1:" + port + "/postgres?user=sdds";
    }

    private String data() {
        return directory.resolve("data").toString();
    }

    private List<String> asUser(String program, String... arguments) {
        List<String> command = new ArrayList<>();
        if (isRoot()) {
            command.addAll(List.of("setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"));
        }
        command.add(programs.resolve(program).toString());
        command.addAll(List.of(arguments));
        return command;
    }

    private static boolean isRoot() {
        return System.getProperty("user.name").equals("root");
    }

    private static void run(List<String> command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new IOException(command + " failed: " + output);
        }
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private void awaitStart() throws SQLException, InterruptedException {
        for (int k = 1; ; k++) {
            try (Connection connection = DriverManager.getConnection(url())) {
                return;
            } catch (SQLException e) {
                if (k == START_ATTEMPTS || !process.isAlive()) {
                    process.destroyForcibly();
                    throw e;
                }
                process.waitFor(START_WAIT_MILLIS, TimeUnit.MILLISECONDS);
            }
        }
    }

    @Override
    public void close() throws IOException, InterruptedException {
        run(asUser("pg_ctl", "stop", "-D", data(), "-m", "immediate"));
        if (!process.waitFor(STOP_SECONDS, TimeUnit.SECONDS)) {
            process.destroyForcibly();
        }
        try (Stream<Path> files = Files.walk(directory, new FileVisitOption[0])) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
