package io.sdds.cli.chaos;

import io.sdds.client.ClusterStatus;
import io.sdds.client.ClusterStatus.BrickStatus;
import io.sdds.client.ClusterStatus.CoordinatorStatus;
import io.sdds.client.ClusterStatus.PartitionStatus;
import io.sdds.client.TableInfo;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Decides which faults a cluster survives without the loss of an acknowledged write. Of a table with copies, at least
 * one healthy member of the group of each partition must remain, because a table survives the loss of all members of
 * the current group but one. Of a table with parity, so many bricks may fail as the coordinator tells that the table
 * can lose. Any coordinators may fail, because all their acknowledged state is on disk.
 */
final class Survival {
    /**
     * A brick that was not heard for so long counts as lost for tables with parity. The coordinators may be about to
     * remove the brick from its parity groups, and the status does not show that yet.
     */
    private static final Duration SILENCE_MAX = Duration.ofMillis(500);

    private final ClusterStatus status;
    private final Map<String, Long> killed;
    private final Set<String> up;

    /**
     * @param status state of the cluster, with its partitions
     * @param killed by brick id, the incarnation of the process that was killed last; the coordinator may not know of
     *     the kill yet
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
     * Whether bricks may lose their memory at the same moment. No brick may while a table with one copy exists, because
     * its partitions may be splitting to any brick.
     */
    boolean survivesKillOf(Set<String> bricks) {
        return groups().allMatch(members -> members.size() > 1 && isLeftWithout(members, bricks))
                && parityCovers(bricks);
    }

    /**
     * Whether bricks may be silent for a time. A partition with one copy waits for its brick; a group continues without
     * the silent members. A parity group removes silent members, too, so they count as killed.
     */
    boolean survivesPauseOf(Set<String> bricks) {
        return groups().allMatch(members -> members.stream().noneMatch(bricks::contains)
                        || members.size() == 1
                        || isLeftWithout(members, bricks))
                && parityCovers(bricks);
    }

    /**
     * Whether each table with parity can lose bricks at the same moment. The number that the coordinator tells holds
     * for any bricks, so it does not matter which bricks hold members of which groups.
     */
    private boolean parityCovers(Set<String> bricks) {
        Set<String> lost = new TreeSet<>(bricks);
        status.bricks().stream()
                .filter(brick -> !up.contains(brick.id()) || brick.silent().compareTo(SILENCE_MAX) > 0)
                .forEach(brick -> lost.add(brick.id()));
        return tablesWithParity().allMatch(table -> table.health().canLose() >= lost.size());
    }

    private Stream<TableInfo> tablesWithParity() {
        return status.tables().stream().filter(Survival::hasParity);
    }

    private static boolean hasParity(TableInfo table) {
        return !table.options().parity().isNone();
    }

    /** Whether the coordinator knows of each kill: the status shows no killed process. */
    boolean isAwareOfKills() {
        return status.bricks().stream().allMatch(brick -> brick.incarnation() > killed.getOrDefault(brick.id(), 0L));
    }

    /** Whether a brick leads a group. */
    boolean leads(String brick) {
        return status.partitions().stream().anyMatch(partition -> brick.equals(partition.brick()));
    }

    /**
     * The members of each replica group, and the target members of each running split, whose switch the coordinator may
     * not know yet.
     */
    private Stream<List<String>> groups() {
        Set<Integer> withParity = tablesWithParity().map(TableInfo::id).collect(Collectors.toSet());
        return Stream.concat(
                status.partitions().stream()
                        .filter(partition -> !withParity.contains(partition.table()))
                        .map(this::members),
                status.splits().stream()
                        .map(split -> split.targetMembers())
                        .filter(members -> members.size() > 1)
                        .map(members -> members.stream().map(this::idOf).toList()));
    }

    /**
     * The id of the brick of a process; empty if the brick runs another process by now, which has no records of the old
     * process.
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

    /**
     * Whether all processes are up, no partition is lost, each partition has all its copies, and each parity group all
     * its members on different bricks.
     */
    boolean isWhole() {
        return up.size() == status.bricks().size()
                && status.coordinators().stream().allMatch(CoordinatorStatus::up)
                && status.partitions().stream().noneMatch(PartitionStatus::lost)
                && copiesMissing() == 0
                && parityMembersLacking() == 0
                && columnsToSeparate() == 0;
    }

    /** Number of partitions that share a brick with another one of their parity group. */
    private int columnsToSeparate() {
        return tablesWithParity()
                .mapToInt(table -> table.health().columnsToSeparate())
                .sum();
    }

    /** Number of members that all parity groups lack: degraded and filling partitions, and missing parities. */
    private int parityMembersLacking() {
        return tablesWithParity()
                .map(TableInfo::health)
                .mapToInt(health -> health.degraded() + health.filling() + health.missingParities())
                .sum();
    }

    /** Number of missing copies of all partitions. */
    private int copiesMissing() {
        Map<Integer, Integer> replicas = status.tables().stream()
                .collect(
                        Collectors.toMap(TableInfo::id, table -> table.options().replicas()));
        return status.partitions().stream()
                .filter(partition -> !partition.lost())
                .mapToInt(partition -> Math.max(0, replicas.getOrDefault(partition.table(), 1) - copies(partition)))
                .sum();
    }

    /** Number of copies of a partition whose processes have not been replaced. */
    private int copies(PartitionStatus partition) {
        return (int) members(partition).stream().filter(id -> !id.isEmpty()).count();
    }

    /** Describes what is missing until the cluster is complete. */
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
                + ", copies missing: " + copiesMissing()
                + (parityMembersLacking() == 0 ? "" : ", members of parity groups lacking: " + parityMembersLacking())
                + (columnsToSeparate() == 0 ? "" : ", partitions to move apart: " + columnsToSeparate());
    }
}
