package io.sdds.brick.group;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.sdds.brick.erasure.KernelType;
import io.sdds.brick.map.BrickMap;
import io.sdds.brick.map.TableView;
import io.sdds.brick.memory.ArenaMemorySource;
import io.sdds.brick.memory.MemoryBudget;
import io.sdds.brick.memory.RecordStore;
import io.sdds.brick.parity.records.ParityCheck;
import io.sdds.brick.parity.stage.ParityStage;
import io.sdds.brick.partition.Gate;
import io.sdds.brick.partition.Operations;
import io.sdds.brick.partition.Partition;
import io.sdds.brick.partition.Replies;
import io.sdds.brick.partition.Request;
import io.sdds.brick.partition.Tables;
import io.sdds.brick.stage.EmptyPartitions;
import io.sdds.brick.stage.Peers;
import io.sdds.brick.stage.StageContext;
import io.sdds.core.control.ControlMessage;
import io.sdds.core.control.ControlMessage.MapUpdate;
import io.sdds.core.node.FakeWorld;
import io.sdds.core.node.KeptFrames;
import io.sdds.core.node.Link;
import io.sdds.core.node.SilentConnection;
import io.sdds.core.protocol.Hello;
import io.sdds.core.protocol.Opcode;
import io.sdds.core.protocol.RequestFrame;
import io.sdds.core.stage.Stage;
import io.sdds.core.stage.StageLimits;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A brick of a {@link StageCluster}: one stage with what its groups need, at most one partition, and links that queue
 * their bytes until the cluster delivers them.
 */
public class StageBrick extends NoRequests implements Peers {
    private static final int DEADLINE_MILLIS = 1_000;
    private static final int BUSY_HINT_MILLIS = 2;

    /** A client's window of requests that it may repeat. */
    private static final int LOW_DISTANCE = 20;

    public final int number;
    public final FakeWorld.FakeEnv env;
    public final BrickMap map = new BrickMap();
    public final Tables tables = new Tables();
    public final MemoryBudget budget;
    public final ArenaMemorySource memory;
    public final RecordStore store;
    public final Replies replies = new Replies();
    public final StageContext context;
    public final ParityStage parity;
    public final Groups groups;
    public final Operations operations;

    /** The answers to clients. */
    public final KeptFrames answers = new KeptFrames("client");

    public final Link client;

    /** The partition of which this brick is a member. */
    public @Nullable Partition partition;

    /** Which frames to this brick are lost. */
    public Predicate<ByteBuf> loses = frame -> false;

    /** Whether the process hangs: no map and no time reach it, and bytes that are sent to it wait. */
    public boolean hangs;

    /** The bytes that were sent to each brick, one buffer for each flush. */
    final List<Deque<ByteBuf>> sent = new ArrayList<>();

    final Set<Integer> unreachable = new TreeSet<>();

    private final int column;
    private final Link[] links;

    /**
     * @param bricks number of bricks in the cluster
     * @param column the partition of which this brick is a member when the map says so; negative: none
     */
    public StageBrick(FakeWorld world, int number, int bricks, int column, long memoryBytes) {
        this.number = number;
        this.column = column;
        env = world.newEnv();
        budget = new MemoryBudget(memoryBytes);
        memory = new ArenaMemorySource(budget);
        store = new RecordStore(memory, budget);
        client = Link.view(env, null, Hello.of(Hello.Role.CLIENT, "c", 1), answers);
        links = new Link[bricks];
        for (int other = 0; other < bricks; other++) {
            sent.add(new ArrayDeque<>());
            connect(other);
        }
        context = new StageContext(
                env,
                new Stage(env, StageLimits.DEFAULT, new IdleHandler()),
                map,
                tables,
                store,
                budget,
                replies,
                this,
                partition -> true,
                BUSY_HINT_MILLIS);
        parity = new ParityStage(
                context,
                budget.reserveBytes(),
                Groups.LOG_BYTES_MAX,
                KernelType.fastest().open(),
                () -> StageCluster.member(number),
                this);
        groups = parity.groups();
        operations = new Operations(store, replies, session -> false, session -> false, env::nowNanos, 2);
    }

    // ---- links

    /** A new link to a brick. What was on the link before is lost. */
    final void connect(int other) {
        Deque<ByteBuf> queue = sent.get(other);
        queue.forEach(ByteBuf::release);
        queue.clear();
        SilentConnection connection = new SilentConnection("brick") {
            @Override
            public void write(ByteBuf bytes) {
                queue.add(bytes);
            }
        };
        links[other] = Link.view(env, null, Hello.of(Hello.Role.BRICK, "b" + other, 1), connection);
    }

    /** Takes the frames that were sent to a brick from the network; the test delivers them. */
    public final List<byte[]> takeFrames(int to) {
        links[to].flush();
        List<byte[]> frames = new ArrayList<>();
        for (ByteBuf bytes : sent.get(to)) {
            while (bytes.isReadable()) {
                byte[] frame = new byte[bytes.getIntLE(bytes.readerIndex())];
                bytes.readBytes(frame);
                frames.add(frame);
            }
            bytes.release();
        }
        sent.get(to).clear();
        return frames;
    }

    @Override
    public @Nullable Link protocol(int brick) {
        return unreachable.contains(brick) ? null : links[brick];
    }

    @Override
    public @Nullable Link bulk(int brick) {
        return null;
    }

    @Override
    public void ask(Link asked, ControlMessage request, Consumer<ControlMessage> answer) {}

    @Override
    public void touched(Link touched) {}

    // ---- what the stage does

    /** Takes a map. The partition begins, goes on in another epoch, or ends. */
    protected void take(MapUpdate update) {
        assertThat(map.apply(update, dropped -> {})).isTrue();
        TableView table = map.table(StageCluster.TABLE);
        boolean isMember = column >= 0 && table.place(column).has(number, 1);
        if (isMember && partition == null) {
            partition = EmptyPartitions.make(table, column, 0, store);
            groups.begin(partition, table.groupPlace(column));
            tables.add(partition);
        } else if (isMember) {
            partition.group().become(table.groupPlace(column));
        } else if (partition != null) {
            drop(partition);
        }
        parity.parities().take(table, 0);
        parity.joins().reconcile();
        endTurn();
    }

    private void drop(Partition gone) {
        tables.remove(gone);
        gone.group().dissolve();
        gone.bucket().release();
        partition = null;
    }

    /** The brick looks at its clock. */
    protected void tick() {
        groups.tick();
        endTurn();
    }

    public void endTurn() {
        groups.onDrained();
        client.flush();
        for (Link link : links) {
            link.flush();
        }
    }

    /** Bytes come from another brick. */
    final void onBytes(int from, ByteBuf frames) {
        groups.readClockAnew();
        for (int at = frames.readerIndex(); at < frames.writerIndex(); at += frames.getIntLE(at)) {
            if (!loses.test(frames.slice(at, frames.getIntLE(at)))) {
                groups.onFrame(links[from], frames, at, frames.getIntLE(at));
            }
        }
        endTurn();
    }

    // ---- clients

    /**
     * A client writes a key of the partition.
     *
     * @param ttlMillis for a put; 0: the record does not expire
     */
    public void write(byte opcode, long session, long seq, String key, byte[] value, long ttlMillis) {
        boolean expires = opcode == Opcode.PUT && ttlMillis != 0;
        ByteBuf frame = begin(opcode, expires ? RequestFrame.FLAG_TTL : 0, column, 1, key.length());
        RequestFrame.writeRequestId(frame, session, seq, Math.max(1, seq - LOW_DISTANCE));
        frame.writeCharSequence(key, StandardCharsets.US_ASCII);
        if (expires) {
            frame.writeLongLE(ttlMillis);
        }
        run(frame.writeBytes(value));
    }

    /** The same with a value that follows from the seq. */
    public void write(byte opcode, long session, long seq, String key, int valueBytes, long ttlMillis) {
        byte[] value = new byte[valueBytes];
        for (int k = 0; k < valueBytes; k++) {
            value[k] = (byte) (seq * 31 + k);
        }
        write(opcode, session, seq, key, value, ttlMillis);
    }

    /** The beginning of a request about a partition. */
    public ByteBuf begin(byte opcode, int flags, int asked, int correlation, int keyLength) {
        ByteBuf frame = env.allocate(RequestFrame.WRITE_BODY);
        RequestFrame.writeHeader(
                frame, 0, opcode, flags, correlation, StageCluster.TABLE, asked, DEADLINE_MILLIS, 1, keyLength);
        return frame;
    }

    /** Serves a whole request in a turn of its own. */
    public void run(ByteBuf frame) {
        serve(frame);
        endTurn();
    }

    /** Serves a whole request in the turn that is under way. */
    public void serve(ByteBuf frame) {
        frame.setIntLE(RequestFrame.LENGTH, frame.writerIndex());
        rerun(client, frame);
        frame.release();
    }

    protected void serve(Request request) {
        Gate gate = partition == null ? null : partition.gate();
        if (gate != null && gate.admits(request)) {
            operations.run(partition, request);
        }
    }

    @Override
    public void rerun(Link link, ByteBuf frame) {
        Request request = new Request();
        request.read(link, frame, Request.memoryOf(frame), 0, frame.readableBytes());
        serve(request);
    }

    // ---- records

    /** The coded record that the partition has at a rank. */
    public ParityCheck.@Nullable Coded coded(int rank) {
        return ParityCheck.Coded.of(store, partition.bucket().ranks().space().reference(rank));
    }

    /** The records of a partition that have not expired, by key: version, expiry and value. */
    public static Map<String, String> records(RecordStore store, Partition partition) {
        while (partition.visitNext(ref -> {})) {
            // Ends the round that is under way.
        }
        Map<String, String> records = new TreeMap<>();
        boolean more = true;
        while (more) {
            more = partition.visitNext(ref -> {
                MemorySegment value = store.segment(ref).asSlice(store.valueOffset(ref), store.valueLength(ref));
                String text = new String(value.toArray(ValueLayout.JAVA_BYTE), StandardCharsets.ISO_8859_1);
                String key = new String(store.key(ref), StandardCharsets.US_ASCII);
                assertThat(records.put(key, store.version(ref) + " " + store.expiry(ref) + " " + text))
                        .isNull();
            });
        }
        return records;
    }

    /** Frees the memory. */
    public void close() {
        groups.release();
        memory.close();
    }
}
