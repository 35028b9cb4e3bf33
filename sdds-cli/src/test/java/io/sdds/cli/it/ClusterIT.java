package io.sdds.cli.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.sdds.core.protocol.Checksum;
import io.sdds.core.protocol.Hello;
import io.sdds.core.protocol.HelloFrame;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One cluster of processes that serves while things are done to it. */
@Order(1)
class ClusterIT {
    private static final Duration PATIENCE = SddsProcess.PATIENCE;
    private static final int RECORDS = 40_000;

    /** A hello and why the connection is closed. */
    private static final int HELLO_AND_GOODBYE_BYTES_MAX = 500;

    @TempDir
    private static Path directory;

    private static UpProcess up;

    @BeforeAll
    static void startCluster() {
        up = UpProcess.start(directory.resolve("cluster"), 3);
    }

    @AfterAll
    static void stopCluster() {
        up.close();
        up.awaitNoProcess();
    }

    private static List<String> records(int count) {
        return IntStream.range(0, count)
                .mapToObj(k -> "key-" + k + "\tvalue of " + k)
                .toList();
    }

    @Test
    void aKilledLoadIsLoadedAgainAndTheCountIsExact() throws IOException {
        List<String> lines = records(RECORDS);
        Path file = Files.write(directory.resolve("records.tsv"), lines);
        up.run("table", "create", "killed", "--kind", "hash", "--capacity", "1000")
                .ok();
        try (SddsProcess load = up.startCommand("load", "killed", "-");
                OutputStream in = load.in()) {
            in.write((String.join("\n", lines.subList(0, RECORDS / 2)) + "\n").getBytes(StandardCharsets.UTF_8));
            in.flush();
            Awaitility.await().atMost(PATIENCE).until(() -> up.count("killed") > RECORDS / 8);
            load.signal("KILL");
            assertThat(load.end().exitCode()).isEqualTo(137);
        }
        JsonNode again =
                up.run("load", "killed", file.toString(), "--json").ok().json();
        assertThat(again.get("loaded").intValue()).isEqualTo(RECORDS);
        assertThat(up.count("killed")).isEqualTo(RECORDS);
        assertThat(up.run("dump", "killed").ok().out().lines().sorted().toList())
                .isEqualTo(lines.stream().sorted().toList());
        Awaitility.await()
                .atMost(PATIENCE)
                .untilAsserted(() -> assertThat(up.run("table", "describe", "killed", "--json")
                                .ok()
                                .json()
                                .get("partitions")
                                .size())
                        .isGreaterThan(20));
        assertThat(up.count("killed")).isEqualTo(RECORDS);
        assertThat(up.run("get", "killed", "key-39999").ok().out()).isEqualTo("value of 39999\n");
    }

    @Test
    void anInterruptedLoadTellsHowManyRecordsAreStored() throws IOException {
        up.run("table", "create", "interrupted").ok();
        try (SddsProcess load = up.startCommand("load", "interrupted", "-");
                OutputStream in = load.in()) {
            in.write((String.join("\n", records(1000)) + "\n").getBytes(StandardCharsets.UTF_8));
            in.flush();
            Awaitility.await().atMost(PATIENCE).until(() -> up.count("interrupted") == 1000);
            load.signal("INT");
            SddsProcess.Ended ended = load.end();
            assertThat(ended.exitCode()).isEqualTo(130);
            assertThat(ended.err()).contains("sdds load: interrupted; 1,000 records were stored");
        }
    }

    @Test
    void malformedBytesDisturbNobodyElse() throws IOException {
        up.run("table", "create", "disturbed").ok();
        try (SddsProcess load = up.startCommand("load", "disturbed", "-", "--json");
                OutputStream in = load.in()) {
            in.write("first\trecord\n".getBytes(StandardCharsets.UTF_8));
            in.flush();
            Awaitility.await().atMost(PATIENCE).until(() -> up.count("disturbed") == 1);
            for (int port : List.of(up.brickPort(1), up.brickPort(2), up.brickPort(3), up.brickPort(0))) {
                throwGarbageAt(port);
            }
            in.write((String.join("\n", records(1000)) + "\n").getBytes(StandardCharsets.UTF_8));
            in.close();
            assertThat(load.end().ok().json().get("loaded").intValue()).isEqualTo(1001);
        }
        assertThat(up.count("disturbed")).isEqualTo(1001);
        assertThat(Files.readString(directory.resolve("cluster/b1/log/sdds.log")))
                .contains("closing link")
                .contains("not an SDDS hello")
                .contains("frame length");
    }

    /** Each is answered by the end of its connection. */
    private static void throwGarbageAt(int port) throws IOException {
        byte[] random = new byte[4096];
        new SplittableRandom(port).nextBytes(random);
        random[3] = 0x7f;
        byte[] truncated = hello(0x53444453, 1);
        byte[] unknownOpcode = {8, 0, 0, 0, 99, 0, 0, 0};
        byte[] longFrame = {0, 0, 0, 0x40, 1, 0, 0, 0};
        byte[] shortFrame = {3, 0, 0, 0, 1, 0, 0, 0};
        assertThat(isClosedAfter(port, random)).isTrue();
        assertThat(isClosedAfter(port, "GET / HTTP/1.1\r\nHost: x\r\n\r\n".getBytes(StandardCharsets.US_ASCII)))
                .isTrue();
        assertThat(isClosedAfter(port, hello(0x12345678, 1))).isTrue();
        assertThat(isClosedAfter(port, hello(0x53444453, 77))).isTrue();
        assertThat(isClosedAfter(port, unknownOpcode)).isTrue();
        assertThat(isClosedAfter(port, hello(0x53444453, 1), longFrame)).isTrue();
        assertThat(isClosedAfter(port, hello(0x53444453, 1), shortFrame)).isTrue();
        assertThat(isClosedAfter(port, hello(0x53444453, 1), unknownOpcode)).isTrue();
        try (Socket leftOpen = new Socket(InetAddress.getLoopbackAddress(), port)) {
            leftOpen.getOutputStream().write(truncated, 0, 7);
        }
    }

    /** Of a client, with a range of one version. */
    private static byte[] hello(int magic, int version) {
        ByteBuf frame = Unpooled.buffer();
        HelloFrame.write(
                frame, Hello.of(Hello.Role.CLIENT, "x", 0).withFeatures(0).withVersions(version, version));
        frame.setIntLE(8, magic);
        int body = frame.readableBytes() - Integer.BYTES;
        frame.setIntLE(body, new Checksum().of(frame, 0, body));
        return ByteBufUtil.getBytes(frame);
    }

    private static boolean isClosedAfter(int port, byte[]... parts) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout(10_000);
            for (byte[] part : parts) {
                socket.getOutputStream().write(part);
            }
            InputStream in = socket.getInputStream();
            return in.readAllBytes().length < HELLO_AND_GOODBYE_BYTES_MAX;
        } catch (java.net.SocketTimeoutException e) {
            return false;
        } catch (java.net.SocketException e) {
            return true; // reset, which is an end as well
        }
    }

    @Test
    void theLauncherRunsWhatWasBuilt() {
        assertThat(SddsProcess.run("version", "--json")
                        .ok()
                        .json()
                        .get("version")
                        .isTextual())
                .isTrue();
    }

    @Test
    void theLauncherSaysThatAJdkIsMissing() {
        List<String> version = List.of(SddsProcess.LAUNCHER, "version");
        try (SddsProcess launched = SddsProcess.start(version, Map.of("SDDS_JAVA_HOME", "/nowhere"))) {
            SddsProcess.Ended ended = launched.end();
            assertThat(ended.exitCode()).isEqualTo(2);
            assertThat(ended.err()).contains("SDDS_JAVA_HOME=/nowhere is no Java 25");
            assertThat(ended.err().lines()).hasSize(1);
        }
    }

    @Test
    void aRuntimeWithoutACompilerRunsTheDistribution() throws IOException {
        Path runtime = directory.resolve("runtime");
        Path home = Path.of(System.getProperty("java.home"));
        Files.createDirectories(runtime.resolve("bin"));
        Files.copy(home.resolve("release"), runtime.resolve("release"));
        Path java = Files.writeString(
                runtime.resolve("bin/java"), "#!/bin/sh\nexec '" + home.resolve("bin/java") + "' \"$@\"\n");
        assertThat(java.toFile().setExecutable(true)).isTrue();
        List<String> version = List.of(SddsProcess.LAUNCHER, "--version");
        try (SddsProcess launched = SddsProcess.start(version, Map.of("SDDS_JAVA_HOME", runtime.toString()))) {
            assertThat(launched.end().ok().out()).startsWith("sdds ");
        }
    }

    @Test
    void aPersonAtATerminalIsAskedBeforeATableIsDropped() throws IOException {
        assumeThat(Path.of("/usr/bin/script")).exists();
        up.run("table", "create", "asked").ok();
        up.run("put", "asked", "k", "v").ok();
        String drop = "'" + SddsProcess.LAUNCHER + "' --connect " + up.address() + " table drop asked";
        for (String answer : List.of("n", "y")) {
            List<String> atTerminal = List.of("script", "--quiet", "--return", "--command", drop, "/dev/null");
            try (SddsProcess person = SddsProcess.start(atTerminal, Map.of())) {
                person.awaitOut("Drop table asked with its 1 record? [y/N]");
                person.in().write((answer + "\n").getBytes(StandardCharsets.UTF_8));
                person.in().flush();
                assertThat(person.end().exitCode()).as(person.out()).isEqualTo(answer.equals("y") ? 0 : 1);
            }
        }
        assertThat(up.run("table", "describe", "asked").exitCode()).isEqualTo(1);
    }

    @Test
    void keysAreUtf8WhateverTheLocaleSays() {
        up.run("table", "create", "locale").ok();
        List<String> words = new ArrayList<>(List.of(SddsProcess.LAUNCHER));
        words.addAll(List.of(SddsProcess.connected(up.address(), "put", "locale", "schlüssel", "значение")));
        try (SddsProcess put = SddsProcess.start(words, Map.of("LC_ALL", "C"))) {
            put.end().ok();
        }
        assertThat(up.run("scan", "locale").ok().out()).isEqualTo("schlüssel\tзначение\n");
    }

    @Test
    void brokenLinesAndUnknownTablesHaveTheirExitCodes() throws IOException {
        Path file = Files.writeString(directory.resolve("broken.csv"), "key,value\na,1\nb\nc,3\n");
        up.run("table", "create", "lines").ok();
        SddsProcess.Ended load = up.run("load", "lines", file.toString());
        assertThat(load.exitCode()).isEqualTo(1);
        assertThat(load.err()).isEqualTo(file + ":3: 1 columns, expected 2\n");
        assertThat(load.out()).startsWith("loaded 2 records into lines");
        assertThat(up.run("get", "nosuch", "k").exitCode()).isEqualTo(1);
        assertThat(up.run("get", "lines", "k", "--nosuch").exitCode()).isEqualTo(2);
        SddsProcess.Ended unreachable = SddsProcess.run("status", "--connect", "127.0.0.1:1");
        assertThat(unreachable.exitCode()).isEqualTo(3);
        assertThat(unreachable.err().lines()).hasSize(1);
    }
}
