package io.sdds.brick.migration;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.sdds.brick.bucket.PutResult;
import io.sdds.brick.memory.ArenaMemorySource;
import io.sdds.brick.memory.MemoryBudget;
import io.sdds.brick.memory.RecordStore;
import io.sdds.brick.memory.SegmentHash;
import io.sdds.brick.partition.HashPartition;
import io.sdds.brick.partition.Partition;
import io.sdds.brick.stage.Peers;
import io.sdds.core.control.ControlMessage;
import io.sdds.core.control.ControlMessage.SnapshotOpen;
import io.sdds.core.node.Env;
import io.sdds.core.node.Link;
import io.sdds.core.node.Node;
import io.sdds.core.node.SilentConnection;
import io.sdds.core.node.SilentNode;
import io.sdds.core.node.Timer;
import io.sdds.core.protocol.Hello;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A copy over a link that breaks: what the source sends over the next one, and what its target takes of it. */
class SliceStreamTest {
    private static final long STREAM = 9;
    private static final int PARTITION = 3;
    private static final long MAP_VERSION = 7;
    private static final int CREDIT_BYTES = 1 << 10;

    private final MemoryBudget budget = new MemoryBudget(8 << 20);
    private final ArenaMemorySource memory = new ArenaMemorySource(budget);
    private final RecordStore store = new RecordStore(memory, budget);
    private final List<ByteBuf> buffers = new ArrayList<>();
    private final TestEnv env = new TestEnv();
    private final Wire first = new Wire();
    private final Wire second = new Wire();
    private final Partition all = new HashPartition(1, PARTITION, 2, 0, store);
    private final SliceBuffer entries = new SliceBuffer(env, store);
    private final SliceStream source = new SliceStream(env, first.link, STREAM, 1, PARTITION, CREDIT_BYTES);
    private final SnapshotReceiver target =
            new SnapshotReceiver(STREAM, new HashPartition(1, PARTITION, 2, STREAM, store), store);

    @AfterEach
    void allBuffersAreReleased() {
        source.release();
        entries.release();
        first.release();
        second.release();
        memory.close();
        assertThat(buffers).allMatch(buffer -> buffer.refCnt() == 0);
    }

    /** One slice with the record of a key. */
    private void send(int key) {
        ByteBuf direct = Unpooled.directBuffer(1).writeByte(key);
        MemorySegment from = MemorySegment.ofBuffer(direct.nioBuffer());
        long hash = SegmentHash.hash(from, 0, 1);
        assertThat(all.bucket().put(hash, from, 0, 1, from, 0, 1, key, RecordStore.NO_EXPIRY, true))
                .isNotEqualTo(PutResult.FULL);
        entries.record(all.bucket().find(hash, from, 0, 1), 0);
        direct.release();
        source.send(entries);
    }

    private SnapshotOpen resume(int attempt, int resumption) {
        return new SnapshotOpen(STREAM, attempt, resumption, 1, PARTITION, 2, 100);
    }

    private void open(Wire wire, int attempt) {
        target.open(wire.link, new SnapshotOpen(STREAM, attempt, 0, 1, PARTITION, 2, 100), target.partition(), 0);
    }

    @Test
    void aSliceHasWholeEntriesWithinItsBoundOrOne() {
        for (int length : new int[] {10, 20, 30}) {
            ByteBuf key = Unpooled.directBuffer(length).writeZero(length);
            entries.remove(MemorySegment.ofBuffer(key.nioBuffer()), 0, length);
            key.release();
        }
        assertThat(entries.entryBytes()).isEqualTo(13 + 23 + 33);
        assertThat(entries.bytesWithin(1)).isEqualTo(13);
        assertThat(entries.bytesWithin(35)).isEqualTo(13);
        assertThat(entries.bytesWithin(36)).isEqualTo(13 + 23);
        assertThat(entries.bytesWithin(68)).isEqualTo(13 + 23);
        assertThat(entries.bytesWithin(69)).isEqualTo(13 + 23 + 33);
    }

    @Test
    void shortChangesGoOnBesideALongRecord() {
        int length = 2 << 20;
        ByteBuf direct = Unpooled.directBuffer(length).writeZero(length);
        MemorySegment from = MemorySegment.ofBuffer(direct.nioBuffer());
        long hash = SegmentHash.hash(from, 0, 1);
        all.bucket().put(hash, from, 0, 1, from, 0, length, 1, RecordStore.NO_EXPIRY, true);
        direct.release();
        for (int sent = 1; sent <= 9; sent++) {
            assertThat(source.hasExcess(true))
                    .as("after %d long records", sent - 1)
                    .isTrue();
            entries.record(all.bucket().find(hash, key(), 0, 1), 0);
            source.send(entries);
            assertThat(source.keepsUpWith(1_000, 1 << 20)).isTrue();
        }
        assertThat(source.hasExcess(true)).as("another long record").isFalse();
        assertThat(source.hasExcess(false)).isTrue();
        source.acked(2);
        assertThat(source.hasExcess(true)).isTrue();
    }

    private static MemorySegment key() {
        return MemorySegment.ofArray(new byte[1]);
    }

    @Test
    void whatTheTargetHasNotAppliedIsSentAgainUnderItsNumber() {
        open(first, 1);
        for (int key = 1; key <= 5; key++) {
            send(key);
        }
        first.deliver(2);
        source.acked(1);
        assertThat(target.goesOnWith(resume(1, 1))).isTrue();
        long applied = target.goOn(second.link, resume(1, 1)).applied();
        assertThat(applied).isEqualTo(2);
        first.deliver(3); // too late
        assertThat(source.resumesFrom(0)).isFalse(); // it was acknowledged, and is not kept
        assertThat(source.resumesFrom(6)).isFalse(); // it was not sent
        assertThat(source.resumesFrom(applied)).isTrue();
        source.resume(second.link, applied);
        send(6);
        assertThat(second.numbers()).containsExactly(3L, 4L, 5L, 6L);
        second.deliver(4);
        assertThat(target.goOn(first.link, resume(1, 2)).applied()).isEqualTo(6);
        assertThat(target.partition().records()).isEqualTo(6);
        source.acked(6);
        assertThat(source.isAllAcked()).isTrue();
    }

    @Test
    void theTargetSaysAgainHowFarItHasComeOverTheNextLink() {
        open(first, 1);
        send(1);
        first.deliver(1);
        assertThat(target.acknowledge(MAP_VERSION)).isSameAs(first.link);
        assertThat(target.acknowledge(MAP_VERSION)).isNull();
        assertThat(target.acknowledge(MAP_VERSION + 1)).isSameAs(first.link);
        target.goOn(second.link, resume(1, 1));
        assertThat(target.acknowledge(MAP_VERSION)).isSameAs(second.link);
    }

    @Test
    void aTargetGoesOnOnlyWithItsAttempt() {
        assertThat(target.goesOnWith(resume(1, 1))).isFalse(); // another process, or nothing has come yet
        open(first, 1);
        open(first, 2);
        assertThat(target.goesOnWith(resume(1, 1))).isFalse();
        assertThat(target.goesOnWith(resume(2, 1))).isTrue();
    }

    @Test
    void aResumptionThatAnotherHasOvertakenIsRefused() {
        open(first, 1);
        target.goOn(second.link, resume(1, 2));
        assertThat(target.goesOnWith(resume(1, 1))).isFalse();
        assertThat(target.goesOnWith(resume(1, 2))).isFalse();
        assertThat(target.goesOnWith(resume(1, 3))).isTrue();
        open(first, 2);
        assertThat(target.goesOnWith(resume(2, 1))).isTrue();
    }

    @Test
    void whatIsAcknowledgedIsNotKept() {
        open(first, 1);
        int before = unreleased();
        for (int key = 1; key <= 5; key++) {
            send(key);
        }
        source.acked(5);
        assertThat(unreleased()).isLessThanOrEqualTo(before + 1); // what the link gathers
    }

    private int unreleased() {
        return (int) buffers.stream().filter(buffer -> buffer.refCnt() > 0).count();
    }

    /** A link whose frames are delivered when the test says so. */
    private final class Wire extends SilentConnection {
        private final Link link = Link.view(env, new SilentNode(), Hello.of(Hello.Role.BRICK_BULK, "b", 1), this);
        private final List<ByteBuf> frames = new ArrayList<>();

        Wire() {
            super("b");
        }

        void deliver(int count) {
            link.flush();
            for (int k = 0; k < count; k++) {
                ByteBuf frame = frames.remove(0);
                target.onSlice(link, frame, frame.readerIndex(), frame.readableBytes());
                frame.release();
            }
        }

        List<Long> numbers() {
            link.flush();
            return frames.stream()
                    .map(frame -> frame.getLongLE(frame.readerIndex() + SliceFrame.NUMBER))
                    .toList();
        }

        void release() {
            link.flush();
            frames.forEach(ByteBuf::release);
        }

        @Override
        public void write(ByteBuf bytes) {
            while (bytes.isReadable()) {
                int length = bytes.getIntLE(bytes.readerIndex());
                frames.add(Unpooled.directBuffer(length).writeBytes(bytes, length));
            }
            bytes.release();
        }
    }

    /** Buffers alone are needed. */
    private final class TestEnv implements Env, Peers {
        @Override
        public ByteBuf allocate(int capacity) {
            ByteBuf buffer = Unpooled.directBuffer(capacity);
            buffers.add(buffer);
            return buffer;
        }

        @Override
        public void touched(Link link) {}

        @Override
        public long nowNanos() {
            return 0;
        }

        @Override
        public RandomGenerator random() {
            return new SplittableRandom(1);
        }

        @Override
        public Timer schedule(long delayNanos, Runnable task) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void defer(Runnable task) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void execute(Runnable task) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Link dial(String address, Hello hello, Node node) {
            throw new UnsupportedOperationException();
        }

        @Override
        public @Nullable Link protocol(int brick) {
            throw new UnsupportedOperationException();
        }

        @Override
        public @Nullable Link bulk(int brick) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void ask(Link link, ControlMessage request, Consumer<@Nullable ControlMessage> answer) {
            throw new UnsupportedOperationException();
        }
    }
}
