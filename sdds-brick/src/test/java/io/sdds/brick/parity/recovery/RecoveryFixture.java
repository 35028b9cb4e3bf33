package io.sdds.brick.parity.recovery;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.sdds.brick.group.Group;
import io.sdds.brick.group.Groups;
import io.sdds.brick.group.StageBrick;
import io.sdds.brick.group.StageCluster;
import io.sdds.brick.memory.RecordStore;
import io.sdds.brick.memory.SegmentHash;
import io.sdds.brick.parity.decoding.RecordDecoder;
import io.sdds.brick.parity.member.Column;
import io.sdds.brick.parity.records.CodedRecord;
import io.sdds.brick.parity.records.ParityRecords;
import io.sdds.brick.partition.Gate;
import io.sdds.brick.partition.Partition;
import io.sdds.brick.partition.Request;
import io.sdds.brick.stage.Maintenance;
import io.sdds.core.control.ControlMessage.MapUpdate;
import io.sdds.core.control.ControlMessage.MigrationReport;
import io.sdds.core.model.MigrationKind;
import io.sdds.core.model.MigrationOrder;
import io.sdds.core.model.Parity;
import io.sdds.core.model.ParityMembers;
import io.sdds.core.model.Place;
import io.sdds.core.model.Place.Member;
import io.sdds.core.model.TableDefinition;
import io.sdds.core.model.TableKind;
import io.sdds.core.model.TableSpec;
import io.sdds.core.node.Link;
import io.sdds.core.protocol.Opcode;
import io.sdds.core.protocol.ReplyFrame;
import io.sdds.core.protocol.RequestFrame;
import io.sdds.core.protocol.Status;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A parity member that leads the lost column 0 of a table with parity 2,1, and the spare of that column. The test
 * carries the frames between them one by one, and decodes: column 1 has no records, so the parity records are the lost
 * records.
 */
final class RecoveryFixture extends StageCluster<RecoveryFixture.Side> {
    static final long ORDER = 7;
    static final long SESSION = 3;
    static final Member LEAD = member(0);
    static final Member SPARE = member(1);
    static final Member OTHER = member(2);

    /** The primary of column 0 that is gone. */
    static final Member GONE = member(3);

    private static final long BRICK_BYTES = 64L << 20;
    private static final TableDefinition DEFINITION = new TableDefinition(
            TABLE,
            "t",
            TableSpec.of(TableKind.HASH)
                    .capacity(10)
                    .firstPartitions(2)
                    .parity(new Parity(2, 1))
                    .build());

    final Side lead = new Side(LEAD, BRICK_BYTES);
    final Side spare;

    /** The frames of the spare that wait to be delivered. */
    final List<byte[]> toLead = new ArrayList<>();

    /** The frames of the lead that wait to be delivered. */
    final List<byte[]> toSpare = new ArrayList<>();

    final Decoder decoder = new Decoder();
    private final ColumnSource source = new ColumnSource(lead.groups, lead.parity.parities(), (link, of) -> true);
    private boolean begun;

    /** The statuses of the answers to clients, by correlation. */
    final Map<Integer, Byte> answers = new HashMap<>();

    final List<Integer> answered = new ArrayList<>();

    RecoveryFixture(long spareBytes) {
        spare = new Side(SPARE, spareBytes);
        bricks.addAll(List.of(lead, spare, new Side(OTHER, BRICK_BYTES), new Side(GONE, BRICK_BYTES)));
        for (Member absent : List.of(OTHER, GONE)) {
            bricks.get(absent.brick()).hangs = true;
            reach(LEAD.brick(), absent.brick(), false);
            reach(SPARE.brick(), absent.brick(), false);
        }
    }

    /** One brick. */
    final class Side extends StageBrick {
        final Recoveries recoveries;

        Side(Member self, long bytes) {
            super(world, self.brick(), GONE.brick() + 1, -1, bytes);
            recoveries = new Recoveries(
                    context, groups, parity.parities(), new Maintenance(context.stage(), tables), this::reportSoon);
        }

        @Override
        protected void take(MapUpdate update) {
            map.apply(update, dropped -> {});
            parity.parities().take(map.table(TABLE), 0);
            Place place = map.table(TABLE).groupPlace(0);
            if (number == SPARE.brick() && place.primary().equals(SPARE) && tables.find(TABLE, 0) == null) {
                recoveries.takePlace(TABLE, 0, place);
            }
            recoveries.reconcile();
        }

        @Override
        protected void serve(Request request) {
            Partition here = tables.find(TABLE, 0);
            if (here == null) {
                replies.redirect(request, 1);
                return;
            }
            Gate gate = here.gate();
            if (!gate.admits(request)) {
                return;
            }
            if (Opcode.isOfKey(request.opcode)) {
                operations.run(here, request);
            } else {
                replies.number(request, Status.OK, here.records());
            }
        }

        @Override
        public void overdue(Link from, ByteBuf frame) {
            Request request = new Request();
            request.read(from, frame, Request.memoryOf(frame), 0, frame.readableBytes());
            replies.busy(request, 2);
        }

        @Override
        public void close() {
            recoveries.release();
            super.close();
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
        Place target = Place.of(List.of(SPARE), ORDER, epoch + 1);
        return order(ORDER, MigrationKind.RECOVERY, 0, 1, degraded(epoch), target);
    }

    void map(Place column, List<MigrationOrder> orders) {
        if (!begun) {
            begun = true;
            apply(Place.of(List.of(GONE), 0, Place.FIRST_EPOCH), List.of());
        }
        apply(column, orders);
    }

    private void apply(Place column, List<MigrationOrder> orders) {
        List<Place> places = List.of(column, Place.of(List.of(OTHER), 0, 1));
        takeMap(DEFINITION, places, List.of(), List.of(new ParityMembers(List.of(LEAD))), orders);
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
        for (byte[] frame : spare.takeFrames(LEAD.brick())) {
            if (frame[4] == Opcode.COLUMN_WANTED) {
                toLead.add(frame);
            }
        }
        toSpare.addAll(takeFromLead());
    }

    /** The frames that the lead has sent. */
    List<byte[]> takeFromLead() {
        return lead.takeFrames(SPARE.brick());
    }

    void deliverToLead(byte[] bytes) {
        ByteBuf frame = Unpooled.wrappedBuffer(bytes);
        if (ColumnFrame.isOfRecords(frame, 0)) {
            ColumnFrame.Subject of = ColumnFrame.Subject.read(frame, 0, bytes.length);
            source.onRecordsWanted(lead.protocol(SPARE.brick()), decoder, 0, of, frame, 0, bytes.length);
        } else {
            lead.recoveries.onFrame(lead.protocol(SPARE.brick()), frame, 0, bytes.length);
        }
    }

    void deliverToSpare(byte[] bytes) {
        spare.recoveries.onFrame(spare.protocol(LEAD.brick()), Unpooled.wrappedBuffer(bytes), 0, bytes.length);
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

    @Override
    public void tick() {
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
        ByteBuf frame = spare.begin(Opcode.GET, 0, 0, correlation, key.length());
        frame.writeCharSequence(key, StandardCharsets.US_ASCII);
        spare.serve(frame);
    }

    void put(int correlation, String key, String value) {
        ByteBuf frame = spare.begin(Opcode.PUT, 0, 0, correlation, key.length());
        RequestFrame.writeRequestId(frame, SESSION, 1000 + correlation, 1);
        frame.writeCharSequence(key, StandardCharsets.US_ASCII);
        frame.writeCharSequence(value, StandardCharsets.US_ASCII);
        spare.serve(frame);
    }

    void size(int correlation) {
        spare.serve(
                spare.begin(Opcode.SIZE, 0, 0, correlation, 0).writeLongLE(0).writeLongLE(0));
    }

    /** Takes the answers to clients: correlations in order, and statuses. */
    void takeAnswers() {
        spare.client.flush();
        for (ByteBuf answer : spare.answers.take()) {
            int correlation = answer.getIntLE(ReplyFrame.CORRELATION);
            answers.put(correlation, answer.getByte(ReplyFrame.STATUS));
            answered.add(correlation);
        }
    }
}
