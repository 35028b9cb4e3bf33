package io.sdds.bench.jdbc;

import io.sdds.bench.load.LoadException;
import io.sdds.testkit.PostgresServer;
import java.io.File;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A database that is measured, and the server that was started for it. */
final class Database implements AutoCloseable {
    static final String SDDS = "SDDS";

    /** A class of each library that writes logs here. */
    private static final List<String> LOGGING = List.of("ch.qos.logback.classic.Logger", "ch.qos.logback.core.Context");

    private final String name;
    private final String url;
    private final List<String> classPath;
    private final @Nullable AutoCloseable server;

    /** A database in memory lives as long as it has a connection. */
    private @Nullable Connection kept;

    private Database(String name, String url, List<String> classPath, @Nullable AutoCloseable server) {
        this.name = name;
        this.url = url;
        this.classPath = classPath;
        this.server = server;
    }

    /**
     * The cluster at some addresses. Its class path is that of this process without other databases' drivers, and
     * without what writes logs: the application chooses that, and starts it before or after.
     */
    static Database sdds(List<String> addresses) {
        Stream<String> drivers = Arrays.stream(Peer.values())
                .filter(peer -> peer != Peer.DUCKDB) // the driver of SDDS has it
                .map(Peer::driver);
        List<String> others = Stream.concat(drivers, LOGGING.stream())
                .map(Database::library)
                .flatMap(Optional::stream)
                .toList();
        List<String> libraries = Arrays.stream(
                        System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(library -> !others.contains(library))
                .toList();
        return new Database(SDDS, "jdbc:sdds://" + String.join(",", addresses), libraries, null);
    }

    /**
     * Finds a database, and starts its server.
     *
     * @param postgresql URL of a server that runs; null: it is started
     * @throws LoadException if the database is not here; the message says why
     */
    static Database of(Peer peer, @Nullable String postgresql) throws InterruptedException {
        String driver =
                library(peer.driver()).orElseThrow(() -> new LoadException("its driver is not on the class path"));
        List<String> libraries =
                List.of(driver, library(FirstConnection.class.getName()).orElseThrow());
        try {
            Database made = switch (peer) {
                case POSTGRESQL -> postgresql(postgresql, libraries);
                case H2 -> {
                    H2Server server = H2Server.start(driver);
                    yield new Database(peer.text(), server.url(), libraries, server);
                }
                case DUCKDB ->
                    new Database(peer.text(), "jdbc:duckdb::memory:bench" + UUID.randomUUID(), libraries, null);
            };
            return made.reached();
        } catch (IOException | SQLException e) {
            throw new LoadException(
                    String.valueOf(e.getMessage()).lines().findFirst().orElse(""), e);
        }
    }

    private static Database postgresql(@Nullable String url, List<String> libraries)
            throws IOException, InterruptedException, SQLException {
        if (url != null) {
            return new Database(Peer.POSTGRESQL.text(), url, libraries, null);
        }
        PostgresServer server = PostgresServer.start()
                .orElseThrow(() -> new LoadException("no server is installed here, and no URL is given"));
        return new Database(Peer.POSTGRESQL.text(), server.url(), libraries, server);
    }

    private Database reached() throws SQLException {
        try {
            kept = connect();
            return this;
        } catch (SQLException e) {
            close();
            throw e;
        }
    }

    /** The jar, or folder, of a class; empty if it is not on the class path. */
    private static Optional<String> library(String className) {
        try {
            Class<?> found = Class.forName(className, false, Database.class.getClassLoader());
            return Optional.of(Path.of(found.getProtectionDomain()
                            .getCodeSource()
                            .getLocation()
                            .toURI())
                    .toString());
        } catch (ClassNotFoundException | URISyntaxException e) {
            return Optional.empty();
        }
    }

    String name() {
        return name;
    }

    String url() {
        return url;
    }

    /** The class path of an application that uses the driver. */
    String classPath() {
        return classPath.stream().collect(Collectors.joining(File.pathSeparator));
    }

    Connection connect() throws SQLException {
        return DriverManager.getConnection(url);
    }

    @Override
    public void close() {
        try {
            if (kept != null) {
                kept.close();
            }
            if (server != null) {
                server.close();
            }
        } catch (Exception e) {
            if (e instanceof InterruptedException) {
                Thread.currentThread().interrupt();
            }
            throw new LoadException("cannot end the server of " + name + ": " + e.getMessage(), e);
        }
    }
}
