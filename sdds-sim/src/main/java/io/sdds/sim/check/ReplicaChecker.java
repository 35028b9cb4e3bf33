package io.sdds.sim.check;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Checks that exactly the members of a replica group hold copies, that each copy is decided and led as the map says,
 * and that all copies are equal.
 */
public final class ReplicaChecker {
    private ReplicaChecker() {}

    /**
     * State of a partition on one brick.
     *
     * @param isMember whether the process is a member by the map
     * @param isPrimary whether the process is the primary by the map
     * @param held the copy; null for none
     */
    public record Copy(
            String brick,
            boolean isMember,
            boolean isPrimary,
            @Nullable Held held) {}

    /**
     * Contents of a copy.
     *
     * @param group state of the group; null if the copy has no group
     * @param records records by key, which must be equal at all members; null if not compared
     * @param writes knowledge of recent writes; null if not compared
     */
    public record Held(
            @Nullable Standing group,
            @Nullable Map<String, String> records,
            @Nullable Writes writes) {}

    /**
     * Recent writes that a copy knows.
     *
     * @param timeNanos committed logical time, by which records expire
     * @param sessions active sessions by number
     */
    public record Writes(long timeNanos, Map<Long, Session> sessions) {}

    /**
     * The kept results of a session.
     *
     * @param low lowest open write that this copy knows of
     * @param results results of writes from low on, by seq
     */
    public record Session(long low, SortedMap<Long, String> results) {}

    /**
     * State of a member in its group.
     *
     * @param isDecided whether all prepared entries of the member are committed
     * @param shown description for messages
     */
    public record Standing(boolean isDecided, boolean leads, Object shown) {}

    /**
     * Describes all faults, one line each.
     *
     * @param members number of members in the map
     * @param bricks number of different bricks of these members
     * @param wanted number of replicas of the table
     * @param mayLack whether fewer members are allowed, because bricks may lack memory
     * @param copies copies of all bricks while the cluster is at rest
     */
    public static List<String> check(
            int partition, int members, int bricks, int wanted, boolean mayLack, List<Copy> copies) {
        List<String> wrong = new ArrayList<>(0);
        if (bricks < members) {
            wrong.add("partition " + partition + " has " + members + " copies on " + bricks
                    + (bricks == 1 ? " brick" : " bricks"));
        }
        if (members < wanted && !mayLack || members > wanted) {
            wrong.add("partition " + partition + " has " + members + " copies of " + wanted);
        }
        Map<String, Map<String, String>> records = new TreeMap<>();
        Map<String, Writes> writes = new TreeMap<>();
        for (Copy copy : copies) {
            Held held = copy.held();
            if (copy.isMember() != (held != null)) {
                wrong.add(at(partition, copy) + (copy.isMember() ? " is missing" : " is held by no member"));
            } else if (held != null) {
                checkStanding(partition, copy, held.group(), wrong);
                if (held.records() != null) {
                    records.put(copy.brick(), held.records());
                }
                if (held.writes() != null) {
                    writes.put(copy.brick(), held.writes());
                }
            }
        }
        if (records.values().stream().distinct().count() > 1) {
            wrong.add("partition " + partition + " differs between its copies: " + difference(records));
        }
        checkWrites(partition, writes, wrong);
        return wrong;
    }

    /** Adds the differences between what members know of recent writes, by the member. */
    static void checkWrites(int partition, Map<String, Writes> copies, List<String> wrong) {
        TreeMap<String, Long> times = new TreeMap<>();
        TreeSet<Long> sessions = new TreeSet<>();
        copies.forEach((brick, writes) -> {
            times.put(brick, writes.timeNanos());
            sessions.addAll(writes.sessions().keySet());
        });
        if (times.values().stream().distinct().count() > 1) {
            wrong.add("partition " + partition + " has different logical times: " + times);
        }
        for (long session : sessions) {
            checkSession(partition, session, copies, wrong);
        }
    }

    /*
     * A primary also learns the low of a session from refused requests, which are not in its log. So the lows of
     * two copies may differ: each copy keeps the results from its own low on. From the highest low on, all copies
     * must keep the same results.
     */
    private static void checkSession(int partition, long session, Map<String, Writes> copies, List<String> wrong) {
        long low = 0;
        for (Writes writes : copies.values()) {
            Session known = writes.sessions().get(session);
            low = known == null ? low : Math.max(low, known.low());
        }
        TreeMap<String, SortedMap<Long, String>> results = new TreeMap<>();
        for (Map.Entry<String, Writes> copy : copies.entrySet()) {
            Session known = copy.getValue().sessions().get(session);
            results.put(
                    copy.getKey(),
                    known == null ? new TreeMap<>() : known.results().tailMap(low));
        }
        if (results.values().stream().distinct().count() > 1) {
            wrong.add("partition " + partition + " keeps different results of session " + session + " from " + low
                    + " on: " + results);
        }
    }

    private static String at(int partition, Copy copy) {
        return "partition " + partition + " at " + copy.brick();
    }

    private static void checkStanding(int partition, Copy copy, @Nullable Standing group, List<String> wrong) {
        if (group == null) {
            wrong.add(at(partition, copy) + " has no group");
        } else if (!group.isDecided() || group.leads() != copy.isPrimary()) {
            wrong.add(at(partition, copy) + (copy.isPrimary() ? ", the primary, " : ", a backup, ") + group.shown());
        }
    }

    private static String difference(Map<String, Map<String, String>> copies) {
        Map<String, String> first = copies.values().iterator().next();
        StringBuilder text = new StringBuilder();
        copies.forEach((brick, records) -> {
            Map<String, String> more = new TreeMap<>(records);
            more.entrySet().removeAll(first.entrySet());
            Map<String, String> less = new TreeMap<>(first);
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
