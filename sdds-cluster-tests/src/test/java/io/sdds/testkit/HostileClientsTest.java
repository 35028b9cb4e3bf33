package io.sdds.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.sdds.brick.node.BrickSettings;
import io.sdds.brick.shell.BrickConfig;
import io.sdds.brick.shell.BrickProcess;
import io.sdds.client.ClientSettings;
import io.sdds.client.Codec;
import io.sdds.client.HashTable;
import io.sdds.client.SddsClient;
import io.sdds.client.TableOptions;
import io.sdds.core.LogLines;
import io.sdds.core.control.ControlFrame;
import io.sdds.core.control.ControlMessage;
import io.sdds.core.control.ControlMessage.BlockFetched;
import io.sdds.core.control.ControlMessage.FetchBlock;
import io.sdds.core.control.ControlMessage.FindTable;
import io.sdds.core.control.ControlMessage.Refused;
import io.sdds.core.control.ControlMessage.TableFound;
import io.sdds.core.model.AddressBlock;
import io.sdds.core.netty.RawClient;
import io.sdds.core.node.Link;
import io.sdds.core.node.PendingHandshakes;
import io.sdds.core.node.UnreadBudget;
import io.sdds.core.protocol.Hello.Role;
import io.sdds.core.protocol.Opcode;
import io.sdds.core.protocol.ReplyFrame;
import io.sdds.core.protocol.RequestFrame;
import io.sdds.core.protocol.Status;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Bricks and clients that ask too much of them, over real sockets. */
@Order(1)
class HostileClientsTest {
    private static final int PATIENCE_MILLIS = 10_000;
    private static final Duration CLOSED_AFTER_MAX = Duration.ofSeconds(60);
    private static final int SLOW_CLIENTS = 60;
    private static final byte[] LARGE = new byte[1 << 20];

    private final EmbeddedCluster cluster = EmbeddedCluster.start(1);
    private final HashTable<String, byte[]> table =
            cluster.client().createHashTable("t", TableOptions.defaults(), Codec.utf8(), Codec.bytes());

    @AfterEach
    void stop() {
        cluster.close();
    }

    /** The brick would send 20 GB. It closes the connection 10 s after the client has read something. */
    @Test
    @Execution(ExecutionMode.CONCURRENT)
    void aClientThatReadsNoAnswersCostsABoundAndIsClosed() throws Exception {
        table.put("large", LARGE);
        try (RawClient slow = client()) {
            CompletableFuture<Void> asking = CompletableFuture.runAsync(() -> ask(slow, 20_000));
            awaitUnreadAnswers();
            await().atMost(CLOSED_AFTER_MAX).until(() -> {
                assertThat(table.get("large")).hasSize(LARGE.length); // the brick serves others meanwhile
                long unread = cluster.unreadBytes(1);
                assertThat(unread).isLessThan(64 << 20);
                return unread == 0;
            });
            asking.join();
            long received = 0;
            for (ByteBuf frame = slow.receive(PATIENCE_MILLIS); frame != null; frame = slow.receive(PATIENCE_MILLIS)) {
                received += frame.readableBytes();
            }
            assertThat(received).isLessThan(64 << 20);
        }
        assertThat(table.get("large")).hasSize(LARGE.length);
    }

    /**
     * Each is sent 50 MB, of which nothing goes beyond the sockets' buffers; what waits for all of them together is 16
     * MiB, and a piece of what is short for each.
     */
    @Test
    @Execution(ExecutionMode.CONCURRENT)
    void manyClientsThatReadNoAnswersTogetherCostABound() throws Exception {
        List<RawClient> clients = new ArrayList<>();
        try (EmbeddedCluster small = EmbeddedCluster.start(1, 64 << 20, 2)) {
            HashTable<String, byte[]> ours =
                    small.client().createHashTable("t", TableOptions.defaults(), Codec.utf8(), Codec.bytes());
            ours.put("large", LARGE);
            ours.put("small", new byte[10]);
            int id = tableId(small);
            for (int k = 0; k < SLOW_CLIENTS; k++) {
                clients.add(new RawClient(small.brickAddresses().get(0), Role.CLIENT));
                clients.get(k).send(RawClient.gets(id, "large", 0, 50));
            }
            long most = 0;
            for (int k = 0; k < 2000 || most < 8 << 20 && k < 500_000; k++) {
                assertThat(ours.get("small")).hasSize(10);
                most = Math.max(most, small.unreadBytes(1));
            }
            assertThat(most)
                    .isBetween(8L << 20, (16 << 20) + SLOW_CLIENTS * UnreadBudget.SHARE_BYTES_MIN + 2 * LARGE.length);
            for (RawClient client : clients) {
                client.close();
            }
            await().atMost(Duration.ofSeconds(10)).until(() -> small.unreadBytes(1) == 0);
            assertThat(ours.get("large")).hasSize(LARGE.length);
        } finally {
            for (RawClient client : clients) {
                client.close();
            }
        }
    }

    /**
     * Each sends 4 MB of a message of 32 MB and then stops: what they have begun is bounded together, and others go on.
     */
    @Test
    void manyClientsThatEndNoMessageTogetherCostABound() throws Exception {
        List<RawClient> clients = new ArrayList<>();
        try (EmbeddedCluster small = EmbeddedCluster.start(1, 64 << 20, 2)) {
            HashTable<String, byte[]> ours =
                    small.client().createHashTable("t", TableOptions.defaults(), Codec.utf8(), Codec.bytes());
            long most = 0;
            for (int k = 0; k < 100; k++) {
                clients.add(new RawClient(small.brickAddresses().get(0), Role.CLIENT));
                beginMessage(clients.get(k), 4 << 20);
                most = Math.max(most, small.incomingBytes(1));
                if (k % 10 == 0) {
                    ours.put("large", LARGE);
                    assertThat(ours.get("large")).hasSize(LARGE.length);
                }
            }
            assertThat(most).isBetween(20L << 20, 40L << 20);
            assertThat(clients.stream().map(HostileClientsTest::goodbye).filter(said -> !said.isEmpty()))
                    .hasSizeGreaterThan(80)
                    .allMatch(said -> said.contains("messages that are not whole hold more than"));
            await().atMost(Duration.ofSeconds(10)).until(() -> small.incomingBytes(1) <= 40L << 20);
        } finally {
            for (RawClient client : clients) {
                client.close();
            }
        }
    }

    /** Sends so many bytes of a message that is longer; or fewer, when the connection is closed. */
    private static void beginMessage(RawClient client, int bytes) {
        int piece = 128 << 10;
        try {
            for (int sent = 0; sent < bytes; sent += piece) {
                ByteBuf fragment = Unpooled.buffer();
                fragment.writeIntLE(8 + piece).writeIntLE(Opcode.FRAGMENT).writeZero(piece);
                client.send(fragment);
            }
        } catch (IOException e) {
            // closed: the test sees it by what it receives
        }
    }

    /** The goodbye that has come; empty when there is none. */
    private static String goodbye(RawClient client) {
        try {
            for (ByteBuf frame = client.receive(20); frame != null; frame = client.receive(20)) {
                if (RawClient.opcode(frame) == Opcode.GOODBYE) {
                    return RawClient.text(frame);
                }
            }
        } catch (IOException e) {
            // nothing more has come
        }
        return "";
    }

    @Test
    void connectionsThatSayNothingMakeRoomForThoseThatDo() throws Exception {
        String address = cluster.brickAddresses().get(0);
        int port = Integer.parseInt(address.substring(address.indexOf(':') + 1));
        List<Socket> silent = new ArrayList<>();
        try {
            for (int k = 0; k < PendingHandshakes.MAX + 10; k++) {
                silent.add(new Socket("127.0.0.1", port));
            }
            try (RawClient client = client()) {
                assertStays(client);
            }
            for (Socket first : silent.subList(0, 10)) {
                first.setSoTimeout(PATIENCE_MILLIS);
                assertThat(new String(first.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                        .contains("no hello came"); // too many wait; or, on a slow machine, in time
            }
        } finally {
            for (Socket one : silent) {
                one.close();
            }
        }
    }

    /** As one that is far away does. */
    @Test
    void aClientThatReadsSlowlyGetsEveryAnswer() throws Exception {
        table.put("large", LARGE);
        int asked = 100;
        try (RawClient slow = client()) {
            CompletableFuture<Void> asking = CompletableFuture.runAsync(() -> ask(slow, asked));
            awaitUnreadAnswers();
            long bytes = 0;
            while (bytes < (long) asked * LARGE.length) {
                bytes += slow.receive(PATIENCE_MILLIS).readableBytes();
            }
            asking.join();
        }
    }

    /** A machine that vanished says as little as this one. */
    @Test
    @Execution(ExecutionMode.CONCURRENT)
    void aClientOfWhichNothingIsHeardIsClosed() throws Exception {
        try (RawClient silent = client()) {
            assertThat(RawClient.opcode(silent.receive(PATIENCE_MILLIS))).isEqualTo(Opcode.HELLO);
            assertThat(RawClient.opcode(silent.receive(20_000))).isEqualTo(Opcode.PING);
            ByteBuf last = silent.receive(20_000);
            while (RawClient.opcode(last) == Opcode.PING) {
                last = silent.receive(20_000);
            }
            assertThat(RawClient.opcode(last)).isEqualTo(Opcode.GOODBYE);
            assertThat(RawClient.text(last)).contains("nothing was heard for 20 s");
            assertThat(silent.receive(PATIENCE_MILLIS)).isNull();
        }
    }

    @Test
    void moreRequestsThanMayWaitAreAllAnswered() throws Exception {
        table.put("k", new byte[10]);
        int asked = 400_000;
        try (RawClient flood = client()) {
            CompletableFuture<Void> asking = CompletableFuture.runAsync(() -> askFor(flood, "k", asked));
            BitSet answered = new BitSet();
            int refused = 0;
            while (answered.cardinality() < asked) {
                ByteBuf frame = flood.receive(PATIENCE_MILLIS);
                if (RawClient.opcode(frame) == Opcode.REPLY) {
                    int correlation = frame.getIntLE(ReplyFrame.CORRELATION);
                    assertThat(answered.get(correlation)).isFalse();
                    answered.set(correlation);
                    byte status = frame.getByte(ReplyFrame.STATUS);
                    assertThat(status).isIn(Status.OK, Status.BUSY);
                    refused += status == Status.BUSY ? 1 : 0;
                }
            }
            asking.join();
            assertThat(refused).isLessThan(asked);
        }
    }

    @Test
    void aClientWithTheSmallestWindowIsServedBesideAFlood() throws Exception {
        table.put("k", new byte[10]);
        ClientSettings tiny = ClientSettings.builder()
                .window(1, 100)
                .timeout(Duration.ofNanos(20_000_000_000L))
                .build();
        try (RawClient flood = client();
                SddsClient small = SddsClient.connect(List.of(cluster.address()), tiny)) {
            CompletableFuture<Void> asking = CompletableFuture.runAsync(() -> askFor(flood, "k", 1_000_000));
            CompletableFuture<Void> reading = CompletableFuture.runAsync(() -> drain(flood));
            HashTable<String, byte[]> mine = small.hashTable("t", Codec.utf8(), Codec.bytes());
            for (int k = 0; k < 200; k++) {
                mine.put("mine" + k, new byte[50]);
                assertThat(mine.get("mine" + k)).hasSize(50);
            }
            flood.close();
            assertThat(asking.handle((done, failure) -> true).join()).isTrue();
            reading.join();
        }
    }

    /** Each that is not refused is answered with 512 places. */
    @Test
    void moreControlRequestsThanMayWaitAreAllAnsweredAndOthersAreServedMeanwhile() throws Exception {
        HashTable<String, byte[]> large = cluster.client()
                .createHashTable("large", TableOptions.defaults().withPartitions(512), Codec.utf8(), Codec.bytes());
        large.put("k", new byte[10]);
        int asked = 30_000;
        int id = tableId("large");
        try (RawClient flood = client();
                RawClient other = client()) {
            CompletableFuture<Void> asking = CompletableFuture.runAsync(
                    () -> send(flood, RawClient.controls(new ControlMessage.FetchBlock(id, 0), 0, asked)));
            other.send(RawClient.controls(new ControlMessage.FindTable("large"), 7, 1));
            assertThat(nextControl(other)).isInstanceOf(ControlMessage.TableFound.class);
            int refused = 0;
            for (int k = 0; k < asked; k++) {
                ControlMessage answer = nextControl(flood);
                if (answer instanceof ControlMessage.Refused busy) {
                    assertThat(busy.reason()).isEqualTo(ControlMessage.Refusal.BUSY);
                    assertThat(busy.retryMillis()).isPositive();
                    refused++;
                } else {
                    assertThat(((ControlMessage.BlockFetched) answer).block().places())
                            .hasSize(512);
                }
                if (k % 1000 == 0) {
                    assertThat(large.get("k")).hasSize(10);
                }
            }
            asking.join();
            assertThat(refused).isBetween(asked / 2, asked - 100);
        }
    }

    @Test
    void moreClientsThanMayConnectAreRefusedAndTold() throws Exception {
        BrickConfig three =
                new BrickConfig("b9", "127.0.0.1", 0, "", List.of(cluster.address()), 64 << 20, 2, 3, "", null);
        List<RawClient> clients = new ArrayList<>();
        try (BrickProcess brick = BrickProcess.start(three)) {
            String address = "127.0.0.1:" + brick.port();
            brick.ready().get(10, TimeUnit.SECONDS); // links from before the brick knew its cluster may be closed
            for (int k = 0; k < 5; k++) {
                clients.add(new RawClient(address, Role.CLIENT));
                assertThat(RawClient.opcode(clients.get(k).receive(PATIENCE_MILLIS)))
                        .isEqualTo(Opcode.HELLO);
            }
            for (RawClient refused : clients.subList(3, 5)) {
                assertThat(RawClient.text(refused.receive(PATIENCE_MILLIS)))
                        .contains("too many clients: 3 are connected to brick b9");
                assertThat(refused.receive(PATIENCE_MILLIS)).isNull();
            }
            for (Role claimed : List.of(Role.BRICK, Role.BRICK_BULK, Role.COORDINATOR)) {
                try (RawClient liar = new RawClient(address, claimed)) {
                    assertThat(RawClient.opcode(liar.receive(PATIENCE_MILLIS))).isEqualTo(Opcode.HELLO);
                    assertThat(RawClient.text(liar.receive(PATIENCE_MILLIS))).contains("too many clients");
                }
            }
            try (RawClient other = new RawClient(address, Role.BRICK, "b1")) {
                assertStays(other);
            }
            clients.get(0).close();
            await().atMost(Duration.ofSeconds(10)).until(() -> isAdmitted(address));
        } finally {
            for (RawClient client : clients) {
                client.close();
            }
        }
        assertThat(BrickSettings.CLIENTS_MAX).isGreaterThan(1000);
    }

    @Test
    void whoIsRefusedForTooManyClientsIsToldByTheErrorOfItsRequest() throws Exception {
        BrickConfig three =
                new BrickConfig("b9", "127.0.0.1", 0, "", List.of(cluster.address()), 64 << 20, 1, 3, "", null);
        List<RawClient> others = new ArrayList<>();
        try (BrickProcess brick = BrickProcess.start(three);
                SddsClient client = SddsClient.connect(cluster.address())) {
            brick.ready().get(10, TimeUnit.SECONDS);
            for (int k = 0; k < 3; k++) {
                RawClient other = new RawClient("127.0.0.1:" + brick.port(), Role.CLIENT);
                others.add(other);
                assertThat(RawClient.opcode(other.receive(PATIENCE_MILLIS))).isEqualTo(Opcode.HELLO);
            }
            client.createHashTable("spread", TableOptions.defaults().withPartitions(2), Codec.utf8(), Codec.utf8());
            HashTable<String, String> spread =
                    client.withTimeout(Duration.ofSeconds(2)).hashTable("spread", Codec.utf8(), Codec.utf8());
            assertThatThrownBy(() -> {
                        for (int k = 0; k < 100; k++) {
                            spread.put("key" + k, "value");
                        }
                    })
                    .hasMessageContaining("too many clients: 3 are connected to brick b9");
        } finally {
            for (RawClient other : others) {
                other.close();
            }
        }
    }

    /**
     * The first of three control requests that come together asks for a block that no table has: it is refused, and the
     * others are answered.
     */
    @Test
    void aBlockThatNoTableHasIsRefusedAndWhatComesBehindItIsAnswered() throws Exception {
        int id = tableId();
        for (int block : new int[] {-1, AddressBlock.BLOCKS_MAX, 1 << 22, Integer.MAX_VALUE}) {
            try (RawClient client = client()) {
                ByteBuf frames = Unpooled.buffer();
                ControlFrame.write(frames, ControlFrame.REQUEST, 1, new FetchBlock(id, block));
                ControlFrame.write(frames, ControlFrame.REQUEST, 2, new FetchBlock(id, 0));
                ControlFrame.write(frames, ControlFrame.REQUEST, 3, new FindTable("t"));
                client.send(frames);
                assertThat(RawClient.opcode(client.receive(PATIENCE_MILLIS))).isEqualTo(Opcode.HELLO);
                assertThat(answer(client, 1)).isInstanceOf(Refused.class);
                assertThat(answer(client, 2)).isInstanceOf(BlockFetched.class);
                assertThat(answer(client, 3)).isInstanceOf(TableFound.class);
            }
        }
    }

    private static ControlMessage answer(RawClient client, int correlation) throws IOException {
        ByteBuf frame = client.receive(PATIENCE_MILLIS);
        assertThat(frame.getIntLE(ControlFrame.CORRELATION)).isEqualTo(correlation);
        return ControlFrame.read(frame, 0, frame.readableBytes());
    }

    /** Each request is the last of its client, and costs one line of the log at most; another client's go on. */
    @Test
    void aMalformedRequestEndsItsOwnConnectionAndNoOther() throws Exception {
        table.put("k", new byte[10]);
        int id = tableId();
        int sent = 0;
        try (RawClient other = client();
                LogLines log = LogLines.ofAllThreads(Link.class.getName(), Level.WARN)) {
            for (ByteBuf malformed : malformed()) {
                assertThat(goodbyesTo(malformed)).hasSize(1);
                other.send(RawClient.gets(id, "k", ++sent, 1));
                ByteBuf answer = other.receive(PATIENCE_MILLIS);
                while (RawClient.opcode(answer) != Opcode.REPLY) {
                    answer = other.receive(PATIENCE_MILLIS);
                }
                assertThat(answer.getIntLE(ReplyFrame.CORRELATION)).isEqualTo(sent);
                assertThat(answer.getByte(ReplyFrame.STATUS)).isEqualTo(Status.OK);
            }
            assertThat(log.texts())
                    .filteredOn(line -> line.startsWith("closing link with CLIENT raw"))
                    .hasSizeLessThanOrEqualTo(sent);
        }
        assertThat(table.get("k")).hasSize(10);
    }

    /**
     * Of each opcode one that ends before its header does, and one with a key that ends behind the frame; an expected
     * value of -1 bytes; and requests that claim to have been forwarded.
     */
    private static List<ByteBuf> malformed() {
        List<ByteBuf> all = new ArrayList<>();
        for (byte opcode = Opcode.GET; Opcode.isRequest(opcode); opcode++) {
            all.add(Unpooled.buffer().writeIntLE(8).writeIntLE(opcode));
            all.add(request(opcode, 300, 3));
        }
        ByteBuf expecting = request(Opcode.COMPARE_AND_SET, 3, 3 + Integer.BYTES);
        all.add(expecting.setIntLE(expecting.writerIndex() - Integer.BYTES, -1));
        all.add(request(Opcode.GET, 3, 3).setByte(RequestFrame.HOPS, 1));
        all.add(request(Opcode.GET, 3, 3).setByte(RequestFrame.ADDRESSING_HOPS, 1));
        return all;
    }

    private static ByteBuf request(byte opcode, int keyLength, int bodyBytes) {
        int length = RequestFrame.body(opcode) + bodyBytes;
        ByteBuf frame = Unpooled.buffer();
        RequestFrame.writeHeader(frame, length, opcode, 0, 1, 1, 0, 60_000, 0, keyLength);
        return frame.writeZero(length - frame.writerIndex());
    }

    /** What is said to a client that sends this, but for the hello, until its connection is closed. */
    private List<String> goodbyesTo(ByteBuf request) throws IOException {
        List<String> said = new ArrayList<>();
        try (RawClient client = client()) {
            client.send(request);
            for (ByteBuf frame = client.receive(PATIENCE_MILLIS); frame != null; ) {
                if (RawClient.opcode(frame) != Opcode.HELLO) {
                    assertThat(RawClient.opcode(frame)).isEqualTo(Opcode.GOODBYE);
                    said.add(RawClient.text(frame));
                }
                frame = client.receive(PATIENCE_MILLIS);
            }
        }
        return said;
    }

    private void awaitUnreadAnswers() {
        await().atMost(Duration.ofSeconds(10)).until(() -> cluster.unreadBytes(1) >= LARGE.length);
    }

    private static boolean isAdmitted(String address) throws IOException {
        try (RawClient client = new RawClient(address, Role.CLIENT)) {
            client.receive(PATIENCE_MILLIS);
            client.receive(500);
            return false;
        } catch (SocketTimeoutException e) {
            return true; // nothing more was said
        }
    }

    private static void assertStays(RawClient client) throws IOException {
        assertThat(RawClient.opcode(client.receive(PATIENCE_MILLIS))).isEqualTo(Opcode.HELLO);
        try {
            assertThat(client.receive(300)).isNotNull();
        } catch (SocketTimeoutException e) {
            // as it should be: nothing more is said
        }
    }

    private RawClient client() throws IOException {
        return new RawClient(cluster.brickAddresses().get(0), Role.CLIENT);
    }

    private int tableId() {
        return tableId(cluster);
    }

    private int tableId(String name) {
        return cluster.client().status(false).tables().stream()
                .filter(definition -> definition.name().equals(name))
                .findFirst()
                .orElseThrow()
                .id();
    }

    /** The next control message that comes. */
    private static ControlMessage nextControl(RawClient client) throws IOException {
        ByteBuf frame = client.receive(PATIENCE_MILLIS);
        while (RawClient.opcode(frame) != Opcode.CONTROL) {
            frame = client.receive(PATIENCE_MILLIS);
        }
        return ControlFrame.read(frame, 0, frame.readableBytes());
    }

    private static void send(RawClient client, ByteBuf frames) {
        try {
            client.send(frames);
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    private static int tableId(EmbeddedCluster of) {
        return of.client().status(false).tables().get(0).id();
    }

    private void ask(RawClient client, int count) {
        askFor(client, "large", count);
    }

    /** Until all are sent, or the connection is closed. */
    private void askFor(RawClient client, String key, int count) {
        int id = tableId();
        try {
            for (int k = 0; k < count; k += 1000) {
                client.send(RawClient.gets(id, key, k, Math.min(1000, count - k)));
            }
        } catch (IOException e) {
            // closed: the test sees it by what it receives
        }
    }

    private static void drain(RawClient client) {
        try {
            while (client.receive(PATIENCE_MILLIS) != null) {
                Thread.onSpinWait();
            }
        } catch (IOException e) {
            // closed
        }
    }
}
