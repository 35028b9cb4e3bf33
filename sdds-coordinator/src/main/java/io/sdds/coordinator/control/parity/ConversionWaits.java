package io.sdds.coordinator.control.parity;

import io.sdds.coordinator.control.base.ChangeText;
import io.sdds.coordinator.control.base.ControlContext;
import io.sdds.coordinator.control.member.BrickRegistry;
import io.sdds.coordinator.control.member.FailureDetector;
import io.sdds.coordinator.control.member.LiveBrick;
import io.sdds.coordinator.state.ParityGroup;
import io.sdds.core.control.ControlMessage.MigrationReport;
import io.sdds.core.model.LeaveOrder;
import io.sdds.core.model.MigrationOrder;
import io.sdds.core.model.Place;
import io.sdds.core.model.Place.Member;
import io.sdds.core.model.TableMap;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Tells what a conversion waits for that has not got further for a while, in either direction. A step that takes its
 * time is no obstacle, but one that never ends must not go untold.
 */
final class ConversionWaits {
    /** A primary gives ranks to about ten million records in this time. */
    static final long PATIENCE_NANOS = 30_000_000_000L;

    private static final int STATES_MAX = 1000;

    private final ControlContext our;
    private final BrickRegistry bricks;
    private final FailureDetector detector;

    /** How far the conversion of each table has got. */
    private final Map<Integer, Reached> reached = new TreeMap<>();

    /** The states that a table has been in, and since when there was nothing new. */
    private static final class Reached {
        /** The most bytes that were reported to be copied in each state. */
        final Map<Integer, Long> bytes = new TreeMap<>();

        long sinceNanos;
    }

    ConversionWaits(ControlContext our, BrickRegistry bricks, FailureDetector detector) {
        this.our = our;
        this.bricks = bricks;
        this.detector = detector;
    }

    void onLeading() {
        reached.clear();
    }

    /** Notes how far the conversions have got. */
    void tick() {
        TreeSet<Integer> converting = new TreeSet<>();
        for (TableMap table : our.state().tables()) {
            if (table.definition().isConverting()) {
                converting.add(table.definition().id());
                note(table);
            }
        }
        reached.keySet().retainAll(converting);
    }

    /** A state that comes again, because orders fail or members come and go, is no progress. */
    private void note(TableMap table) {
        int id = table.definition().id();
        long copied = bricks.all().stream()
                .flatMap(brick -> brick.migrations().stream())
                .filter(report -> isOf(report, id))
                .mapToLong(MigrationReport::shippedBytes)
                .sum();
        Reached now = reached.computeIfAbsent(id, unknown -> new Reached());
        if (now.bytes.size() == STATES_MAX) {
            now.bytes.clear();
        }
        Long most = now.bytes.putIfAbsent(state(table), copied);
        if (most == null || copied > most) {
            now.bytes.put(state(table), copied);
            now.sinceNanos = our.env().nowNanos();
        }
    }

    private boolean isOf(MigrationReport report, int table) {
        MigrationOrder order = our.state().migration(report.migration());
        return order != null && order.table() == table;
    }

    /** A number for the members of all groups of a table, and for the partitions that have ranks. */
    private int state(TableMap table) {
        int id = table.definition().id();
        List<Object> state = new ArrayList<>();
        for (int number = 0; number < our.state().groups(id); number++) {
            ParityGroup group = our.state().parityGroup(id, number);
            group.columns().forEach(place -> state.add(place.members()));
            state.add(group.parities());
            columns(group).forEach(column -> state.add(isRanked(id, column)));
        }
        return state.hashCode();
    }

    private boolean isRanked(int table, int partition) {
        Place place = our.state().place(table, partition);
        LiveBrick brick = bricks.get(place.brick());
        return brick != null && brick.leads(place) && brick.isRanked(table, partition, place.epoch());
    }

    /** Whether the conversion of a table has not got further for so long that its status should tell why. */
    boolean areLong(TableMap table) {
        Reached now = reached.get(table.definition().id());
        return now != null && our.env().nowNanos() - now.sinceNanos >= PATIENCE_NANOS;
    }

    // ---- what the groups wait for

    /**
     * The change of a group's members that is under way, or the silent processes that hold all changes up; empty if
     * there is none.
     *
     * @param judged the processes that must not be gone
     */
    String changes(ParityGroup group, Collection<Member> judged) {
        List<Member> gone = judged.stream().filter(detector::isGone).toList();
        if (!gone.isEmpty()) {
            return names(gone) + " of group " + group.number() + (isOne(gone) ? " is" : " are") + " silent";
        }
        return our.state().migrations().stream()
                .filter(order -> order.table() == group.table().id() && group.has(order.receiver()))
                .map(text()::of)
                .findFirst()
                .orElseGet(() -> leaves(group));
    }

    private String leaves(ParityGroup group) {
        for (LeaveOrder leave : our.state().leaves()) {
            if (leave.table() == group.table().id() && group.has(leave.partition())) {
                return text().brick(leave.leaver().brick()) + " is to give up its copy of partition "
                        + leave.partition();
            }
        }
        return columns(group)
                .filter(column -> group.standsOnReplicas()
                        && group.column(column).members().size() > group.table().replicas())
                .mapToObj(column -> "a copy of partition " + column + " is to leave")
                .findFirst()
                .orElse("");
    }

    /** A partition of a group gets a copy as soon as one of the bricks that may have it can take it. */
    static String copy(int partition) {
        return "a copy of partition " + partition + " waits for a brick that has not failed lately and takes fewer"
                + " other copies";
    }

    /** What a group waits for that has room for its parities, and whose members do not change. */
    String parities(ParityGroup group, TableMap table) {
        List<Integer> unranked = columns(group)
                .filter(column -> !isRanked(table.definition().id(), column))
                .boxed()
                .toList();
        if (!unranked.isEmpty()) {
            return (isOne(unranked) ? "partition " : "partitions ") + list(unranked)
                    + (isOne(unranked) ? " has" : " have") + " records without ranks";
        }
        int missing = group.parities().firstMissing();
        return missing < 0
                ? end(group, group.processes(), table)
                : "parity " + missing + " of group " + group.number()
                        + " waits for a brick that has not failed lately and builds fewer others";
    }

    /** What a group waits for that needs nothing but word of some members. */
    String end(ParityGroup group, Collection<Member> members, TableMap table) {
        List<Member> unheard = members.stream()
                .filter(member -> !bricks.hears(member, table.version()))
                .toList();
        return unheard.isEmpty()
                ? "group " + group.number() + " is to be converted at once"
                : names(unheard) + " of group " + group.number() + (isOne(unheard) ? " was" : " were")
                        + " not heard lately with the present map of the table";
    }

    private static IntStream columns(ParityGroup group) {
        return IntStream.range(group.first(), group.first() + group.columns().size());
    }

    private ChangeText text() {
        return new ChangeText(our.state());
    }

    private String names(Collection<Member> members) {
        return list(members.stream()
                .map(member -> text().brick(member.brick()))
                .distinct()
                .toList());
    }

    private static boolean isOne(Collection<?> all) {
        return all.size() == 1;
    }

    private static String list(Collection<?> all) {
        return all.stream().map(String::valueOf).collect(Collectors.joining(", "));
    }
}
