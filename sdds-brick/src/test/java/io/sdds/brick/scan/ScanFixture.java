package io.sdds.brick.scan;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.sdds.brick.group.IdleHandler;
import io.sdds.brick.memory.ArenaMemorySource;
import io.sdds.brick.memory.MemoryBudget;
import io.sdds.brick.memory.PoisoningMemorySource;
import io.sdds.brick.memory.RecordStore;
import io.sdds.brick.memory.SegmentHash;
import io.sdds.brick.partition.HashPartition;
import io.sdds.brick.partition.MovedKeys;
import io.sdds.brick.partition.Partition;
import io.sdds.brick.partition.RangePartition;
import io.sdds.brick.partition.Replies;
import io.sdds.brick.partition.Request;
import io.sdds.brick.query.KeptPrograms;
import io.sdds.brick.range.KeyRange;
import io.sdds.brick.stage.StageContext;
import io.sdds.core.addressing.LinearHashing;
import io.sdds.core.addressing.ScanOrder;
import io.sdds.core.model.KeySpan;
import io.sdds.core.node.FakeWorld;
import io.sdds.core.node.Link;
import io.sdds.core.node.SilentConnection;
import io.sdds.core.node.SilentNode;
import io.sdds.core.protocol.Hello;
import io.sdds.core.protocol.Opcode;
import io.sdds.core.protocol.ReplyFrame;
import io.sdds.core.protocol.RequestFrame;
import io.sdds.core.protocol.Status;
import io.sdds.core.stage.Stage;
import io.sdds.core.stage.StageLimits;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** A stage with the partitions of one table, which splits on demand, and a client that asks it. */
final class ScanFixture implements AutoCloseable {
    private static final int TABLE = 1;
    private static final Duration SLICE = Duration.ofNanos(200_000);
    private static final Duration TURN = Duration.ofNanos(10_000);

    private final FakeWorld world = new FakeWorld(1);
    private final FakeWorld.FakeEnv env = world.newEnv();
    private final MemoryBudget budget = new MemoryBudget(256 << 20);
    private final ArenaMemorySource memory = new ArenaMemorySource(budget);
    private final RecordStore store = new RecordStore(new PoisoningMemorySource(memory), budget);
    private final Written written = new Written();
    private final Link link = Link.view(env, new SilentNode(), Hello.of(Hello.Role.CLIENT, "test", 0), written);
    private final Stage stage = new Stage(env, StageLimits.DEFAULT, new IdleHandler());
    private final Scans scans;
    private final List<Partition> partitions = new ArrayList<>();
    private final long buffersAtRest;
    private int correlation;
    private byte @Nullable [] bound;

    /** Where a client goes on. */
    record Cursor(boolean isRange, boolean descending, byte[] key, boolean inclusive, long point, boolean isAtEnd) {}

    /** An answer; its body begins with the tuples. */
    record Reply(byte status, long matched, Cursor next, ByteBuf body) {
        String text() {
            return body.toString(StandardCharsets.UTF_8);
        }
    }

    ScanFixture() {
        StageContext context =
                new StageContext(env, stage, null, null, store, budget, new Replies(), null, number -> true, 2);
        scans = new Scans(context, new KeptPrograms(), this::take);
        buffersAtRest = env.buffersHeld();
    }

    /** Makes the table, of one partition. */
    void table(boolean isRange) {
        partitions.add(
                isRange
                        ? new RangePartition(TABLE, 0, KeySpan.ALL, 0, store)
                        : new HashPartition(TABLE, 0, 0, 0, store));
    }

    void put(String key, String value) {
        putWithExpiry(key, value, RecordStore.NO_EXPIRY);
    }

    void putWithExpiry(String key, String value, long expiry) {
        MemorySegment bytes = MemorySegment.ofArray(key.getBytes(StandardCharsets.UTF_8));
        MemorySegment text = MemorySegment.ofArray(value.getBytes(StandardCharsets.UTF_8));
        put(owner(key), bytes, 0, (int) bytes.byteSize(), text, 0, (int) text.byteSize(), expiry);
    }

    private static void put(
            Partition to,
            MemorySegment key,
            long keyAt,
            int keyLength,
            MemorySegment value,
            long at,
            int length,
            long expiry) {
        long hash = SegmentHash.hash(key, keyAt, keyLength);
        to.bucket().put(hash, key, keyAt, keyLength, value, at, length, 1, expiry, false);
    }

    private Partition owner(String key) {
        byte[] bytes = key.getBytes(StandardCharsets.UTF_8);
        long hash = SegmentHash.hash(MemorySegment.ofArray(bytes), 0, bytes.length);
        return partitions.stream()
                .filter(each ->
                        each instanceof RangePartition range ? range.owns(bytes) : ((HashPartition) each).owns(hash))
                .findFirst()
                .orElseThrow();
    }

    void timeNanos(long nanos) {
        partitions.forEach(partition -> partition.bucket().timeNanos(nanos));
    }

    /** Lets time pass in which the stage does nothing. */
    void pass(Duration time) {
        world.clockOnly(time);
    }

    /** Number of records with a value. */
    long records(String value) {
        byte[] wanted = value.getBytes(StandardCharsets.UTF_8);
        long[] count = new long[1];
        partitions.forEach(partition -> refs(partition).forEach(ref -> {
            MemorySegment text = store.segment(ref).asSlice(store.valueOffset(ref), store.valueLength(ref));
            count[0] += text.mismatch(MemorySegment.ofArray(wanted)) < 0 ? 1 : 0;
        }));
        return count[0];
    }

    private List<Long> refs(Partition partition) {
        List<Long> refs = new ArrayList<>();
        if (partition instanceof RangePartition range) {
            range.bucket().ascend(new KeyRange(), refs::add);
        } else {
            long cursor = ScanOrder.start(partition.number());
            long end = ScanOrder.end(partition.number(), partition.level());
            do {
                cursor = ((HashPartition) partition).bucket().visit(cursor, (ref, hash) -> refs.add(ref));
            } while (cursor != end && cursor != 0);
        }
        return refs;
    }

    /** Splits a partition: the next one of a hash table, any one of a range table. */
    void split(SplittableRandom random) {
        int number = partitions.size();
        if (partitions.get(0) instanceof RangePartition) {
            RangePartition parent = (RangePartition) partitions.get(random.nextInt(number));
            long records = parent.bucket().records();
            if (records < 2) {
                return;
            }
            KeySpan moved =
                    parent.span().above(parent.bucket().splitKeys().separator(1 + random.nextLong(records - 1)));
            split(parent, new RangePartition(TABLE, number, moved, 0, store), new MovedKeys(number, 0, moved));
        } else {
            int parent = LinearHashing.parent(number);
            int level = partitions.get(parent).level();
            Partition child = new HashPartition(TABLE, number, level + 1, 0, store);
            split(partitions.get(parent), child, new MovedKeys(number, level, KeySpan.ALL));
        }
    }

    private void split(Partition parent, Partition child, MovedKeys keys) {
        for (long ref : refs(parent)) {
            boolean moves = child instanceof RangePartition range
                    ? range.owns(store.key(ref))
                    : ((HashPartition) child).owns(store.hash(ref));
            if (moves) {
                MemorySegment record = MemorySegment.ofArray(store.segment(ref)
                        .asSlice(store.keyOffset(ref), store.contentLength(ref))
                        .toArray(ValueLayout.JAVA_BYTE));
                int keyLength = store.keyLength(ref);
                put(child, record, 0, keyLength, record, keyLength, store.valueLength(ref), store.expiry(ref));
            }
        }
        parent.detach(keys);
        partitions.add(child);
    }

    /** The beginning of the table. */
    Cursor cursor(boolean isRange, boolean descending) {
        return new Cursor(isRange, descending, new byte[0], false, 0, false);
    }

    /**
     * Sends a request with a program, and waits for the answer.
     *
     * @param between runs behind each turn of the stage
     */
    Reply ask(Cursor cursor, byte[] program, int bytesMax, int recordsMax, Runnable between) {
        send(cursor, RequestFrame.SCAN_PROGRAM, program, bytesMax, recordsMax);
        return answer(cursor, between);
    }

    /** Sends a request for the keys that pass a filter, and waits for the answer. */
    Reply askKeys(Cursor cursor, byte[] filter, int recordsMax) {
        send(cursor, RequestFrame.SCAN_KEYS, filter, Integer.MAX_VALUE, recordsMax);
        return answer(cursor, () -> {});
    }

    private Reply answer(Cursor cursor, Runnable between) {
        while (written.bytes.writerIndex() == 0) {
            world.runOnce();
            between.run();
            link.flush();
        }
        Reply reply = read(cursor, written.bytes.copy());
        written.bytes.clear();
        return reply;
    }

    /**
     * Sends requests with a program, has the stage turn, and cancels the last one.
     *
     * @param turns number of turns before the cancel
     * @return number of turns after the cancel until all requests are answered
     */
    int cancelLast(boolean isRange, byte[] program, int requests, int turns) {
        for (int k = 0; k < requests; k++) {
            send(cursor(isRange, false), RequestFrame.SCAN_PROGRAM, program, Integer.MAX_VALUE, Integer.MAX_VALUE);
        }
        for (int k = 0; k < turns; k++) {
            world.runOnce();
        }
        scans.cancel(link, correlation);
        int after = 0;
        while (!isAnswered(correlation)) {
            world.clockOnly(SLICE);
            world.runOnce();
            link.flush();
            after++;
        }
        return after;
    }

    private boolean isAnswered(int request) {
        ByteBuf all = written.bytes;
        for (int at = 0; at < all.writerIndex(); at += all.getIntLE(at)) {
            if (all.getIntLE(at + ReplyFrame.CORRELATION) == request) {
                return true;
            }
        }
        return false;
    }

    /**
     * How long requests with a program, which come one after another, wait until the last answer, if slices take no
     * time.
     *
     * @param others whether other requests come to the stage all the time
     */
    Duration timeToAnswer(boolean isRange, byte[] program, int requests, boolean others) {
        long began = env.nowNanos();
        int first = correlation + 1;
        int last = correlation + requests;
        while (!IntStream.rangeClosed(first, last).allMatch(this::isAnswered)) {
            if (correlation < last) {
                send(cursor(isRange, false), RequestFrame.SCAN_PROGRAM, program, Integer.MAX_VALUE, Integer.MAX_VALUE);
            }
            if (others) {
                ByteBuf get = Unpooled.directBuffer();
                RequestFrame.writeHeader(get, 0, Opcode.GET, 0, -1, TABLE, 0, 1_000_000, 0, 1);
                get.writeByte('k').setIntLE(RequestFrame.LENGTH, get.writerIndex());
                stage.offer(link, get);
                get.release();
            }
            world.run(TURN);
            link.flush();
        }
        return Duration.ofNanos(env.nowNanos() - began);
    }

    /** Sends a request, and closes the link while the request is under way. */
    void askAndLeave(byte[] program, int bytesMax) {
        send(cursor(false, false), RequestFrame.SCAN_PROGRAM, program, bytesMax, Integer.MAX_VALUE);
        world.runOnce();
        link.onClosed("gone");
        world.run(Duration.ofMillis(10));
    }

    /** Has the next requests carry a bound; null: none. */
    void bounded(byte @Nullable [] order) {
        bound = order;
    }

    private void send(Cursor cursor, byte what, byte[] program, int bytesMax, int recordsMax) {
        ByteBuf frame = Unpooled.directBuffer();
        int flags = (cursor.descending() ? RequestFrame.FLAG_DESCENDING : 0)
                | (cursor.inclusive() ? RequestFrame.FLAG_INCLUSIVE : 0);
        byte opcode = cursor.isRange() ? Opcode.RANGE : Opcode.SCAN;
        RequestFrame.writeHeader(frame, 0, opcode, flags, ++correlation, TABLE, 0, 1_000_000, 0, cursor.key().length);
        if (cursor.isRange()) {
            frame.writeBytes(cursor.key()).writeShortLE(0).writeIntLE(bytesMax).writeIntLE(recordsMax);
        } else {
            frame.writeLongLE(cursor.point()).writeLongLE(0).writeIntLE(bytesMax);
        }
        if (bound == null) {
            frame.writeByte(what);
        } else {
            frame.writeByte(what | RequestFrame.SCAN_BOUND);
            frame.writeShortLE(bound.length).writeBytes(bound);
        }
        frame.writeBytes(program);
        frame.setIntLE(RequestFrame.LENGTH, frame.writerIndex());
        take(link, frame, null);
        frame.release();
    }

    private void take(Link from, ByteBuf frame, Request.@Nullable Slice slice) {
        Request request = new Request();
        request.read(from, frame, Request.memoryOf(frame), 0, frame.readableBytes());
        request.slice = slice;
        Partition owner = partitions.stream()
                .filter(each -> each.owns(request))
                .findFirst()
                .orElseThrow();
        scans.take(owner, request, slice != null);
    }

    private static Reply read(Cursor asked, ByteBuf frame) {
        byte status = frame.getByte(ReplyFrame.STATUS);
        frame.readerIndex(ReplyFrame.body(frame, 0));
        if (status != Status.OK) {
            return new Reply(status, 0, asked, frame);
        }
        if (!asked.isRange()) {
            long reached = frame.readLongLE();
            Cursor next = new Cursor(false, false, asked.key(), false, reached, reached == 0);
            return new Reply(status, frame.readLongLE(), next, frame);
        }
        long matched = frame.readLongLE();
        byte state = frame.readByte();
        byte[] key = new byte[frame.readUnsignedShortLE()];
        frame.readBytes(key);
        boolean inclusive = state == ReplyFrame.RANGE_PART_END && asked.descending();
        Cursor next = new Cursor(true, asked.descending(), key, inclusive, 0, state == ReplyFrame.RANGE_END);
        return new Reply(status, matched, next, frame);
    }

    long buffersHeld() {
        return env.buffersHeld();
    }

    /** Buffers that the stage has without a request. */
    long buffersAtRest() {
        return buffersAtRest;
    }

    @Override
    public void close() {
        scans.release();
        memory.close();
    }

    /** What was sent. */
    private static final class Written extends SilentConnection {
        private final ByteBuf bytes = Unpooled.buffer();

        Written() {
            super("test");
        }

        @Override
        public void write(ByteBuf frames) {
            bytes.writeBytes(frames);
            frames.release();
        }
    }
}
