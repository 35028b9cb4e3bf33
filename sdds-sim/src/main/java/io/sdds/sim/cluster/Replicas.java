package io.sdds.sim.cluster;

import io.sdds.brick.group.Group;
import io.sdds.brick.map.BrickMap;
import io.sdds.brick.memory.RecordStore;
import io.sdds.brick.node.BrickNode;
import io.sdds.brick.partition.HashPartition;
import io.sdds.brick.partition.Partition;
import io.sdds.brick.partition.RangePartition;
import io.sdds.brick.partition.Results;
import io.sdds.core.model.BrickInfo;
import io.sdds.core.model.KeySpan;
import io.sdds.core.model.Place;
import io.sdds.core.model.TableMap;
import io.sdds.sim.check.ReplicaChecker;
import io.sdds.sim.check.ReplicaChecker.Copy;
import io.sdds.sim.check.ReplicaChecker.Held;
import io.sdds.sim.check.ReplicaChecker.Session;
import io.sdds.sim.check.ReplicaChecker.Standing;
import io.sdds.sim.check.ReplicaChecker.Writes;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Looks at the replica groups of a cluster while nothing is under way: each is held by its members, and all of them
 * hold the same.
 */
public final class Replicas {
    private Replicas() {}

    /** Whether every group has all its members, decided, at the epoch of the map. */
    public static boolean areSettled(SimCluster cluster, TableMap table) {
        for (int a = 0; a < columns(cluster, table); a++) {
            if (!wrong(cluster, table, a, false).isEmpty()) {
                return false;
            }
        }
        return true;
    }

    /** What is wrong, in lines. */
    public static List<String> check(SimCluster cluster, TableMap table) {
        List<String> wrong = new ArrayList<>();
        for (int a = 0; a < columns(cluster, table); a++) {
            wrong.addAll(wrong(cluster, table, a, true));
        }
        return wrong;
    }

    /** A number above the numbers of all partitions and idle columns. */
    private static int columns(SimCluster cluster, TableMap table) {
        return cluster.coordinator().state().columns(table.definition().id());
    }

    private static List<String> wrong(SimCluster cluster, TableMap table, int a, boolean withRecords) {
        int id = table.definition().id();
        Place place = cluster.coordinator().state().place(id, a);
        if (place.none()) {
            return List.of();
        }
        if (place.lost()) {
            return List.of("partition " + a + " is lost");
        }
        List<Copy> copies = new ArrayList<>(cluster.bricks().size());
        for (SimBrick brick : cluster.bricks()) {
            BrickInfo info = cluster.coordinator().state().brick(brick.name());
            copies.add(new Copy(
                    brick.name(),
                    info != null && place.has(info.number(), info.incarnation()),
                    info != null && place.brick() == info.number(),
                    copy(brick, held(brick, id, a), withRecords)));
        }
        int wanted = Math.min(table.definition().replicas(), cluster.bricks().size());
        long bricks =
                place.members().stream().map(Place.Member::brick).distinct().count();
        return ReplicaChecker.check(
                a, place.members().size(), (int) bricks, wanted, cluster.plan().mayFill(), copies);
    }

    private static @Nullable Held copy(SimBrick brick, @Nullable Partition held, boolean withRecords) {
        if (held == null) {
            return null;
        }
        Group group = held.group();
        Standing standing = new Standing(group.isDecided(), group.leads(), group);
        return withRecords
                ? new Held(
                        standing,
                        records(brick, held),
                        writes(
                                brick.nodes().get(0).map(),
                                held.results(),
                                held.bucket().timeNanos(),
                                hash -> isOwn(held, hash)))
                : new Held(standing, null, null);
    }

    /**
     * Copies may keep results of keys that went elsewhere with a split; of a range partition these can't be told apart.
     */
    private static boolean isOwn(Partition partition, long hash) {
        return partition instanceof HashPartition hashed && hashed.owns(hash);
    }

    /**
     * Recent writes that a member knows, of the sessions that are not over.
     *
     * @param isOwn whether the member owns a pseudo-key; results of other keys are not compared
     */
    static Writes writes(BrickMap map, Results results, long timeNanos, LongPredicate isOwn) {
        Map<Long, Session> sessions = new TreeMap<>();
        results.forEach((session, seq, low, hash, status, value) -> {
            if (!map.sessionEnded(session)) {
                Session known = sessions.computeIfAbsent(session, made -> new Session(low, new TreeMap<>()));
                if (seq != 0 && isOwn.test(hash)) {
                    known.results().put(seq, "status " + status + " value " + value);
                }
            }
        });
        return new Writes(timeNanos, sessions);
    }

    public static @Nullable Partition held(SimBrick brick, int table, int number) {
        for (BrickNode node : brick.nodes()) {
            Partition partition = node.tables().find(table, number);
            if (partition != null) {
                return partition;
            }
        }
        return null;
    }

    /** Keys with versions, expiries and values; of a range partition its span, too. */
    private static TreeMap<String, String> records(SimBrick brick, Partition partition) {
        RecordStore store = brick.store(partition);
        TreeMap<String, String> records = new TreeMap<>();
        if (partition instanceof RangePartition range) {
            records.put("span", range.span().toString());
        }
        boolean isRange = partition instanceof RangePartition;
        PartitionRecords.forEach(partition, ref -> {
            String key = isRange ? KeySpan.text(store.key(ref)) : Long.toHexString(store.hash(ref));
            records.put(key, describe(store, ref));
        });
        return records;
    }

    private static String describe(RecordStore store, long ref) {
        byte[] bytes = new byte[store.contentLength(ref)];
        java.lang.foreign.MemorySegment.copy(
                store.segment(ref),
                java.lang.foreign.ValueLayout.JAVA_BYTE,
                store.keyOffset(ref),
                bytes,
                0,
                bytes.length);
        return store.version(ref) + " until " + store.expiry(ref) + " " + java.util.Arrays.hashCode(bytes);
    }
}
