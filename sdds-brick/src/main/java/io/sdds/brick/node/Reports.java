package io.sdds.brick.node;

import io.sdds.brick.group.Group;
import io.sdds.brick.group.Groups;
import io.sdds.brick.partition.Tables;
import io.sdds.core.control.ControlMessage.BrickCounters;
import io.sdds.core.control.ControlMessage.Heartbeat;
import io.sdds.core.control.ControlMessage.PartitionLoad;
import io.sdds.core.model.BrickInfo;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** What a stage says of itself: each publishes its share, and the first one's heartbeats say them all. */
final class Reports {
    private final StageGroup group;
    private final int stageIndex;
    private final Tables tables;
    private final Splits splits;
    private final Groups groups;
    private final Joins joins;
    private final Supplier<BrickCounters> counters;

    Reports(
            StageGroup group,
            int stageIndex,
            Tables tables,
            Splits splits,
            Groups groups,
            Joins joins,
            Supplier<BrickCounters> counters) {
        this.group = group;
        this.stageIndex = stageIndex;
        this.tables = tables;
        this.splits = splits;
        this.groups = groups;
        this.joins = joins;
        this.counters = counters;
    }

    /** For the next heartbeat. */
    void publish() {
        List<PartitionLoad> loads = new ArrayList<>();
        tables.forEach(p -> {
            Group itsGroup = p.group();
            boolean givenUp = itsGroup != null && itsGroup.hasGivenUp();
            boolean stuck = itsGroup != null && itsGroup.isStuck();
            int level = givenUp ? PartitionLoad.GIVEN_UP : stuck ? PartitionLoad.STUCK : p.level();
            loads.add(new PartitionLoad(
                    p.table(), p.number(), level, p.records(), p.bytes(), givenUp ? groups.epochInMap(p) : 0));
        });
        group.publish(
                stageIndex,
                new StageReport(
                        counters.get(),
                        loads,
                        splits.wanted(),
                        splits.reports(),
                        joins.reports(),
                        List.copyOf(groups.missed())));
    }

    /** Something urgent is to be reported: the next heartbeat is now. */
    void soon() {
        publish();
        group.on(0, BrickNode::heartbeatSoon);
    }

    /** Of the whole brick. */
    Heartbeat heartbeat(BrickInfo self, long mapVersion, long memoryUsedBytes) {
        publish();
        StageReport all = group.reports();
        return new Heartbeat(
                self.number(),
                self.incarnation(),
                mapVersion,
                memoryUsedBytes,
                all.counters(),
                all.loads(),
                all.wanted(),
                all.splits(),
                all.joins(),
                all.missed().stream().distinct().toList());
    }
}
