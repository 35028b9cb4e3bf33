package io.sdds.brick.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.sdds.brick.group.Groups;
import io.sdds.brick.group.StageBrick;
import io.sdds.brick.map.BrickMap;
import io.sdds.brick.memory.RecordStore;
import io.sdds.brick.partition.Applied;
import io.sdds.brick.partition.Partition;
import io.sdds.brick.partition.RangePartition;
import io.sdds.brick.partition.Request;
import io.sdds.brick.partition.Tables;
import io.sdds.core.control.ControlMessage.MapUpdate;
import io.sdds.core.control.ControlMessage.SplitWanted;
import io.sdds.core.model.KeySpan;
import io.sdds.core.model.Place;
import io.sdds.core.model.Place.Member;
import io.sdds.core.model.TableDefinition;
import io.sdds.core.model.TableKind;
import io.sdds.core.model.TableMap;
import io.sdds.core.model.TableSpec;
import io.sdds.core.node.FakeWorld;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The partitions of range tables that ask for a split. */
class FullRangesTest {
    private static final int TABLE = 1;
    private static final int CAPACITY = 10;
    private static final Member SELF = new Member(0, 1);
    private static final Member OTHER = new Member(1, 1);

    private final StageBrick brick = new StageBrick(new FakeWorld(1), SELF.brick(), 2, -1, 64L << 20);
    private final RecordStore store = brick.store;
    private final Tables tables = brick.tables;
    private final BrickMap map = brick.map;
    private final Groups groups = brick.groups;
    private boolean rested = true;
    private final FullRanges full = new FullRanges(map, tables, table -> rested);

    @BeforeEach
    void theMapHasATable() {
        TableDefinition table = new TableDefinition(
                TABLE, "t", TableSpec.of(TableKind.RANGE).capacity(CAPACITY).build());
        map.apply(
                new MapUpdate(
                        0,
                        1,
                        List.of(),
                        List.of(new TableMap(table, 1, 1)),
                        List.of(),
                        List.of(),
                        List.of(),
                        0,
                        List.of()),
                dropped -> {});
    }

    @AfterEach
    void close() {
        brick.close();
    }

    @Test
    void aPartitionAsksWhenItHasReachedItsCapacityAndNamesTheUpperHalf() {
        RangePartition range = add(0, SELF);
        put(range, 0, CAPACITY - 1);
        assertThat(wanted()).isEmpty();
        put(range, CAPACITY - 1, CAPACITY);
        List<SplitWanted> wanted = wanted();
        assertThat(wanted).extracting(SplitWanted::partition).containsExactly(0);
        assertThat(wanted.get(0).span()).isEqualTo(range.toMove(100, 1));
    }

    @Test
    void aFullPartitionGoesOnToAskUntilItIsFullNoMore() {
        RangePartition range = add(0, SELF);
        put(range, 0, CAPACITY);
        assertThat(wanted()).hasSize(1);
        assertThat(wanted()).hasSize(1);
        byte[] last = key(CAPACITY - 1);
        range.bucket().remove(MemorySegment.ofArray(last), 0, last.length);
        assertThat(wanted()).isEmpty();
    }

    @Test
    void eachFullPartitionOfATableAsksForItself() {
        for (int number = 0; number < 3; number++) {
            put(add(number, SELF), 0, CAPACITY);
        }
        assertThat(wanted()).extracting(SplitWanted::partition).containsExactlyInAnyOrder(0, 1, 2);
    }

    @Test
    void aPartitionThatIsGoneAsksNoMoreThoughAnotherHasItsNumber() {
        RangePartition range = add(0, SELF);
        put(range, 0, CAPACITY);
        assertThat(wanted()).hasSize(1);
        tables.remove(range);
        assertThat(wanted()).isEmpty();
        add(0, SELF);
        assertThat(wanted()).isEmpty();
    }

    @Test
    void onlyThePrimaryAsks() {
        RangePartition range = add(0, OTHER, SELF);
        put(range, 0, CAPACITY);
        assertThat(wanted()).isEmpty();
        range.group().become(Place.of(List.of(SELF), 0, 2));
        assertThat(wanted()).hasSize(1);
    }

    @Test
    void aTableThatRestsAfterASplitWasAbandonedAsksLater() {
        put(add(0, SELF), 0, CAPACITY);
        rested = false;
        assertThat(wanted()).isEmpty();
        rested = true;
        assertThat(wanted()).hasSize(1);
    }

    @Test
    void aPartitionWhoseRecordsAreBeingCopiedDoesNotAsk() {
        RangePartition range = add(0, SELF);
        put(range, 0, CAPACITY);
        range.mover(new NoMover());
        assertThat(wanted()).isEmpty();
        range.mover(null);
        assertThat(wanted()).hasSize(1);
    }

    @Test
    void manyPartitionsAreLookedAtInTurn() {
        int count = FullRanges.CHECKED_MAX + 10;
        for (int number = 0; number < count; number++) {
            put(add(number, SELF), 0, CAPACITY);
        }
        assertThat(wanted()).hasSize(FullRanges.CHECKED_MAX);
        assertThat(wanted()).hasSize(count);
    }

    private List<SplitWanted> wanted() {
        List<SplitWanted> wanted = new ArrayList<>();
        full.addWanted(wanted);
        return wanted;
    }

    private RangePartition add(int number, Member... members) {
        RangePartition range = new RangePartition(TABLE, number, KeySpan.ALL, 0, store);
        tables.add(range);
        groups.begin(range, Place.of(List.of(members), 0, 1));
        return range;
    }

    private static byte[] key(int k) {
        return String.format("%04d", k).getBytes(StandardCharsets.US_ASCII);
    }

    private static void put(RangePartition range, int from, int to) {
        for (int k = from; k < to; k++) {
            MemorySegment key = MemorySegment.ofArray(key(k));
            int length = (int) key.byteSize();
            range.bucket().put(0, key, 0, length, key, 0, length, 1, RecordStore.NO_EXPIRY, false);
        }
    }

    /** A mover that does nothing. Its presence is enough for these tests. */
    private static final class NoMover implements Partition.Mover {
        @Override
        public boolean admits(Request request) {
            return true;
        }

        @Override
        public boolean holds(Request request) {
            return false;
        }

        @Override
        public boolean park(Request request) {
            return false;
        }

        @Override
        public void applied(Applied applied) {}

        @Override
        public void changed(long hash, MemorySegment key) {}
    }
}
