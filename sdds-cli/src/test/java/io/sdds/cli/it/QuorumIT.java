package io.sdds.cli.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.sdds.client.Codec;
import io.sdds.client.HashTable;
import io.sdds.client.SddsClient;
import io.sdds.client.SddsException;
import io.sdds.client.TableOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Three coordinators as processes, of which some die, or come back without their disk. */
@Order(1)
@Execution(ExecutionMode.CONCURRENT)
class QuorumIT {
    private static final Duration PATIENCE = SddsProcess.PATIENCE;
    private static final int RECORDS = 10_000;

    @TempDir
    private Path directory;

    private int port;
    private final Map<String, SddsProcess> running = new TreeMap<>();

    @BeforeEach
    void choosePorts() {
        port = SddsProcess.freePorts(5);
    }

    @AfterEach
    void stop() {
        running.values().forEach(SddsProcess::close);
    }

    private String address(int number) {
        return "127.0.0.1:" + (port + number - 1);
    }

    private String addresses() {
        return String.join(
                ",", IntStream.rangeClosed(1, 3).mapToObj(this::address).toList());
    }

    private String peers() {
        return String.join(
                ",",
                IntStream.rangeClosed(1, 3)
                        .mapToObj(k -> "c" + k + "=" + address(k))
                        .toList());
    }

    private SddsProcess coordinator(int number) {
        SddsProcess process = SddsProcess.start(
                "coordinator",
                "--id",
                "c" + number,
                "--listen",
                address(number),
                "--peers",
                peers(),
                "--dir",
                directory.resolve("c" + number).toString());
        running.put("c" + number, process);
        return process;
    }

    private void brick(int number) {
        running.put(
                "b" + number,
                SddsProcess.start(
                        "brick",
                        "--id",
                        "b" + number,
                        "--listen",
                        address(3 + number),
                        "--coordinators",
                        addresses(),
                        "--memory",
                        "256m"));
    }

    private void startAll() {
        for (int k = 1; k <= 3; k++) {
            coordinator(k);
        }
        brick(1);
        brick(2);
        await().until(() -> status().path("bricks").size() == 2);
    }

    private void kill(String id) {
        SddsProcess process = running.remove(id);
        process.signal("KILL");
        process.end();
        process.close();
    }

    private SddsProcess.Ended run(String... args) {
        return SddsProcess.runHere(addresses(), args);
    }

    private JsonNode status() {
        SddsProcess.Ended status = run("status", "--json");
        return status.exitCode() == 0 ? status.json() : com.fasterxml.jackson.databind.node.MissingNode.getInstance();
    }

    private String leader() {
        return status().path("coordinator").asText();
    }

    private void awaitUp(String... ids) {
        await().untilAsserted(() -> {
            List<String> up = new ArrayList<>();
            for (JsonNode each : status().path("coordinators")) {
                if (each.get("up").booleanValue()) {
                    up.add(each.get("id").textValue());
                }
            }
            assertThat(up).contains(ids);
        });
    }

    @Test
    void theLeaderDiesWhileATableGrowsAndAllGoesOn() throws InterruptedException {
        startAll();
        try (SddsClient client = SddsClient.connect(List.of(addresses().split(",")))) {
            HashTable<String, String> table =
                    client.createHashTable("growing", TableOptions.capacity(500), Codec.utf8(), Codec.utf8());
            AtomicInteger written = new AtomicInteger();
            AtomicBoolean failed = new AtomicBoolean();
            Thread load = Thread.ofPlatform().start(() -> {
                try {
                    for (int k = 0; k < RECORDS; k++) {
                        table.put("key-" + k, "value-" + k);
                        written.incrementAndGet();
                    }
                } catch (RuntimeException e) {
                    failed.set(true);
                    throw e;
                }
            });
            await().until(() -> written.get() > RECORDS / 5);
            String dies = leader();
            kill(dies);
            load.join(PATIENCE.toMillis() * 2);
            assertThat(failed).as("a write failed").isFalse();
            assertThat(written).hasValue(RECORDS);
            assertThat(leader()).isNotEmpty().isNotEqualTo(dies);
            await().until(() -> client.status(false).splits().isEmpty()
                    && client.status(false).tables().get(0).partitions() > 12);
            assertThat(table.size()).isEqualTo(RECORDS);
            coordinator(Integer.parseInt(dies.substring(1)));
            awaitUp("c1", "c2", "c3");
        }
    }

    @Test
    void withoutAQuorumTablesServeAndItIsToldWhatIsMissing() {
        startAll();
        run("table", "create", "t", "--capacity", "10").ok();
        try (SddsClient client = SddsClient.connect(List.of(addresses().split(",")))) {
            HashTable<String, String> table = client.hashTable("t", Codec.utf8(), Codec.utf8());
            table.put("before", "1");
            kill("c1");
            kill("c3");
            SddsProcess.Ended status = run("status", "--timeout", "8s");
            assertThat(status.exitCode()).as(status.err()).isEqualTo(3);
            assertThat(status.err().lines())
                    .singleElement()
                    .asString()
                    .contains("no coordinator has led for")
                    .contains("c1 (" + address(1) + ")")
                    .contains("at least 2 must run");
            SddsProcess.Ended create = run("table", "create", "u", "--timeout", "3s");
            assertThat(create.exitCode()).as(create.err()).isEqualTo(3);
            for (int k = 0; k < 100; k++) {
                table.put("without" + k, "2");
            }
            assertThat(table.get("before")).isEqualTo("1");
            coordinator(3);
            // The attempt that was given up may have created the table.
            await().until(() -> run("table", "create", "u").exitCode() == 0
                    || run("table", "describe", "u").exitCode() == 0);
            await().until(() -> client.status(false).tables().get(0).partitions() > 5);
            assertThat(table.size()).isEqualTo(101);
        }
    }

    /**
     * As long as a busy machine may keep a process waiting; the shortest election timeout leaves some time more, since
     * this machine may be busy.
     */
    @Test
    @Tag("soak")
    void aLeaderThatPausesLeadsOn() throws IOException {
        for (int k = 1; k <= 3; k++) {
            coordinator(k);
        }
        await().until(() -> !leader().isEmpty());
        String leader = leader();
        assertThat(timesLed()).isOne();
        for (int k = 0; k < 3; k++) {
            running.get(leader).pause();
            pass(Duration.ofMillis(800));
            running.get(leader).signal("CONT");
            pass(Duration.ofMillis(2500)); // by then another would lead
        }
        assertThat(leader()).isEqualTo(leader);
        assertThat(timesLed()).isOne();
    }

    private static ConditionFactory await() {
        return Awaitility.await().atMost(PATIENCE);
    }

    private static void pass(Duration time) {
        Awaitility.await().pollDelay(time).until(() -> true);
    }

    /** How often any coordinator has begun to lead, by their logs. */
    private long timesLed() throws IOException {
        long times = 0;
        for (int k = 1; k <= 3; k++) {
            try (Stream<String> lines = Files.lines(directory.resolve("c" + k + "/log/sdds.log"))) {
                times += lines.filter(line -> line.matches(".* coordinator c\\d leads"))
                        .count();
            }
        }
        return times;
    }

    /**
     * It takes some hundred milliseconds until it knows that it leads no more; another may have been elected by then.
     */
    @Test
    @Tag("soak")
    void aLeaderWithoutAMajorityTellsNothingFromTheFirstMomentOn() {
        startAll();
        try (SddsClient client = SddsClient.connect(List.of(addresses().split(",")))) {
            List<SddsProcess> others = new ArrayList<>();
            String leader = client.status(false).coordinator();
            for (String id : List.of("c1", "c2", "c3")) {
                if (!id.equals(leader)) {
                    others.add(running.get(id));
                }
            }
            others.forEach(SddsProcess::pause);
            try {
                assertThatThrownBy(
                                () -> client.withTimeout(Duration.ofSeconds(2)).status(false))
                        .isInstanceOf(SddsException.class);
            } finally {
                others.forEach(process -> process.signal("CONT"));
            }
            awaitUp("c1", "c2", "c3");
        }
    }

    @Test
    @Tag("soak")
    void allCoordinatorsDieAndKnowTheirTablesAgain() {
        startAll();
        for (int k = 0; k < 5; k++) {
            run("table", "create", "t" + k, "--capacity", "" + (100 + k)).ok();
        }
        run("put", "t3", "k", "v").ok();
        for (int k = 1; k <= 3; k++) {
            kill("c" + k);
        }
        assertThat(run("status", "--timeout", "1s").exitCode()).isEqualTo(3);
        for (int k = 1; k <= 3; k++) {
            coordinator(k);
        }
        Awaitility.await()
                .atMost(PATIENCE)
                .until(() -> run("get", "t3", "k").out().equals("v\n"));
        JsonNode tables = run("table", "list", "--json").ok().json().get("tables");
        assertThat(tables).hasSize(5);
        assertThat(tables.get(4).get("capacity_records").intValue()).isEqualTo(104);
    }

    /** Without c1, who alone knew it all along, the one that came back empty must know it. */
    @Test
    void oneThatComesBackEmptyCatchesUpBeforeItVotes() throws IOException {
        startAll();
        run("table", "create", "t").ok();
        kill("c2");
        delete(directory.resolve("c2"));
        kill("c3");
        coordinator(2); // it waits for c3, who may know more than c1
        SddsProcess.Ended status = run("status", "--timeout", "3s");
        assertThat(status.exitCode()).as(status.err()).isEqualTo(3);
        coordinator(3);
        awaitUp("c1", "c2", "c3");
        await().until(() -> {
            String identity = Files.readString(directory.resolve("c2/coordinator"));
            return identity.contains("member=true") && !identity.contains("last-index");
        });
        kill("c1");
        await().until(() -> List.of("c2", "c3").contains(leader()));
        run("table", "describe", "t").ok();
        run("table", "create", "u").ok();
    }

    @Test
    @Tag("soak")
    void aDirectoryOfAnotherClusterIsRefused() throws IOException {
        startAll();
        for (int k = 1; k <= 3; k++) {
            kill("c" + k);
        }
        Path others = directory.resolve("others");
        Files.move(directory.resolve("c3"), others);
        delete(directory.resolve("c1"));
        delete(directory.resolve("c2"));
        for (int k = 1; k <= 3; k++) {
            coordinator(k);
        }
        awaitUp("c1", "c2", "c3");
        kill("c3");
        delete(directory.resolve("c3"));
        Files.move(others, directory.resolve("c3"));
        SddsProcess.Ended refused = coordinator(3).end();
        assertThat(refused.exitCode()).as(refused.err()).isEqualTo(2);
        assertThat(refused.err())
                .containsAnyOf(
                        "c3 belongs to another cluster than that of coordinator", // by what they tell of themselves
                        "this coordinator 'c3' to cluster"); // or by their hellos, if these come first
        assertThat(refused.err().lines()).hasSize(1);
        awaitUp("c1", "c2");
    }

    private static void delete(Path all) throws IOException {
        try (Stream<Path> files = Files.walk(all)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
