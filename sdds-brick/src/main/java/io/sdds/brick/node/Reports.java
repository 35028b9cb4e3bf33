package io.sdds.brick.node;

import io.sdds.brick.group.Groups;
import io.sdds.brick.parity.stage.ParityStage;
import io.sdds.brick.partition.Partition;
import io.sdds.brick.stage.StageContext;
import io.sdds.core.control.ControlMessage.BrickCounters;
import io.sdds.core.control.ControlMessage.Heartbeat;
import io.sdds.core.control.ControlMessage.MigrationReport;
import io.sdds.core.control.ControlMessage.PartitionLoad;
import io.sdds.core.control.ControlMessage.Ranked;
import io.sdds.core.model.BrickInfo;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/** The reports of a stage. Each stage publishes its report, and the first stage sends all reports in its heartbeats. */
final class Reports {
    /** Index of the stage that has the {@link HeartbeatClient}. */
    private static final int FIRST = 0;

    private final StageGroup group;
    private final int stageIndex;
    private final LoadChanges changes;

    /** The loads of all stages; used by the first stage only. */
    private final LoadList loads = new LoadList();

    private final LongSupplier nowNanos;
    private final SplitDemand splitDemand;
    private final ParityStage parity;
    private final Groups groups;
    private final Supplier<List<MigrationReport>> migrations;
    private final Supplier<BrickCounters> counters;

    /** The missed members at the last tick ({@link Groups#missed}). */
    private List<Integer> missed = List.of();

    /** The columns at the last tick whose records all have ranks ({@link Groups#ranked}). */
    private List<Ranked> ranked = List.of();

    Reports(
            StageGroup group,
            int stageIndex,
            StageContext context,
            SplitDemand splitDemand,
            ParityStage parity,
            Supplier<List<MigrationReport>> migrations,
            Supplier<BrickCounters> counters) {
        this.group = group;
        this.stageIndex = stageIndex;
        this.changes = new LoadChanges(context.tables(), this::load);
        this.nowNanos = context.env()::nowNanos;
        this.splitDemand = splitDemand;
        this.parity = parity;
        this.groups = parity.groups();
        this.migrations = migrations;
        this.counters = counters;
    }

    private PartitionLoad load(Partition p) {
        boolean givenUp = p.group().hasLeft();
        boolean stuck = p.group().isStuck();
        int level = givenUp ? PartitionLoad.GIVEN_UP : stuck ? PartitionLoad.STUCK : p.level();
        long epoch = givenUp ? groups.epochInMap(p) : 0;
        return new PartitionLoad(p.table(), p.number(), level, p.records(), p.bytes(), epoch);
    }

    /** Each 100 ms: publishes the report for the next heartbeat. */
    void tick() {
        missed = List.copyOf(groups.missed());
        ranked = groups.ranked();
        publish(changes.ofTick(nowNanos.getAsLong()));
    }

    private void publish(List<PartitionLoad> changed) {
        if (!changed.isEmpty() && stageIndex == FIRST) {
            take(changed);
        } else if (!changed.isEmpty()) {
            group.on(FIRST, stage -> stage.takeLoads(changed));
        }
        List<MigrationReport> reports = new ArrayList<>(migrations.get());
        reports.addAll(parity.joins().reports());
        group.publish(stageIndex, new StageReport(counters.get(), splitDemand.wanted(), reports, missed, ranked));
    }

    /** At the first stage: takes the changed loads of a stage. */
    void take(List<PartitionLoad> changed) {
        loads.take(changed);
    }

    /** This brick has registered, so the coordinator knows no loads of this brick. */
    void registered() {
        loads.forget();
    }

    /** A heartbeat was answered. The coordinator knows the loads up to this list. */
    void answered(long listKnown) {
        loads.answered(listKnown);
    }

    /** Has the next heartbeat sent at once, because something urgent is to be reported. */
    void soon() {
        publish(changes.urgent(nowNanos.getAsLong()));
        group.on(FIRST, BrickNode::heartbeatSoon);
    }

    /** The heartbeat of the whole brick. */
    Heartbeat heartbeat(BrickInfo self, long mapVersion, long memoryUsedBytes) {
        publish(changes.urgent(nowNanos.getAsLong()));
        StageReport all = group.reports();
        LoadList.Listed list = loads.next();
        return new Heartbeat(
                self.number(),
                self.incarnation(),
                mapVersion,
                memoryUsedBytes,
                all.counters(),
                list.loads(),
                all.wanted(),
                all.migrations(),
                all.missed().stream().distinct().toList(),
                list.number(),
                list.since(),
                all.ranked());
    }
}
