package io.sdds.brick.migration;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.sdds.brick.bucket.RankSpace;
import io.sdds.brick.memory.ArenaMemorySource;
import io.sdds.brick.memory.MemoryBudget;
import io.sdds.brick.memory.RecordStore;
import io.sdds.brick.memory.SegmentHash;
import io.sdds.brick.partition.HashPartition;
import io.sdds.brick.partition.Partition;
import io.sdds.core.control.ControlMessage.SnapshotOpen;
import io.sdds.core.node.FakeWorld;
import io.sdds.core.node.Link;
import io.sdds.core.node.SilentConnection;
import io.sdds.core.protocol.Hello;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A column that moves: what its source sends by rank, and where its target puts it. */
class RankCursorTest {
    private static final long STREAM = 9;
    private static final int PARTITION = 0;

    private final MemoryBudget budget = new MemoryBudget(8 << 20);
    private final ArenaMemorySource memory = new ArenaMemorySource(budget);
    private final RecordStore store = new RecordStore(memory, budget);
    private final FakeWorld.FakeEnv env = new FakeWorld(1).newEnv();
    private final Link link = Link.view(env, null, Hello.of(Hello.Role.BRICK, "b1", 1), new SilentConnection("source"));
    private final Partition source = ranked();
    private final RankSpace ranks = source.bucket().ranks().space();
    private final RankCursor cursor = new RankCursor(source, ranks, store);
    private final SnapshotReceiver target = new SnapshotReceiver(STREAM, ranked(), store);
    private final SliceBuffer slice = new SliceBuffer(env, store);
    private long slices;

    RankCursorTest() {
        target.open(link, new SnapshotOpen(STREAM, 1, 0, 1, PARTITION, 0, 100), target.partition(), 0);
    }

    private Partition ranked() {
        Partition made = new HashPartition(1, PARTITION, 0, 0, store);
        made.bucket().ranks().begin(new RankSpace(store.slots()));
        return made;
    }

    @AfterEach
    void free() {
        slice.release();
        memory.close();
    }

    private static MemorySegment bytes(String text) {
        return MemorySegment.ofArray(text.getBytes(StandardCharsets.US_ASCII));
    }

    private static long hash(String key) {
        return SegmentHash.hash(bytes(key), 0, key.length());
    }

    private long find(String key) {
        return source.bucket().findAny(hash(key), bytes(key), 0, key.length());
    }

    private void put(String key, long expiry) {
        if (find(key) == 0) {
            source.bucket().ranks().rankOfNext(ranks.allocate(true));
        }
        source.bucket().put(hash(key), bytes(key), 0, key.length(), bytes("v"), 0, 1, 1, expiry, true);
    }

    private void remove(String key) {
        int rank = store.rank(find(key));
        source.bucket().ranks().remove(rank);
        ranks.free(rank);
    }

    private boolean isPassed(String key) {
        return cursor.isPassed(hash(key), bytes(key), 0, key.length());
    }

    private List<Integer> pass() {
        List<Integer> passed = new ArrayList<>();
        cursor.pass(ref -> {
            passed.add(store.rank(ref));
            slice.rankedRecord(ref);
        });
        return passed;
    }

    /** Sends what the slice has to the target. */
    private void deliver() {
        ByteBuf body = slice.copyOf(slice.entryBytes());
        slice.clear();
        ByteBuf frame = Unpooled.directBuffer();
        frame.writeIntLE(SliceFrame.ENTRIES + body.readableBytes()).writeIntLE(0);
        frame.writeLongLE(STREAM).writeIntLE(1).writeIntLE(PARTITION).writeLongLE(++slices);
        frame.writeBytes(body);
        target.onSlice(link, frame, 0, frame.readableBytes());
        frame.release();
        body.release();
    }

    private TreeMap<Integer, String> keys(Partition partition) {
        TreeMap<Integer, String> keys = new TreeMap<>();
        RankSpace space = partition.bucket().ranks().space();
        for (int rank = 0; rank < space.top(); rank++) {
            long ref = space.reference(rank);
            assertThat(space.isAllocated(rank)).as("rank %d", rank).isEqualTo(ref != 0);
            if (ref != 0) {
                byte[] key = store.segment(ref)
                        .asSlice(store.keyOffset(ref), store.keyLength(ref))
                        .toArray(java.lang.foreign.ValueLayout.JAVA_BYTE);
                keys.put(rank, new String(key, StandardCharsets.US_ASCII));
            }
        }
        return keys;
    }

    @Test
    void recordsComeInTheOrderOfTheirRanksThoseThatHaveExpiredIncluded() {
        for (int k = 0; k < 100; k++) {
            put("k" + k, k == 3 ? 10 : RecordStore.NO_EXPIRY);
        }
        remove("k5");
        source.bucket().timeNanos(20);
        assertThat(pass()).startsWith(0, 1, 2, 3, 4, 6).endsWith(63);
        assertThat(cursor.isAtEnd()).isFalse();
        assertThat(isPassed("k63")).isTrue();
        assertThat(isPassed("k64")).isFalse();
        assertThat(isPassed("k5")).as("its rank may have another record by now").isTrue();
        pass();
        assertThat(cursor.isAtEnd()).isTrue();
        put("next", RecordStore.NO_EXPIRY);
        assertThat(isPassed("next")).isTrue();
    }

    @Test
    void theTargetHasEachRecordAtItsRankAndFreesTheRanksOfThoseRemoved() {
        for (int k = 0; k < 5; k++) {
            put("k" + k, k == 3 ? 10 : RecordStore.NO_EXPIRY);
        }
        source.bucket().timeNanos(20);
        target.partition().bucket().timeNanos(20);
        pass();
        deliver();
        for (String key : List.of("k1", "k3")) {
            remove(key);
            slice.remove(bytes(key), 0, key.length());
        }
        put("k9", RecordStore.NO_EXPIRY);
        slice.rankedRecord(find("k9"));
        put("k4", RecordStore.NO_EXPIRY);
        slice.rankedRecord(find("k4"));
        slice.remove(bytes("unknown"), 0, 7);
        deliver();
        assertThat(keys(target.partition())).isEqualTo(keys(source)).containsEntry(1, "k9");
    }
}
