package io.sdds.sim.watch;

import io.sdds.brick.memory.RecordStore;
import io.sdds.brick.partition.RangePartition;
import io.sdds.brick.range.KeyRange;
import io.sdds.coordinator.state.ClusterState;
import io.sdds.core.model.BrickInfo;
import io.sdds.core.model.KeySpan;
import io.sdds.core.model.Place;
import io.sdds.core.model.Routing;
import io.sdds.core.model.TableMap;
import io.sdds.core.protocol.IndexRecord;
import io.sdds.sim.cluster.SimBrick;
import io.sdds.sim.cluster.SimCluster;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Checks that the index of partitions equals the map, and that the index itself is a valid range table, while the
 * cluster is at rest.
 */
public final class IndexCheck {
    private IndexCheck() {}

    /** Number of partitions of the index. */
    public static int partitions(SimCluster cluster) {
        TableMap index = cluster.coordinator().state().table(IndexRecord.TABLE);
        return index == null ? 0 : index.partitions();
    }

    /** Describes all faults, one line each. */
    public static List<String> check(SimCluster cluster) {
        ClusterState state = cluster.coordinator().state();
        boolean isUsed = state.tables().stream()
                .anyMatch(table -> table.definition().spec().routing() == Routing.INDEX);
        TableMap index = state.table(IndexRecord.TABLE);
        if (index == null || !isUsed) {
            return isUsed == (index != null) ? List.of() : List.of("the index is " + index + ", used: " + isUsed);
        }
        List<String> wrong = new ArrayList<>(cluster.misplacedKeys(index, Set.of()));
        wrong.addAll(check(wanted(state), held(cluster, index.definition().id())));
        return wrong;
    }

    /**
     * Compares only the records.
     *
     * @param wanted the records of all partitions in the map, in the order of keys
     * @param held the records of the index, in the order of keys
     */
    static List<String> check(SortedMap<byte[], byte[]> wanted, SortedMap<byte[], byte[]> held) {
        List<String> wrong = new ArrayList<>();
        wanted.forEach((key, value) -> {
            if (!Arrays.equals(value, held.get(key))) {
                wrong.add("the index has " + text(held.get(key)) + " under " + KeySpan.text(key) + " instead of "
                        + text(value));
            }
        });
        held.forEach((key, value) -> {
            if (!wanted.containsKey(key)) {
                wrong.add("the index has " + text(value) + " under " + KeySpan.text(key) + ", where nothing is");
            }
        });
        return wrong;
    }

    private static String text(byte @Nullable [] value) {
        return value == null ? "nothing" : IndexRecord.of(value).toString();
    }

    /** The records that the index of a state should have. */
    static SortedMap<byte[], byte[]> wanted(ClusterState state) {
        SortedMap<byte[], byte[]> wanted = new TreeMap<>(Arrays::compareUnsigned);
        for (TableMap table : state.tables()) {
            int id = table.definition().id();
            for (int number = 0;
                    table.definition().spec().routing() == Routing.INDEX && number < table.partitions();
                    number++) {
                Place place = state.place(id, number);
                BrickInfo brick = state.brick(place.brick());
                if (state.exists(id, number) && brick != null) {
                    KeySpan span = state.span(id, number);
                    wanted.put(IndexRecord.key(id, span), new IndexRecord(number, span.low(), brick).encoded());
                }
            }
        }
        return wanted;
    }

    private static SortedMap<byte[], byte[]> held(SimCluster cluster, int index) {
        SortedMap<byte[], byte[]> held = new TreeMap<>(Arrays::compareUnsigned);
        for (SimBrick brick : cluster.bricks()) {
            brick.nodes()
                    .forEach(node -> node.tables().forEach(partition -> {
                        if (partition.table() == index && partition instanceof RangePartition range) {
                            RecordStore store = range.bucket().store();
                            range.bucket().ascend(new KeyRange(), ref -> {
                                MemorySegment value =
                                        store.segment(ref).asSlice(store.valueOffset(ref), store.valueLength(ref));
                                held.put(store.key(ref), value.toArray(ValueLayout.JAVA_BYTE));
                                return true;
                            });
                        }
                    }));
        }
        return held;
    }
}
