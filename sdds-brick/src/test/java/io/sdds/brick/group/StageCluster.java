package io.sdds.brick.group;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.sdds.brick.parity.member.ParityPartition;
import io.sdds.brick.parity.records.ParityCheck;
import io.sdds.core.control.ControlMessage.MapUpdate;
import io.sdds.core.control.ControlMessage.MigrationReport;
import io.sdds.core.control.ControlMessage.MigrationState;
import io.sdds.core.model.AddressBlock;
import io.sdds.core.model.BrickInfo;
import io.sdds.core.model.KeySpan;
import io.sdds.core.model.MigrationKind;
import io.sdds.core.model.MigrationOrder;
import io.sdds.core.model.ParityMembers;
import io.sdds.core.model.Place;
import io.sdds.core.model.Place.Member;
import io.sdds.core.model.TableDefinition;
import io.sdds.core.model.TableMap;
import io.sdds.core.node.FakeWorld;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Real stages that serve one table in virtual time. The test is the network and the coordinators: it delivers the bytes
 * that the stages have sent, in the order that it chooses, and gives all of them one map.
 */
public abstract class StageCluster<B extends StageBrick> implements AutoCloseable {
    public static final int TABLE = 1;
    private static final Duration TICK = Duration.ofMillis(100);
    private static final int TICKS_TO_REPORT = 400;

    public final FakeWorld world = new FakeWorld(1);
    public final List<B> bricks = new ArrayList<>();
    private long mapVersion;

    public static Member member(int brick) {
        return new Member(brick, 1);
    }

    // ---- the map

    /** The bricks that do not hang take a map. */
    protected final void takeMap(
            TableDefinition table,
            List<Place> places,
            List<KeySpan> spans,
            List<ParityMembers> parities,
            List<MigrationOrder> orders) {
        List<BrickInfo> infos = IntStream.range(0, bricks.size())
                .mapToObj(number -> new BrickInfo(number, "b" + number, 1, "b" + number))
                .toList();
        long version = mapVersion + 1;
        MapUpdate update = new MapUpdate(
                mapVersion,
                version,
                infos,
                List.of(new TableMap(table, places.size(), version)),
                List.of(),
                List.of(new AddressBlock(TABLE, 0, version, places, spans, parities)),
                orders,
                0,
                List.of());
        mapVersion = version;
        bricks.stream().filter(brick -> !brick.hangs).forEach(brick -> brick.take(update));
    }

    /** An order about one column. */
    protected static MigrationOrder order(
            long id, MigrationKind kind, int column, int level, Place source, Place target) {
        return new MigrationOrder(id, kind, TABLE, column, column, level, KeySpan.ALL, source, target);
    }

    // ---- the network

    /** Delivers all bytes, and those that are sent on them. */
    public void pump() {
        while (deliver(0)) {
            // Each call delivers what one brick has sent to another in one turn.
        }
    }

    /** Delivers the oldest bytes of the first pair of bricks from a given one on that has some; false if none has. */
    public boolean deliver(int pair) {
        int pairs = bricks.size() * bricks.size();
        for (int k = 0; k < pairs; k++) {
            int from = (pair + k) % pairs / bricks.size();
            B to = bricks.get((pair + k) % bricks.size());
            ByteBuf frames =
                    to.hangs ? null : bricks.get(from).sent.get(to.number).poll();
            if (frames != null) {
                to.onBytes(from, frames);
                frames.release();
                return true;
            }
        }
        return false;
    }

    /** Delivers the oldest bytes of a pair by chance. */
    public boolean deliver(Random random) {
        return deliver(random.nextInt(bricks.size() * bricks.size()));
    }

    /** Delivers a frame once more. */
    public void repeat(int from, int to, ByteBuf frame) {
        bricks.get(to).onBytes(from, frame);
    }

    /** The link between two bricks goes down with all bytes on it, and the next link is up at once. */
    public void cut(int one, int other) {
        bricks.get(one).connect(other);
        bricks.get(other).connect(one);
        for (B brick : List.of(bricks.get(one), bricks.get(other))) {
            if (!brick.hangs) {
                brick.groups.onLinkUp();
                brick.endTurn();
            }
        }
    }

    /** Two bricks have no link, or have one again. */
    public void reach(int one, int other, boolean up) {
        if (up) {
            bricks.get(one).unreachable.remove(other);
            bricks.get(other).unreachable.remove(one);
        } else {
            bricks.get(one).unreachable.add(other);
            bricks.get(other).unreachable.add(one);
        }
        cut(one, other);
    }

    // ---- time

    /** 100 ms pass. */
    public void tick() {
        world.clockOnly(TICK);
        lookAtClocks();
    }

    /** No time passes, and the bricks look at their clocks. */
    public void lookAtClocks() {
        bricks.stream().filter(brick -> !brick.hangs).forEach(StageBrick::tick);
    }

    /** Delivers all bytes and ticks, so many times. */
    public void run(int ticks) {
        for (int k = 0; k < ticks; k++) {
            pump();
            tick();
        }
        pump();
    }

    // ---- what is reported, and the state

    /** What a brick reports about its join. */
    protected final @Nullable MigrationState reported(B joiner) {
        List<MigrationReport> reports = joiner.parity.joins().reports();
        return reports.isEmpty() ? null : reports.getFirst().state();
    }

    protected final void runUntilReported(B joiner, MigrationState state) {
        for (int k = 0; k < TICKS_TO_REPORT && reported(joiner) != state; k++) {
            run(1);
        }
        assertThat(reported(joiner)).isEqualTo(state);
    }

    /** The parity member of a brick; null if the map does not name it. */
    public @Nullable ParityPartition parity(int brick) {
        return bricks.get(brick).parity.parities().of(TABLE, 0);
    }

    /** Compares the parity records of a brick with the records of the columns. All entries are committed everywhere. */
    protected final void checkRecords(int brick, List<B> columns, Object context) {
        ParityPartition parity = parity(brick);
        assertThat(parity).as("%s: parity member on brick %d", context, brick).isNotNull();
        List<IntFunction<ParityCheck.@Nullable Coded>> coded = new ArrayList<>();
        int top = 0;
        for (B column : columns) {
            coded.add(column::coded);
            top = Math.max(top, column.partition.bucket().ranks().space().top());
        }
        assertThat(ParityCheck.faults(parity.records(), coded, top))
                .as("%s, brick %d", context, brick)
                .isEmpty();
    }

    @Override
    public void close() {
        bricks.forEach(StageBrick::close);
    }
}
