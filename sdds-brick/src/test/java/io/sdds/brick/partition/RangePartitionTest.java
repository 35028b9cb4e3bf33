package io.sdds.brick.partition;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.sdds.brick.memory.ArenaMemorySource;
import io.sdds.brick.memory.MemoryBudget;
import io.sdds.brick.memory.RecordStore;
import io.sdds.core.model.KeySpan;
import io.sdds.core.model.MigrationKind;
import io.sdds.core.model.MigrationOrder;
import io.sdds.core.model.Place;
import io.sdds.core.node.Env;
import io.sdds.core.node.FakeWorld;
import io.sdds.core.protocol.Opcode;
import io.sdds.core.protocol.RequestFrame;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class RangePartitionTest {
    private final Env env = new FakeWorld(1).newEnv();
    private final MemoryBudget budget = new MemoryBudget(64 << 20);
    private final ArenaMemorySource memory = new ArenaMemorySource(budget);
    private final RangePartition partition =
            new RangePartition(1, 3, new KeySpan(bytes("b"), bytes("m")), 0, new RecordStore(memory, budget));

    @AfterEach
    void free() {
        memory.close();
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    private static MigrationOrder order(String low, String high, boolean merge) {
        Place place = new Place(1, 1, 0);
        MigrationKind kind = merge ? MigrationKind.MERGE : MigrationKind.SPLIT;
        KeySpan span = new KeySpan(bytes(low), bytes(high));
        return new MigrationOrder(9, kind, 1, merge ? 4 : 3, merge ? 3 : 4, 0, span, place, place);
    }

    private static Request request(byte opcode, String key) {
        Request request = new Request();
        request.opcode = opcode;
        request.frame = MemorySegment.ofArray(bytes(key));
        request.keyLength = key.length();
        return request;
    }

    private boolean owns(String key) {
        return partition.owns(request(Opcode.GET, key));
    }

    private void put(String key) {
        byte[] bytes = bytes(key);
        MemorySegment at = MemorySegment.ofArray(bytes);
        partition.bucket().put(0, at, 0, bytes.length, at, 0, bytes.length, 1, RecordStore.NO_EXPIRY, false);
    }

    private boolean holds(String key) {
        return partition.bucket().find(0, MemorySegment.ofArray(bytes(key)), 0, key.length()) != 0;
    }

    @Test
    void ownsTheKeysAboveItsLowerBoundUpToItsUpper() {
        assertThat(owns("b")).isFalse();
        assertThat(owns("b\0")).isTrue();
        assertThat(owns("m")).isTrue();
        assertThat(owns("m\0")).isFalse();
    }

    @Test
    void ownsNothingWhileItIsClosed() {
        partition.closed(true);
        assertThat(owns("c")).isFalse();
        partition.closed(false);
        assertThat(owns("c")).isTrue();
    }

    @Test
    void givesUpTheKeysAboveTheSplits() {
        put("c");
        put("g");
        put("h");
        partition.detach(MovedKeys.by(order("g", "m", false)));
        assertThat(partition.span()).isEqualTo(new KeySpan(bytes("b"), bytes("g")));
        assertThat(owns("g")).isTrue();
        assertThat(owns("h")).isFalse();
        assertThat(partition.records()).isEqualTo(2);
        assertThat(holds("h")).isFalse();
    }

    /** Number of records that stay, of 1000 records in random order, when a partition of this number splits. */
    private int kept(int number, int partitions) {
        RangePartition splitting =
                new RangePartition(1, number, KeySpan.ALL, 0, partition.bucket().store());
        for (int k = 0; k < 1000; k++) {
            byte[] key = bytes("%03d".formatted(k * 617 % 1000));
            MemorySegment at = MemorySegment.ofArray(key);
            splitting.bucket().put(0, at, 0, 3, at, 0, 3, 1, RecordStore.NO_EXPIRY, false);
        }
        byte[] moving = splitting.toMove(100, partitions).low();
        return (int) (1000 - splitting.bucket().recordsAbove(MemorySegment.ofArray(moving), 0, moving.length));
    }

    @Test
    void aTableOfFewPartitionsIsHalvedEvenly() {
        for (int number = 0; number < 3; number++) {
            assertThat(kept(number, 3)).isEqualTo(500);
        }
    }

    /** Partitions that are full at the same time must not be full at the same time again after their splits. */
    @Test
    void halvesOfPartitionsThatAreManyDifferByTheirNumbers() {
        Set<Integer> all = new TreeSet<>();
        for (int number = 0; number < 16; number++) {
            int kept = kept(number, 16);
            assertThat(kept).isBetween(400, 600);
            all.add(kept);
        }
        assertThat(all).hasSizeGreaterThanOrEqualTo(12);
        assertThat(Math.abs(kept(8, 16) - kept(9, 16))).isGreaterThanOrEqualTo(50);
    }

    @Test
    void knowsWhichSplitsAndMergesItMayBeInAndWhichItHasDone() {
        MovedKeys upper = MovedKeys.by(order("g", "m", false));
        assertThat(partition.mayDetach(upper)).isTrue();
        assertThat(partition.mayDetach(MovedKeys.by(order("g", "z", false)))).isFalse();
        assertThat(partition.hasDetached(upper)).isFalse();
        partition.detach(upper);
        assertThat(partition.mayDetach(upper)).isFalse();
        assertThat(partition.hasDetached(upper)).isTrue();
        assertThat(partition.isAll(MovedKeys.by(order("b", "g", true)))).isTrue();
        assertThat(partition.isAll(MovedKeys.by(order("b", "m", true)))).isFalse();
        MovedKeys back = new MovedKeys(10, 0, new KeySpan(bytes("g"), bytes("m")));
        assertThat(partition.mayAbsorb(back)).isTrue();
        assertThat(partition.mayAbsorb(MovedKeys.by(order("h", "m", true)))).isFalse();
        partition.beginWidening(order("g", "m", true));
        partition.absorb(back);
        assertThat(partition.hasAbsorbed(back)).isTrue();
        assertThat(partition.hasAbsorbed(upper)).isFalse();
    }

    @Test
    void aRequestIsAboutKeysAboveTheSplitsAndARangeMayReachIntoThem() {
        MovedKeys upper = MovedKeys.by(order("g", "m", false));
        assertThat(partition.isAbout(request(Opcode.GET, "g"), upper)).isFalse();
        assertThat(partition.isAbout(request(Opcode.GET, "g0"), upper)).isTrue();
        assertThat(partition.isAbout(request(Opcode.RANGE_CLEAR, "c"), upper)).isTrue();
        assertThat(partition.isAbout(request(Opcode.RANGE, "c"), upper)).isTrue();
    }

    @Test
    void recordsOfAMergeAreNotItsOwnBeforeHandover() {
        put("c");
        partition.beginWidening(order("m", "z", true));
        put("n");
        put("o");
        assertThat(partition.isWide()).isTrue();
        assertThat(partition.records()).isEqualTo(1);
        assertThat(partition.bytes()).isPositive().isLessThan(partition.bucket().bytes());
        assertThat(owns("n")).isFalse();
        partition.absorb(MovedKeys.by(order("m", "z", true)));
        assertThat(partition.records()).isEqualTo(3);
        assertThat(owns("n")).isTrue();
        assertThat(owns("z")).isTrue();
        assertThat(partition.isWide()).isFalse();
    }

    /** A range request that every partition answers, as the brick receives it. */
    private static Request forEach(String from, String to, boolean descending) {
        int order = descending ? RequestFrame.FLAG_DESCENDING : 0;
        int flags = RequestFrame.FLAG_MULTICAST | RequestFrame.FLAG_PARALLEL | RequestFrame.FLAG_INCLUSIVE | order;
        ByteBuf frame = Unpooled.buffer();
        RequestFrame.writeHeader(frame, 0, Opcode.RANGE, flags, -1, 1, 0, 1000, 1, from.length());
        frame.writeBytes(bytes(from)).writeShortLE(to.length()).writeBytes(bytes(to));
        frame.writeZero(RequestFrame.RANGE_BODY).setIntLE(RequestFrame.LENGTH, frame.writerIndex());
        return read(frame);
    }

    private static Request read(ByteBuf frame) {
        Request request = new Request();
        request.read(null, frame, Request.memoryOf(frame), 0, frame.readableBytes());
        return request;
    }

    private static KeySpan span(String low, String high) {
        return new KeySpan(bytes(low), bytes(high));
    }

    @Test
    void anAnswerThatWaitedForAMergeTellsNoKeysBeforeThoseItWasAskedFor() {
        ByteBuf own = partition.ownPart(forEach("x", "c", true), env);
        partition.beginWidening(order("m", "z", true));
        partition.absorb(MovedKeys.by(order("m", "z", true)));
        Request waited = read(own);
        assertThat(partition.owns(waited)).isTrue();
        assertThat(partition.told(waited)).isEqualTo(span("b", "m"));
        assertThat(partition.told(read(partition.ownPart(forEach("x", "c", true), env))))
                .isEqualTo(span("b", "z"));
    }

    @Test
    void whoTookAMergeTellsOfItsOwnKeysNoneThatTheMergedPartitionWasNotAskedFor() {
        RecordStore store = partition.bucket().store();
        RangePartition child = new RangePartition(1, 4, span("m", "z"), 0, store);
        ByteBuf own = child.ownPart(forEach("c", "x", false), env);
        partition.beginWidening(order("m", "z", true));
        partition.absorb(MovedKeys.by(order("m", "z", true)));
        Request sentOn = read(own);
        assertThat(partition.owns(sentOn)).isTrue();
        assertThat(partition.told(sentOn)).isEqualTo(span("m", "z"));
    }

    @Test
    void anAnswerFromWhereTheRangeBeginsTellsTheWholeSpan() {
        assertThat(partition.told(read(partition.ownPart(forEach("c", "x", false), env))))
                .isEqualTo(span("b", "m"));
        assertThat(partition.told(read(partition.ownPart(forEach("k", "a", true), env))))
                .isEqualTo(span("b", "m"));
    }

    @Test
    void dropsTheRecordsOfAMergeThatWontBe() {
        put("c");
        partition.beginWidening(order("m", "z", true));
        put("n");
        partition.dropShipped();
        assertThat(partition.isWide()).isFalse();
        assertThat(partition.bucket().records()).isEqualTo(1);
        assertThat(holds("n")).isFalse();
    }
}
