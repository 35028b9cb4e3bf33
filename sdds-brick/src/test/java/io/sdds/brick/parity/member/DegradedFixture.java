package io.sdds.brick.parity.member;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.sdds.brick.bucket.RankSpace;
import io.sdds.brick.erasure.KernelType;
import io.sdds.brick.group.Groups;
import io.sdds.brick.group.NoRequests;
import io.sdds.brick.group.ProtocolLinks;
import io.sdds.brick.group.QueuedConnection;
import io.sdds.brick.map.BrickMap;
import io.sdds.brick.map.TableView;
import io.sdds.brick.memory.ArenaMemorySource;
import io.sdds.brick.memory.MemoryBudget;
import io.sdds.brick.memory.RecordStore;
import io.sdds.brick.parity.decoding.DecodingFrame;
import io.sdds.brick.parity.stage.ParityStage;
import io.sdds.brick.partition.Gate;
import io.sdds.brick.partition.HashPartition;
import io.sdds.brick.partition.Operations;
import io.sdds.brick.partition.Partition;
import io.sdds.brick.partition.Replies;
import io.sdds.brick.partition.Request;
import io.sdds.brick.partition.Tables;
import io.sdds.brick.stage.StageContext;
import io.sdds.core.control.ControlMessage.MapUpdate;
import io.sdds.core.model.AddressBlock;
import io.sdds.core.model.BrickInfo;
import io.sdds.core.model.Parity;
import io.sdds.core.model.ParityMembers;
import io.sdds.core.model.Place;
import io.sdds.core.model.Place.Member;
import io.sdds.core.model.TableDefinition;
import io.sdds.core.model.TableKind;
import io.sdds.core.model.TableMap;
import io.sdds.core.model.TableSpec;
import io.sdds.core.node.Env;
import io.sdds.core.node.Link;
import io.sdds.core.protocol.Hello;
import io.sdds.core.protocol.Opcode;
import io.sdds.core.protocol.ReplyFrame;
import io.sdds.core.protocol.RequestFrame;
import io.sdds.core.protocol.Status;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.IntUnaryOperator;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One parity group of real members, whose columns may be lost: the primaries of m columns on the bricks 0 to m - 1, and
 * k parities behind them. The fixture carries the frames between them, and reads lost columns at the first parity.
 */
final class DegradedFixture implements AutoCloseable {
    static final int TABLE = 1;
    private static final long LEASE_NANOS = 1_000_000_000_000L;

    final int columns;
    int lead;
    final List<Brick> bricks = new ArrayList<>();

    /** The statuses of the answers to gets, by correlation, and the values of those that are OK. */
    final Map<Integer, Byte> statuses = new HashMap<>();

    final Map<Integer, String> values = new HashMap<>();

    /** Number of ranks of each RANKS_WANTED that was delivered. */
    final List<Integer> ranksWanted = new ArrayList<>();

    private final TableDefinition definition;
    private final int parities;
    private final Set<Integer> lost = new TreeSet<>();
    private long mapVersion;
    private long epoch = 1;
    private long seq;

    DegradedFixture(int columns, int parities, Supplier<Env> envs) {
        this(columns, parities, 0, envs);
    }

    /** @param missing number of the first parities that are missing */
    DegradedFixture(int columns, int parities, int missing, Supplier<Env> envs) {
        this.columns = columns;
        this.parities = parities;
        this.lead = columns + missing;
        this.definition = new TableDefinition(
                TABLE,
                "t",
                TableSpec.of(TableKind.HASH)
                        .capacity(100)
                        .firstPartitions(columns)
                        .parity(new Parity(columns, parities))
                        .build());
        for (int number = 0; number < columns + parities; number++) {
            bricks.add(new Brick(number, envs.get()));
        }
        takeMap();
        pump();
        lease(LEASE_NANOS);
    }

    /** The brick of the lead gets a lease from now on. */
    void lease(long nanos) {
        Brick first = bricks.get(lead);
        first.groups.lease(first.env.nowNanos() + nanos);
    }

    private static Member member(int brick) {
        return new Member(brick, 1);
    }

    /** A brick of one stage, with what the stage's groups need. */
    final class Brick {
        final int number;
        final Env env;
        final BrickMap map = new BrickMap();
        final Tables tables = new Tables();
        final MemoryBudget budget = new MemoryBudget(1L << 30);
        final ArenaMemorySource memory = new ArenaMemorySource(budget);
        final RecordStore store = new RecordStore(memory, budget);
        final ParityStage parity;
        final Groups groups;
        final @Nullable Partition partition;
        final Deque<ByteBuf> toClient = new ArrayDeque<>();
        private final Operations operations;
        private final Link client;
        private final Link[] links = new Link[columns + parities];
        private final List<Deque<ByteBuf>> sent = new ArrayList<>();
        boolean hangs;

        Brick(int number, Env env) {
            this.number = number;
            this.env = env;
            this.client = Link.view(env, null, Hello.of(Hello.Role.CLIENT, "c", 1), new QueuedConnection(toClient));
            Replies replies = new Replies();
            for (int other = 0; other < links.length; other++) {
                sent.add(new ArrayDeque<>());
                links[other] = Link.view(
                        env, null, Hello.of(Hello.Role.BRICK, "b" + other, 1), new QueuedConnection(sent.get(other)));
            }
            StageContext context = new StageContext(
                    env,
                    null,
                    map,
                    tables,
                    store,
                    budget,
                    replies,
                    new ProtocolLinks(brick -> links[brick]),
                    partition -> true,
                    2);
            parity = new ParityStage(
                    context,
                    budget.reserveBytes(),
                    Groups.LOG_BYTES_MAX,
                    KernelType.fastest().open(),
                    () -> member(number),
                    new NoRequests());
            groups = parity.groups();
            operations = new Operations(store, replies, session -> false, session -> false, env::nowNanos, 2);
            partition = number < columns ? new HashPartition(TABLE, number, 1, 0, store) : null;
        }

        private void take(MapUpdate update) {
            assertThat(map.apply(update, dropped -> {})).isTrue();
            TableView table = map.table(TABLE);
            if (partition != null && tables.find(TABLE, number) == null) {
                partition.bucket().ranks().begin(new RankSpace(store.slots()));
                groups.begin(partition, table.groupPlace(number));
                tables.add(partition);
            } else if (partition != null) {
                partition.group().become(table.groupPlace(number));
            }
            parity.parities().take(table, 0);
            endTurn();
        }

        void endTurn() {
            groups.onDrained();
            client.flush();
            if (partition != null) {
                toClient.forEach(ByteBuf::release); // nobody reads the answers to writes
                toClient.clear();
            }
            for (Link link : links) {
                link.flush();
            }
        }

        private void tickTime() {
            if (partition != null && partition.bucket().mayExpire()) {
                partition.group().tickTime();
            }
        }

        private void onBytes(int from, ByteBuf frames) {
            groups.readClockAnew();
            for (int at = frames.readerIndex(); at < frames.writerIndex(); at += frames.getIntLE(at)) {
                if (frames.getByte(at + RequestFrame.OPCODE) == Opcode.RANKS_WANTED) {
                    ranksWanted.add(frames.getIntLE(at + DecodingFrame.COUNT));
                }
                groups.onFrame(links[from], frames, at, frames.getIntLE(at));
            }
            endTurn();
            frames.release();
        }

        private void write(byte opcode, String key, String value) {
            write(opcode, key, value, 0);
        }

        private void write(byte opcode, String key, String value, long ttlMillis) {
            ByteBuf frame = env.allocate(RequestFrame.WRITE_BODY + Long.BYTES + key.length() + value.length());
            int flags = ttlMillis == 0 ? 0 : RequestFrame.FLAG_TTL;
            RequestFrame.writeHeader(frame, 0, opcode, flags, 1, TABLE, number, 1_000, 1, key.length());
            RequestFrame.writeRequestId(frame, 1, ++seq, Math.max(1, seq - 20));
            frame.writeCharSequence(key, StandardCharsets.US_ASCII);
            if (ttlMillis > 0) {
                frame.writeLongLE(ttlMillis);
            }
            frame.writeCharSequence(value, StandardCharsets.US_ASCII);
            frame.setIntLE(RequestFrame.LENGTH, frame.writerIndex());
            Request request = new Request();
            request.read(client, frame, Request.memoryOf(frame), 0, frame.readableBytes());
            Gate gate = partition.gate();
            assertThat(gate.admits(request)).isTrue();
            operations.run(partition, request);
            frame.release();
        }
    }

    // ---- the map

    private void takeMap() {
        List<Member> members = new ArrayList<>();
        List<BrickInfo> infos = new ArrayList<>();
        List<Place> places = new ArrayList<>();
        for (int number = 0; number < columns + parities; number++) {
            infos.add(new BrickInfo(number, "b" + number, 1, "b" + number));
            if (number < columns) {
                places.add(Place.of(List.of(member(lost.contains(number) ? lead : number)), 0, epoch));
            } else {
                members.add(number < lead ? ParityMembers.MISSING : member(number));
            }
        }
        MapUpdate update = new MapUpdate(
                mapVersion,
                mapVersion + 1,
                infos,
                List.of(new TableMap(definition, columns, mapVersion + 1)),
                List.of(),
                List.of(new AddressBlock(
                        TABLE, 0, mapVersion + 1, places, List.of(), List.of(new ParityMembers(members)))),
                List.of(),
                0,
                List.of());
        mapVersion++;
        bricks.forEach(brick -> brick.take(update));
    }

    /** The primary of a column is gone: the first parity leads the column. */
    void lose(int column) {
        bricks.get(column).hangs = true;
        lost.add(column);
        raiseEpochs();
        tick();
        pump();
    }

    /** The parity that leads the lost columns is gone: the next one leads them. */
    void loseLead() {
        bricks.get(lead).hangs = true;
        lead++;
        raiseEpochs();
        lease(LEASE_NANOS);
        tick();
        pump();
    }

    /** All columns get another epoch. */
    void raiseEpochs() {
        epoch++;
        takeMap();
    }

    /** The first parity member that is present. */
    ParityPartition parity() {
        return bricks.get(lead).parity.parities().of(TABLE, 0);
    }

    // ---- clients

    /** Puts or removes a record of a column. */
    void write(Random random, int column, int k) {
        boolean removes = random.nextInt(3) == 0;
        String value = removes ? "" : value(column, random.nextInt(), random.nextInt(200));
        bricks.get(column).write(removes ? Opcode.REMOVE : Opcode.PUT, key(column, k), value);
        bricks.get(column).endTurn();
    }

    /** Puts records with the ranks 0 to count - 1 into each column. */
    void fill(int count, IntUnaryOperator valueBytes) {
        for (int k = 0; k < count; k++) {
            for (int column = 0; column < columns; column++) {
                bricks.get(column).write(Opcode.PUT, key(column, k), value(column, k, valueBytes.applyAsInt(k)));
            }
            if (k % 16 == 15) {
                bricks.forEach(Brick::endTurn);
                pump();
            }
        }
        bricks.forEach(Brick::endTurn);
        pump();
        tick();
        pump();
    }

    /** Puts a record that expires. */
    void put(int column, int k, String value, long ttlMillis) {
        bricks.get(column).write(Opcode.PUT, key(column, k), value, ttlMillis);
        bricks.get(column).endTurn();
    }

    static String key(int column, int k) {
        return "c" + column + "k" + k;
    }

    static String value(int column, int k, int bytes) {
        String text = "value " + k + " of " + column + " ";
        return text.repeat(bytes / text.length() + 1).substring(0, bytes);
    }

    /** A get at the lead, in the turn that is under way. */
    void get(int correlation, int column, String key) {
        Brick first = bricks.get(lead);
        ByteBuf frame = first.env.allocate(RequestFrame.READ_BODY + key.length());
        int length = RequestFrame.READ_BODY + key.length();
        RequestFrame.writeHeader(frame, length, Opcode.GET, 0, correlation, TABLE, column, 1_000, 1, key.length());
        frame.writeCharSequence(key, StandardCharsets.US_ASCII);
        Request request = new Request();
        request.read(first.client, frame, Request.memoryOf(frame), 0, length);
        assertThat(first.parity.parities().takesDegraded(request, column)).isTrue();
        frame.release();
    }

    /** The turn of the lead ends. */
    void endTurn() {
        bricks.get(lead).endTurn();
        takeAnswers();
    }

    private void takeAnswers() {
        for (ByteBuf frames : bricks.get(lead).toClient) {
            for (int at = frames.readerIndex(); at < frames.writerIndex(); at += frames.getIntLE(at)) {
                int correlation = frames.getIntLE(at + ReplyFrame.CORRELATION);
                byte status = frames.getByte(at + ReplyFrame.STATUS);
                assertThat(statuses.put(correlation, status)).isNull();
                if (status == Status.OK) {
                    int from = at + ReplyFrame.HEADER + Long.BYTES;
                    values.put(
                            correlation,
                            frames.toString(from, at + frames.getIntLE(at) - from, StandardCharsets.US_ASCII));
                }
            }
            frames.release();
        }
        bricks.get(lead).toClient.clear();
    }

    // ---- frames and time

    /** Delivers all frames, and those that are sent on them. */
    void pump() {
        while (round()) {
            // Each round delivers what all bricks have sent to each other.
        }
    }

    /** Delivers the oldest bytes of some pair of bricks. */
    void deliver(Random random) {
        Brick from = bricks.get(random.nextInt(bricks.size()));
        Brick to = bricks.get(random.nextInt(bricks.size()));
        ByteBuf frames = from.sent.get(to.number).poll();
        if (frames != null && to.hangs) {
            frames.release();
        } else if (frames != null) {
            to.onBytes(from.number, frames);
        }
        takeAnswers();
    }

    /** Each brick gets what the others have sent to it; false if there was nothing. */
    boolean round() {
        boolean any = false;
        for (Brick from : bricks) {
            for (Brick to : bricks) {
                Deque<ByteBuf> frames = from.sent.get(to.number);
                for (int left = frames.size(); left > 0; left--) {
                    ByteBuf next = frames.poll();
                    if (to.hangs) {
                        next.release();
                    } else {
                        to.onBytes(from.number, next);
                        any = true;
                    }
                }
            }
        }
        takeAnswers();
        return any;
    }

    /** All bricks look at their clocks. */
    void tick() {
        for (Brick brick : bricks) {
            if (!brick.hangs) {
                brick.tickTime();
                brick.groups.tick();
                brick.endTurn();
            }
        }
        takeAnswers();
    }

    @Override
    public void close() {
        for (Brick brick : bricks) {
            brick.groups.release();
            brick.memory.close();
        }
    }
}
