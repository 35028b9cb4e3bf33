package io.sdds.coordinator.control.schedule;

import io.sdds.coordinator.control.base.ControlContext;
import io.sdds.coordinator.control.base.Reconciler;
import io.sdds.coordinator.control.member.BrickRegistry;
import io.sdds.coordinator.control.member.LiveBrick;
import io.sdds.coordinator.control.migration.MigrationTracker;
import io.sdds.coordinator.control.migration.StalledOrders;
import io.sdds.coordinator.state.Command;
import io.sdds.core.addressing.LinearHashing;
import io.sdds.core.control.ControlMessage.PartitionLoad;
import io.sdds.core.model.Place;
import io.sdds.core.model.TableDefinition.Load;
import io.sdds.core.model.TableKind;
import io.sdds.core.model.TableMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Merge control: orders the merge of a table's last partition into its parent when the table's load stays low.
 * {@link MigrationTracker} follows the merge.
 */
public final class MergeScheduler implements Reconciler {
    /*
     * The load is low if the reports of the bricks are below half of the load that splits (TableDefinition.isLow), both
     * for the partition that would come out of the merge and for the whole table. Each partition needs a report from a
     * brick that is up and knows the present table, so that no partition merges while another one is lost or away. The
     * load must stay low without a break. Merges themselves are no break, nor is the moment after a merge in which
     * bricks have not reported of the present table. A split, or a merge that was given up, begins the wait again. So
     * every merge has waited once, and a merged partition must double before it splits. Therefore splits and merges do
     * not alternate.
     */
    private static final Logger log = LoggerFactory.getLogger(MergeScheduler.class);

    private final ControlContext our;
    private final BrickRegistry bricks;
    private final StalledOrders stalled;
    private final IntPredicate held;
    private final Map<Integer, Low> lows = new TreeMap<>();
    private final Set<Integer> proposed = new TreeSet<>();

    /**
     * The time for which a table's load has been low.
     *
     * @param knownNanos when the load was last known to be low; a merge takes its time
     * @param partitions number of partitions at the last check
     * @param ordered whether the last check ordered a merge
     */
    private record Low(long sinceNanos, long knownNanos, int partitions, boolean ordered) {
        Low knownAt(long nanos) {
            return new Low(sinceNanos, nanos, partitions, ordered);
        }
    }

    /** The sum of the reported loads of a table, and the number of partitions with a report. */
    private static final class Reported {
        private Load all = Load.NONE;
        private int partitions;
    }

    /** @param held whether no merge of a table may begin */
    public MergeScheduler(ControlContext our, BrickRegistry bricks, StalledOrders stalled, IntPredicate held) {
        this.held = held;
        this.stalled = stalled;
        this.our = our;
        this.bricks = bricks;
    }

    @Override
    public void tick() {
        long now = our.env().nowNanos();
        lows.keySet().removeIf(table -> our.state().table(table) == null);
        for (TableMap table : our.state().tables()) {
            int id = table.definition().id();
            if (our.state().isMerging(id)) {
                lows.computeIfPresent(id, (merging, low) -> low.knownAt(now));
            } else if (table.definition().kind() == TableKind.HASH
                    && our.state().splitOf(id) == null
                    && !held.test(id)
                    && !proposed.contains(id)) {
                judge(table, now);
            }
        }
    }

    @Override
    public void onLeading() {
        lows.clear();
        proposed.clear();
    }

    private void judge(TableMap table, long now) {
        int id = table.definition().id();
        if (mayNotMerge(table)) {
            lows.remove(id);
            return;
        }
        Low before = lows.get(id);
        Reported reported = reported(table);
        boolean known = reported.partitions == table.partitions();
        if (!known
                && before != null
                && now - before.knownNanos() < our.settings().silenceNanos()) {
            return;
        }
        if (!known || !isLow(table, reported.all)) {
            lows.remove(id);
            return;
        }
        boolean goesOn = before != null
                && table.partitions() <= before.partitions()
                && !(before.ordered() && table.partitions() == before.partitions());
        long since = before != null && goesOn ? before.sinceNanos() : now;
        boolean due = now - since >= our.settings().mergeAfterNanos();
        Command begin = due ? begin(table) : null;
        lows.put(id, new Low(since, now, table.partitions(), begin != null));
        if (begin != null) {
            proposed.add(id);
            our.log().propose(begin, result -> {
                proposed.remove(id);
                log.debug("merge of table {}: {}", id, result);
            });
        }
    }

    /**
     * The command of the merge. Null while one of the two partitions moves, or its group lacks members or changes,
     * because this has to end first.
     */
    private @Nullable Command begin(TableMap table) {
        int id = table.definition().id();
        int child = last(table);
        int parent = parent(table);
        boolean moves = our.state().isMoving(id, child) || our.state().isMoving(id, parent);
        boolean rests = stalled.rests(id, child) || stalled.rests(id, parent);
        return !moves && !rests && bricks.isWhole(table, child) && bricks.isWhole(table, parent)
                ? Command.BeginMigration.merge(
                        id,
                        table.partitions(),
                        our.state().place(id, child).epoch(),
                        our.state().place(id, parent).epoch())
                : null;
    }

    /**
     * Whether the last two partitions alone rule out a merge, as in a table that grows. Then the other partitions need
     * no check.
     */
    private boolean mayNotMerge(TableMap table) {
        if (table.partitions() <= table.definition().spec().firstPartitions()) {
            return true;
        }
        boolean known = reported(table, last(table)) != null && reported(table, parent(table)) != null;
        return known && !isLow(table, Load.NONE);
    }

    private boolean isLow(TableMap table, Load all) {
        Load last = reported(table, last(table));
        Load parent = reported(table, parent(table));
        return last != null && parent != null && table.definition().isLow(table.partitions(), last, parent, all);
    }

    private static int last(TableMap table) {
        return table.partitions() - 1;
    }

    private static int parent(TableMap table) {
        return LinearHashing.parent(last(table));
    }

    private Reported reported(TableMap table) {
        Reported reported = new Reported();
        for (LiveBrick brick : bricks.all()) {
            if (counts(brick, table)) {
                brick.loads(table.definition().id()).values().forEach(load -> take(reported, table, brick, load));
            }
        }
        return reported;
    }

    private void take(Reported reported, TableMap table, LiveBrick brick, PartitionLoad load) {
        if (load.partition() < table.partitions() && brick.leads(our.state().place(load.table(), load.partition()))) {
            reported.all = reported.all.plus(new Load(load.records(), load.bytes()));
            reported.partitions++;
        }
    }

    /**
     * The load that a partition's brick reported; null if the brick has not reported since it knows the present table.
     */
    private @Nullable Load reported(TableMap table, int partition) {
        int id = table.definition().id();
        Place place = our.state().place(id, partition);
        LiveBrick brick = bricks.get(place.brick());
        PartitionLoad load =
                brick != null && brick.leads(place) && counts(brick, table) ? brick.load(id, partition) : null;
        return load == null ? null : new Load(load.records(), load.bytes());
    }

    /** Whether a brick's reports count, because its process is up and knows the present table. */
    private boolean counts(LiveBrick brick, TableMap table) {
        return bricks.get(brick.number()) == brick && bricks.isUp(brick) && brick.mapVersion() >= table.version();
    }
}
