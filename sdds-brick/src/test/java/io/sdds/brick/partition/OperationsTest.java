package io.sdds.brick.partition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.sdds.brick.memory.ArenaMemorySource;
import io.sdds.brick.memory.MemoryBudget;
import io.sdds.brick.memory.MemorySource;
import io.sdds.brick.memory.RecordStore;
import io.sdds.core.node.FakeWorld;
import io.sdds.core.node.Link;
import io.sdds.core.protocol.Hello;
import io.sdds.core.protocol.Opcode;
import io.sdds.core.protocol.ReplyFrame;
import io.sdds.core.protocol.RequestFrame;
import io.sdds.core.protocol.RequestFrames;
import io.sdds.core.protocol.Status;
import java.lang.foreign.MemorySegment;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class OperationsTest {
    private static final long SESSION = 7;
    private static final long OTHERS_PSEUDO_KEY = 5;

    private final MemoryBudget budget = new MemoryBudget(1 << 20);
    private final ArenaMemorySource memory = new ArenaMemorySource(budget);
    private final RecordStore store = new RecordStore(memory, budget);
    private final Link link = Link.view(new FakeWorld(1).newEnv(), null, Hello.of(Hello.Role.CLIENT, "c", 0), null);
    private final Set<Long> ended = new HashSet<>();
    private final Operations operations =
            new Operations(store, new Replies(), ended::contains, session -> false, () -> 0, 2);
    private final Partition partition = new HashPartition(RequestFrames.TABLE, 0, 0, 0, store);

    @AfterEach
    void close() {
        link.claim(0).release();
        memory.close();
    }

    /** Puts a record, and returns the status of the reply. */
    private byte put(long seq, long low) {
        return put(operations, partition, seq, low);
    }

    private byte put(Operations by, Partition in, long seq, long low) {
        return put(by, in, SESSION, seq, low);
    }

    private byte put(Operations by, Partition in, long session, long seq, long low) {
        ByteBuf frame = Unpooled.directBuffer();
        RequestFrame.writeHeader(frame, 0, Opcode.PUT, 0, 1, RequestFrames.TABLE, 0, 1_000, 1, 1);
        RequestFrame.writeRequestId(frame, session, seq, low);
        frame.writeByte('k').writeByte('v');
        frame.setIntLE(RequestFrame.LENGTH, frame.writerIndex());
        Request request = new Request();
        request.read(link, frame, Request.memoryOf(frame), 0, frame.writerIndex());
        int reply = link.claim(0).writerIndex();
        by.run(in, request);
        frame.release();
        return link.claim(0).getByte(reply + ReplyFrame.STATUS);
    }

    @Test
    void aWriteThatComesAgainIsAnsweredFromItsResult() {
        assertThat(put(1, 1)).isEqualTo(Status.OK);
        assertThat(put(1, 1)).isEqualTo(Status.OK);
        assertThat(partition.version()).isEqualTo(1);
    }

    @Test
    void aWriteBelowLowIsStale() {
        assertThat(put(2, 2)).isEqualTo(Status.OK);
        assertThat(put(1, 1)).isEqualTo(Status.STALE_REQUEST);
    }

    /** One session never raises its low. The budget is for all partitions of the stage. */
    @Test
    void writesWhoseResultsExceedTheBudgetAreBusyUntilLowRisesAndOtherSessionsGoOn() {
        ResultBudget results = new ResultBudget(64 << 10);
        Operations bounded =
                new Operations(store, new Replies(), ended::contains, session -> false, () -> 0, 2, results);
        List<Partition> partitions = IntStream.range(0, 100)
                .<Partition>mapToObj(k -> new HashPartition(RequestFrames.TABLE, k, 0, 0, store))
                .toList();
        int refused = 0;
        for (int seq = 1; seq <= 100_000; seq++) {
            refused += put(bounded, partitions.get(seq % 100), seq, 1) == Status.BUSY ? 1 : 0;
        }
        long kept = partitions.stream()
                .mapToLong(partition -> partition.results().bytes())
                .sum();
        assertThat(kept).isBetween(32L << 10, 64L << 10);
        assertThat(refused).isGreaterThan(90_000);
        assertThat(put(bounded, partitions.get(0), SESSION + 1, 1, 1)).isEqualTo(Status.OK);

        assertThat(put(bounded, partitions.get(0), 100_001, 100_001)).isEqualTo(Status.OK);
    }

    /** Other sessions hold what the budget has left, and write no more. */
    @Test
    void theOldestOpenWriteOfASessionRunsThoughTheBudgetIsUsedUpSoTheSessionMakesProgress() {
        ResultBudget results = new ResultBudget(4 << 10);
        Operations bounded =
                new Operations(store, new Replies(), ended::contains, session -> false, () -> 0, 2, results);
        for (int session = 2; session <= 20; session++) {
            assertThat(put(bounded, partition, SESSION + session, 1, 1)).isEqualTo(Status.OK);
        }
        int seq = 2;
        while (put(bounded, partition, seq, 1) == Status.OK) {
            seq++;
        }
        assertThat(put(bounded, partition, seq, 1)).isEqualTo(Status.BUSY);
        assertThat(put(bounded, partition, 1, 1)).isEqualTo(Status.OK);
        assertThat(put(bounded, partition, seq, 2)).isEqualTo(Status.OK);
    }

    /** A partition can't be trusted after a write has failed in its middle. A request that fails before is answered. */
    @Test
    void aWriteThatThrowsWhileItTakesEffectIsKnownToHaveBegun() {
        Operations failing = new Operations(
                new RecordStore(new FailingMemory(), budget),
                new Replies(),
                ended::contains,
                session -> false,
                () -> 0,
                2);
        Partition small = new HashPartition(RequestFrames.TABLE, 0, 0, 0, new RecordStore(new FailingMemory(), budget));
        assertThatThrownBy(() -> put(failing, small, 1, 1))
                .isInstanceOf(FailedChange.class)
                .hasRootCauseMessage("a planned failure");
    }

    /**
     * The result of the write is dropped, as all results of the session. Results that came since, with a slice or an
     * entry of a log, are of other writes.
     */
    @Test
    void aWriteOfAnEndedSessionIsStaleThoughResultsOfThatHaveComeSince() {
        assertThat(put(1, 1)).isEqualTo(Status.OK);
        ended.add(SESSION);
        partition.results().dropEnded(ended::contains);
        partition.results().take(SESSION, 2, 1, OTHERS_PSEUDO_KEY, Status.OK, 9);
        assertThat(put(1, 1)).isEqualTo(Status.STALE_REQUEST);
        assertThat(partition.version()).isEqualTo(1);
    }

    /** A source that throws when memory is taken from it. */
    private static final class FailingMemory implements MemorySource {
        @Override
        public MemorySegment allocate(long bytes) {
            throw new IllegalStateException("a planned failure");
        }

        @Override
        public void free(MemorySegment chunk) {}
    }
}
