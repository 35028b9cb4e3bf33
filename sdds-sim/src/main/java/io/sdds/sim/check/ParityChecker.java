package io.sdds.sim.check;

import io.sdds.sim.check.ReplicaChecker.Writes;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Checks a parity group at rest: exactly the members by the map hold its parities, and each of them knows of each
 * column what the column's primary knows. All members are on different bricks, so the loss of a brick takes one.
 */
public final class ParityChecker {
    private ParityChecker() {}

    /**
     * A parity group.
     *
     * @param columns the data partitions, as their primaries have them
     * @param copies the parities of all bricks
     */
    public record Group(int number, List<Column> columns, List<Copy> copies) {
        public Group {
            columns = List.copyOf(columns);
            copies = List.copyOf(copies);
        }
    }

    /**
     * A data partition.
     *
     * @param index of the column in its group
     * @param brick that holds it
     */
    public record Column(int partition, int index, String brick, State state) {}

    /**
     * The parity that a brick holds.
     *
     * @param index of the parity that the map places with the brick; -1 for none
     * @param held the parity that is there; null for none
     */
    public record Copy(String brick, int index, @Nullable Held held) {}

    /**
     * Contents of a parity.
     *
     * @param columns the columns' states, in the order of their indexes
     * @param faults differences between the parity records and the records of the columns; empty if not compared
     */
    public record Held(int index, List<State> columns, List<String> faults) {
        public Held {
            columns = List.copyOf(columns);
            faults = List.copyOf(faults);
        }
    }

    /**
     * What a member knows of a column.
     *
     * @param committed seq of the last committed entry
     * @param isDecided whether all entries of the member's log are committed
     * @param version of the column's last write
     * @param writes knowledge of recent writes; null if not compared
     */
    public record State(
            long committed,
            boolean isDecided,
            long version,
            @Nullable Writes writes) {}

    /** Describes all faults of a group while the cluster is at rest, one line each. */
    public static List<String> check(Group group) {
        List<String> wrong = new ArrayList<>();
        for (Copy copy : group.copies()) {
            Held held = copy.held();
            int index = held == null ? -1 : held.index();
            if (index != copy.index()) {
                wrong.add("parity group " + group.number() + ": " + copy.brick() + " holds " + parity(index)
                        + ", and the map says " + parity(copy.index()));
            } else if (held != null) {
                held.faults().forEach(fault -> wrong.add(at(group, copy) + ": " + fault));
            }
        }
        group.columns().forEach(column -> check(group, column, wrong));
        return wrong;
    }

    /** Describes each brick that holds more than one member of a group, one line each. */
    public static List<String> checkBricks(Group group) {
        Map<String, List<String>> members = new TreeMap<>();
        group.columns()
                .forEach(column -> members.computeIfAbsent(column.brick(), brick -> new ArrayList<>())
                        .add("partition " + column.partition()));
        group.copies().stream()
                .filter(copy -> copy.index() >= 0)
                .forEach(copy -> members.computeIfAbsent(copy.brick(), brick -> new ArrayList<>())
                        .add("parity " + copy.index()));
        List<String> wrong = new ArrayList<>();
        members.forEach((brick, names) -> {
            if (names.size() > 1) {
                wrong.add("parity group " + group.number() + ": " + String.join(" and ", names) + " are on one brick, "
                        + brick);
            }
        });
        return wrong;
    }

    private static String parity(int index) {
        return index < 0 ? "no parity" : "parity " + index;
    }

    private static String at(Group group, Copy copy) {
        return "parity group " + group.number() + ", parity " + copy.index() + " at " + copy.brick();
    }

    private static void check(Group group, Column column, List<String> wrong) {
        Map<String, Writes> writes = new TreeMap<>();
        add(writes, "primary", column.state());
        for (Copy copy : group.copies()) {
            if (copy.held() != null) {
                State here = copy.held().columns().get(column.index());
                add(writes, copy.brick(), here);
                String fault = fault(column.state(), here);
                if (fault != null) {
                    wrong.add(at(group, copy) + ", partition " + column.partition() + ": " + fault);
                }
            }
        }
        ReplicaChecker.checkWrites(column.partition(), writes, wrong);
    }

    private static void add(Map<String, Writes> writes, String member, State state) {
        if (state.writes() != null) {
            writes.put(member, state.writes());
        }
    }

    /** A member without entries does not know the version with which the partition began. */
    private static @Nullable String fault(State primary, State here) {
        if (!here.isDecided() || here.committed() != primary.committed()) {
            return "committed are " + here.committed() + " entries, at the primary " + primary.committed()
                    + (here.isDecided() ? "" : "; more are in the log");
        }
        return here.committed() == 0 || here.version() == primary.version()
                ? null
                : "version " + here.version() + ", at the primary " + primary.version();
    }

    /**
     * Describes all faults of a data partition's ranks, one line each.
     *
     * @param used number of ranks that count as used
     * @param references reference of the record of each rank that has one
     * @param records rank of each record, by the record's reference
     */
    public static List<String> checkRanks(
            int partition, int used, SortedMap<Integer, Long> references, SortedMap<Long, Integer> records) {
        List<String> wrong = new ArrayList<>();
        if (used != records.size()) {
            wrong.add("partition " + partition + " uses " + used + " ranks for " + records.size() + " records");
        }
        records.forEach((ref, rank) -> {
            if (!ref.equals(references.get(rank))) {
                wrong.add("partition " + partition + ": record " + ref + " has rank " + rank + ", whose record is "
                        + references.get(rank));
            }
        });
        references.forEach((rank, ref) -> {
            if (!records.containsKey(ref)) {
                wrong.add("partition " + partition + ": rank " + rank + " is of " + ref + ", which is no record");
            }
        });
        return wrong;
    }
}
