package io.sdds.cli.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.awaitility.Awaitility;

/** A {@code bin/sdds up}, ready. */
final class UpProcess implements AutoCloseable {
    private static final Duration PATIENCE = SddsProcess.PATIENCE;

    private final SddsProcess process;
    private final int port;
    private final Map<String, Long> pids = new LinkedHashMap<>();

    private UpProcess(SddsProcess process, int port) {
        this.process = process;
        this.port = port;
    }

    static UpProcess start(Path directory, int bricks, String... more) {
        return start(directory, bricks, SddsProcess.freePorts(bricks + 1), more);
    }

    static UpProcess start(Path directory, int bricks, int port, String... more) {
        List<String> args = new ArrayList<>(
                List.of("up", "--json", "--bricks", "" + bricks, "--port", "" + port, "--dir", directory.toString()));
        args.addAll(List.of(more));
        if (!args.contains("--memory")) {
            args.addAll(List.of("--memory", "256m"));
        }
        UpProcess up = new UpProcess(SddsProcess.start(args.toArray(String[]::new)), port);
        try {
            up.process.awaitOut("\n}\n");
            for (JsonNode each : new ObjectMapper().readTree(up.process.out()).get("processes")) {
                up.pids.put(each.get("id").textValue(), each.get("pid").longValue());
            }
            return up;
        } catch (IOException e) {
            up.close();
            throw new UncheckedIOException(e);
        } catch (RuntimeException | AssertionError e) {
            up.close();
            throw e;
        }
    }

    SddsProcess process() {
        return process;
    }

    String address() {
        return "127.0.0.1:" + port;
    }

    /** The port of a brick, by its number from 1. */
    int brickPort(int number) {
        return port + number;
    }

    /** The number of a member's process when the cluster was ready. */
    long pid(String id) {
        return pids.get(id);
    }

    /** Starts a command that connects to this cluster, in a process of its own. */
    SddsProcess startCommand(String... args) {
        return SddsProcess.start(SddsProcess.connected(address(), args));
    }

    /** Runs a command that connects to this cluster, in this JVM. */
    SddsProcess.Ended run(String... args) {
        return SddsProcess.runHere(address(), args);
    }

    long count(String table) {
        return Long.parseLong(run("scan", table, "--count").ok().out().strip());
    }

    JsonNode brick(String id) {
        for (JsonNode brick : run("status", "--json").ok().json().get("bricks")) {
            if (brick.get("id").textValue().equals(id)) {
                return brick;
            }
        }
        throw new AssertionError("no brick " + id);
    }

    /** Waits until this process and all it started are gone. */
    void awaitNoProcess() {
        Awaitility.await().atMost(PATIENCE).untilAsserted(() -> {
            assertThat(process.isAlive()).isFalse();
            assertThat(pids.values()).noneMatch(SddsProcess::isAlive);
        });
    }

    @Override
    public void close() {
        process.close();
        pids.values().stream()
                .flatMap(pid -> ProcessHandle.of(pid).stream())
                .filter(handle -> handle.info().command().orElse("").endsWith("java"))
                .forEach(ProcessHandle::destroyForcibly);
    }
}
