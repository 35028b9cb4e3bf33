package io.sdds.cli.chaos;

import io.sdds.client.ClusterStatus;
import io.sdds.client.ClusterStatus.BrickStatus;
import io.sdds.client.ClusterStatus.CoordinatorStatus;
import io.sdds.client.ClusterStatus.PartitionStatus;
import io.sdds.client.TableInfo;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What a cluster survives next without losing anything that it acknowledged: of each partition's group a member must be
 * left that is well (a table survives the loss of all members of the present group but one), and of the coordinators
 * nothing, since what they acknowledged is on disk.
 */
final class Survival {
    private final ClusterStatus status;
    private final Map<String, Long> killed;
    private final Set<String> up;

    /**
     * @param status with its partitions
     * @param killed incarnations of the processes that were killed last, by their bricks: the coordinator may not know
     *     yet that they are gone
     */
    Survival(ClusterStatus status, Map<String, Long> killed) {
        this.status = status;
        this.killed = Map.copyOf(killed);
        this.up = new TreeSet<>();
        status.bricks().stream()
                .filter(BrickStatus::up)
                .filter(brick -> brick.incarnation() > killed.getOrDefault(brick.id(), 0L))
                .forEach(brick -> up.add(brick.id()));
    }

    /** The bricks of the processes that hold a partition, the primary first. */
    private List<String> members(PartitionStatus partition) {
        return partition.members().stream().map(this::idOf).toList();
    }

    /**
     * Whether bricks may lose their memory at the same moment. Not while there is a table of one copy: it may split to
     * any brick this very moment.
     */
    boolean survivesKillOf(Set<String> bricks) {
        return groups().allMatch(members -> members.size() > 1 && isLeftWithout(members, bricks));
    }

    /**
     * Whether bricks may be silent for a time: with one copy a partition waits for its brick, else its group goes on
     * without them.
     */
    boolean survivesPauseOf(Set<String> bricks) {
        return groups().allMatch(members ->
                members.stream().noneMatch(bricks::contains) || members.size() == 1 || isLeftWithout(members, bricks));
    }

    /** Whether the coordinator knows of each kill: for no brick it shows the process that was killed. */
    boolean isAwareOfKills() {
        return status.bricks().stream().allMatch(brick -> brick.incarnation() > killed.getOrDefault(brick.id(), 0L));
    }

    /** Whether a brick leads a group. */
    boolean leads(String brick) {
        return status.partitions().stream().anyMatch(partition -> brick.equals(partition.brick()));
    }

    /**
     * Those who hold a partition, and those to whom a split may have given half of one before the coordinator knows.
     */
    private Stream<List<String>> groups() {
        return Stream.concat(
                status.partitions().stream().map(this::members),
                status.splits().stream()
                        .map(split -> split.targetMembers())
                        .filter(members -> members.size() > 1)
                        .map(members -> members.stream().map(this::idOf).toList()));
    }

    /**
     * The id of the process's brick; of no brick when that runs another process by now, which has nothing of what this
     * one had.
     */
    private String idOf(ClusterStatus.Member member) {
        return status.bricks().stream()
                .filter(info -> info.number() == member.brick() && info.incarnation() == member.incarnation())
                .map(BrickStatus::id)
                .findFirst()
                .orElse("");
    }

    private boolean isLeftWithout(List<String> members, Set<String> bricks) {
        return members.stream().anyMatch(member -> !bricks.contains(member) && up.contains(member));
    }

    /** Whether all processes are heard, nothing is lost, and each partition has all its copies. */
    boolean isWhole() {
        return up.size() == status.bricks().size()
                && status.coordinators().stream().allMatch(CoordinatorStatus::up)
                && status.partitions().stream().noneMatch(PartitionStatus::lost)
                && copiesMissing() == 0;
    }

    /** Of all partitions together. */
    private int copiesMissing() {
        Map<Integer, Integer> replicas = status.tables().stream()
                .collect(
                        Collectors.toMap(TableInfo::id, table -> table.options().replicas()));
        return status.partitions().stream()
                .filter(partition -> !partition.lost())
                .mapToInt(partition -> Math.max(0, replicas.getOrDefault(partition.table(), 1) - copies(partition)))
                .sum();
    }

    /** Those of a partition whose processes have not been replaced. */
    private int copies(PartitionStatus partition) {
        return (int) members(partition).stream().filter(id -> !id.isEmpty()).count();
    }

    /** What is not as it should be, for people. */
    String trouble() {
        List<String> down = status.coordinators().stream()
                .filter(coordinator -> !coordinator.up())
                .map(CoordinatorStatus::id)
                .toList();
        List<String> bricksDown = status.bricks().stream()
                .map(BrickStatus::id)
                .filter(id -> !up.contains(id))
                .toList();
        long lost = status.partitions().stream().filter(PartitionStatus::lost).count();
        return "coordinators down: " + down + ", bricks down: " + bricksDown + ", partitions lost: " + lost
                + ", copies missing: " + copiesMissing();
    }
}
