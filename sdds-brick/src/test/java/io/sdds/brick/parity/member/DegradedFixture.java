package io.sdds.brick.parity.member;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.sdds.brick.group.StageBrick;
import io.sdds.brick.group.StageCluster;
import io.sdds.brick.parity.decoding.DecodingFrame;
import io.sdds.brick.partition.Request;
import io.sdds.core.model.Parity;
import io.sdds.core.model.ParityMembers;
import io.sdds.core.model.Place;
import io.sdds.core.model.Place.Member;
import io.sdds.core.model.TableDefinition;
import io.sdds.core.model.TableKind;
import io.sdds.core.model.TableSpec;
import io.sdds.core.protocol.Opcode;
import io.sdds.core.protocol.ReplyFrame;
import io.sdds.core.protocol.RequestFrame;
import io.sdds.core.protocol.Status;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.IntUnaryOperator;

/**
 * One parity group of real members, whose columns may be lost: the primaries of m columns on the bricks 0 to m - 1, and
 * k parities behind them. The fixture reads lost columns at the first parity.
 */
final class DegradedFixture extends StageCluster<DegradedFixture.Brick> {
    private static final long LEASE_NANOS = 1_000_000_000_000L;
    private static final long BRICK_BYTES = 1L << 30;

    final int columns;
    int lead;

    /** The statuses of the answers to gets, by correlation, and the values of those that are OK. */
    final Map<Integer, Byte> statuses = new HashMap<>();

    final Map<Integer, String> values = new HashMap<>();

    /** Number of ranks of each RANKS_WANTED that was delivered. */
    final List<Integer> ranksWanted = new ArrayList<>();

    private final TableDefinition definition;
    private final int parities;
    private final Set<Integer> lost = new TreeSet<>();
    private long epoch = 1;
    private long seq;

    DegradedFixture(int columns, int parities) {
        this(columns, parities, 0);
    }

    /** @param missing number of the first parities that are missing */
    DegradedFixture(int columns, int parities, int missing) {
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
            bricks.add(new Brick(number));
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

    /** A brick whose requests for ranks are counted. */
    final class Brick extends StageBrick {
        Brick(int number) {
            super(world, number, columns + parities, number < columns ? number : -1, BRICK_BYTES);
            loses = frame -> {
                if (frame.getByte(RequestFrame.OPCODE) == Opcode.RANKS_WANTED) {
                    ranksWanted.add(frame.getIntLE(DecodingFrame.COUNT));
                }
                return false;
            };
        }

        @Override
        protected void tick() {
            if (partition != null && partition.bucket().mayExpire()) {
                partition.group().tickTime();
            }
            super.tick();
        }

        private void write(byte opcode, int k, String value, long ttlMillis) {
            write(opcode, 1, ++seq, key(number, k), value.getBytes(StandardCharsets.US_ASCII), ttlMillis);
        }
    }

    // ---- the map

    private void takeMap() {
        List<Member> members = new ArrayList<>();
        List<Place> places = new ArrayList<>();
        for (int number = 0; number < columns + parities; number++) {
            if (number < columns) {
                places.add(Place.of(List.of(member(lost.contains(number) ? lead : number)), 0, epoch));
            } else {
                members.add(number < lead ? ParityMembers.MISSING : member(number));
            }
        }
        takeMap(definition, places, List.of(), List.of(new ParityMembers(members)), List.of());
    }

    /** The primary of a column is gone: the first parity leads the column. */
    void lose(int column) {
        bricks.get(column).hangs = true;
        lost.add(column);
        raiseEpochs();
        lookAtClocks();
        pump();
    }

    /** The parity that leads the lost columns is gone: the next one leads them. */
    void loseLead() {
        bricks.get(lead).hangs = true;
        lead++;
        raiseEpochs();
        lease(LEASE_NANOS);
        lookAtClocks();
        pump();
    }

    /** All columns get another epoch. */
    void raiseEpochs() {
        epoch++;
        takeMap();
    }

    /** The first parity member that is present. */
    ParityPartition parity() {
        return parity(lead);
    }

    // ---- clients

    /** Puts or removes a record of a column. */
    void write(Random random, int column, int k) {
        boolean removes = random.nextInt(3) == 0;
        String value = removes ? "" : value(column, random.nextInt(), random.nextInt(200));
        bricks.get(column).write(removes ? Opcode.REMOVE : Opcode.PUT, k, value, 0);
    }

    /** Puts records with the ranks 0 to count - 1 into each column. */
    void fill(int count, IntUnaryOperator valueBytes) {
        for (int k = 0; k < count; k++) {
            for (int column = 0; column < columns; column++) {
                bricks.get(column).write(Opcode.PUT, k, value(column, k, valueBytes.applyAsInt(k)), 0);
            }
            pump();
        }
        lookAtClocks();
        pump();
    }

    /** Puts a record that expires. */
    void put(int column, int k, String value, long ttlMillis) {
        bricks.get(column).write(Opcode.PUT, k, value, ttlMillis);
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
        ByteBuf frame = first.begin(Opcode.GET, 0, column, correlation, key.length());
        frame.writeCharSequence(key, StandardCharsets.US_ASCII);
        frame.setIntLE(RequestFrame.LENGTH, frame.writerIndex());
        Request request = new Request();
        request.read(first.client, frame, Request.memoryOf(frame), 0, frame.writerIndex());
        assertThat(first.parity.parities().takesDegraded(request, column)).isTrue();
        frame.release();
    }

    /** The turn of the lead ends. */
    void endTurn() {
        bricks.get(lead).endTurn();
        takeAnswers();
    }

    private void takeAnswers() {
        for (ByteBuf answer : bricks.get(lead).answers.take()) {
            int correlation = answer.getIntLE(ReplyFrame.CORRELATION);
            byte status = answer.getByte(ReplyFrame.STATUS);
            assertThat(statuses.put(correlation, status)).isNull();
            if (status == Status.OK) {
                int from = ReplyFrame.HEADER + Long.BYTES;
                values.put(correlation, answer.toString(from, answer.writerIndex() - from, StandardCharsets.US_ASCII));
            }
        }
    }

    // ---- frames and time

    @Override
    public boolean deliver(int pair) {
        boolean delivered = super.deliver(pair);
        takeAnswers();
        return delivered;
    }

    @Override
    public void lookAtClocks() {
        super.lookAtClocks();
        takeAnswers();
    }
}
