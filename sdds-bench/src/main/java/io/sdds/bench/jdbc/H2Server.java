package io.sdds.bench.jdbc;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A server of H2 in a process of its own, on a free loopback port. */
final class H2Server implements AutoCloseable {
    private static final Pattern STARTED = Pattern.compile("tcp://[^ ]*:(\\d+)");
    private static final int STOP_SECONDS = 10;

    private final Process process;
    private final String url;

    private H2Server(Process process, int port) {
        this.process = process;
        this.url = "jdbc:h2:tcp://127.0.0.1:" + port + "/mem:bench;DB_CLOSE_DELAY=-1";
    }

    static H2Server start(String jar) throws IOException {
        Process process = new ProcessBuilder(
                        ChildJvm.program(),
                        "-XX:+UseSerialGC",
                        "-Dh2.bindAddress=127.0.0.1",
                        "-cp",
                        jar,
                        "org.h2.tools.Server",
                        "-tcp",
                        "-tcpPort",
                        "0",
                        "-ifNotExists")
                .redirectErrorStream(true)
                .start();
        Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
        // The server writes no more than this line.
        BufferedReader output = process.inputReader(StandardCharsets.UTF_8);
        String line = output.readLine();
        Matcher started = STARTED.matcher(line == null ? "" : line);
        if (!started.find()) {
            process.destroyForcibly();
            throw new IOException("its server did not start: " + line);
        }
        return new H2Server(process, Integer.parseInt(started.group(1)));
    }

    String url() {
        return url;
    }

    @Override
    public void close() throws InterruptedException {
        process.destroy();
        if (!process.waitFor(STOP_SECONDS, TimeUnit.SECONDS)) {
            process.destroyForcibly();
        }
    }
}
