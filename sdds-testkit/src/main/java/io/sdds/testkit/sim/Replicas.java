package io.sdds.testkit.sim;

import io.sdds.brick.group.Group;
import io.sdds.brick.memory.RecordStore;
import io.sdds.brick.node.BrickNode;
import io.sdds.brick.partition.HashPartition;
import io.sdds.brick.partition.Partition;
import io.sdds.brick.partition.RangePartition;
import io.sdds.brick.range.KeyRange;
import io.sdds.core.addressing.ScanOrder;
import io.sdds.core.model.BrickInfo;
import io.sdds.core.model.KeySpan;
import io.sdds.core.model.Place;
import io.sdds.core.model.TableMap;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Looks at the replica groups of a cluster while nothing is under way: each is held by its members, and all of them hold the same. */
final class Replicas {
    private Replicas() {}

    /** Whether every group has all its members, decided, at the epoch of the map. */
    static boolean areSettled(SimCluster cluster, TableMap table) {
        for (int a = 0; a < table.partitions(); a++) {
            if (!wrong(cluster, table, a, false).isEmpty()) {
                return false;
            }
        }
        return true;
    }

    /** What is wrong, in lines. */
    static List<String> check(SimCluster cluster, TableMap table) {
        List<String> wrong = new ArrayList<>();
        for (int a = 0; a < table.partitions(); a++) {
            wrong.addAll(wrong(cluster, table, a, true));
        }
        return wrong;
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
        List<String> wrong = new ArrayList<>(0);
        int wanted = Math.min(table.definition().replicas(), cluster.bricks().size());
        boolean lacking = place.members().size() < wanted && !cluster.plan().mayFill(); // else none may have room
        if (lacking || place.members().size() > wanted) {
            wrong.add("partition " + a + " has " + place.members().size() + " copies of " + wanted);
        }
        TreeMap<String, TreeMap<String, String>> copies = new TreeMap<>();
        for (SimBrick brick : cluster.bricks()) {
            Partition held = held(brick, id, a);
            BrickInfo info = cluster.coordinator().state().brick(brick.name());
            boolean member = info != null && place.has(info.number(), info.incarnation());
            if (member != (held != null)) {
                wrong.add(
                        "partition " + a + " at " + brick.name() + (member ? " is missing" : " is held by no member"));
            } else if (held != null) {
                addWrong(wrong, held, brick, info != null && place.brick() == info.number());
                if (withRecords) {
                    copies.put(brick.name(), records(brick, held));
                }
            }
        }
        if (copies.values().stream().distinct().count() > 1) {
            wrong.add("partition " + a + " differs between its copies: " + difference(copies));
        }
        return wrong;
    }

    private static void addWrong(List<String> wrong, Partition held, SimBrick brick, boolean primary) {
        if (!(held.replica() instanceof Group group)) {
            wrong.add("partition " + held.number() + " at " + brick.name() + " has no group");
        } else if (!group.isDecided() || group.leads() != primary) {
            String role = primary ? ", the primary, " : ", a backup, ";
            wrong.add("partition " + held.number() + " at " + brick.name() + role + group);
        }
    }

    static @Nullable Partition held(SimBrick brick, int table, int number) {
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
            range.bucket().ascend(new KeyRange(), ref -> {
                records.put(KeySpan.text(store.key(ref)), describe(store, ref));
                return true;
            });
            return records;
        }
        long end = ScanOrder.end(partition.number(), partition.level());
        long cursor = ScanOrder.start(partition.number());
        do {
            cursor = ((HashPartition) partition)
                    .bucket()
                    .visit(cursor, (ref, hash) -> records.put(Long.toHexString(hash), describe(store, ref)));
        } while (cursor != 0 && ScanOrder.before(cursor, end));
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

    private static String difference(TreeMap<String, TreeMap<String, String>> copies) {
        TreeMap<String, String> first = copies.firstEntry().getValue();
        StringBuilder text = new StringBuilder();
        copies.forEach((brick, records) -> {
            TreeMap<String, String> more = new TreeMap<>(records);
            more.entrySet().removeAll(first.entrySet());
            TreeMap<String, String> less = new TreeMap<>(first);
            less.entrySet().removeAll(records.entrySet());
            text.append(' ')
                    .append(brick)
                    .append(" has ")
                    .append(records.size())
                    .append(" records");
            if (!more.isEmpty() || !less.isEmpty()) {
                text.append(", of its own ").append(more).append(", and not ").append(less);
            }
        });
        return text.toString();
    }
}
