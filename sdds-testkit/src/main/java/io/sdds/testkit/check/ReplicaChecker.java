package io.sdds.testkit.check;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Whether a replica group is held by its members and nobody else, decided and led as the map says, and the same at all
 * of them.
 */
public final class ReplicaChecker {
    private ReplicaChecker() {}

    /**
     * What a brick has of a partition.
     *
     * @param isMember whether its process is one by the map
     * @param isPrimary whether it leads by the map
     * @param held null: nothing
     */
    public record Copy(
            String brick,
            boolean isMember,
            boolean isPrimary,
            @Nullable Held held) {}

    /**
     * A copy as it is.
     *
     * @param group null: it takes part in none
     * @param records all that must be the same at all members, by key; null: not looked at
     * @param writes null: not looked at
     */
    public record Held(
            @Nullable Standing group,
            @Nullable Map<String, String> records,
            @Nullable Writes writes) {}

    /**
     * What a copy knows of recent writes.
     *
     * @param timeNanos the committed logical time, by which records expire
     * @param sessions by number; without those that have ended
     */
    public record Writes(long timeNanos, Map<Long, Session> sessions) {}

    /**
     * The kept results of a session.
     *
     * @param low the lowest write that is open, as far as this copy was told
     * @param results of writes from low on, by their numbers in the session
     */
    public record Session(long low, SortedMap<Long, String> results) {}

    /**
     * A member's part in its group.
     *
     * @param isDecided whether all that it has prepared is committed
     * @param shown for people
     */
    public record Standing(boolean isDecided, boolean leads, Object shown) {}

    /**
     * What is wrong, in lines.
     *
     * @param members that the map has
     * @param wanted how many it should have
     * @param mayLack whether it may have fewer, since no brick may have room
     * @param copies of all bricks while nothing is under way
     */
    public static List<String> check(int partition, int members, int wanted, boolean mayLack, List<Copy> copies) {
        List<String> wrong = new ArrayList<>(0);
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

    private static void checkWrites(int partition, Map<String, Writes> copies, List<String> wrong) {
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
     * A primary learns a session's low from requests that it refuses, too, and these are not in its log. So the lows
     * of two copies may differ while nothing is wrong: each keeps the results from its own low on. From the highest
     * low on all copies must keep the same.
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
