package io.sdds.coordinator.control;

import io.sdds.core.addressing.LinearHashing;
import io.sdds.core.control.ControlMessage.BrickCounters;
import io.sdds.core.control.ControlMessage.BrickStatus;
import io.sdds.core.control.ControlMessage.ClusterStatus;
import io.sdds.core.control.ControlMessage.CoordinatorStatus;
import io.sdds.core.control.ControlMessage.JoinStatus;
import io.sdds.core.control.ControlMessage.PartitionLoad;
import io.sdds.core.control.ControlMessage.PartitionStatus;
import io.sdds.core.control.ControlMessage.SplitReport;
import io.sdds.core.control.ControlMessage.SplitStatus;
import io.sdds.core.control.ControlMessage.TableStatus;
import io.sdds.core.model.BrickInfo;
import io.sdds.core.model.JoinOrder;
import io.sdds.core.model.KeySpan;
import io.sdds.core.model.Place;
import io.sdds.core.model.SplitOrder;
import io.sdds.core.model.TableKind;
import io.sdds.core.model.TableMap;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What an operator sees: the map, and what bricks last said of themselves. */
final class StatusDesk {
    private static final long NANOS_PER_MILLI = 1_000_000;
    private static final BrickCounters NO_COUNTERS = new BrickCounters(0, 0, 0, 0);

    /** Partitions listed one by one; of larger clusters the first ones, so that the answer fits in a message. */
    private static final int PARTITIONS_LISTED_MAX = 100_000;

    private final Coordination our;
    private final BrickDesk bricks;

    StatusDesk(Coordination our, BrickDesk bricks) {
        this.our = our;
        this.bricks = bricks;
    }

    /** @param address of this coordinator */
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
        for (SplitOrder order : our.state().splits()) {
            splitStatuses.add(splitStatus(order));
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
                joins());
    }

    private List<CoordinatorStatus> coordinators(String address) {
        List<CoordinatorStatus> members = our.log().members();
        return members.isEmpty()
                ? List.of(new CoordinatorStatus(our.settings().id(), address, true, true, 0))
                : members;
    }

    private BrickStatus brickStatus(BrickInfo info) {
        LiveBrick live = bricks.get(info.number());
        BrickCounters counters = live == null ? NO_COUNTERS : live.counters();
        return new BrickStatus(
                info,
                live != null && !isSilent(live),
                bricks.silentNanos(info.number()) / NANOS_PER_MILLI,
                live == null ? 0 : live.memoryUsedBytes(),
                our.state().memoryLimitBytes(info.number()),
                our.state().places(info.number()),
                live == null ? 0 : live.records(),
                live == null ? 0 : live.bytes(),
                counters.operations(),
                counters.addressingForwards(),
                counters.adjustments(),
                counters.refused(),
                our.state().drains(info.number()));
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
                                .toList()));
            }
        }
        TableMap withoutHoles = new TableMap(table.definition(), partitions, table.version());
        return new TableStatus(withoutHoles, records, bytes, lost);
    }

    private SplitStatus splitStatus(SplitOrder order) {
        long shipped = 0;
        long total = 0;
        LiveBrick source = bricks.get(order.source().brick());
        for (SplitReport report : source == null ? List.<SplitReport>of() : source.splits()) {
            if (report.stream() == order.stream()) {
                shipped = report.shippedBytes();
                total = report.totalBytes();
            }
        }
        return new SplitStatus(order, idOf(order.source()), idOf(order.target()), shipped, total);
    }

    private List<JoinStatus> joins() {
        List<JoinStatus> joins = new ArrayList<>();
        for (JoinOrder order : our.state().joins()) {
            Place place = our.state().place(order.table(), order.partition());
            LiveBrick source = bricks.get(place.brick());
            SplitReport report = source == null ? null : source.join(order.stream());
            joins.add(new JoinStatus(
                    order,
                    idOf(place),
                    idOf(order.joiner().brick()),
                    report == null ? 0 : report.shippedBytes(),
                    report == null ? 0 : report.totalBytes(),
                    source == null || report == null ? 0 : source.bytesPerSecond(report)));
        }
        return joins;
    }

    private String idOf(Place place) {
        return idOf(place.brick());
    }

    private String idOf(int number) {
        BrickInfo brick = our.state().brick(number);
        return brick == null ? "" : brick.id();
    }
}
