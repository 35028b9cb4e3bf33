package io.sdds.coordinator.control;

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
import io.sdds.core.model.Place;
import io.sdds.core.model.TableKind;
import io.sdds.core.model.TableMap;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Answers status requests of operators from the map and the last heartbeats of the bricks. */
final class StatusRequests {
    private static final long NANOS_PER_MILLI = 1_000_000;

    /**
     * Largest number of partitions in a status. Larger clusters list only the first ones, so that the answer fits a
     * message.
     */
    private static final int PARTITIONS_LISTED_MAX = 100_000;

    private final ControlContext our;
    private final BrickRegistry bricks;
    private long checksumFailures;

    StatusRequests(ControlContext our, BrickRegistry bricks) {
        this.our = our;
        this.bricks = bricks;
    }

    /** A link was closed because the checksum of received bytes was wrong. */
    void onDamagedBytes() {
        checksumFailures++;
    }

    /** @param address address of this coordinator */
    ClusterStatus status(boolean withPartitions, String address) {
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
        List<JoinStatus> copies = joins();
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
                checksumFailures);
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
                live == null ? BrickCounters.NONE : live.counters());
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
            if (place.none()) {
                continue;
            }
            partitions++;
            PartitionLoad load = loads.of(id, partition, place);
            records += load.records();
            bytes += load.bytes();
            lost += place.lost() ? 1 : 0;
            if (listed != null && listed.size() < PARTITIONS_LISTED_MAX) {
                boolean range = table.definition().kind() == TableKind.RANGE;
                listed.add(new PartitionStatus(
                        id,
                        partition,
                        range ? 0 : LinearHashing.levelOf(partition, table.partitions()),
                        idOf(place),
                        place.lost(),
                        load.records(),
                        load.bytes(),
                        range ? our.state().span(id, partition) : KeySpan.ALL,
                        place.backups().stream()
                                .map(backup -> idOf(backup.brick()))
                                .toList(),
                        place.lost() ? List.of() : place.members()));
            }
        }
        TableMap withoutHoles = new TableMap(table.definition(), partitions, table.version());
        return new TableStatus(withoutHoles, records, bytes, lost);
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

    private List<JoinStatus> joins() {
        List<JoinStatus> joins = new ArrayList<>();
        for (MigrationOrder order : our.state().learners()) {
            joins.add(joinStatus(order, our.state().place(order.table(), order.receiver())));
        }
        return joins;
    }

    /** Shows a partition that moves as a copy that joins. */
    private JoinStatus moveStatus(MigrationOrder move) {
        Place from = move.source();
        return joinStatus(move, from);
    }

    private JoinStatus joinStatus(MigrationOrder order, Place from) {
        LiveBrick source = bricks.get(from.brick());
        MigrationReport report = source == null ? null : source.report(order.id());
        return new JoinStatus(
                order,
                idOf(from),
                idOf(order.learner().brick()),
                report == null ? 0 : report.shippedBytes(),
                report == null ? 0 : report.totalBytes(),
                source == null || report == null ? 0 : source.bytesPerSecond(report));
    }

    private String idOf(Place place) {
        return idOf(place.brick());
    }

    private String idOf(int number) {
        BrickInfo brick = our.state().brick(number);
        return brick == null ? "" : brick.id();
    }
}
