package io.sdds.brick.parity.recovery;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.sdds.brick.erasure.KernelType;
import io.sdds.brick.group.Group;
import io.sdds.brick.group.Groups;
import io.sdds.brick.map.BrickMap;
import io.sdds.brick.memory.ArenaMemorySource;
import io.sdds.brick.memory.MemoryBudget;
import io.sdds.brick.memory.RecordStore;
import io.sdds.brick.memory.SegmentHash;
import io.sdds.brick.parity.decoding.RecordDecoder;
import io.sdds.brick.parity.member.Column;
import io.sdds.brick.parity.records.CodedRecord;
import io.sdds.brick.parity.records.ParityRecords;
import io.sdds.brick.parity.stage.ParityStage;
import io.sdds.brick.partition.Gate;
import io.sdds.brick.partition.Operations;
import io.sdds.brick.partition.Partition;
import io.sdds.brick.partition.Replies;
import io.sdds.brick.partition.Request;
import io.sdds.brick.partition.Tables;
import io.sdds.brick.stage.Maintenance;
import io.sdds.brick.stage.Peers;
import io.sdds.brick.stage.StageContext;
import io.sdds.core.control.ControlMessage;
import io.sdds.core.control.ControlMessage.MapUpdate;
import io.sdds.core.control.ControlMessage.MigrationReport;
import io.sdds.core.model.AddressBlock;
import io.sdds.core.model.BrickInfo;
import io.sdds.core.model.KeySpan;
import io.sdds.core.model.MigrationKind;
import io.sdds.core.model.MigrationOrder;
import io.sdds.core.model.Parity;
import io.sdds.core.model.ParityMembers;
import io.sdds.core.model.Place;
import io.sdds.core.model.Place.Member;
import io.sdds.core.model.TableDefinition;
import io.sdds.core.model.TableKind;
import io.sdds.core.model.TableMap;
import io.sdds.core.model.TableSpec;
import io.sdds.core.node.FakeWorld;
import io.sdds.core.node.Link;
import io.sdds.core.node.SilentConnection;
import io.sdds.core.protocol.Hello;
import io.sdds.core.protocol.Opcode;
import io.sdds.core.protocol.ReplyFrame;
import io.sdds.core.protocol.RequestFrame;
import io.sdds.core.protocol.Status;
import io.sdds.core.stage.Stage;
import io.sdds.core.stage.StageLimits;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A parity member that leads the lost column 0 of a table with parity 2,1, and the spare of that column. The test
 * carries the frames between them, and decodes: column 1 has no records, so the parity records are the lost records.
 */
final class RecoveryFixture {
    static final int TABLE = 1;
    static final long ORDER = 7;
    static final long SESSION = 3;
    static final Member LEAD = new Member(0, 1);
    static final Member SPARE = new Member(1, 1);
    static final Member OTHER = new Member(2, 1);

    /** The primary of column 0 that is gone. */
    static final Member GONE = new Member(3, 1);

    final FakeWorld world = new FakeWorld(1);
    final Side lead = new Side(LEAD, "lead", 64L << 20);
    final Side spare;

    /** The frames of the spare that wait to be delivered. */
    final List<byte[]> toLead = new ArrayList<>();

    /** The frames of the lead that wait to be delivered. */
    final List<byte[]> toSpare = new ArrayList<>();

    final Pipe spareToLead;
    final Pipe leadToSpare;
    final Decoder decoder = new Decoder();
    private final ColumnSource source = new ColumnSource(lead.groups, lead.parity.parities(), (link, of) -> true);
    private long mapVersion;

    /** The statuses of the answers to clients, by correlation. */
    final Map<Integer, Byte> answers = new HashMap<>();

    final List<Integer> answered = new ArrayList<>();
    final Pipe client;

    RecoveryFixture(long spareBytes) {
        spare = new Side(SPARE, "spare", spareBytes);
        spareToLead = new Pipe(spare, Hello.of(Hello.Role.BRICK, "lead", 1));
        leadToSpare = new Pipe(lead, Hello.of(Hello.Role.BRICK, "spare", 1));
        client = new Pipe(spare, Hello.of(Hello.Role.CLIENT, "client", 1));
        spare.links.put(LEAD.brick(), spareToLead.link);
        lead.links.put(SPARE.brick(), leadToSpare.link);
    }

    /** One brick. */
    final class Side implements Peers, Groups.Listener, Stage.Handler {
        final FakeWorld.FakeEnv env = world.newEnv();
        final MemoryBudget budget;
        final ArenaMemorySource memory;
        final RecordStore store;
        final Tables tables = new Tables();
        final BrickMap map = new BrickMap();
        final Replies replies = new Replies();
        final Map<Integer, Link> links = new HashMap<>();
        final Stage stage;
        final ParityStage parity;
        final Groups groups;
        final Recoveries recoveries;
        final Operations operations;
        int reports;

        Side(Member self, String name, long bytes) {
            budget = new MemoryBudget(bytes);
            memory = new ArenaMemorySource(budget);
            store = new RecordStore(memory, budget);
            stage = new Stage(env, StageLimits.DEFAULT, this);
            StageContext context =
                    new StageContext(env, stage, map, tables, store, budget, replies, this, partition -> true, 2);
            parity =
                    new ParityStage(context, 0, Groups.LOG_BYTES_MAX, KernelType.REED_SOLOMON.open(), () -> self, this);
            groups = parity.groups();
            recoveries = new Recoveries(
                    context, groups, parity.parities(), new Maintenance(stage, tables), this::reportSoon);
            operations = new Operations(store, replies, session -> false, session -> false, env::nowNanos, 2);
        }

        @Override
        public @Nullable Link protocol(int brick) {
            return links.get(brick);
        }

        @Override
        public @Nullable Link bulk(int brick) {
            return null;
        }

        @Override
        public void ask(Link asked, ControlMessage request, Consumer<ControlMessage> answer) {}

        @Override
        public void touched(Link touched) {}

        @Override
        public void rerun(Link from, ByteBuf frame) {
            Request request = new Request();
            request.read(from, frame, Request.memoryOf(frame), 0, frame.readableBytes());
            serve(request);
        }

        @Override
        public void overdue(Link from, ByteBuf frame) {
            Request request = new Request();
            request.read(from, frame, Request.memoryOf(frame), 0, frame.readableBytes());
            replies.busy(request, 2);
        }

        @Override
        public void toPrimary(Request request) {
            throw new IllegalStateException();
        }

        @Override
        public void causeOfFailureFound() {}

        @Override
        public void reportSoon() {
            reports++;
        }

        @Override
        public void ownerChanged(Partition changed) {}

        @Override
        public void toParity(Request request, int group) {
            throw new IllegalStateException();
        }

        @Override
        public int onRequests(Link link, ByteBuf frames, int from, int to) {
            throw new IllegalStateException();
        }

        @Override
        public void onProtocol(Link link, ByteBuf frames, int index, int length) {
            throw new IllegalStateException();
        }

        @Override
        public int onControl(Link link, ByteBuf frames, int index, int length) {
            throw new IllegalStateException();
        }
    }

    /** A link whose written bytes the test takes. */
    static final class Pipe extends SilentConnection {
        final Link link;
        private final List<byte[]> frames = new ArrayList<>();

        Pipe(Side side, Hello peer) {
            super("test");
            link = Link.view(side.env, null, peer, this);
        }

        List<byte[]> take() {
            link.flush();
            List<byte[]> taken = List.copyOf(frames);
            frames.clear();
            return taken;
        }

        @Override
        public void write(ByteBuf bytes) {
            while (bytes.isReadable()) {
                byte[] frame = new byte[bytes.getIntLE(bytes.readerIndex())];
                bytes.readBytes(frame);
                frames.add(frame);
            }
            bytes.release();
        }
    }

    /** Decodes when the test says so. */
    final class Decoder implements RecordDecoder {
        boolean refuses;

        /** The rank whose record is not whole after decoding. */
        int damaged = -1;

        final List<int[]> asked = new ArrayList<>();

        @Override
        public boolean decode(int column, int[] ranks, int count, Listener listener) {
            asked.add(ranks.clone());
            if (refuses) {
                return false;
            }
            listener.decoded(new Records() {
                @Override
                public int count() {
                    return count;
                }

                @Override
                public int length(int k) {
                    return ranks[k] == damaged ? DAMAGED : records().fieldLength(ranks[k]);
                }

                @Override
                public MemorySegment memory(int k) {
                    return records().segment(ranks[k]).asSlice(records().offset(ranks[k]), length(k));
                }

                @Override
                public int offset(int k) {
                    return 0;
                }
            });
            return true;
        }
    }

    // ---- the map

    static Place degraded(long epoch) {
        return Place.of(List.of(LEAD), 0, epoch);
    }

    static MigrationOrder order(long epoch) {
        return new MigrationOrder(
                ORDER,
                MigrationKind.RECOVERY,
                TABLE,
                0,
                0,
                1,
                KeySpan.ALL,
                degraded(epoch),
                Place.of(List.of(SPARE), ORDER, epoch + 1));
    }

    void map(Place column, List<MigrationOrder> orders) {
        if (mapVersion == 0) {
            apply(Place.of(List.of(GONE), 0, Place.FIRST_EPOCH), List.of());
        }
        apply(column, orders);
    }

    private void apply(Place column, List<MigrationOrder> orders) {
        mapVersion++;
        TableDefinition table = new TableDefinition(
                TABLE,
                "t",
                TableSpec.of(TableKind.HASH)
                        .capacity(10)
                        .firstPartitions(2)
                        .parity(new Parity(2, 1))
                        .build());
        AddressBlock block = new AddressBlock(TABLE, 0, mapVersion, List.of(column, Place.of(List.of(OTHER), 0, 1)))
                .withParities(List.of(new ParityMembers(List.of(LEAD))), mapVersion);
        MapUpdate update = new MapUpdate(
                mapVersion - 1,
                mapVersion,
                List.of(
                        new BrickInfo(0, "lead", 1, "l"),
                        new BrickInfo(1, "spare", 1, "s"),
                        new BrickInfo(2, "other", 1, "o"),
                        new BrickInfo(3, "gone", 1, "g")),
                List.of(new TableMap(table, 2, mapVersion)),
                List.of(),
                List.of(block),
                orders,
                0,
                List.of());
        for (Side side : List.of(lead, spare)) {
            side.map.apply(update, dropped -> {});
        }
        lead.parity.parities().take(lead.map.table(TABLE), 0);
        lead.recoveries.reconcile();
        if (column.primary().equals(SPARE) && spare.tables.find(TABLE, 0) == null) {
            spare.recoveries.takePlace(TABLE, 0, spare.map.table(TABLE).groupPlace(0));
        }
        spare.recoveries.reconcile();
    }

    // ---- the lost column

    Column column() {
        return lead.parity.parities().column(TABLE, 0);
    }

    ParityRecords records() {
        return lead.parity.parities().of(TABLE, 0).records();
    }

    /** The n-th key of column 0. */
    static String key(int n) {
        String key = "key" + n;
        while ((hash(key) & 1) != 0) {
            key += "x";
        }
        return key;
    }

    private static long hash(String key) {
        return SegmentHash.hash(MemorySegment.ofArray(key.getBytes(StandardCharsets.US_ASCII)), 0, key.length());
    }

    /** Puts a record into the lost column. */
    void lost(int rank, String key, String value) {
        lost(rank, key, value, RecordStore.NO_EXPIRY);
    }

    void lost(int rank, String key, String value, long expiry) {
        MemorySegment bytes = MemorySegment.ofArray(new byte[1000]);
        MemorySegment ofKey = MemorySegment.ofArray(key.getBytes(StandardCharsets.US_ASCII));
        MemorySegment ofValue = MemorySegment.ofArray(value.getBytes(StandardCharsets.US_ASCII));
        int length = CodedRecord.write(ofKey, 0, key.length(), ofValue, 0, value.length(), 5, expiry, bytes, 0);
        int fingerprint = ParityRecords.fingerprint(hash(key));
        if (!records().tryFold(0, rank, bytes, 0, length, fingerprint, true)) {
            throw new IllegalStateException("no memory");
        }
    }

    // ---- frames

    /** Collects what both sides have sent. */
    void collect() {
        lead.recoveries.onDrained();
        lead.groups.onDrained();
        spare.groups.onDrained();
        for (byte[] frame : spareToLead.take()) {
            if (frame[4] == Opcode.COLUMN_WANTED) {
                toLead.add(frame);
            }
        }
        toSpare.addAll(leadToSpare.take());
    }

    void deliverToLead(byte[] bytes) {
        ByteBuf frame = Unpooled.wrappedBuffer(bytes);
        if (ColumnFrame.isOfRecords(frame, 0)) {
            ColumnFrame.Subject of = ColumnFrame.Subject.read(frame, 0, bytes.length);
            source.onRecordsWanted(leadToSpare.link, decoder, 0, of, frame, 0, bytes.length);
        } else {
            lead.recoveries.onFrame(leadToSpare.link, frame, 0, bytes.length);
        }
    }

    void deliverToSpare(byte[] bytes) {
        spare.recoveries.onFrame(spareToLead.link, Unpooled.wrappedBuffer(bytes), 0, bytes.length);
    }

    /** Delivers frames until none are left. */
    void settle() {
        collect();
        while (!toLead.isEmpty() || !toSpare.isEmpty()) {
            List<byte[]> up = List.copyOf(toLead);
            toLead.clear();
            up.forEach(this::deliverToLead);
            List<byte[]> down = List.copyOf(toSpare);
            toSpare.clear();
            down.forEach(this::deliverToSpare);
            collect();
        }
    }

    /** A tenth of a second passes. */
    void tick() {
        world.run(Duration.ofMillis(100));
        lead.groups.tick();
        spare.groups.tick();
        spare.recoveries.tick();
    }

    /** All entries of the spare's log are voted for. */
    void vote() {
        Group group = partition().group();
        group.replication().leader().onVote(LEAD, group.last(), group.last(), 0, Groups.CREDIT_MIN);
    }

    MigrationReport report() {
        return spare.recoveries.reports().get(0);
    }

    Partition partition() {
        return spare.tables.find(TABLE, 0);
    }

    // ---- clients

    void get(int correlation, String key) {
        ByteBuf frame = spare.env.allocate(100);
        int length = RequestFrame.READ_BODY + key.length();
        RequestFrame.writeHeader(frame, length, Opcode.GET, 0, correlation, TABLE, 0, 1_000, 1, key.length());
        frame.writeCharSequence(key, StandardCharsets.US_ASCII);
        serve(request(frame));
        frame.release();
    }

    void put(int correlation, String key, String value) {
        ByteBuf frame = spare.env.allocate(2000);
        RequestFrame.writeHeader(frame, 0, Opcode.PUT, 0, correlation, TABLE, 0, 1_000, 1, key.length());
        RequestFrame.writeRequestId(frame, SESSION, 1000 + correlation, 1);
        frame.writeCharSequence(key, StandardCharsets.US_ASCII);
        frame.writeCharSequence(value, StandardCharsets.US_ASCII);
        frame.setIntLE(RequestFrame.LENGTH, frame.writerIndex());
        serve(request(frame));
        frame.release();
    }

    void size(int correlation) {
        ByteBuf frame = spare.env.allocate(100);
        RequestFrame.writeHeader(frame, 0, Opcode.SIZE, 0, correlation, TABLE, 0, 1_000, 1, 0);
        frame.writeLongLE(0).writeLongLE(0);
        frame.setIntLE(RequestFrame.LENGTH, frame.writerIndex());
        serve(request(frame));
        frame.release();
    }

    private Request request(ByteBuf frame) {
        Request request = new Request();
        request.read(client.link, frame, Request.memoryOf(frame), 0, frame.writerIndex());
        return request;
    }

    private void serve(Request request) {
        Partition partition = partition();
        if (partition == null) {
            spare.replies.redirect(request, 1);
            return;
        }
        Gate gate = partition.gate();
        if (!gate.admits(request)) {
            return;
        }
        if (Opcode.isOfKey(request.opcode)) {
            spare.operations.run(partition, request);
        } else {
            spare.replies.number(request, Status.OK, partition.records());
        }
    }

    /** Takes the answers to clients: correlations in order, and statuses. */
    void takeAnswers() {
        for (byte[] bytes : client.take()) {
            ByteBuf frame = Unpooled.wrappedBuffer(bytes);
            int correlation = frame.getIntLE(ReplyFrame.CORRELATION);
            answers.put(correlation, frame.getByte(ReplyFrame.STATUS));
            answered.add(correlation);
        }
    }

    void close() {
        spare.recoveries.release();
        spare.groups.release();
        lead.groups.release();
        spare.memory.close();
        lead.memory.close();
    }
}
