package io.sdds.brick.node;

import io.sdds.brick.bucket.PutResult;
import io.sdds.brick.map.BrickMap;
import io.sdds.brick.map.TableView;
import io.sdds.brick.memory.RecordStore;
import io.sdds.brick.partition.Partition;
import io.sdds.brick.partition.RangePartition;
import io.sdds.brick.partition.Tables;
import io.sdds.brick.range.KeyRange;
import io.sdds.brick.stage.StageContext;
import io.sdds.core.control.ControlMessage.MapUpdate;
import io.sdds.core.model.BrickInfo;
import io.sdds.core.model.KeySpan;
import io.sdds.core.model.Place;
import io.sdds.core.model.Routing;
import io.sdds.core.node.Env;
import io.sdds.core.protocol.IndexRecord;
import io.sdds.core.stage.Stage;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.IdentityHashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Keeps this stage's partitions of the index equal to the map (RP*S, section 2.1). The index is a range table like any
 * other, except that the bricks write its records.
 */
final class IndexUpkeep {

    /*
     * In RP*S a bucket that splits sends a message to the index. Here every brick has the map anyway. So each brick
     * compares its partitions of the index with the map: when the map has changed, when a partition has come or has
     * other keys than before, and every 10 s. No message is needed, so none can be lost. Records that were lost with a
     * brick are written again.
     *
     * The index is behind the map by one comparison, and the map is behind the bricks by one heartbeat. A client with a
     * stale record of the index sends its request to a brick that forwards it, as with any stale image.
     *
     * A partition is not changed while it is being copied, so no change has to be copied.
     */

    private static final int NO_TABLE = -1;
    private static final int RECORDS_PER_SLICE = 128;
    private static final long REPEAT_NANOS = 10_000_000_000L;

    private final Env env;
    private final Stage stage;
    private final BrickMap map;
    private final Tables tables;
    private final RecordStore store;
    private final KeyRange range = new KeyRange();
    private final Map<RangePartition, Comparison> comparisons = new IdentityHashMap<>();

    private int id = NO_TABLE;

    /** Number of changes of the map that the index depends on. */
    private long changes;

    IndexUpkeep(StageContext context) {
        this.env = context.env();
        this.stage = context.stage();
        this.map = context.map();
        this.tables = context.tables();
        this.store = context.store();
    }

    /** The map has taken an update. */
    void mapChanged(MapUpdate update) {
        boolean concerns = !update.droppedTables().isEmpty()
                || !update.bricks().isEmpty()
                || update.blocks().stream().anyMatch(block -> isIndexed(map.table(block.table())));
        if (concerns) {
            changes++;
            check();
        }
    }

    /** Each 100 ms. */
    void tick() {
        check();
    }

    /** Whether a table is the index. Clients may not write the index, because other clients dial its addresses. */
    boolean isIndex(int table) {
        return table == id;
    }

    private void check() {
        TableView index = map.table(IndexRecord.TABLE);
        id = index == null ? NO_TABLE : index.definition().id();
        if (index == null) {
            comparisons.clear();
            return;
        }
        tables.forEach(partition -> {
            if (partition.table() == id && partition instanceof RangePartition range) {
                comparisons.computeIfAbsent(range, Comparison::new).beginIfDue();
            }
        });
        comparisons.keySet().removeIf(partition -> !isHere(partition));
    }

    private boolean isHere(Partition partition) {
        return tables.find(partition.table(), partition.number()) == partition;
    }

    private static boolean isIndexed(@Nullable TableView table) {
        return table != null && table.definition().spec().routing() == Routing.INDEX;
    }

    /** Compares a partition of the index with the map, in slices. */
    private final class Comparison implements Stage.Background {
        private final RangePartition partition;
        private KeySpan span = KeySpan.ALL;
        private byte[] cursor = KeySpan.ALL.low();
        private boolean underWay;
        private long changesSeen = -1;
        private long doneNanos;

        Comparison(RangePartition partition) {
            this.partition = partition;
        }

        void beginIfDue() {
            boolean due = changesSeen != changes
                    || !span.equals(partition.span())
                    || env.nowNanos() - doneNanos >= REPEAT_NANOS;
            if (due && !underWay && isFree()) {
                underWay = true;
                changesSeen = changes;
                span = partition.span();
                cursor = span.low();
                stage.background(this);
            }
        }

        private boolean isFree() {
            return isHere(partition) && partition.mover() == null && !partition.isClosed();
        }

        @Override
        public boolean slice() {
            if (!isFree() || !span.equals(partition.span())) {
                changesSeen = -1;
                underWay = false;
                return false;
            }
            TreeMap<byte[], byte[]> wanted = wanted(cursor, span);
            byte[] end = wanted.size() < RECORDS_PER_SLICE ? span.high() : wanted.lastKey();
            TreeMap<byte[], byte[]> held = new TreeMap<>(Arrays::compareUnsigned);
            if (!read(cursor, end, held)) {
                end = held.lastKey();
                wanted.tailMap(end, false).clear();
            }
            boolean full = !apply(wanted, held);
            underWay = !full && !Arrays.equals(end, span.high());
            cursor = end;
            if (full) {
                changesSeen = -1; // the next tick begins the comparison again
            } else if (!underWay) {
                doneNanos = env.nowNanos();
            }
            return underWay;
        }

        /** Reads records above one key, up to another key. Returns whether these are all such records. */
        private boolean read(byte[] above, byte[] end, Map<byte[], byte[]> into) {
            if (above.length == 0) {
                range.fromFirst();
            } else {
                range.from(MemorySegment.ofArray(above), 0, above.length, false);
            }
            if (end.length == 0) {
                range.toLast();
            } else {
                range.to(MemorySegment.ofArray(end), 0, end.length, true);
            }
            return partition.bucket().ascend(range, ref -> {
                byte[] value = new byte[store.valueLength(ref)];
                MemorySegment.copy(
                        store.segment(ref), store.valueOffset(ref), MemorySegment.ofArray(value), 0, value.length);
                into.put(store.key(ref), value);
                return into.size() < RECORDS_PER_SLICE;
            });
        }

        /** Writes and removes the records that differ; false if there is no memory for a record. */
        private boolean apply(Map<byte[], byte[]> wanted, Map<byte[], byte[]> held) {
            for (byte[] key : held.keySet()) {
                if (!wanted.containsKey(key)) {
                    partition.bucket().remove(MemorySegment.ofArray(key), 0, key.length);
                    partition.nextVersion();
                }
            }
            for (Map.Entry<byte[], byte[]> record : wanted.entrySet()) {
                if (!Arrays.equals(record.getValue(), held.get(record.getKey()))
                        && !put(record.getKey(), record.getValue())) {
                    return false;
                }
            }
            return true;
        }

        private boolean put(byte[] key, byte[] value) {
            PutResult done = partition
                    .bucket()
                    .put(
                            MemorySegment.ofArray(key),
                            0,
                            key.length,
                            MemorySegment.ofArray(value),
                            0,
                            value.length,
                            partition.version() + 1,
                            false);
            if (done != PutResult.FULL) {
                partition.nextVersion();
            }
            return done != PutResult.FULL;
        }
    }

    /** The first records above a key and within a span, as they should be by the map. */
    private TreeMap<byte[], byte[]> wanted(byte[] above, KeySpan span) {
        TreeMap<byte[], byte[]> wanted = new TreeMap<>(Arrays::compareUnsigned);
        int first = IndexRecord.table(above);
        int last = span.isLast() ? Integer.MAX_VALUE : IndexRecord.table(span.high());
        for (TableView table : map.tables()) {
            int id = table.definition().id();
            if (isIndexed(table) && id >= first && id <= last) {
                byte[] from = id == first ? IndexRecord.high(above) : KeySpan.ALL.low();
                Iterator<Integer> partitions = table.spans().above(from).iterator();
                while (wanted.size() < RECORDS_PER_SLICE && partitions.hasNext()) {
                    add(table, partitions.next(), above, span, wanted);
                }
            }
        }
        return wanted;
    }

    /** Adds the record of a partition. A partition that is on no known brick has no record. */
    private void add(TableView table, int number, byte[] above, KeySpan within, Map<byte[], byte[]> wanted) {
        KeySpan span = table.spans().of(number);
        Place place = table.place(number);
        BrickInfo brick = place == null || map.isReplaced(place) ? null : map.brick(place.brick());
        if (span != null && brick != null) {
            byte[] key = IndexRecord.key(table.definition().id(), span);
            if (Arrays.compareUnsigned(key, above) > 0 && within.holds(key)) {
                wanted.put(key, new IndexRecord(number, span.low(), brick).encoded());
            }
        }
    }
}
