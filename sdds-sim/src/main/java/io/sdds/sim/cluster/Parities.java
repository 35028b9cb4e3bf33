package io.sdds.sim.cluster;

import io.sdds.brick.bucket.RankSpace;
import io.sdds.brick.map.BrickMap;
import io.sdds.brick.memory.RecordStore;
import io.sdds.brick.parity.member.Column;
import io.sdds.brick.parity.member.ParityPartition;
import io.sdds.brick.parity.records.ParityCheck;
import io.sdds.brick.parity.records.ParityCheck.Coded;
import io.sdds.brick.partition.Partition;
import io.sdds.coordinator.state.ClusterState;
import io.sdds.coordinator.state.ParityGroup;
import io.sdds.core.model.BrickInfo;
import io.sdds.core.model.Parity;
import io.sdds.core.model.Place.Member;
import io.sdds.core.model.TableMap;
import io.sdds.sim.check.ParityChecker;
import io.sdds.sim.check.ParityChecker.Copy;
import io.sdds.sim.check.ParityChecker.Group;
import io.sdds.sim.check.ParityChecker.Held;
import io.sdds.sim.check.ParityChecker.State;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Looks at the parity groups of a cluster while nothing is under way. */
public final class Parities {
    /** Room that is ample for a member without records. */
    private static final long ROOM_BYTES = 64 << 10;

    private final SimCluster cluster;
    private final ClusterState state;
    private final int table;
    private final Parity parity;
    private final int columns;

    private Parities(SimCluster cluster, TableMap table) {
        this.cluster = cluster;
        this.state = cluster.coordinator().state();
        this.table = table.definition().id();
        this.parity = table.definition().parity();
        this.columns = state.columns(this.table);
    }

    /** A data partition where it is. */
    private record Placed(SimBrick brick, Partition partition) {
        RecordStore store() {
            return brick.store(partition);
        }

        RankSpace ranks() {
            return Objects.requireNonNull(partition.bucket().ranks().space());
        }
    }

    /** Whether every parity of every group is where the map says, and knows all entries of its columns. */
    public static boolean areSettled(SimCluster cluster, TableMap table) {
        Parities parities = new Parities(cluster, table);
        for (int group = 0; group < parities.parity.groups(parities.columns); group++) {
            if (!parities.wrong(group, false).isEmpty()) {
                return false;
            }
        }
        return true;
    }

    /** What is wrong, in lines. */
    public static List<String> check(SimCluster cluster, TableMap table) {
        Parities parities = new Parities(cluster, table);
        List<String> wrong = new ArrayList<>();
        for (int group = 0; group < parities.parity.groups(parities.columns); group++) {
            wrong.addAll(parities.wrong(group, true));
        }
        return wrong;
    }

    private List<String> wrong(int group, boolean withRecords) {
        List<String> wrong = new ArrayList<>(lacking(state.parityGroup(table, group)));
        List<Placed> placed = new ArrayList<>();
        List<ParityChecker.Column> columns = new ArrayList<>();
        for (int c = 0; c < parity.columns(); c++) {
            int number = group * parity.columns() + c;
            Placed here = hasColumn(number) ? find(number) : null;
            if (here != null) {
                if (!here.partition().bucket().ranks().areGiven()) {
                    return List.of("partition " + number + " at " + here.brick().name() + " has no ranks");
                }
                placed.add(here);
                columns.add(new ParityChecker.Column(number, c, here.brick().name(), state(here, withRecords)));
                wrong.addAll(unowned(here));
                if (withRecords) {
                    wrong.addAll(ranks(here));
                }
            } else if (hasColumn(number)) {
                return List.of("partition " + number + " is nowhere");
            }
        }
        List<Copy> copies = new ArrayList<>();
        for (SimBrick brick : cluster.bricks()) {
            copies.add(new Copy(brick.name(), index(brick, group), held(brick, group, placed, withRecords)));
        }
        Group here = new Group(group, columns, copies);
        wrong.addAll(ParityChecker.check(here));
        if (!cluster.plan().mayFill()) { // a full brick takes no column
            wrong.addAll(ParityChecker.checkBricks(here));
        }
        return wrong;
    }

    /** Whether a column has this number, idle or not. */
    private boolean hasColumn(int number) {
        return number < columns && !state.place(table, number).none();
    }

    /**
     * Whether a brick that has no member of a group has ample room for one. A column may lie on other bricks, too, so a
     * column that is lacking counts though there is no room.
     */
    private boolean hasRoom(ParityGroup group) {
        long most = IntStream.range(0, parity.columns())
                .mapToObj(c -> find(group.first() + c))
                .mapToLong(here -> here == null ? 0 : here.partition().bytes())
                .max()
                .orElse(0);
        return !group.areColumnsComplete()
                || cluster.bricks().stream()
                        .filter(brick -> !group.isOn(Objects.requireNonNull(state.brick(brick.name()))
                                .number()))
                        .anyMatch(brick -> brick.budget().ordinaryLimitBytes()
                                        - brick.budget().usedBytes()
                                > ROOM_BYTES + 2 * most);
    }

    /** What a group lacks by the map, and what is ordered for it, in lines. Short memory is no fault. */
    private List<String> lacking(ParityGroup group) {
        int lacks = group.lacking(process -> false);
        return lacks == 0 && group.repairs().isEmpty() || cluster.plan().mayFill() && !hasRoom(group)
                ? List.of()
                : List.of("parity group " + group.number() + " lacks " + lacks + " members: columns " + group.columns()
                        + ", " + group.parities() + ", orders " + group.repairs());
    }

    /** Whether a column owns keys as the map says, and has no records of other keys, in lines. */
    private List<String> unowned(Placed column) {
        Partition here = column.partition();
        List<String> wrong = new ArrayList<>();
        if (here.isIdle() != state.isIdle(table, here.number())) {
            wrong.add("column " + here.number() + " at " + column.brick().name() + " is "
                    + (here.isIdle() ? "" : "not ") + "idle, other than the map says");
        }
        if (!here.isClean()) {
            wrong.add("column " + here.number() + " at " + column.brick().name() + " is not clean: it has "
                    + here.bucket().records() + " records, and owns " + here.records());
        }
        return wrong;
    }

    private @Nullable Placed find(int number) {
        for (SimBrick brick : cluster.bricks()) {
            Partition partition = Replicas.held(brick, table, number);
            if (partition != null) {
                return new Placed(brick, partition);
            }
        }
        return null;
    }

    /** The index of the parity that the map places with a brick; -1 for none. */
    private int index(SimBrick brick, int group) {
        BrickInfo info = state.brick(brick.name());
        return info == null ? -1 : state.parities(table, group).indexOf(new Member(info.number(), info.incarnation()));
    }

    private State state(Placed primary, boolean withWrites) {
        Partition partition = primary.partition();
        return new State(
                partition.group().committed(),
                partition.group().isDecided(),
                partition.version(),
                withWrites
                        ? Replicas.writes(
                                map(primary.brick()),
                                partition.results(),
                                partition.bucket().timeNanos(),
                                hash -> true)
                        : null);
    }

    private static BrickMap map(SimBrick brick) {
        return brick.nodes().get(0).map();
    }

    private @Nullable Held held(SimBrick brick, int group, List<Placed> placed, boolean withRecords) {
        List<ParityPartition> here = new ArrayList<>();
        brick.nodes()
                .forEach(node -> node.parities().forEach(found -> {
                    if (found.table() == table && found.group() == group) {
                        here.add(found);
                    }
                }));
        if (here.isEmpty()) {
            return null;
        }
        ParityPartition found = here.getFirst();
        List<State> columns = new ArrayList<>();
        found.columns().forEach(column -> columns.add(state(brick, column, withRecords)));
        return new Held(found.index(), columns, withRecords ? faults(found, placed) : List.of());
    }

    private static State state(SimBrick brick, Column column, boolean withWrites) {
        return new State(
                column.committed(),
                column.isDecided(),
                column.version(),
                withWrites ? Replicas.writes(map(brick), column.results(), column.timeNanos(), hash -> true) : null);
    }

    private List<String> faults(ParityPartition found, List<Placed> placed) {
        List<IntFunction<@Nullable Coded>> columns = new ArrayList<>();
        int top = 0;
        for (int c = 0; c < parity.columns(); c++) {
            int number = found.group() * parity.columns() + c;
            Placed column = placed.stream()
                    .filter(here -> here.partition().number() == number)
                    .findFirst()
                    .orElse(null);
            columns.add(rank -> column == null
                    ? null
                    : Coded.of(column.store(), column.ranks().reference(rank)));
            top = Math.max(top, column == null ? 0 : column.ranks().top());
        }
        return ParityCheck.faults(found.records(), columns, top);
    }

    private static List<String> ranks(Placed column) {
        RankSpace ranks = column.ranks();
        TreeMap<Long, Integer> records = new TreeMap<>();
        PartitionRecords.forEach(
                column.partition(), ref -> records.put(ref, column.store().rank(ref)));
        TreeMap<Integer, Long> references = new TreeMap<>();
        for (int rank = 0; rank < ranks.top(); rank++) {
            if (ranks.reference(rank) != 0) {
                references.put(rank, ranks.reference(rank));
            }
        }
        return ParityChecker.checkRanks(column.partition().number(), ranks.used(), references, records);
    }
}
