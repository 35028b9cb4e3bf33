package io.sdds.coordinator.control.request;

import io.sdds.coordinator.control.base.ControlContext;
import io.sdds.coordinator.control.member.BrickRegistry;
import io.sdds.coordinator.control.member.LiveBrick;
import io.sdds.coordinator.control.placement.Loads;
import io.sdds.coordinator.state.ParityGroup;
import io.sdds.core.addressing.LinearHashing;
import io.sdds.core.control.ControlMessage.BrickCounters;
import io.sdds.core.control.ControlMessage.BrickStatus;
import io.sdds.core.control.ControlMessage.ClusterStatus;
import io.sdds.core.control.ControlMessage.CoordinatorStatus;
import io.sdds.core.control.ControlMessage.JoinStatus;
import io.sdds.core.control.ControlMessage.MigrationReport;
import io.sdds.core.control.ControlMessage.PartitionLoad;
import io.sdds.core.control.ControlMessage.PartitionStatus;
import io.sdds.core.control.ControlMessage.SplitStatus;
import io.sdds.core.control.ControlMessage.TableStatus;
import io.sdds.core.model.BrickInfo;
import io.sdds.core.model.KeySpan;
import io.sdds.core.model.MigrationOrder;
import io.sdds.core.model.Parity;
import io.sdds.core.model.Place;
import io.sdds.core.model.TableKind;
import io.sdds.core.model.TableMap;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Answers status requests of operators from the map and the last heartbeats of the bricks. */
public final class StatusRequests {
    private static final long NANOS_PER_MILLI = 1_000_000;

    /**
     * Largest number of partitions in a status. Larger clusters list only the first ones, so that the answer fits a
     * message.
     */
    private static final int PARTITIONS_LISTED_MAX = 100_000;

    private final ControlContext our;
    private final BrickRegistry bricks;
    private final TableHealths healths;
    private long checksumFailures;

    public StatusRequests(ControlContext our, BrickRegistry bricks, TableHealths healths) {
        this.our = our;
        this.bricks = bricks;
        this.healths = healths;
    }

    /** A link was closed because the checksum of received bytes was wrong. */
    public void onDamagedBytes() {
        checksumFailures++;
    }

    /** @param address address of this coordinator */
    public ClusterStatus status(boolean withPartitions, String address) {
        List<BrickStatus> brickStatuses = new ArrayList<>();
        for (BrickInfo brick : our.state().bricks()) {
            brickStatuses.add(brickStatus(brick));
        }
        Loads loads = new Loads(bricks);
        List<TableStatus> tableStatuses = new ArrayList<>();
        List<PartitionStatus> partitionStatuses = new ArrayList<>();
        for (TableMap table : our.state().tables()) {
            tableStatuses.add(tableStatus(table, loads, withPartitions ? partitionStatuses : null));
        }
        List<SplitStatus> splitStatuses = new ArrayList<>();
        List<JoinStatus> copies = joins(loads);
        for (MigrationOrder order : our.state().splits()) {
            if (order.isMove()) {
                copies.add(moveStatus(order));
            } else {
                splitStatuses.add(splitStatus(order));
            }
        }
        return new ClusterStatus(
                our.state().version(),
                our.settings().id(),
                coordinators(address),
                brickStatuses,
                tableStatuses,
                splitStatuses,
                partitionStatuses,
                our.state().sessionCount(),
                copies,
                checksumFailures,
                withPartitions ? idleColumns(loads) : List.of(),
                our.state().features());
    }

    private List<CoordinatorStatus> coordinators(String address) {
        List<CoordinatorStatus> members = our.log().members();
        return members.isEmpty()
                ? List.of(new CoordinatorStatus(our.settings().id(), address, true, true, 0))
                : members;
    }

    private BrickStatus brickStatus(BrickInfo info) {
        LiveBrick live = bricks.get(info.number());
        return new BrickStatus(
                info,
                live != null && !isSilent(live),
                bricks.silentNanos(info.number()) / NANOS_PER_MILLI,
                live == null ? 0 : live.memoryUsedBytes(),
                our.state().memoryLimitBytes(info.number()),
                our.state().places(info.number()),
                live == null ? 0 : live.records(),
                live == null ? 0 : live.bytes(),
                our.state().drains(info.number()),
                live == null ? BrickCounters.NONE : live.counters(),
                live == null ? "" : live.erasureKernel(),
                live == null ? 0 : live.weight());
    }

    private boolean isSilent(LiveBrick brick) {
        return bricks.silentNanos(brick.number()) >= our.settings().silenceNanos();
    }

    private TableStatus tableStatus(TableMap table, Loads loads, @Nullable List<PartitionStatus> listed) {
        int id = table.definition().id();
        long records = 0;
        long bytes = 0;
        int lost = 0;
        int partitions = 0;
        for (int partition = 0; partition < table.partitions(); partition++) {
            Place place = our.state().place(id, partition);
            if (!our.state().exists(id, partition)) {
                continue;
            }
            partitions++;
            PartitionLoad load = loads.of(id, partition, place);
            records += load.records();
            bytes += load.bytes();
            lost += place.lost() ? 1 : 0;
            if (listed != null && listed.size() < PARTITIONS_LISTED_MAX) {
                listed.add(partitionStatus(table, partition, load));
            }
        }
        TableMap withoutHoles = new TableMap(table.definition(), partitions, table.version());
        return new TableStatus(withoutHoles, records, bytes, lost, healths.of(table));
    }

    private List<PartitionStatus> idleColumns(Loads loads) {
        return our.state().tables().stream()
                .flatMap(table -> idleColumns(table, loads))
                .limit(PARTITIONS_LISTED_MAX)
                .toList();
    }

    /** The columns of a table that own no keys. */
    private Stream<PartitionStatus> idleColumns(TableMap table, Loads loads) {
        int id = table.definition().id();
        return IntStream.range(0, table.definition().hasParity() ? our.state().columns(id) : 0)
                .filter(column -> our.state().isIdle(id, column)
                        && !our.state().place(id, column).none())
                .mapToObj(column -> partitionStatus(
                        table, column, loads.of(id, column, our.state().place(id, column))));
    }

    private PartitionStatus partitionStatus(TableMap table, int partition, PartitionLoad load) {
        int id = table.definition().id();
        boolean range = table.definition().kind() == TableKind.RANGE;
        Place place = our.state().place(id, partition);
        return new PartitionStatus(
                id,
                partition,
                range ? 0 : LinearHashing.levelOf(partition, table.partitions()),
                idOf(place),
                place.lost(),
                load.records(),
                load.bytes(),
                range ? our.state().span(id, partition) : KeySpan.ALL,
                place.backups().stream().map(backup -> idOf(backup.brick())).toList(),
                place.lost() ? List.of() : place.members(),
                parities(table, partition));
    }

    /** The ids of the bricks that hold the parities of a partition's group; empty without parity. */
    private List<String> parities(TableMap table, int partition) {
        Parity parity = table.definition().parity();
        return parity.isNone()
                ? List.of()
                : our.state().parities(table.definition().id(), parity.group(partition)).members().stream()
                        .map(member -> idOf(member.brick()))
                        .toList();
    }

    private SplitStatus splitStatus(MigrationOrder order) {
        LiveBrick source = bricks.get(order.source().brick());
        MigrationReport report = source == null ? null : source.report(order.id());
        return new SplitStatus(
                order,
                idOf(order.source()),
                idOf(order.target()),
                report == null ? 0 : report.shippedBytes(),
                report == null ? 0 : report.totalBytes());
    }

    private List<JoinStatus> joins(Loads loads) {
        List<JoinStatus> joins = new ArrayList<>();
        for (MigrationOrder order : our.state().learners()) {
            Place place = our.state().place(order.table(), order.receiver());
            joins.add(joinStatus(order, place, place));
        }
        our.state().repairs().forEach(order -> joins.add(repairStatus(order, loads)));
        return joins;
    }

    /**
     * Shows a repair of a parity group as a copy that joins. Its target reports the progress: records of a recovery,
     * bytes of a parity.
     */
    private JoinStatus repairStatus(MigrationOrder repair, Loads loads) {
        JoinStatus status = joinStatus(repair, repair.source(), repair.target());
        return repair.isParity() ? withTotal(status, largestColumn(repair, loads)) : status;
    }

    /** A new parity cannot tell how large it will be: about as large as the largest column of its group. */
    private static JoinStatus withTotal(JoinStatus status, long bytes) {
        return new JoinStatus(
                status.order(),
                status.source(),
                status.target(),
                status.shippedBytes(),
                Math.max(status.shippedBytes(), bytes),
                status.bytesPerSecond());
    }

    /** Bytes of the largest column of the group of a parity order. */
    private long largestColumn(MigrationOrder order, Loads loads) {
        ParityGroup group = our.state().parityGroupOf(order);
        return IntStream.range(0, group.columns().size())
                .mapToLong(k -> loads.of(
                                order.table(),
                                group.first() + k,
                                group.columns().get(k))
                        .bytes())
                .max()
                .orElse(0);
    }

    /** Shows a partition that moves as a copy that joins. */
    private JoinStatus moveStatus(MigrationOrder move) {
        Place from = move.source();
        return joinStatus(move, from, from);
    }

    /** @param reports the place whose first process reports the progress */
    private JoinStatus joinStatus(MigrationOrder order, Place from, Place reports) {
        LiveBrick reporter = bricks.get(reports.brick());
        MigrationReport report = reporter == null ? null : reporter.report(order.id());
        return new JoinStatus(
                order,
                idOf(from),
                idOf(order.learner().brick()),
                report == null ? 0 : report.shippedBytes(),
                report == null ? 0 : report.totalBytes(),
                reporter == null || report == null ? 0 : reporter.bytesPerSecond(report));
    }

    private String idOf(Place place) {
        return idOf(place.brick());
    }

    private String idOf(int number) {
        BrickInfo brick = our.state().brick(number);
        return brick == null ? "" : brick.id();
    }
}
